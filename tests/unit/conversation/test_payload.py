"""Reading and writing an event payload (spec 01 §2.8, §3.6.2)."""

from __future__ import annotations

import dataclasses
import json
import logging

import pytest
from hypothesis import given

from novaberg.conversation.payload import (
    EMOTION_KEYS,
    course_from_payload,
    course_to_json,
    emotion_from_payload,
    emotion_to_json,
    has_emotion,
)
from novaberg.ei.canon import Perception
from novaberg.ei.records import CourseEntry
from novaberg.personality import Emotion
from tests.support.strategies import COURSES, JSON

SEED_DEFAULTS = {
    "current_emotion": "neutral",
    "current_arousal": 0.5,
    "emotions_vektor": "",
    "gespraechs_modus": "alltag",
    "sprach_stil": "neutral",
    "beziehungs_dynamik": "neutral",
    "tone": "sachlich",
    "intent": "smalltalk",
    "prompt_thema": "",
}
"""As they stand in the seed (node-db-zugriff §3, step 1)."""


def test_the_nine_keys_are_those_of_the_seed() -> None:
    """A-010."""
    assert set(EMOTION_KEYS) == set(SEED_DEFAULTS)


@pytest.mark.parametrize("key", SEED_DEFAULTS)
def test_a_missing_key_gets_its_seed_default_which_is_the_class_default(key: str) -> None:
    """A-011: key by key, while all others are there."""
    full: dict[str, object] = {name: f"<{name}>" for name in SEED_DEFAULTS} | {"current_arousal": 0.9}
    emotion = emotion_from_payload({name: value for name, value in full.items() if name != key})  # type: ignore[misc]
    assert getattr(emotion, EMOTION_KEYS[key]) == SEED_DEFAULTS[key]
    assert getattr(Emotion(), EMOTION_KEYS[key]) == SEED_DEFAULTS[key]
    for other in set(SEED_DEFAULTS) - {key}:
        assert getattr(emotion, EMOTION_KEYS[other]) == full[other]


def test_an_empty_text_stays_and_is_no_missing_key() -> None:
    """Spec 01 §3.6.2: only a missing key gets the default."""
    assert emotion_from_payload({"current_emotion": "", "tone": ""}) == Emotion(emotion="", tone="")


def test_odd_values_pass_unchanged() -> None:
    """A-047: nothing is checked at the entry."""
    emotion = emotion_from_payload({"gespraechs_modus": "quatsch", "current_arousal": 7})
    assert emotion == Emotion(mode="quatsch", arousal=7.0)


@pytest.mark.parametrize("raw", ["hoch", None, [0.5], {}])
def test_an_arousal_that_is_no_number_becomes_the_middle_with_an_error(
    raw: object, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §3.6.2 [gap]."""
    assert emotion_from_payload({"current_arousal": raw}).arousal == 0.5  # type: ignore[dict-item]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_the_origin_of_the_vector_travels_along() -> None:
    """Spec 02 §8 no. 6: ``plateau`` alone means two things."""
    emotion = emotion_from_payload({"emotions_vektor": "plateau", "emotions_vektor_quelle": "zu_wenig_turns"})
    assert (emotion.emotions_vector, emotion.emotions_vector_quelle) == ("plateau", "zu_wenig_turns")


def test_a_payload_without_perception_can_be_told_from_a_calm_one() -> None:
    """Trap T35: missing measurements are left out, not zero."""
    assert not has_emotion({"user_prompt": "Hallo", "pfad1_ausfall": "X: y"})
    assert has_emotion({"current_emotion": "neutral"})


@given(COURSES)
def test_a_course_survives_the_payload(course: tuple[CourseEntry, ...]) -> None:
    """Design §3: the event row carries the course for the delegation check."""
    stored = json.loads(json.dumps(course_to_json(course)))
    assert course_from_payload({"emotions_verlauf": stored}) == course


@given(JSON)
def test_an_unusable_course_is_never_an_exception(raw: object) -> None:
    """Spec 01 §3.6.2 in spirit: reading a payload does not end a turn."""
    for entry in course_from_payload({"emotions_verlauf": raw}):  # type: ignore[dict-item]
        assert set(entry) == {"emotion", "gewicht", "arousal"}


def test_unusable_entries_of_a_course_are_left_out_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    """Design §6.1: a fallback is visible."""
    good: CourseEntry = {"emotion": "freude", "gewicht": 1.0, "arousal": 0.5}
    assert course_from_payload(
        {"emotions_verlauf": [*course_to_json([good]), "freude", {"emotion": "wut"}]}
    ) == (good,)
    assert "2 unusable" in caplog.text


def test_a_stored_emotion_has_the_nine_dimensions_and_the_origin_of_the_vector() -> None:
    """A-150, B-089."""
    assert set(emotion_to_json(Emotion())) == {field.name for field in dataclasses.fields(Emotion)}
    assert len(emotion_to_json(Emotion())) == 10


def test_the_defaults_of_perception_and_payload_agree() -> None:
    """A-011, B-014: two tables by meaning, but they must not drift apart unseen."""
    assert Perception().into(Emotion()) == Emotion()
