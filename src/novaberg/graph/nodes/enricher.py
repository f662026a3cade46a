"""``enricher``: brings the running session to the nodes (spec 05 §3.1; long-term memories join it later)."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from novaberg.conversation.entries import ContextEntry
from novaberg.conversation.snapshot import SessionSnapshot
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import open_span
from novaberg.memory.session import SessionTurn
from novaberg.personality import Personality
from novaberg.vocabulary import ROLE_USER

NODE = "enricher"


async def enricher(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """Lean in the HumanGraph (turns and the last intentions), full in the CharacterGraph (turns and context entries).

    The turns are passed on unmodified: the current utterance joins every emotion calculation as the virtual newest
    turn there, not here (spec 05 §3.1.8).

    Raises:
        RedisUnavailableError: the session cannot be read.
    """
    log = runtime.context.services.stores.pipeline_log
    span = open_span(log, state, NODE)
    snapshot = await runtime.context.session.snapshot()
    log.eingang(
        span,
        NODE,
        {
            "user_id": state.get("user_id", ""),
            "character_id": state.get("character_id", ""),
            "raw_turns_count": len(snapshot.turns),
            "has_summary": bool(snapshot.summary),
        },
        quelle="session",
    )
    update = _human(snapshot) if state.get("ei_calc_rolle") == ROLE_USER else _character(state, snapshot)
    log.ausgabe(
        span,
        NODE,
        {
            "raw_turns": len(update.get("raw_turns", ())),
            "memory_entries": len(update.get("memory_entries", ())),
            "user_intentionen": len(update.get("user_intentionen", ())),
        },
        quelle="state",
    )
    log.span_end(span, NODE)
    return update


def _human(snapshot: SessionSnapshot) -> StateUpdate:
    return {"raw_turns": snapshot.turns, "user_intentionen": last_intentions(snapshot.turns)}


def _character(state: ConversationState, snapshot: SessionSnapshot) -> StateUpdate:
    return {
        "raw_turns": snapshot.turns,
        "session_turns": snapshot.turns,
        "session_summary": snapshot.summary,
        "memory_entries": (*_summary_entry(snapshot.summary), *_character_entry(state.get("external"))),
    }


def last_intentions(turns: Sequence[SessionTurn]) -> tuple[str, ...]:
    """Intentions of the youngest turn of the person that was perceived at all (its ``modus`` is set)."""
    for turn in reversed(turns):
        if turn.get("rolle") == ROLE_USER and turn.get("modus"):
            return tuple(turn.get("intentionen", ()))
    return ()


def _summary_entry(summary: str) -> tuple[ContextEntry, ...]:
    return (ContextEntry("summary", summary),) if summary else ()


def _character_entry(external: Personality | None) -> tuple[ContextEntry, ...]:
    if external is None:
        return ()
    lines = [layer for layer in (external.character.core, external.character.adaptive) if layer]
    return (ContextEntry("charakter", "\n".join(lines)),) if lines else ()
