"""The canons, declared once (spec 02 §2.2–2.4)."""

from __future__ import annotations

import pytest

from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    EMOTION_SECTOR,
    EMOTION_SYNONYMS,
    FIELD_CANONS,
    FIELD_SYNONYMS,
    INTENT_CANON,
    INTENTION_CANON,
    MODE_CANON,
    NEGATIVE_EMOTIONS,
    POSITIVE_EMOTIONS,
    ROLE_ASSISTANT,
    SECTOR_EMOTIONS,
    STYLE_CANON,
    TONE_CANON,
    group_of,
)


def test_the_canons_are_those_of_the_seed() -> None:
    """B-017, B-018, B-024, B-025, B-026."""
    assert INTENT_CANON == ("smalltalk", "knowledge", "personal", "task", "creative", "meta")
    assert set(TONE_CANON) == {"empathisch", "sachlich", "kreativ", "direkt"}
    assert set(MODE_CANON) == {
        "fachgespraech",
        "philosophischer_austausch",
        "alltag",
        "arbeitsmodus",
        "emotional",
        "spielerisch",
        "lernmodus",
        "kreativ",
        "beratend",
        "berichtend",
    }
    assert set(STYLE_CANON) == {"locker", "formell", "fachlich", "emotional", "jugendlich", "neutral"}
    assert set(DYNAMIC_CANON) == {"vertrauen", "distanz", "angriff", "hilfesuchend", "dankbar", "neutral"}


def test_sixteen_emotions_and_one() -> None:
    """B-020: 6 positive, 8 negative, 2 of surprise, 1 neutral."""
    assert len(EMOTION_CANON) == len(set(EMOTION_CANON)) == 17
    assert {
        "begeisterung",
        "freude",
        "dankbarkeit",
        "zufriedenheit",
        "hoffnung",
        "neugierig",
    } == POSITIVE_EMOTIONS
    assert {
        "stress",
        "unsicherheit",
        "verzweiflung",
        "traurigkeit",
        "frustration",
        "enttaeuschung",
        "wut",
        "aerger",
    } == NEGATIVE_EMOTIONS
    assert [group_of(emotion) for emotion in ("ueberrascht", "verwundert", "neutral", "unbekannt")] == [
        "neutral"
    ] * 4


def test_every_emotion_but_neutral_has_its_sector_and_every_sector_a_pair() -> None:
    """B-086: the sector map is the one source."""
    assert sorted(SECTOR_EMOTIONS) == list(range(1, 9))
    assert {*EMOTION_SECTOR, "neutral"} == set(EMOTION_CANON)


def test_a_translation_never_joins_the_canon() -> None:
    """B-029, B-030: there it would meet the defaults of every table."""
    assert FIELD_SYNONYMS["modus"]["creative"] == "kreativ"
    for field, synonyms in FIELD_SYNONYMS.items():
        assert not set(synonyms) & set(FIELD_CANONS[field])
        assert set(synonyms.values()) <= set(FIELD_CANONS[field])


def test_pride_and_relief_are_synonyms_and_no_categories() -> None:
    """B-020."""
    assert not {"stolz", "erleichterung"} & set(EMOTION_CANON)
    assert EMOTION_SYNONYMS["stolz"] == "freude"
    assert EMOTION_SYNONYMS["erleichterung"] == "zufriedenheit"


@pytest.mark.parametrize("canon", [*FIELD_CANONS.values(), INTENTION_CANON])
def test_no_canon_says_a_value_twice(canon: tuple[str, ...]) -> None:
    assert len(canon) == len(set(canon))


def test_topics_have_no_canon() -> None:
    """B-019: free text never goes through the pull."""
    assert "thema" not in FIELD_CANONS
    assert len(FIELD_CANONS) == 6


def test_novas_role_has_the_name_of_the_message_role() -> None:
    """B-016: ``assistant`` and not ``nova``."""
    assert ROLE_ASSISTANT == "assistant"
