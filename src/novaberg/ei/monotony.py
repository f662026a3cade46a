"""Monotony and coverage: which values Nova overuses and which she never reaches (spec 02 §3.21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from novaberg.vocabulary import DYNAMIC_CANON, MODE_CANON, STYLE_CANON, TONE_CANON, VECTOR_CANON

MONOTONY_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tone": TONE_CANON,
        "emotions_vector": VECTOR_CANON,
        "relationship_dynamic": DYNAMIC_CANON,
        "mode": MODE_CANON,
        "language_style": STYLE_CANON,
    }
)
"""The fields of a stored ``nova_emotion`` that are watched, with their canons."""


@dataclass(frozen=True, slots=True)
class MonotonyCalibration:
    """Constants of the diagnosis."""

    pressure_share: float = 0.40
    """Share of one value above which (strictly) there is pressure. Origin: seed."""
    window: int = 180
    """Last turns of Nova that count. Ours, the length of the measured series."""
    min_turns: int = 30
    """Fewer give no statement. Ours."""


DEFAULT_MONOTONY: Final = MonotonyCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldVariety:
    """How one field was used."""

    turns: int
    """Turns of the window in which the field had a value."""
    most_frequent: str
    share: float
    """Of those turns, 0..1."""
    pressure: bool
    unused: tuple[str, ...]
    """Canon values that never occurred. Pressure measures dominance and does not see an empty field."""

    def as_json(self) -> dict[str, float | str | bool | list[str]]:
        """As ``novaberg state --json`` prints it under ``wertevorrat``."""
        return {
            "zuege": self.turns,
            "haeufigster": self.most_frequent,
            "anteil": round(self.share, 3),
            "druck": self.pressure,
            "ungenutzt": list(self.unused),
        }


def value_variety(
    emotions: Sequence[Mapping[str, object]], calibration: MonotonyCalibration = DEFAULT_MONOTONY
) -> dict[str, FieldVariety]:
    """Pressure and coverage per field.

    Args:
        emotions: ``nova_emotion`` of Nova's turns, oldest first; missing and empty values do not count.
        calibration: constants.

    Returns:
        The fields about which something can be said; a field with too few values is left out.
    """
    window = emotions[-calibration.window :]
    varieties = {}
    for name, canon in MONOTONY_FIELDS.items():
        values = [value for emotion in window if isinstance(value := emotion.get(name), str) and value]
        if values and len(values) >= calibration.min_turns:
            varieties[name] = _variety(values, canon, calibration)
    return varieties


def _variety(values: Sequence[str], canon: Sequence[str], calibration: MonotonyCalibration) -> FieldVariety:
    counts = Counter(values)
    most_frequent, count = counts.most_common(1)[0]
    share = count / len(values)
    return FieldVariety(
        turns=len(values),
        most_frequent=most_frequent,
        share=share,
        pressure=share > calibration.pressure_share,
        unused=tuple(value for value in canon if value not in counts),
    )
