"""Corrections of mode and style where a classification contradicts the emotion (spec 02 §3.7, §3.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from novaberg.ei.sectors import sector_of
from novaberg.vocabulary import NEUTRAL, PASSIVE_NEGATIVE_EMOTIONS, group_of

_EMOTIONAL: Final = "emotional"
"""The same word in the canon of modes and of styles."""


@dataclass(frozen=True, slots=True)
class PlausibilityCalibration:
    """Gated arousal above which (strictly) an emotion is audible. Origin: reference."""

    negative: float = 0.4
    positive: float = 0.7
    mode_without_emotion: str = "alltag"
    """What ``emotional`` becomes when no emotion is there."""


DEFAULT_PLAUSIBILITY: Final = PlausibilityCalibration()


def is_audible(
    emotion: str, gated: float, calibration: PlausibilityCalibration = DEFAULT_PLAUSIBILITY
) -> bool:
    """Whether a positive or negative emotion is strong enough to be heard in the wording."""
    match group_of(emotion):
        case "negativ":
            return gated > calibration.negative
        case "positiv":
            return gated > calibration.positive
        case _:
            return False


def plausible_mode(
    emotion: str, gated: float, mode: str, calibration: PlausibilityCalibration = DEFAULT_PLAUSIBILITY
) -> str:
    """The mode that fits the emotion; whoever calls writes one INFO line when it differs.

    Args:
        emotion: one of the 16+1; without a sector ``emotional`` cannot hold.
        gated: arousal after the gate (`novaberg.ei.gate.ei_arousal`).
        mode: as perceived; out of canon passes through.
        calibration: thresholds.
    """
    if sector_of(emotion) is None:
        return calibration.mode_without_emotion if mode == _EMOTIONAL else mode
    if emotion in PASSIVE_NEGATIVE_EMOTIONS or is_audible(emotion, gated, calibration):
        return _EMOTIONAL
    return mode


def plausible_style(
    emotion: str,
    gated: float,
    *,
    perceived: str,
    rule: str,
    tone: str,
    calibration: PlausibilityCalibration = DEFAULT_PLAUSIBILITY,
) -> str:
    """Which of the two style procedures holds; they disagree in most turns, so the order here is deliberate.

    Args:
        emotion: one of the 16+1.
        gated: arousal after the gate.
        perceived: style of the perception; may be empty.
        rule: style of the rules (`novaberg.ei.style.detect_style`).
        tone: perceived tone.
        calibration: thresholds.
    """
    if is_audible(emotion, gated, calibration):
        return perceived
    contradicts = perceived == _EMOTIONAL and rule != _EMOTIONAL
    if contradicts and (tone == "sachlich" or sector_of(emotion) is None):
        return rule
    return perceived if perceived and perceived != NEUTRAL else rule
