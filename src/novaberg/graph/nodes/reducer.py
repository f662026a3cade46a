"""``reducer``: removes what is said twice and builds the memory context (spec 05 §3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

from novaberg.conversation.entries import ContextEntry, Source
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.graph.context import GraphContext

_BLOCK_ORDER: Final[tuple[Source, ...]] = ("summary", "charakter")
_ALWAYS_KEPT_BELOW: Final = 10
"""Characters; a shorter text is contained in others by chance (spec 05 §3.2 step 2)."""


async def reducer(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """Deduplicated entries, their untouched copy, and the text built from them."""
    raw = state.get("memory_entries", ())
    entries = without_contained(without_repeated(raw))
    return {"memory_entries_raw": raw, "memory_entries": entries, "memory_context": memory_context(entries)}


def _normalised(entry: ContextEntry) -> str:
    return " ".join(entry.inhalt.lower().split())


def without_repeated(entries: Sequence[ContextEntry]) -> tuple[ContextEntry, ...]:
    """Equal texts once: the first keeps its place, a strictly heavier one takes it over."""
    kept: dict[str, ContextEntry] = {}
    for entry in entries:
        key = _normalised(entry)
        if key not in kept or entry.gewicht > kept[key].gewicht:
            kept[key] = entry
    return tuple(kept.values())


def without_contained(entries: Sequence[ContextEntry]) -> tuple[ContextEntry, ...]:
    """Drops an entry whose text stands inside a longer one."""
    kept: dict[int, str] = {}
    for index in sorted(range(len(entries)), key=lambda index: len(entries[index].inhalt), reverse=True):
        text = _normalised(entries[index])
        if len(text) < _ALWAYS_KEPT_BELOW or not any(text in longer for longer in kept.values()):
            kept[index] = text
    return tuple(entries[index] for index in sorted(kept))


def memory_context(entries: Sequence[ContextEntry]) -> str:
    """The blocks in their fixed order, one a line; ``""`` without entries."""
    ordered = (entry for source in _BLOCK_ORDER for entry in entries if entry.quelle == source)
    return "\n".join(_rendered(entry) for entry in ordered)


def _rendered(entry: ContextEntry) -> str:
    if entry.quelle == "summary":
        return f"═══ BISHERIGER GESPRÄCHSVERLAUF ═══\n{entry.inhalt}"
    return f"[Charakter] {entry.inhalt}"
