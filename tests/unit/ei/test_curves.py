from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.curves import (
    EMOTION_AROUSAL_DECAY,
    EMOTION_DEFAULT_AROUSAL,
    arousal_label,
    arousal_to_float,
    faded,
    sin_sqrt_norm,
    smooth,
)
from novaberg.vocabulary import EMOTION_CANON, NEUTRAL
from tests.unit.ei.strategies import json_values, quick


@pytest.mark.parametrize(("raw", "value"), [(0.1, 0.25), (0.5, 0.56), (1.0, 0.77), (1.5, 0.90), (2.0, 0.98)])
def test_smoothing_meets_its_reference_points(raw: float, value: float) -> None:
    """Spec 02 §3.3."""
    assert round(smooth(raw), 2) == value


@quick
@given(st.floats(-5, 30), st.floats(-5, 30), st.sampled_from([1.0, 2.5, 25.0]))
def test_curves_rise_from_zero_to_one_and_never_fall(a: float, b: float, cap: float) -> None:
    low, high = sorted((a, b))
    assert 0 <= sin_sqrt_norm(low, cap) <= sin_sqrt_norm(high, cap) <= 1
    assert sin_sqrt_norm(cap, cap) == 1


@quick
@given(json_values, st.sampled_from([*EMOTION_CANON, "quark"]))
def test_arousal_of_a_stored_turn_is_always_within_range(raw: object, emotion: str) -> None:
    assert 0 <= arousal_to_float(raw, emotion) <= 1


@pytest.mark.parametrize("raw", ["0.7", "HIGH", None, True, math.nan, [], {}])
def test_what_is_no_number_and_no_label_gives_the_usual_arousal_of_the_emotion(raw: object) -> None:
    """Spec 02 §3.3: session turns are read otherwise than perception replies."""
    assert arousal_to_float(raw, "verzweiflung") == 0.8
    assert arousal_to_float(raw, "quark") == 0.5


def test_emotions_fade_at_their_own_rate() -> None:
    """Spec 02 §2.3: despair keeps 0.67 after 20 turns, enthusiasm 0.22 after 10."""
    assert round(faded(1.0, "verzweiflung", 20), 2) == 0.67
    assert round(faded(1.0, "begeisterung", 10), 2) == 0.22
    assert faded(0.4, "wut", 0) == 0.4


def test_arousal_tables_know_every_emotion() -> None:
    assert set(EMOTION_DEFAULT_AROUSAL) == set(EMOTION_CANON)
    assert set(EMOTION_AROUSAL_DECAY) == set(EMOTION_CANON) - {NEUTRAL}


def test_labels_change_at_their_thresholds() -> None:
    assert [arousal_label(value) for value in (0.7, 0.69, 0.4, 0.39)] == ["high", "mid", "mid", "low"]
