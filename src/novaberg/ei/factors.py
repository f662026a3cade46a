"""Factor tables keyed by a canon field, and what a value outside its table is worth (spec 02 §3.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from types import MappingProxyType
from typing import Literal

from novaberg.vocabulary import NEUTRAL

Place = Literal["ei_gate", "neugier", "faszination"]
"""Where a table is read, as named in ERROR lines."""


def neutral_factor(factors: Mapping[str, float]) -> float:
    """What a value outside the table is worth: the entry ``neutral``, else the unrounded mean of all entries.

    Not the highest entry: a value in the wrong column must not be amplified (seed: node-perzeption §3.2).

    Raises:
        ValueError: the table is empty.
    """
    if not factors:
        raise ValueError("a factor table needs at least one entry")
    return factors[NEUTRAL] if NEUTRAL in factors else sum(factors.values()) / len(factors)


@dataclass(frozen=True, slots=True)
class OutsideTable:
    """A value that its table does not know; whoever calls writes one ERROR line from it."""

    place: str
    field: str
    value: object
    factor: float
    """The factor that was applied instead."""

    @property
    def message(self) -> str:
        """The ERROR line without the turn id."""
        return f"{self.place}: {self.field} {self.value!r} is outside its table, {self.factor:.5f} applied"


@dataclass(frozen=True, slots=True)
class FactorTable:
    """A guarded table. Its neutral factor is derived from its entries when it is made."""

    place: Place
    field: str
    """The canon field that keys it, as named in ERROR lines."""
    factors: Mapping[str, float]
    neutral: float = dataclass_field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", MappingProxyType(dict(self.factors)))
        object.__setattr__(self, "neutral", neutral_factor(self.factors))

    def lookup(self, value: str) -> tuple[float, OutsideTable | None]:
        """The factor of ``value``; outside the table (``""`` included) the neutral factor and the report."""
        factor = self.factors.get(value)
        if factor is not None:
            return factor, None
        return self.neutral, OutsideTable(self.place, self.field, value, self.neutral)


def reports(*outside: OutsideTable | None) -> tuple[OutsideTable, ...]:
    """The lookups that fell outside, in order."""
    return tuple(report for report in outside if report is not None)
