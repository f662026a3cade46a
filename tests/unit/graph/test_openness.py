"""What is told of Nova's openness (spec 02 §3.12)."""

from __future__ import annotations

import logging

import pytest

from novaberg.conversation.state import ConversationState
from novaberg.graph.openness import tell_openness
from novaberg.personality import Emotion, InternalPersonality

CURIOUS = Emotion("freude", 0.1, "plateau", "fachgespraech", "locker", "vertrauen", "direkt", "knowledge")


def state(emotion: Emotion, *course: tuple[str, float]) -> ConversationState:
    return {
        "turn_id": "t1",
        "internal": InternalPersonality(emotion=emotion),
        "nova_emotions_verlauf": tuple(
            {"emotion": name, "gewicht": 0.8, "arousal": arousal} for name, arousal in course
        ),
    }


def test_the_course_speaks_before_the_emotion_and_every_factor_is_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Spec 02 §9.2 no. 8: neugierig .5, plateau, fachgespraech, vertrauen, locker → 0.943803."""
    caplog.set_level(logging.INFO)
    tell_openness(state(CURIOUS, ("neugierig", 0.5), ("wut", 0.9)))
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("readiness 0.944 (emotion 1.500, arousal 1.150, vektor 1.000, modus 1.300")
    assert "fascination 0." in line


def test_without_a_course_her_emotion_speaks_and_without_her_the_defaults(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Spec 02 §3.12."""
    caplog.set_level(logging.INFO)
    tell_openness(state(Emotion(emotion="neugierig", arousal=0.5)))
    tell_openness({})
    first, second = (record.getMessage() for record in caplog.records)
    assert "emotion 1.500" in first
    assert second.startswith("readiness 0.595")


def test_a_crisis_closes_everything_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 02 §9.2 no. 8: spirale at .8 → 0.0."""
    caplog.set_level(logging.INFO)
    tell_openness(state(Emotion(emotions_vector="spirale"), ("wut", 0.8)))
    assert "readiness 0.000 (crisis)" in caplog.text


def test_every_value_outside_its_table_is_an_error_at_its_place(caplog: pytest.LogCaptureFixture) -> None:
    """B-037, B-039: five tables of two places; one line each, with field, value, factor and turn."""
    odd = Emotion(mode="sachlich", relationship_dynamic="naehe", language_style="sachlich", intent="frage")
    tell_openness(state(odd))
    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert [line.split(" is outside")[0] for line in errors] == [
        "neugier: modus 'sachlich'",
        "neugier: beziehungs_dynamik 'naehe'",
        "neugier: sprach_stil 'sachlich'",
        "faszination: intent 'frage'",
        "faszination: mode 'sachlich'",
    ]
    assert all("applied" in line and "turn t1" in line for line in errors)
