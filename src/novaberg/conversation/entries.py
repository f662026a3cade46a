"""What the enricher collects for the answer (spec 05 §2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Source = Literal["summary", "charakter"]
"""``quelle`` of the entries that exist so far."""


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """One piece of context: bare text without prefix."""

    quelle: Source
    inhalt: str
    gewicht: float = 1.0
    """0.0 to 1.0."""
