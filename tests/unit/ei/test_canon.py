from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novaberg.ei.canon import (
    DEFAULT_PERCEPTION,
    FIELD_DEFAULTS,
    Outlier,
    Perception,
    pull,
    read_arousal,
    read_perception,
    to_canonical,
)
from novaberg.personality import Emotion
from novaberg.vocabulary import FIELD_CANONS, FIELD_SYNONYMS, Field
from tests.unit.ei.strategies import json_values, quick

FIELDS: list[Field] = list(FIELD_CANONS)
ANY_FIELD = st.sampled_from(FIELDS)


@pytest.mark.parametrize(
    ("field", "raw", "value", "stage", "foreign"),
    [
        ("modus", "Creative", "kreativ", "synonym", ()),
        ("emotion", "Ärger", "aerger", "normalised", ()),
        ("emotion", "Stolz", "freude", "synonym", ()),
        ("intent", "philosophischer_austausch", "philosophischer_austausch", "none", ("modus",)),
        ("intent", "neutral", "neutral", "none", ("emotion", "sprach_stil", "beziehungs_dynamik")),
        ("emotion", "vertrauen", "zufriedenheit", "synonym", ()),
        ("emotion", True, "true", "none", ()),
        ("tone", {"ä": 1}, '{"ä": 1}', "none", ()),
    ],
)
def test_examples_by_hand(
    field: Field, raw: object, value: str, stage: str, foreign: tuple[str, ...]
) -> None:
    """B-027, B-028, B-034, spec 02 §9.2 no. 1, §3.1: a resolvable value is no outlier; the right value in the
    wrong column is named."""
    result = pull(field, raw)
    assert (result.value, result.stage, result.foreign) == (value, stage, foreign)
    assert result.outlier is (stage == "none")


@quick
@given(ANY_FIELD, st.data())
def test_every_canon_value_is_itself_in_any_spelling(field: Field, data: st.DataObject) -> None:
    """B-027."""
    value = data.draw(st.sampled_from(FIELD_CANONS[field]))
    blanks = data.draw(st.sampled_from(["", " ", "\n"]))
    assert pull(field, value).stage == "exact"
    assert pull(field, f"{blanks}{value.upper()}{blanks}").value == value


@pytest.mark.parametrize("field", FIELDS)
def test_every_synonym_leads_into_its_canon_and_is_no_canon_value(field: Field) -> None:
    """B-029, B-030, seed node-perzeption §3.2: a translation in the canon would pass every check and meet the
    defaults of tables."""
    for word, meant in FIELD_SYNONYMS.get(field, {}).items():
        assert meant in FIELD_CANONS[field]
        assert word not in FIELD_CANONS[field]
        assert pull(field, word).value == meant


@quick
@given(ANY_FIELD, json_values)
@example("tone", "  ")
@example("tone", None)
def test_an_unknown_value_passes_unchanged_and_nothing_said_is_the_default(field: Field, raw: object) -> None:
    """B-033, seed node-perzeption §3.2: never reset to a default that would look like a measurement."""
    result = pull(field, raw)
    if result.outlier:
        assert result.value == (raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False))
        assert result.stage == "none"
        assert field not in result.foreign
    else:
        assert result.value in FIELD_CANONS[field]
        assert (result.stage == "default") == (raw is None or (isinstance(raw, str) and not raw.strip()))


@pytest.mark.parametrize("field", FIELDS)
def test_the_default_of_a_field_stands_in_its_canon(field: Field) -> None:
    assert FIELD_DEFAULTS[field] in FIELD_CANONS[field]


def test_knowledge_about_other_fields_is_keyword_only() -> None:
    """B-031, seed node-perzeption §3.2: two dicts side by side would be confused."""
    confusable: Any = to_canonical
    with pytest.raises(TypeError):
        confusable("x", FIELD_CANONS["tone"], "tone", FIELD_CANONS, FIELD_SYNONYMS)


