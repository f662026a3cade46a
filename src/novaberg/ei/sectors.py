"""Distances on Plutchik's wheel and what they mean for emotions that stand side by side (spec 02 §3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from novaberg.vocabulary import EMOTION_SECTOR, SECTOR_EMOTIONS

SECTOR_COUNT: Final = len(SECTOR_EMOTIONS)


@dataclass(frozen=True, slots=True)
class SectorCalibration:
    """Exponents by distance: below 1 protects, above 1 suppresses. Origin: reference (``EI_NORM_…``)."""

    adjacent: float = 0.7
    """Distance 1."""
    near_diagonal: float = 1.0
    """Distance 2."""
    far_diagonal: float = 1.2
    """Distance 3."""
    opposite: float = 1.4
    """Distance 4."""


DEFAULT_SECTORS: Final = SectorCalibration()


def sector_of(emotion: str) -> int | None:
    """Sector 1..8 of an emotion as written; ``None`` for ``neutral`` and unknown emotions."""
    return EMOTION_SECTOR.get(emotion)


def sector_distance(a: int, b: int) -> int:
    """Steps between two sectors around the ring, 0..4.

    Raises:
        ValueError: a sector is not 1..8.
    """
    for sector in (a, b):
        if sector not in SECTOR_EMOTIONS:
            raise ValueError(f"there is no sector {sector}; sectors are 1 to {SECTOR_COUNT}")
    apart = abs(a - b)
    return min(apart, SECTOR_COUNT - apart)


def sector_exponent(a: int, b: int, calibration: SectorCalibration = DEFAULT_SECTORS) -> float | None:
    """The base exponent between two sectors; ``None`` for a sector and itself."""
    by_distance = (
        None,
        calibration.adjacent,
        calibration.near_diagonal,
        calibration.far_diagonal,
        calibration.opposite,
    )
    return by_distance[sector_distance(a, b)]
