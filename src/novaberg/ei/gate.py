"""The gate: how much of an arousal counts, given relation, intent and tone (spec 02 §3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from novaberg.ei.factors import FactorTable, OutsideTable, reports

EI_DYNAMIC_FACTORS: Final = FactorTable(
    "ei_gate",
    "beziehungs_dynamik",
    {"hilfesuchend": 1.5, "angriff": 1.3, "dankbar": 1.2, "vertrauen": 1.1, "neutral": 1.0, "distanz": 0.7},
)
EI_INTENT_FACTORS: Final = FactorTable(
    "ei_gate",
    "intent",
    {"personal": 1.0, "creative": 0.8, "smalltalk": 0.5, "task": 0.3, "knowledge": 0.3, "meta": 0.3},
)
EI_TONE_FACTORS: Final = FactorTable(
    "ei_gate", "tone", {"empathisch": 1.3, "kreativ": 0.8, "direkt": 0.5, "sachlich": 0.3}
)
EI_DYNAMIC_NEUTRAL: Final = EI_DYNAMIC_FACTORS.neutral
EI_INTENT_NEUTRAL: Final = EI_INTENT_FACTORS.neutral
EI_TONE_NEUTRAL: Final = EI_TONE_FACTORS.neutral


@dataclass(frozen=True, slots=True)
class GateCalibration:
    """Tables and weights of the gate. Origin: reference; neutral factors: seed node-ei-calc-persist §3."""

    dynamic: FactorTable = EI_DYNAMIC_FACTORS
    intent: FactorTable = EI_INTENT_FACTORS
    tone: FactorTable = EI_TONE_FACTORS
    dynamic_weight: float = 0.40
    intent_weight: float = 0.35
    tone_weight: float = 0.25


DEFAULT_GATE: Final = GateCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedArousal:
    """The gated arousal with everything needed to recompute it."""

    value: float
    """At most 1, unrounded."""
    arousal: float
    dynamic_factor: float
    intent_factor: float
    tone_factor: float
    outside: tuple[OutsideTable, ...] = ()
    """Fields outside their table, in the order dynamic, intent, tone; one ERROR line each."""


def ei_arousal(
    arousal: float,
    *,
    relationship_dynamic: str,
    intent: str,
    tone: str,
    calibration: GateCalibration = DEFAULT_GATE,
) -> GatedArousal:
    """The arousal that plausibility rules work with; the stored arousal itself stays raw.

    min(1, arousal · (0.40·dynamic + 0.35·intent + 0.25·tone)), without a lower bound.
    """
    dynamic_factor, dynamic_report = calibration.dynamic.lookup(relationship_dynamic)
    intent_factor, intent_report = calibration.intent.lookup(intent)
    tone_factor, tone_report = calibration.tone.lookup(tone)
    opening = (
        calibration.dynamic_weight * dynamic_factor
        + calibration.intent_weight * intent_factor
        + calibration.tone_weight * tone_factor
    )
    return GatedArousal(
        value=min(1.0, arousal * opening),
        arousal=arousal,
        dynamic_factor=dynamic_factor,
        intent_factor=intent_factor,
        tone_factor=tone_factor,
        outside=reports(dynamic_report, intent_report, tone_report),
    )
