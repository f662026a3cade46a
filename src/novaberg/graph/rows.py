"""How a node opens its log rows: one header per run (seed name Protokollkopf)."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from novaberg.conversation.state import ConversationState
from novaberg.conversation.stimulus import log_source
from novaberg.memory.pipeline_log import LogHeader, PipelineLog


def header(state: ConversationState, *, quelle: str | None = None) -> LogHeader:
    """Header of rows that belong to no span."""
    return LogHeader(
        turn_id=state.get("turn_id", ""),
        quelle=quelle or log_source(state),
        span_id=None,
        user_id=state.get("user_id", ""),
        character_id=state.get("character_id", ""),
    )


def open_span(
    log: PipelineLog,
    state: ConversationState,
    node: str,
    *,
    quelle: str | None = None,
    inhalt: Mapping[str, JsonValue] | None = None,
) -> LogHeader:
    """Writes ``span_start`` and gives the header of the span's rows."""
    return log.span_start(
        node,
        turn_id=state.get("turn_id", ""),
        quelle=quelle or log_source(state),
        user_id=state.get("user_id", ""),
        character_id=state.get("character_id", ""),
        inhalt=inhalt,
    )
