"""Saturating curves, and the arousal of stored turns as a number (spec 02 §3.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeGuard

EMOTION_DEFAULT_AROUSAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        "begeisterung": 0.7,
        "freude": 0.5,
        "dankbarkeit": 0.5,
        "zufriedenheit": 0.3,
        "stress": 0.6,
        "unsicherheit": 0.4,
        "ueberrascht": 0.7,
        "verwundert": 0.4,
        "verzweiflung": 0.8,
        "traurigkeit": 0.4,
        "frustration": 0.6,
        "enttaeuschung": 0.5,
        "wut": 0.8,
        "aerger": 0.5,
        "hoffnung": 0.5,
        "neugierig": 0.4,
        "neutral": 0.2,
    }
)
"""Arousal of a turn that carries none, 0..1 (spec 02 §2.3)."""

EMOTION_AROUSAL_DECAY: Final[Mapping[str, float]] = MappingProxyType(
    {
        "begeisterung": 0.15,
        "freude": 0.10,
        "dankbarkeit": 0.08,
        "zufriedenheit": 0.05,
        "stress": 0.04,
        "unsicherheit": 0.05,
        "ueberrascht": 0.20,
        "verwundert": 0.15,
        "verzweiflung": 0.02,
        "traurigkeit": 0.03,
        "frustration": 0.04,
        "enttaeuschung": 0.05,
        "wut": 0.08,
        "aerger": 0.06,
        "hoffnung": 0.08,
        "neugierig": 0.12,
    }
)
"""Rate per turn: after n turns e^(-rate·n) of the energy is left (spec 02 §2.3)."""

_WORDS: Final[Mapping[str, float]] = MappingProxyType({"high": 0.8, "mid": 0.5, "low": 0.2})


@dataclass(frozen=True, slots=True)
class ArousalCalibration:
    """How the arousal of a stored turn is read and how it fades. Origin: reference."""

    default_arousal: Mapping[str, float] = field(default_factory=lambda: EMOTION_DEFAULT_AROUSAL)
    unknown_arousal: float = 0.5
    """Of an emotion without an entry."""
    decay_rate: Mapping[str, float] = field(default_factory=lambda: EMOTION_AROUSAL_DECAY)
    unknown_decay_rate: float = 0.05
    """Of an emotion without an entry, ``neutral`` included."""
    words: Mapping[str, float] = field(default_factory=lambda: _WORDS)
    """Labels of old turns, exactly as written."""
    high: float = 0.7
    """Label ``high`` from here on."""
    mid: float = 0.4
    """Label ``mid`` from here on."""


DEFAULT_AROUSAL: Final = ArousalCalibration()

SMOOTHING_MAXIMUM: Final = 2.5
"""``EMOTION_GLAETTUNGS_MAXIMUM``: raw weight at which the smoothing curve reaches 1."""


def sin_sqrt_norm(value: float, cap: float) -> float:
    """√sin of the value's share of ``cap`` (above 0): steep near 0, flat near 1, 0 for nothing or less."""
    if value <= 0:
        return 0.0
    return math.sqrt(math.sin(min(value / cap, 1.0) * math.pi / 2))


def smooth(raw: float, maximum: float = SMOOTHING_MAXIMUM) -> float:
    """A summed raw weight as 0..1: 0.5 → 0.56, 1.0 → 0.77, 2.0 → 0.98."""
    return sin_sqrt_norm(raw, maximum)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a usable number: no boolean, no NaN, no text."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def arousal_to_float(raw: object, emotion: str, calibration: ArousalCalibration = DEFAULT_AROUSAL) -> float:
    """The arousal of a **stored turn**, 0..1.

    Numbers are clamped; the words ``high``, ``mid``, ``low`` count exactly as written; anything else, numeric
    text included, gives the emotion's usual arousal. Perception replies are read by `canon.read_arousal`.
    """
    if is_number(raw):
        return min(1.0, max(0.0, float(raw)))
    if isinstance(raw, str) and raw in calibration.words:
        return calibration.words[raw]
    return calibration.default_arousal.get(emotion, calibration.unknown_arousal)


def faded(
    arousal: float, emotion: str, turns: int, calibration: ArousalCalibration = DEFAULT_AROUSAL
) -> float:
    """What is left of an arousal after so many turns; each emotion fades at its own rate."""
    rate = calibration.decay_rate.get(emotion, calibration.unknown_decay_rate)
    return arousal * math.exp(-rate * turns)


def arousal_label(
    value: float, calibration: ArousalCalibration = DEFAULT_AROUSAL
) -> Literal["high", "mid", "low"]:
    """A word for display only."""
    if value >= calibration.high:
        return "high"
    return "mid" if value >= calibration.mid else "low"
