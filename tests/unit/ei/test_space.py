from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.space import DEFAULT_SPACE, move_space, pull_axis, space_target
from novaberg.personality import Space
from novaberg.vocabulary import DYNAMIC_CANON, MODE_CANON, STYLE_CANON
from tests.unit.ei.strategies import hundredths, quick, spaces


@pytest.mark.parametrize(
    ("current", "target", "moved"),
    [
        (0.3, 0.8, 0.47),
        (0.8, 0.3, 0.48),
        (0.49, 0.5, 0.5),
        (0.30, 0.90, 0.51),
        (0.90, 0.30, 0.51),
        (0.485, 0.5, 0.5),
        (0.5, 0.5, 0.5),
    ],
)
def test_one_step_by_hand(current: float, target: float, moved: float) -> None:
    """Spec 02 §9.2 no. 9, spec 01 §9.2 case 9."""
    assert pull_axis(current, target, 1.0) == moved


def test_a_walk_by_hand() -> None:
    """Spec 02 §9.2 no. 9."""
    target = space_target("fachgespraech", "vertrauen", "locker").space
    assert target == Space(0.8, 0.95)
    space, walked = Space(0.3, 0.5), []
    for _ in range(4):
        space = move_space(space, target)
        walked.append((space.depth, space.closeness))
    assert walked == [(0.47, 0.66), (0.59, 0.76), (0.66, 0.83), (0.71, 0.87)]


@quick
@given(hundredths, hundredths, st.floats(-1, 4))
def test_the_space_never_passes_its_target(current: float, target: float, factor: float) -> None:
    moved = pull_axis(current, target, factor)
    assert min(current, target) <= moved <= max(current, target)


@quick
@given(spaces, spaces)
def test_the_space_arrives_and_then_stays(start: Space, target: Space) -> None:
    space = start
    for _ in range(60):
        space = move_space(space, target)
    assert space == target == move_space(space, target)


@quick
@given(hundredths, hundredths, st.floats(-3, 0))
def test_without_a_character_that_follows_only_arrival_moves(
    current: float, target: float, factor: float
) -> None:
    """Spec 02 §3.14."""
    arrived = abs(target - current) < DEFAULT_SPACE.arrival
    assert pull_axis(current, target, factor) == (target if arrived else current)


def test_labels_by_hand_and_outside_their_tables() -> None:
    """B-041, spec 01 §9.2 case 8: an unknown mode is named; the other two keep their default
    without the neutral rule."""
    assert space_target("philosophischer_austausch", "neutral", "fachlich").space == Space(0.90, 0.45)
    strange = space_target("quatsch", "vertrauen", "locker")
    assert strange.space == Space(0.30, 0.95)
    assert [(report.field, report.value, report.factor) for report in strange.outside] == [
        ("modus", "quatsch", 0.3)
    ]
    nothing = space_target("", "", "")
    assert nothing.space == Space(0.3, 0.5)
    assert [report.field for report in nothing.outside] == ["modus", "beziehungs_dynamik", "sprach_stil"]


def test_cold_start_of_the_space_equals_its_defaults() -> None:
    """Spec 02 §7: alltag, neutral, neutral."""
    assert space_target("alltag", "neutral", "neutral").space == Space()


def test_the_target_tables_know_every_canon_value() -> None:
    assert set(DEFAULT_SPACE.depth_mode) == set(MODE_CANON)
    assert set(DEFAULT_SPACE.closeness_dynamic) == set(DYNAMIC_CANON)
    assert set(DEFAULT_SPACE.closeness_style) == set(STYLE_CANON)
