"""``ei_calc_persist``: consolidates Nova's self-perception and keeps it between turns (seed: node-ei-calc-persist).

She wakes up in the state in which she fell asleep. No model call, no read, ``external`` untouched.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from langgraph.runtime import Runtime

from novaberg.clock import unix_time
from novaberg.conversation.events import received_at
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_origin
from novaberg.ei.blocks import Consolidation, consolidate_nova
from novaberg.ei.nova_state import ClockSource, nova_state_mapping
from novaberg.ei.style import character_hash
from novaberg.graph.context import GraphContext
from novaberg.graph.nodes.ei_calc import log_gate, report_outside
from novaberg.graph.rows import open_span
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.pair import Pair, pair_or_none
from novaberg.personality import InternalPersonality

log = logging.getLogger(__name__)

NODE = "ei_calc_persist"


async def ei_calc_persist(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """Three corrections on ``internal.emotion``, then one write of the hash (13 fields, 12 on an impulse).

    Without ``internal`` or without a complete pair nothing is persisted and the graph goes on.

    Raises:
        RedisUnavailableError: the state was not written; never skipped silently.
    """
    internal = state.get("internal")
    if internal is None:
        log.warning(
            "turn %s has no internal personality; Nova's state is not persisted", state.get("turn_id")
        )
        return {}
    pair = pair_or_none(state.get("user_id", ""), state.get("character_id", ""))
    if pair is None:
        log.error("turn %s has no complete pair; Nova's state is not persisted", state.get("turn_id"))
        return {}
    context = runtime.context
    pipeline_log = context.services.stores.pipeline_log
    span = open_span(pipeline_log, state, NODE, quelle="character")
    consolidation = _consolidate(state, internal)
    _log_corrections(pipeline_log, span, consolidation)
    consolidated = replace(internal, emotion=consolidation.emotion)
    await _persist(context, span, pair, state=state, internal=consolidated)
    pipeline_log.span_end(span, NODE)
    return {"internal": consolidated}


# ── step 1: plausibility ─────────────────────────────────────────────────────


def _consolidate(state: ConversationState, internal: InternalPersonality) -> Consolidation:
    consolidation = consolidate_nova(
        state.get("raw_turns", ()), internal.emotion, character_hash(internal.character)
    )
    log_gate(consolidation.gate)
    report_outside(consolidation.gate.outside, state)
    return consolidation


def _log_corrections(pipeline_log: PipelineLog, span: LogHeader, consolidation: Consolidation) -> None:
    """The rows carry the values before correction, so that drift can be held against the raw perception."""
    emotion, gate = consolidation.emotion, consolidation.gate
    pipeline_log.berechnung(
        span,
        NODE,
        {
            "schritt": "ei_arousal",
            "arousal_roh": gate.arousal,
            "arousal_ei": gate.value,
            "dynamik": emotion.relationship_dynamic,
            "intent": emotion.intent,
            "tone": emotion.tone,
        },
    )
    pipeline_log.berechnung(
        span,
        NODE,
        {
            "schritt": "modus_plausibilitaet",
            "perzeption": consolidation.mode_before,
            "korrigiert": emotion.mode,
        },
    )
    pipeline_log.berechnung(
        span,
        NODE,
        {
            "schritt": "stil_plausibilitaet",
            "perzeption": consolidation.style_before,
            # Without a turn of hers the rule read nothing: null, not its default, or the row could not be replayed.
            "regelbasiert": consolidation.rule_style.style if consolidation.rule_style.texts else None,
            "korrigiert": emotion.language_style,
        },
    )


# ── step 2: one HSET ─────────────────────────────────────────────────────────


async def _persist(
    context: GraphContext,
    span: LogHeader,
    pair: Pair,
    *,
    state: ConversationState,
    internal: InternalPersonality,
) -> None:
    mapping = nova_state_mapping(
        internal.emotion,
        internal.space,
        origin=stimulus_origin(state),
        received_at=received_at(state),
        now=unix_time(context.services.clock.now()),
    )
    _report_clock(mapping.user_clock, state)
    await context.services.stores.nova_states.save(pair, mapping.fields)
    context.services.stores.pipeline_log.db_write(
        span,
        NODE,
        {
            "tabelle": "redis:nova_state",
            "operation": "hset",
            "key": pair.key("nova_state"),
            "felder": list(mapping.fields),
        },
    )


def _report_clock(source: ClockSource, state: ConversationState) -> None:
    """A substituted clock contains this turn's own processing time, which later looks like a shorter pause."""
    if source == "fehlt":
        log.warning(
            "the event of turn %s carries no empfangen_am; this node's clock stands in", state.get("turn_id")
        )
    elif source == "unlesbar":
        log.error(
            "empfangen_am %r of turn %s is unreadable; this node's clock stands in",
            received_at(state),
            state.get("turn_id"),
        )
