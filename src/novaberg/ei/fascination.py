"""Faszination: how much a subject holds Nova. Computed and logged; it decides nothing yet (spec 02 §3.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from novaberg.ei.curiosity import DEFAULT_CURIOSITY, CuriosityCalibration, emotion_factor
from novaberg.ei.curves import sin_sqrt_norm
from novaberg.ei.factors import FactorTable, OutsideTable, reports

FASCINATION_INTENT: Final = FactorTable(
    "faszination",
    "intent",
    {"creative": 1.30, "knowledge": 1.25, "personal": 1.10, "meta": 0.90, "smalltalk": 0.70, "task": 0.60},
)
FASCINATION_MODE: Final = FactorTable(
    "faszination",
    "mode",
    {
        "philosophischer_austausch": 1.40,
        "kreativ": 1.35,
        "fachgespraech": 1.25,
        "lernmodus": 1.25,
        "spielerisch": 1.15,
        "emotional": 1.00,
        "beratend": 0.90,
        "berichtend": 0.85,
        "alltag": 0.80,
        "arbeitsmodus": 0.70,
    },
)
FASCINATION_INTENT_NEUTRAL: Final = FASCINATION_INTENT.neutral
FASCINATION_MODE_NEUTRAL: Final = FASCINATION_MODE.neutral


@dataclass(frozen=True, slots=True)
class FascinationCalibration:
    """Tables of fascination. Ours: the seed names the two tables and their neutral rule, no values."""

    intent: FactorTable = FASCINATION_INTENT
    mode: FactorTable = FASCINATION_MODE
    cap: float = 2.5
    """Raw value that counts as fully fascinated."""
    curiosity: CuriosityCalibration = DEFAULT_CURIOSITY
    """For the nearness of the emotion to curiosity."""


DEFAULT_FASCINATION: Final = FascinationCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fascination:
    """Fascination and what fell outside its tables."""

    value: float
    """0..1."""
    raw: float
    outside: tuple[OutsideTable, ...] = ()
    """In the order intent, mode; one ERROR line each."""


def fascination(
    *,
    emotion: str,
    arousal: float,
    intent: str,
    mode: str,
    calibration: FascinationCalibration = DEFAULT_FASCINATION,
) -> Fascination:
    """arousal · nearness of the emotion to curiosity · intent · mode, through the saturating curve."""
    intent_factor, intent_report = calibration.intent.lookup(intent)
    mode_factor, mode_report = calibration.mode.lookup(mode)
    raw = arousal * emotion_factor(emotion, calibration.curiosity) * intent_factor * mode_factor
    return Fascination(
        value=sin_sqrt_norm(raw, calibration.cap), raw=raw, outside=reports(intent_report, mode_report)
    )
