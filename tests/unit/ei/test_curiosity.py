from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from novaberg.ei.curiosity import (
    DEFAULT_CURIOSITY,
    emotion_factor,
    readiness,
    register_fit,
    session_freshness,
)
from novaberg.vocabulary import EMOTION_CANON, VECTOR_CANON
from tests.unit.ei.strategies import dynamics, emotions, modes, quick, styles, unit, vectors


def _asked(emotion: str, arousal: float, vector: str, mode: str, dynamic: str, style: str) -> dict[str, Any]:  # noqa: PLR0917
    return {
        "emotion": emotion,
        "arousal": arousal,
        "vector": vector,
        "mode": mode,
        "relationship_dynamic": dynamic,
        "language_style": style,
    }


@pytest.mark.parametrize(
    ("asked", "value", "raw", "outside"),
    [
        (_asked("neugierig", 0.5, "plateau", "fachgespraech", "vertrauen", "locker"), 0.943803, 1.74915, 0),
        (_asked("neutral", 0.5, "", "alltag", "neutral", "neutral"), 0.594538, 0.575, 0),
        (_asked("neutral", 0.5, "plateau", "sachlich", "naehe", "sachlich"), 0.632706, 0.6555, 3),
        (_asked("traurigkeit", 0.8, "spirale", "quatsch", "", ""), 0.0, None, 0),
    ],
)
def test_readiness_by_hand(asked: Any, value: float, raw: float | None, outside: int) -> None:
    """Spec 02 §9.2 no. 8; a crisis decides before any table is read."""
    ready = readiness(**asked)
    assert ready.value == pytest.approx(value, abs=1e-6)
    assert ready.raw == (None if raw is None else pytest.approx(raw))
    assert len(ready.outside) == outside
    assert bool(ready.factors) is (raw is not None)


@quick
@given(emotions, unit, vectors, modes, dynamics, styles)
def test_zero_is_reserved_for_a_crisis(  # noqa: PLR0917
    emotion: str, arousal: float, vector: str, mode: str, dynamic: str, style: str
) -> None:
    ready = readiness(**_asked(emotion, arousal, vector, mode, dynamic, style))
    crisis = vector in {"spirale", "absturz"} and arousal >= 0.7
    assert (ready.value == 0) is crisis
    assert ready.value <= 1


@pytest.mark.parametrize(
    ("arousal", "factor"), [(0.7, 1.25), (0.69, 1.15), (0.5, 1.15), (0.3, 1.0), (0.29, 0.85)]
)
def test_arousal_pillar_changes_at_its_thresholds(arousal: float, factor: float) -> None:
    ready = readiness(**_asked("neutral", arousal, "", "alltag", "neutral", "neutral"))
    assert ready.factors["arousal"] == factor


def test_the_nearer_to_curiosity_the_more_open() -> None:
    factors = [
        emotion_factor(emotion)
        for emotion in ("neugierig", "freude", "zufriedenheit", "stress", "verwundert")
    ]
    assert factors == [1.5, 1.25, 1.0, 0.75, 0.5]
    assert emotion_factor("neutral") == 1.0
    assert all(emotion_factor(emotion) for emotion in EMOTION_CANON)


def test_the_vector_pillar_knows_every_vector() -> None:
    assert set(DEFAULT_CURIOSITY.vectors) == set(VECTOR_CANON)


@pytest.mark.parametrize(
    ("turns", "value"), [(0, 1.0), (1, 0.7494), (5, 0.4441), (10, 0.2333), (25, 0.0), (90, 0.0)]
)
def test_freshness_fades_within_a_session(turns: int, value: float) -> None:
    """Spec 02 §9.2 no. 12."""
    assert session_freshness(turns) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(
    ("arousal", "mode", "dynamic", "factor"),
    [
        (0.6, "fachgespraech", "neutral", 0.60),
        (0.3, "arbeitsmodus", "neutral", 0.90),
        (0.29, "alltag", "distanz", 1.15),
        (0.9, "kreativ", "distanz", 0.60),
        (0.9, "beratend", "vertrauen", 0.60),
        (0.4, "spielerisch", "neutral", 1.20),
        (0.39, "alltag", "vertrauen", 1.0),
        (0.9, "emotional", "dankbar", 1.0),
        (0.9, "quatsch", "", 1.0),
    ],
)
def test_a_factual_register_wins_over_an_open_one(
    arousal: float, mode: str, dynamic: str, factor: float
) -> None:
    """Spec 02 §3.12."""
    assert register_fit(arousal, mode=mode, relationship_dynamic=dynamic) == factor
