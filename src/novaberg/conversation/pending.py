"""Writes that a node decides and the dispatcher carries out (spec 01 §2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from pydantic import JsonValue


class PendingWrite(TypedDict):
    """One decided write."""

    ziel: str
    aktion: str
    daten: Mapping[str, JsonValue]
    beschreibung: str
    """For logs only."""


class _ClearWrites(tuple[PendingWrite, ...]):
    """Marks an update that empties the list instead of adding to it."""

    __slots__ = ()


CLEAR_WRITES: Final[tuple[PendingWrite, ...]] = _ClearWrites()
"""What the dispatcher returns: everything is carried out."""


def merge_pending_writes(
    present: tuple[PendingWrite, ...] | None, update: tuple[PendingWrite, ...]
) -> tuple[PendingWrite, ...]:
    """Appends, so that nodes side by side keep each other's writes; `CLEAR_WRITES` empties (design §3)."""
    if isinstance(update, _ClearWrites):
        return ()
    return (*(present or ()), *update)