@pytest.mark.parametrize(
    ("raw", "arousal"),
    [
        (True, 1.0),
        (False, 0.0),
        ("0.7", 0.7),
        (" .5 ", 0.5),
        ("1e9", 1.0),
        ("nan", 0.5),
        (math.nan, 0.5),
        (math.inf, 1.0),
        (-math.inf, 0.0),
        (10**400, 0.5),
        ([0.7], 0.5),
        ("hoch", 0.5),
    ],
)
def test_arousal_of_a_reply_is_clamped_or_the_default(raw: object, arousal: float) -> None:
    """B-022, spec 02 §3.3: numeric text and booleans count, NaN does not, infinities clamp."""
    assert read_arousal(raw) == arousal


@quick
@given(json_values)
@example({"rational": [], "emotional": "x", "psychologisch": None})
@example({"emotional": {"arousal": "x", "emotion": {"a": 1}}})
def test_reading_a_perception_never_raises_and_stays_in_range(data: Any) -> None:
    read = read_perception(data)
    assert 0 <= read.perception.arousal <= 1
    assert read.is_object is isinstance(data, dict)
    assert read.is_object or read.perception == DEFAULT_PERCEPTION


def test_a_failure_of_one_field_leaves_the_other_seven() -> None:
    """Spec 02 §3.3."""
    read = read_perception(
        {
            "rational": {"intent": "task", "tone": "direkt", "thema": "Termin beim Arzt"},
            "emotional": {"emotion": "stress", "arousal": "sehr hoch"},
            "psychologisch": {
                "modus": "arbeitsmodus",
                "sprach_stil": "formell",
                "beziehungs_dynamik": "vertrauen",
            },
        }
    )
    assert read.perception == Perception(
        intent="task",
        tone="direkt",
        topic="Termin beim Arzt",
        emotion="stress",
        arousal=0.5,
        mode="arbeitsmodus",
        language_style="formell",
        relationship_dynamic="vertrauen",
    )
    assert read.defaulted == ("arousal",)
    assert read.outliers == ()


def test_default_and_measurement_stay_distinguishable() -> None:
    """Seed node-perzeption §5a: the defaults lie in the span of real perceptions."""
    empty, neutral = (
        read_perception({}),
        read_perception({"emotional": {"emotion": "neutral", "arousal": 0.5}}),
    )
    assert empty.perception == neutral.perception
    assert "emotion" in empty.defaulted
    assert "emotion" not in neutral.defaulted
    assert not read_perception([]).is_object


def test_outliers_come_in_canon_order_with_the_first_foreign_field() -> None:
    read = read_perception(
        {"psychologisch": {"sprach_stil": "sachlich"}, "rational": {"tone": "neutral", "intent": "frage"}}
    )
    assert read.outliers == (
        Outlier("intent", "frage", ""),
        Outlier("tone", "neutral", "emotion"),
        Outlier("sprach_stil", "sachlich", "tone"),
    )


def test_a_perception_leaves_the_vector_alone() -> None:
    """Spec 02 §3.17 step 8."""
    before = Emotion(emotions_vector="spirale", emotions_vector_quelle="gemessen")
    after = Perception(emotion="wut", topic="Chef", mode="emotional").into(before)
    assert (after.emotions_vector, after.emotions_vector_quelle) == ("spirale", "gemessen")
    assert (after.emotion, after.prompt_topic, after.mode) == ("wut", "Chef", "emotional")


def test_each_of_the_six_value_fields_is_pulled_and_the_topic_is_not() -> None:
    """B-019, B-032: a value that no canon knows is an outlier in all six columns and a topic like any other."""
    odd = "quatsch"
    read = read_perception(
        {
            "rational": {"intent": odd, "tone": odd, "thema": odd},
            "emotional": {"emotion": odd, "arousal": 0.5},
            "psychologisch": {"modus": odd, "sprach_stil": odd, "beziehungs_dynamik": odd},
        }
    )
    assert [outlier.field for outlier in read.outliers] == list(FIELD_CANONS)
    assert read.perception.topic == odd
