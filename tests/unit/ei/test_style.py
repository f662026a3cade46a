from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.style import character_hash, detect_style, hash_style, style_features
from novaberg.ei.style_tables import STYLE_HINTS, STYLE_ORDER
from novaberg.personality import Character
from novaberg.vocabulary import STYLE_CANON
from tests.unit.ei.strategies import characters, quick, turns


def _said(*texts: str, role: str = "user") -> Any:
    return [{"rolle": role, "inhalt": text} for text in texts]


def test_examples_by_hand() -> None:
    """Spec 02 §9.2 no. 11."""
    young = "ey digga das ist mega krass"
    assert style_features(young) == {
        "locker": 3,
        "formell": -10,
        "fachlich": 0,
        "emotional": 1,
        "jugendlich": 14,
    }
    assert detect_style(_said(young), None, role="user").style == "jugendlich"
    polite = "Sehr geehrte Frau Meier, könnte ich Sie um einen Termin bitten?"
    assert style_features(polite)["formell"] == 12
    assert detect_style(_said(polite), None, role="user").style == "formell"


@pytest.mark.parametrize(
    ("text", "style", "points"),
    [
        ("krass!", "jugendlich", 2),
        ("krass", "jugendlich", 5),
        ("krass krass", "jugendlich", 5),
        ("eins, zwei, drei", "formell", 1),
        ("eins, zwei, drei, vier", "formell", 3),
        ("USB 100 ab", "emotional", 3),
        ("AB 100 ab", "emotional", 1),
        ("Ⅳ ☹", "emotional", 2),
    ],
)
def test_markers_stand_between_blanks_and_count_once(text: str, style: Any, points: float) -> None:
    """Spec 02 §3.9: attached punctuation hides a marker; distinct markers count; shares need more than three words."""
    assert style_features(text)[style] == points


def test_a_narrow_lead_lets_the_profile_decide_and_a_clear_one_does_not() -> None:
    narrow = _said("Heute war ein ruhiger Tag. Ich bin spazieren gegangen, habe gelesen und dann gekocht.")
    formal = {"kern": "höflich"}
    assert detect_style(narrow, None, role="user").style == "locker"
    assert detect_style(narrow, formal, role="user").style == "formell"
    assert detect_style(_said("safe bro safe"), formal, role="user").style == "jugendlich"
    emotional = {"kern": "leidenschaftlich"}
    assert detect_style(narrow, emotional, role="user").style == "locker"


def test_only_the_last_five_texts_of_the_right_speaker_count() -> None:
    """Spec 02 §8 trap 17: a hard-wired user filter mis-scored Nova."""
    history = _said(*["Dürfte ich Sie fragen, ob Sie mir antworten könnten?"] * 3) + _said(
        *["safe bro safe"] * 5, role="assistant"
    )
    read = detect_style(history, None, role="assistant")
    assert (read.style, read.texts) == ("jugendlich", 5)
    assert detect_style(history, None, role="user").texts == 3
    assert detect_style(_said("lol") + history[3:], None, role="assistant") == read


def test_nothing_to_read_is_told_apart_from_nothing_found() -> None:
    """Spec 02 §3.16: without a usable turn no style is corrected."""
    assert detect_style([{"rolle": "user", "inhalt": ""}], None, role="user").texts == 0
    assert detect_style([{"rolle": "user"}], None, role="user").style == "neutral"


@pytest.mark.parametrize("style", STYLE_ORDER)
def test_every_hint_is_found_in_a_profile(style: Any) -> None:
    shadowed = {"umgangssprache"} if style == "jugendlich" else set()
    for hint in STYLE_HINTS[style]:
        if hint not in shadowed:
            assert hash_style({"intentions_profil": f"Schreibt {hint.upper()}."}) == style


def test_a_profile_without_hints_or_values_is_neutral() -> None:
    assert hash_style({"intentions_profil": None, "kern": None}) == "neutral"
    assert hash_style({"adaptiv": "locker"}) == "neutral"


def test_an_empty_character_gives_no_hash() -> None:
    assert character_hash(Character()) is None
    assert character_hash(Character(core="ruhig")) == {
        "kern": "ruhig",
        "adaptiv": "",
        "beziehungsprofil": "",
        "intentions_profil": "",
        "emotions_profil": "",
    }


@quick
@given(st.text(max_size=80))
def test_any_text_can_be_scored(text: str) -> None:
    assert list(style_features(text)) == list(STYLE_ORDER)


@quick
@given(turns, characters)
def test_the_recognised_style_stands_in_the_canon(history: Any, character: Any) -> None:
    assert detect_style(history, character, role="user").style in STYLE_CANON
