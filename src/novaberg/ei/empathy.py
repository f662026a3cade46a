"""Empathy: how far the person's emotion pulls Nova's own course (spec 02 §3.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from novaberg.ei.canon import pull
from novaberg.ei.records import CourseEntry
from novaberg.ei.sectors import sector_distance, sector_of
from novaberg.vocabulary import NEUTRAL

_ALPHA: Final[Mapping[int, float]] = MappingProxyType({0: 0.20, 1: 0.30, 2: 0.45, 3: 0.70, 4: 0.85})


@dataclass(frozen=True, slots=True)
class EmpathyCalibration:
    """Constants of empathy. Origin: reference."""

    alpha: Mapping[int, float] = field(default_factory=lambda: _ALPHA)
    """``EMPATHIE_ALPHA`` by sector distance: someone far away pulls **harder**. Not for the space."""
    alpha_without_sector: float = 0.30
    """``EMPATHIE_ALPHA_NEUTRAL``."""
    min_pull: float = 0.05
    """A pull has to be stronger than this."""
    conflict_distance: int = 3
    """``EMPATHIE_KONFLIKT_DISTANZ``."""
    conflict_arousal: float = 0.4
    """``EMPATHIE_KONFLIKT_MIN_AROUSAL``: both sides need at least this."""
    missing_base_arousal: float = 0.5
    """Of a leading entry without arousal, before the pull."""
    missing_result_arousal: float = 0.3
    """Of a leading entry without arousal, afterwards."""
    calm_arousal: float = 0.2
    """Of ``neutral`` when nothing is felt."""


DEFAULT_EMPATHY: Final = EmpathyCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpathyResult:
    """Nova's course after empathy."""

    emotion: str
    """The leading emotion."""
    arousal: float
    conflict: bool
    """Both sides are stirred and far apart (worth an INFO line)."""
    trajectory: tuple[CourseEntry, ...]
    """Strongest first; new entries, the given ones stay untouched."""
    distance: int | None
    """Sectors between both sides; ``None`` if a side has no sector."""
    pull: float
    """Strength with which the person pulls; it acted only if above the minimum."""


def empathise(
    trajectory: Sequence[CourseEntry],
    user_emotion: str,
    user_arousal: float,
    calibration: EmpathyCalibration = DEFAULT_EMPATHY,
) -> EmpathyResult:
    """Let the person's emotion pull Nova's course.

    Args:
        trajectory: Nova's own course, strongest first; an entry may lack its arousal.
        user_emotion: as perceived; pulled to the canon here.
        user_arousal: 0..1.
        calibration: constants.
    """
    base = trajectory[0] if trajectory else None
    base_emotion = base["emotion"] if base else NEUTRAL
    base_arousal = _arousal(base, calibration.missing_base_arousal) if base else calibration.calm_arousal
    felt = pull("emotion", user_emotion).value
    distance = _distance(base_emotion, felt)
    alpha = calibration.alpha_without_sector if distance is None else calibration.alpha[distance]
    strength = alpha * user_arousal
    moved = list(trajectory)
    if felt != NEUTRAL and strength > calibration.min_pull:
        moved = inject(
            moved,
            felt,
            weight=strength,
            arousal=user_arousal * alpha,
            missing_arousal=calibration.missing_base_arousal,
        )
    leading = moved[0] if moved else None
    return EmpathyResult(
        emotion=leading["emotion"] if leading else NEUTRAL,
        arousal=_arousal(leading, calibration.missing_result_arousal)
        if leading
        else calibration.calm_arousal,
        conflict=distance is not None
        and distance >= calibration.conflict_distance
        and min(base_arousal, user_arousal) >= calibration.conflict_arousal,
        trajectory=tuple(moved),
        distance=distance,
        pull=strength,
    )


def inject(
    trajectory: Sequence[CourseEntry], emotion: str, *, weight: float, arousal: float, missing_arousal: float
) -> list[CourseEntry]:
    """A course with an emotion strengthened or added, strongest first; the given one stays untouched.

    Weights add up to at most 1, arousals take the larger one; both rounded to two digits.
    """
    entries = [entry.copy() for entry in trajectory]
    for entry in entries:
        if entry["emotion"] == emotion:
            entry["gewicht"] = round(min(1.0, entry["gewicht"] + weight), 2)
            entry["arousal"] = round(min(1.0, max(_arousal(entry, missing_arousal), arousal)), 2)
            break
    else:
        entries.append(
            CourseEntry(emotion=emotion, gewicht=round(weight, 2), arousal=round(min(1.0, arousal), 2))
        )
    return sorted(entries, key=lambda entry: entry["gewicht"], reverse=True)


def _arousal(entry: CourseEntry, missing: float) -> float:
    return entry.get("arousal", missing)


def _distance(a: str, b: str) -> int | None:
    sector_a, sector_b = sector_of(a), sector_of(b)
    return None if sector_a is None or sector_b is None else sector_distance(sector_a, sector_b)
