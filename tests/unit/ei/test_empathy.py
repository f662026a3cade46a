from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from novaberg.ei.empathy import DEFAULT_EMPATHY, EmpathyResult, empathise
from novaberg.ei.space import DEFAULT_SPACE
from tests.unit.ei.strategies import emotions, quick, trajectories, unit


def _course(*entries: tuple[str, float, float]) -> Any:
    return [
        {"emotion": emotion, "gewicht": weight, "arousal": arousal} for emotion, weight, arousal in entries
    ]


def _shown(result: EmpathyResult) -> list[tuple[str, float, float]]:
    return [(entry["emotion"], entry["gewicht"], entry["arousal"]) for entry in result.trajectory]


def test_a_far_person_pulls_hard_and_conflicts() -> None:
    """Spec 02 §9.2 no. 6."""
    result = empathise(_course(("freude", 0.77, 0.6)), "traurigkeit", 0.8)
    assert _shown(result) == [("freude", 0.77, 0.6), ("traurigkeit", 0.68, 0.68)]
    assert (result.emotion, result.conflict) == ("freude", True)


@pytest.mark.parametrize(
    ("course", "emotion", "arousal", "expected"),
    [
        ([], "wut", 0.9, [("wut", 0.27, 0.27)]),
        ([("freude", 0.5, 0.4)], "freude", 0.9, [("freude", 0.68, 0.4)]),
        ([("freude", 0.5, 0.4)], "Stolz", 0.9, [("freude", 0.68, 0.4)]),
        ([("freude", 0.5, 0.4)], "stress", 0.1, [("freude", 0.5, 0.4)]),
        ([("freude", 0.5, 0.4)], "neutral", 1.0, [("freude", 0.5, 0.4)]),
        ([("freude", 0.5, 0.4)], "", 1.0, [("freude", 0.5, 0.4)]),
        ([("freude", 0.5, 0.4)], "quark", 1.0, [("freude", 0.5, 0.4), ("quark", 0.3, 0.3)]),
    ],
)
def test_pulls_by_hand(
    course: list[tuple[str, float, float]],
    emotion: str,
    arousal: float,
    expected: list[tuple[str, float, float]],
) -> None:
    """Spec 02 §9.2 no. 6: what pulls, and what is too weak, neutral or unknown."""
    assert _shown(empathise(_course(*course), emotion, arousal)) == expected


def test_nothing_felt_on_either_side_is_calm() -> None:
    result = empathise([], "neutral", 0.9)
    assert (result.emotion, result.arousal, result.conflict) == ("neutral", 0.2, False)


def test_an_entry_without_arousal_counts_as_half_stirred_before_and_calmer_after() -> None:
    """Spec 02 §3.10 steps 1 and 4."""
    course: Any = [{"emotion": "freude", "gewicht": 0.9}]
    result = empathise(course, "traurigkeit", 0.4)
    assert result.conflict
    assert (result.emotion, result.arousal) == ("freude", 0.3)


@quick
@given(trajectories, emotions, unit, unit)
def test_more_arousal_never_pulls_less(course: Any, emotion: str, a: float, b: float) -> None:
    low, high = sorted((a, b))
    weak, strong = empathise(course, emotion, low), empathise(course, emotion, high)
    assert weak.pull <= strong.pull
    weights = {entry["emotion"]: entry["gewicht"] for entry in strong.trajectory}
    assert all(weights[entry["emotion"]] >= entry["gewicht"] for entry in weak.trajectory)


@quick
@given(trajectories, emotions, unit)
def test_the_lead_is_the_first_entry_and_weights_stay_sorted_below_one(
    course: Any, emotion: str, arousal: float
) -> None:
    result = empathise(course, emotion, arousal)
    weights = [entry["gewicht"] for entry in result.trajectory]
    assert weights == sorted(weights, reverse=True)
    assert all(weight <= 1 for weight in weights)
    if result.trajectory:
        assert result.emotion == result.trajectory[0]["emotion"]


def test_empathy_grows_with_distance_while_the_space_falls_faster_than_it_rises() -> None:
    """Spec 02 §8 trap 16: the two asymmetries are decided separately."""
    pulls = [DEFAULT_EMPATHY.alpha[distance] for distance in range(5)]
    assert pulls == sorted(pulls)
    assert DEFAULT_SPACE.up < DEFAULT_SPACE.down
