"""Neugier: how open Nova is for something new right now (spec 02 §3.12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from novaberg.ei.curves import sin_sqrt_norm
from novaberg.ei.factors import FactorTable, OutsideTable, reports
from novaberg.ei.sectors import sector_distance, sector_of

CURIOSITY_SECTOR: Final = 8
"""Anticipation on Plutchik's wheel."""

CURIOSITY_DISTANCE: Final[Mapping[int, float]] = MappingProxyType(
    {0: 1.50, 1: 1.25, 2: 1.00, 3: 0.75, 4: 0.50}
)
"""``GV_AUFNAHMEBEREITSCHAFT_EMOTION``: factor by distance to the sector of curiosity."""

_VECTORS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "aufbluehen": 1.30,
        "eskalation": 1.25,
        "erholung": 1.15,
        "stabilisierung": 1.00,
        "plateau": 1.00,
        "abkuehlung": 0.90,
        "einbruch": 0.70,
        "spirale": 0.50,
        "absturz": 0.40,
    }
)

OPENNESS_MODE: Final = FactorTable(
    "neugier",
    "modus",
    {
        "spielerisch": 1.40,
        "kreativ": 1.40,
        "philosophischer_austausch": 1.35,
        "fachgespraech": 1.30,
        "lernmodus": 1.30,
        "arbeitsmodus": 1.00,
        "alltag": 1.00,
        "beratend": 1.00,
        "berichtend": 0.95,
        "emotional": 0.70,
    },
)
OPENNESS_DYNAMIC: Final = FactorTable(
    "neugier",
    "beziehungs_dynamik",
    {
        "vertrauen": 1.30,
        "dankbar": 1.15,
        "neutral": 1.00,
        "hilfesuchend": 0.85,
        "distanz": 0.85,
        "angriff": 0.60,
    },
)
OPENNESS_STYLE: Final = FactorTable(
    "neugier",
    "sprach_stil",
    {
        "locker": 1.20,
        "jugendlich": 1.15,
        "neutral": 1.00,
        "fachlich": 0.95,
        "emotional": 0.90,
        "formell": 0.90,
    },
)
OPENNESS_MODE_NEUTRAL: Final = OPENNESS_MODE.neutral
OPENNESS_DYNAMIC_NEUTRAL: Final = OPENNESS_DYNAMIC.neutral
OPENNESS_STYLE_NEUTRAL: Final = OPENNESS_STYLE.neutral


@dataclass(frozen=True, slots=True)
class CuriosityCalibration:
    """Tables and thresholds of readiness. Origin: reference; neutral factors: seed."""

    basic_curiosity: float = 0.5
    """``NOVA_NEUGIER``."""
    cap: float = 2.5
    """``GV_AUFNAHMEBEREITSCHAFT_CAP``: raw value that counts as fully open."""
    distance: Mapping[int, float] = field(default_factory=lambda: CURIOSITY_DISTANCE)
    without_sector: float = 1.00
    vectors: Mapping[str, float] = field(default_factory=lambda: _VECTORS)
    """``GV_AUFNAHMEBEREITSCHAFT_STIMMUNG``."""
    other_vector: float = 1.00
    """Of an empty or unknown vector; this table is not guarded."""
    arousal_steps: tuple[tuple[float, float], ...] = ((0.7, 1.25), (0.5, 1.15), (0.3, 1.00))
    """From this arousal on, this factor."""
    low_arousal: float = 0.85
    mode: FactorTable = OPENNESS_MODE
    dynamic: FactorTable = OPENNESS_DYNAMIC
    style: FactorTable = OPENNESS_STYLE
    crisis_vectors: tuple[str, ...] = ("spirale", "absturz")
    crisis_arousal: float = 0.7
    """From here on a crisis vector closes everything."""
    session_cap: float = 25.0
    """``GV_SESSION_AKT_CAP``: turns after which nothing of a topic is fresh."""


DEFAULT_CURIOSITY: Final = CuriosityCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Nova's openness with its factors."""

    value: float
    """0..1; exactly 0 is reserved for a crisis."""
    raw: float | None
    """The product before the curve; ``None`` in a crisis, where nothing was looked up."""
    factors: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """The six pillars by name, for the INFO line; empty in a crisis."""
    outside: tuple[OutsideTable, ...] = ()
    """Fields outside their table, in the order mode, dynamic, style; one ERROR line each."""


