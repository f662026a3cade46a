"""Emotional gravitation: reactivated memories tint Nova's course, they never overwrite it (spec 02 §3.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypedDict

from novaberg.ei.empathy import inject
from novaberg.ei.records import CourseEntry
from novaberg.vocabulary import NEUTRAL

MemorySource = Literal["session", "kzg", "lzg"]

_SOURCE_FACTORS: Final[Mapping[MemorySource, float]] = MappingProxyType(
    {"session": 1.0, "kzg": 0.8, "lzg": 0.5}
)


class GravitationPoint(TypedDict, total=False):
    """A memory that pulls (an entry of ``emotionale_gravitationspunkte``); keys this mathematics reads."""

    emotion: str | None
    arousal: float | None
    gravitation: float | None
    quelle: str


@dataclass(frozen=True, slots=True)
class GravitationCalibration:
    """Constants of gravitation. Origin: reference."""

    threshold: float = 0.40
    """``EMOTIONALE_GRAVITATIONS_SCHWELLE``: force from which a memory acts."""
    half_life_days: float = 180.0
    """``EMOTIONALE_GRAVITATION_ZEIT_HALBWERT``."""
    max_per_turn: int = 2
    """``EMOTIONALE_GRAVITATION_MAX_PRO_TURN``: strongest memories that act in one turn."""
    source_factors: Mapping[MemorySource, float] = field(default_factory=lambda: _SOURCE_FACTORS)
    """``session`` is named by the concept and has no producer yet."""
    injection_share: float = 0.6
    """Share of the force that becomes weight."""
    injection_cap: float = 0.5
    """Most weight that one memory adds."""
    missing_arousal: float = 0.5
    """Of a memory, or an entry of the course, without arousal."""


DEFAULT_GRAVITATION: Final = GravitationCalibration()


@dataclass(frozen=True, slots=True)
class GravitationScore:
    """The force of one memory, as it is reported."""

    time_decay: float
    """Three decimals."""
    gravitation: float
    """Three decimals."""
    active: bool
    """Judged on the unrounded force."""


def gravitation_score(
    source: MemorySource,
    *,
    similarity: float,
    weight: float,
    age_days: float,
    calibration: GravitationCalibration = DEFAULT_GRAVITATION,
) -> GravitationScore:
    """similarity · weight · 2^(-age/180) · factor of the source.

    Args:
        source: where the memory lies.
        similarity: to the turn, 0..1.
        weight: as stored; the long-term weight is already decayed and must not be decayed again.
        age_days: floored at 0.
        calibration: constants.
    """
    time_decay = 2.0 ** (-max(0.0, age_days) / calibration.half_life_days)
    force = similarity * weight * time_decay * calibration.source_factors[source]
    return GravitationScore(round(time_decay, 3), round(force, 3), force >= calibration.threshold)


def apply_gravitation(
    trajectory: Sequence[CourseEntry],
    points: Sequence[GravitationPoint],
    calibration: GravitationCalibration = DEFAULT_GRAVITATION,
) -> tuple[CourseEntry, ...]:
    """Nova's course after the memories, strongest first. Without an acting point the course is unchanged.

    Points act in their order; those without an emotion or with ``neutral`` are skipped.
    """
    course = list(trajectory)
    for point in points:
        emotion = point.get("emotion")
        if not emotion or emotion == NEUTRAL:
            continue
        force = point.get("gravitation") or 0.0
        arousal = point.get("arousal")
        course = inject(
            course,
            emotion,
            weight=min(calibration.injection_cap, calibration.injection_share * force),
            arousal=(calibration.missing_arousal if arousal is None else arousal) * force,
            missing_arousal=calibration.missing_arousal,
        )
    return tuple(course)
