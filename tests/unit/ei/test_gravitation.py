from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from novaberg.ei.gravitation import apply_gravitation, gravitation_score
from tests.unit.ei.strategies import points, quick, trajectories, unit


def _shown(course: Any) -> list[tuple[str, float, float]]:
    return [(entry["emotion"], entry["gewicht"], entry["arousal"]) for entry in course]


COURSE: Any = [{"emotion": "zufriedenheit", "gewicht": 0.86, "arousal": 0.45}]


def test_memories_by_hand() -> None:
    """Spec 02 §9.2 no. 7."""
    pulled = apply_gravitation(
        COURSE,
        [
            {"emotion": "zufriedenheit", "arousal": 0.6, "gravitation": 0.69},
            {"emotion": "neugierig", "arousal": 0.5, "gravitation": 0.53},
        ],
    )
    assert _shown(pulled) == [("zufriedenheit", 1.0, 0.45), ("neugierig", 0.32, 0.27)]


def test_points_without_an_emotion_or_force_change_nothing() -> None:
    idle: Any = [
        {"emotion": "", "gravitation": 0.9},
        {"emotion": "neutral", "gravitation": 0.9},
        {"emotion": None},
    ]
    assert _shown(apply_gravitation(COURSE, idle)) == _shown(COURSE)
    assert apply_gravitation(COURSE, []) == tuple(COURSE)


def test_a_memory_without_arousal_counts_as_half_stirred() -> None:
    assert _shown(apply_gravitation([], [{"emotion": "wut", "gravitation": 0.5}])) == [("wut", 0.3, 0.25)]


@quick
@given(trajectories, points)
def test_memories_tint_and_never_overwrite(course: Any, pulling: Any) -> None:
    """Spec 02 §3.11: nothing that was felt disappears or weakens, one memory adds at most 0.5."""
    before = {entry["emotion"]: entry["gewicht"] for entry in course}
    after = {entry["emotion"]: entry["gewicht"] for entry in apply_gravitation(course, pulling)}
    assert before.keys() <= after.keys()
    for emotion, weight in after.items():
        memories = sum(point["emotion"] == emotion for point in pulling)
        felt = before.get(emotion, 0.0)
        assert felt <= weight <= min(1.0, felt + 0.5 * memories) + 1e-9


@pytest.mark.parametrize(
    ("source", "age", "decay", "force", "active"),
    [
        ("kzg", 0, 1.0, 0.4, True),
        ("kzg", -3, 1.0, 0.4, True),
        ("kzg", 1, 0.996, 0.398, False),
        ("lzg", 180, 0.5, 0.125, False),
        ("session", 180, 0.5, 0.25, False),
    ],
)
def test_the_force_of_a_memory_halves_in_half_a_year(
    source: Any, age: float, decay: float, force: float, active: bool
) -> None:
    """Spec 02 §3.11."""
    score = gravitation_score(source, similarity=0.5, weight=1.0, age_days=age)
    assert (score.time_decay, score.gravitation, score.active) == (decay, force, active)


@quick
@given(unit, unit, unit)
def test_an_older_memory_never_pulls_harder(similarity: float, weight: float, share: float) -> None:
    young, old = (
        gravitation_score("kzg", similarity=similarity, weight=weight, age_days=age)
        for age in (share * 100, share * 100 + 50)
    )
    assert old.gravitation <= young.gravitation
