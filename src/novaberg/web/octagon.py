"""Nova's state as one octagon: the sector's colour, arousal as size (design §11, spec 07 §2.2). Pure."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from novaberg.ei.nova_state import read_nova_state
from novaberg.vocabulary import EMOTION_SECTOR, NEUTRAL
from novaberg.web.formats import two_decimals
from novaberg.web.texts import Texts

log = logging.getLogger(__name__)

SECTOR_COLOURS: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: "#FFD700",
        2: "#2E8B57",
        3: "#556B2F",
        4: "#00CED1",
        5: "#4169E1",
        6: "#9932CC",
        7: "#DC143C",
        8: "#FF8C00",
    }
)
"""Clockwise from the top, by the numbers of the vocabulary."""
NEUTRAL_COLOUR: Final = "#888888"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class OctagonCalibration:
    """Sizes in units of a drawing that reaches from -50 to 50."""

    rim: float = 46.0
    """Radius of the rim, which an arousal of 1 fills."""
    smallest: float = 12.0
    """Radius at an arousal of 0: calm is small, not absent."""
    dot: float = 7.0
    """Radius of the dot on the rim that points to the sector, for those who cannot tell the colours apart."""
    low_below: float = 0.4
    high_from: float = 0.7
    """Arousal at which the word for it changes (the borders of Nova's stage line, spec 01 §5.4)."""


DEFAULT_OCTAGON: Final = OctagonCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Octagon:
    """What is drawn and what it means in words."""

    colour: str | None
    """``None`` = nothing is known, only the rim is drawn."""
    radius: float
    """Of the coloured octagon; 0 if there is none."""
    pointer: Point | None
    """Where the dot sits; ``None`` for neutral, which is no sector."""
    words: str
    title: str


def corners(radius: float) -> tuple[Point, ...]:
    """The eight corners, the first on top, clockwise: one per sector."""
    return tuple(corner(sector, radius) for sector in range(1, 9))


def corner(sector: int, radius: float) -> Point:
    """Where the axis of a sector (1 to 8) meets a circle; y grows downwards."""
    angle = math.tau * (sector - 1) / 8
    return (round(radius * math.sin(angle), 2), round(-radius * math.cos(angle), 2))


def polygon_points(radius: float) -> str:
    """The corners as SVG wants them."""
    return " ".join(f"{x:g},{y:g}" for x, y in corners(radius))


def size_of(arousal: float, calibration: OctagonCalibration = DEFAULT_OCTAGON) -> float:
    """Radius for an arousal; values outside 0 to 1 are clipped in the drawing (spec 07 §11)."""
    share = min(max(arousal, 0.0), 1.0)
    return round(calibration.smallest + (calibration.rim - calibration.smallest) * share, 2)


def arousal_word(arousal: float, texts: Texts, calibration: OctagonCalibration = DEFAULT_OCTAGON) -> str:
    """How one calls an arousal."""
    low, middle, high = texts.arousal
    if arousal < calibration.low_below:
        return low
    return high if arousal >= calibration.high_from else middle


def octagon_of(
    stored: Mapping[str, str],
    *,
    name: str,
    time: str,
    texts: Texts,
    calibration: OctagonCalibration = DEFAULT_OCTAGON,
) -> Octagon:
    """The drawing of a stored state (``nova_state``); before the first turn an empty one with the reason.

    What is missing or unreadable is never drawn as neutral.
    """
    state = read_nova_state(stored)
    if not state.exists:
        return empty_octagon(texts.no_state)
    emotion, arousal = state.emotion.emotion, state.emotion.arousal
    readable = "emotion" in stored and "arousal" in stored and "arousal" not in state.unreadable
    if not readable or (emotion not in EMOTION_SECTOR and emotion != NEUTRAL):
        log.error("the stored state of the figure has no usable emotion (%r) or arousal", emotion)
        return empty_octagon(texts.state_unreadable)
    sector = EMOTION_SECTOR.get(emotion)
    said = texts.emotions[emotion]
    stirred = arousal_word(arousal, texts, calibration)
    return Octagon(
        colour=NEUTRAL_COLOUR if sector is None else SECTOR_COLOURS[sector],
        radius=size_of(arousal, calibration),
        pointer=None if sector is None else corner(sector, calibration.rim),
        words=texts.mood.format(emotion=said, arousal=stirred),
        title=texts.mood_title.format(
            name=name, emotion=said, arousal=stirred, value=two_decimals(arousal, texts), time=time
        ),
    )


def empty_octagon(reason: str) -> Octagon:
    """Only the rim, and why."""
    return Octagon(colour=None, radius=0.0, pointer=None, words=reason, title=reason)


def state_moment(stored: Mapping[str, str]) -> datetime | None:
    """When the state was stored; ``None`` if that is missing or unreadable."""
    try:
        return datetime.fromtimestamp(float(stored["turn_zeit"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def mark_svg() -> str:
    """The mark of the program: all eight sectors around one calm centre."""
    rim = corners(DEFAULT_OCTAGON.rim)
    wedges = "".join(
        f'<path fill="{SECTOR_COLOURS[sector]}" d="M0,0L{_path(_halfway(rim[sector - 2], rim[sector - 1]))}'
        f'L{_path(rim[sector - 1])}L{_path(_halfway(rim[sector - 1], rim[sector % 8]))}Z"/>'
        for sector in range(1, 9)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">'
        f'{wedges}<polygon points="{polygon_points(22)}" fill="#faf9f7"/></svg>'
    )


def _halfway(a: Point, b: Point) -> Point:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _path(point: Point) -> str:
    return f"{point[0]:.2f},{point[1]:.2f}"
