"""Nova's conversational space: where it is heading and how fast it follows (spec 02 §3.14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from novaberg.ei.factors import OutsideTable
from novaberg.personality import Emotion, Space

_DEPTH_MODE: Final[Mapping[str, float]] = MappingProxyType(
    {
        "philosophischer_austausch": 0.9,
        "fachgespraech": 0.8,
        "emotional": 0.7,
        "lernmodus": 0.7,
        "arbeitsmodus": 0.6,
        "beratend": 0.6,
        "kreativ": 0.5,
        "spielerisch": 0.4,
        "berichtend": 0.4,
        "alltag": 0.3,
    }
)
_CLOSENESS_DYNAMIC: Final[Mapping[str, float]] = MappingProxyType(
    {"vertrauen": 1.0, "dankbar": 0.8, "hilfesuchend": 0.6, "neutral": 0.5, "angriff": 0.3, "distanz": 0.2}
)
_CLOSENESS_STYLE: Final[Mapping[str, float]] = MappingProxyType(
    {"locker": 0.9, "jugendlich": 0.85, "emotional": 0.7, "neutral": 0.5, "fachlich": 0.4, "formell": 0.2}
)


@dataclass(frozen=True, slots=True)
class SpaceCalibration:
    """Constants of the space. Origin: reference. The tables keep their own defaults (no neutral factor)."""

    depth_mode: Mapping[str, float] = field(default_factory=lambda: _DEPTH_MODE)
    """``GV_TIEFE_MODUS``."""
    closeness_dynamic: Mapping[str, float] = field(default_factory=lambda: _CLOSENESS_DYNAMIC)
    """``GV_NAEHE_DYNAMIK``."""
    closeness_style: Mapping[str, float] = field(default_factory=lambda: _CLOSENESS_STYLE)
    """``GV_NAEHE_STIL``."""
    missing_depth: float = 0.3
    missing_closeness: float = 0.5
    up: float = 0.35
    """``GV_RAUM_ZUG_HINAUF``: share of the way per turn towards a larger value."""
    down: float = 0.65
    """``GV_RAUM_ZUG_HINAB``: towards a smaller one; trust grows slower than it goes."""
    arrival: float = 0.02
    """``GV_RAUM_ANKUNFT``: nearer than this is there."""
    character_factor: float = 1.0
    """``GV_RAUM_CHARAKTER_FAKTOR``: how readily this character follows the person."""


DEFAULT_SPACE: Final = SpaceCalibration()


@dataclass(frozen=True, slots=True)
class SpaceTarget:
    """Where labels point."""

    space: Space
    """Both axes rounded to two digits."""
    outside: tuple[OutsideTable, ...] = ()
    """Labels outside their table; one ERROR line each."""


def space_target(
    mode: str,
    relationship_dynamic: str,
    language_style: str,
    calibration: SpaceCalibration = DEFAULT_SPACE,
) -> SpaceTarget:
    """The space that a register asks for; also how a space is derived when none is stored."""
    lookups = (
        ("modus", mode, calibration.depth_mode, calibration.missing_depth),
        (
            "beziehungs_dynamik",
            relationship_dynamic,
            calibration.closeness_dynamic,
            calibration.missing_closeness,
        ),
        ("sprach_stil", language_style, calibration.closeness_style, calibration.missing_closeness),
    )
    depth, dynamic, style = (table.get(value, missing) for _, value, table, missing in lookups)
    outside = tuple(
        OutsideTable("raum", name, value, missing)
        for name, value, table, missing in lookups
        if value not in table
    )
    return SpaceTarget(Space(round(depth, 2), round((dynamic + style) / 2, 2)), outside)


def target_of(emotion: Emotion, calibration: SpaceCalibration = DEFAULT_SPACE) -> SpaceTarget:
    """`space_target` of one side's labels."""
    return space_target(emotion.mode, emotion.relationship_dynamic, emotion.language_style, calibration)


def pull_axis(
    current: float, target: float, factor: float, calibration: SpaceCalibration = DEFAULT_SPACE
) -> float:
    """One step of one axis towards its target, two digits, never past it.

    A factor of 0 or less holds the axis; only the arrival rule still acts.
    """
    if current == target:
        return current
    rate = calibration.up if target > current else calibration.down
    share = min(1.0, max(0.0, rate * factor))
    moved = round(current + share * (target - current), 2)
    if abs(target - moved) < calibration.arrival:
        return target
    return min(moved, target) if target > current else max(moved, target)


def move_space(
    space: Space, target: Space, factor: float = 1.0, calibration: SpaceCalibration = DEFAULT_SPACE
) -> Space:
    """One turn's step of both axes, with the same factor."""
    return Space(
        pull_axis(space.depth, target.depth, factor, calibration),
        pull_axis(space.closeness, target.closeness, factor, calibration),
    )
