from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from novaberg.ei.trajectory import DEFAULT_TRAJECTORY, Trajectory, emotion_trajectory
from tests.unit.ei.strategies import emotions, quick, turns, unit

REFERENCE = replace(DEFAULT_TRAJECTORY, stimulus_base=1.0, stimulus_slope=0.0)


def _turn(emotion: str, arousal: object, role: str = "user") -> Any:
    return {"rolle": role, "emotion": emotion, "arousal": arousal}


def _shown(course: Trajectory) -> list[tuple[str, float, float]]:
    return [(entry["emotion"], entry["gewicht"], entry["arousal"]) for entry in course.entries]


HISTORY = [_turn("freude", 0.6), _turn("neugierig", 0.4), _turn("wut", 0.9, "assistant")]


def test_course_by_hand_in_both_settings() -> None:
    """Spec 02 §9.2 no. 3."""
    now: Any = {
        "role": "user",
        "current_emotion": "verzweiflung",
        "current_arousal": 0.9,
        "inject_current": True,
    }
    assert _shown(emotion_trajectory(HISTORY, **now, calibration=REFERENCE)) == [
        ("verzweiflung", 0.77, 0.9),
        ("neugierig", 0.22, 0.35),
        ("freude", 0.17, 0.49),
    ]
    assert _shown(emotion_trajectory(HISTORY, **now)) == [
        ("verzweiflung", 0.88, 0.9),
        ("neugierig", 0.21, 0.35),
        ("freude", 0.18, 0.49),
    ]


def test_stimulus_strength_keeps_the_midpoint_and_weakens_faint_turns() -> None:
    """B-044, spec 02 §9.2 no. 4."""
    half, faint = ([_turn("freude", arousal)] for arousal in (0.5, 0.1))
    assert _shown(emotion_trajectory(half, role="user", inject_current=False)) == [("freude", 0.77, 0.5)]
    assert _shown(emotion_trajectory(half, role="user", inject_current=False, calibration=REFERENCE)) == [
        ("freude", 0.77, 0.5)
    ]
    assert _shown(emotion_trajectory(faint, role="user", inject_current=False)) == [("freude", 0.61, 0.1)]


def test_a_course_from_nothing_is_empty_and_says_so() -> None:
    course = emotion_trajectory([_turn("neutral", 0.5)], role="user", current_emotion="", inject_current=True)
    assert course == Trajectory((), 0)


def test_an_unknown_emotion_takes_part_and_is_named_once() -> None:
    """Spec 02 §3.1: one ERROR line naming it."""
    course = emotion_trajectory([_turn("Quark", 0.5), _turn("Quark", 0.6)], role="user", inject_current=False)
    assert [name for name, *_ in _shown(course)] == ["Quark"]
    assert course.unknown == ("Quark",)


def test_high_arousal_of_the_leading_emotion_suppresses_its_opposite_more() -> None:
    """Spec 02 §3.4, arousal as radius."""

    def sadness_beside_joy(arousal: float) -> float:
        course = emotion_trajectory(
            [_turn("traurigkeit", 0.6)] * 3,
            role="user",
            current_emotion="freude",
            current_arousal=arousal,
            inject_current=True,
            calibration=REFERENCE,
        )
        assert course.entries[0]["emotion"] == "freude"
        return course.entries[1]["gewicht"]

    assert sadness_beside_joy(0.95) < sadness_beside_joy(0.4)


def test_only_the_last_hundred_turns_count() -> None:
    old = [_turn("wut", 1.0)] * 5
    recent = [_turn("freude", 0.5)] * 100
    course = emotion_trajectory(old + recent, role="user", inject_current=False)
    assert [name for name, *_ in _shown(course)] == ["freude"]
    assert course.turns == 100


@quick
@given(turns, emotions, unit)
def test_a_course_is_sorted_within_bounds_and_names_each_emotion_once(
    history: Any, emotion: str, arousal: float
) -> None:
    course = emotion_trajectory(
        history, role="user", current_emotion=emotion, current_arousal=arousal, inject_current=True
    )
    weights = [entry["gewicht"] for entry in course.entries]
    names = [entry["emotion"] for entry in course.entries]
    assert weights == sorted(weights, reverse=True)
    assert len(set(names)) == len(names)
    assert "neutral" not in names
    assert all(0.15 <= weight <= 1 for weight in weights)
    assert all(0 <= entry["arousal"] <= 1 for entry in course.entries)


@quick
@given(turns)
def test_the_other_speaker_does_not_count(history: Any) -> None:
    own = [turn for turn in history if turn["rolle"] == "assistant"]
    both = emotion_trajectory(history, role="assistant", inject_current=False)
    assert both == emotion_trajectory(own, role="assistant", inject_current=False)


@pytest.mark.parametrize("current", ["neutral", "", " Neutral "])
def test_a_neutral_utterance_is_no_turn_of_the_course(current: str) -> None:
    """Spec 02 §3.4 step 3."""
    course = emotion_trajectory(
        HISTORY, role="user", current_emotion=current, current_arousal=0.9, inject_current=True
    )
    assert course == emotion_trajectory(HISTORY, role="user", inject_current=False)