def readiness(
    *,
    emotion: str,
    arousal: float,
    vector: str,
    mode: str,
    relationship_dynamic: str,
    language_style: str,
    calibration: CuriosityCalibration = DEFAULT_CURIOSITY,
) -> Readiness:
    """Openness from six pillars: emotion, arousal, vector, mode, dynamic, style of Nova herself."""
    if vector in calibration.crisis_vectors and arousal >= calibration.crisis_arousal:
        return Readiness(value=0.0, raw=None)
    mode_factor, mode_report = calibration.mode.lookup(mode)
    dynamic_factor, dynamic_report = calibration.dynamic.lookup(relationship_dynamic)
    style_factor, style_report = calibration.style.lookup(language_style)
    factors = {
        "emotion": emotion_factor(emotion, calibration),
        "arousal": _arousal_factor(arousal, calibration),
        "vektor": calibration.vectors.get(vector, calibration.other_vector),
        "modus": mode_factor,
        "beziehungs_dynamik": dynamic_factor,
        "sprach_stil": style_factor,
    }
    raw = calibration.basic_curiosity
    for factor in factors.values():
        raw *= factor
    return Readiness(
        value=sin_sqrt_norm(raw, calibration.cap),
        raw=raw,
        factors=MappingProxyType(factors),
        outside=reports(mode_report, dynamic_report, style_report),
    )


def emotion_factor(emotion: str, calibration: CuriosityCalibration = DEFAULT_CURIOSITY) -> float:
    """How near an emotion is to curiosity; 1.0 without a sector."""
    sector = sector_of(emotion)
    if sector is None:
        return calibration.without_sector
    return calibration.distance[sector_distance(sector, CURIOSITY_SECTOR)]


def _arousal_factor(arousal: float, calibration: CuriosityCalibration) -> float:
    for threshold, factor in calibration.arousal_steps:
        if arousal >= threshold:
            return factor
    return calibration.low_arousal


def session_freshness(turn_distance: float, calibration: CuriosityCalibration = DEFAULT_CURIOSITY) -> float:
    """How fresh something is that was said so many turns ago: 1 now, 0 after 25 turns."""
    return 1 - sin_sqrt_norm(turn_distance, calibration.session_cap)


# ── register ─────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RegisterCalibration:
    """How an emotional memory fits the register of the talk. Origin: reference, ``GV_REGISTER_*``."""

    factual_modes: tuple[str, ...] = ("fachgespraech", "arbeitsmodus", "lernmodus", "beratend", "berichtend")
    factual_dynamics: tuple[str, ...] = ("distanz",)
    open_modes: tuple[str, ...] = ("spielerisch", "kreativ", "philosophischer_austausch")
    open_dynamics: tuple[str, ...] = ("vertrauen",)
    emotional_arousal: float = 0.6
    mild_arousal: float = 0.3
    open_arousal: float = 0.4
    factual_emotional: float = 0.60
    factual_mild: float = 0.90
    factual_neutral: float = 1.15
    open_emotional: float = 1.20
    otherwise: float = 1.0


DEFAULT_REGISTER: Final = RegisterCalibration()


def register_fit(
    gap_arousal: float,
    *,
    mode: str,
    relationship_dynamic: str,
    calibration: RegisterCalibration = DEFAULT_REGISTER,
) -> float:
    """Factor for bringing up something of this arousal; a factual register wins over an open one."""
    if mode in calibration.factual_modes or relationship_dynamic in calibration.factual_dynamics:
        if gap_arousal >= calibration.emotional_arousal:
            return calibration.factual_emotional
        return (
            calibration.factual_mild
            if gap_arousal >= calibration.mild_arousal
            else calibration.factual_neutral
        )
    is_open = mode in calibration.open_modes or relationship_dynamic in calibration.open_dynamics
    if is_open and gap_arousal >= calibration.open_arousal:
        return calibration.open_emotional
    return calibration.otherwise
