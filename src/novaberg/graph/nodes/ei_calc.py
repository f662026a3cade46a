"""``ei_calc``: the emotion mathematics of one side, without a model (spec 02 §3.13).

The person's block in the HumanGraph, Nova's block in the CharacterGraph; the other side is never touched.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from novaberg.conversation.snapshot import SessionSnapshot
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_is_own_thought
from novaberg.ei.blocks import NovaBlock, UserBlock, nova_block, user_block
from novaberg.ei.factors import OutsideTable
from novaberg.ei.gate import GatedArousal
from novaberg.ei.mood import MoodVector
from novaberg.ei.style import character_hash
from novaberg.errors import StoreError
from novaberg.graph.context import GraphContext
from novaberg.memory.session import SessionTurn
from novaberg.personality import InternalPersonality, Personality

log = logging.getLogger(__name__)


async def ei_calc(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """Block by ``ei_calc_rolle``; an unknown role is reported and counts as the person's."""
    role = state.get("ei_calc_rolle")
    if role == "character":
        return await _nova(state, runtime.context)
    if role != "user":
        log.warning("unknown ei_calc_rolle %r; the person's block runs", role)
    return _person(state)


# ── the person ───────────────────────────────────────────────────────────────


def _person(state: ConversationState) -> StateUpdate:
    external = state.get("external") or Personality()
    block = user_block(state.get("raw_turns", ()), external.emotion, character_hash(external.character))
    report_outside(block.consolidation.gate.outside, state)
    _report_unknown((*block.trajectory.unknown, *block.mood.unknown), state)
    _log_person(block)
    return {
        "external": replace(external, emotion=block.emotion),
        "emotions_verlauf": tuple(block.trajectory.entries),
    }


def _log_person(block: UserBlock) -> None:
    log_gate(block.consolidation.gate)
    _log_intensity(block.mood)
    log.info(
        "person: vector %s (%s), gated arousal %.3f, mode %s → %s, style %s → %s",
        block.mood.vector,
        block.mood.source,
        block.consolidation.gate.value,
        block.consolidation.mode_before,
        block.emotion.mode,
        block.consolidation.style_before,
        block.emotion.language_style,
    )


# ── Nova ─────────────────────────────────────────────────────────────────────


async def _nova(state: ConversationState, context: GraphContext) -> StateUpdate:
    internal = state.get("internal") or InternalPersonality()
    external = state.get("external")
    turns = await _session_turns(state, context)
    block = nova_block(
        turns,
        external=external.emotion if external else None,
        internal=internal.emotion,
        space=internal.space,
        person_spoke=not stimulus_is_own_thought(state),
    )
    _report_unknown((*block.base.unknown, *block.mood.unknown), state)
    _log_nova(block, internal, turns)
    return {
        "internal": replace(internal, emotion=block.emotion, space=block.space),
        "nova_emotions_verlauf": tuple(block.trajectory),
        "nova_emotion_konflikt": block.conflict,
    }


async def _session_turns(state: ConversationState, context: GraphContext) -> Sequence[SessionTurn]:
    """This node runs before the enricher, so it reads the session itself. A missing history never ends the turn, but
    it is never silent: an empty history looks like a calm one."""
    if not state.get("user_id") or not state.get("character_id"):
        log.error("turn %s has no complete pair; Nova's course starts empty", state.get("turn_id"))
        return ()
    try:
        snapshot: SessionSnapshot = await context.session.snapshot()
    except StoreError:
        log.exception("the session could not be read; Nova's course starts empty")
        return ()
    return snapshot.turns


def _log_nova(block: NovaBlock, before: InternalPersonality, turns: Sequence[SessionTurn]) -> None:
    log.info(
        "Nova: course of %d entries from %d turns, vector %s (%s)",
        len(block.base.entries),
        sum(turn.get("rolle") == "assistant" for turn in turns),
        block.mood.vector,
        block.mood.source,
    )
    _log_intensity(block.mood)
    if not block.transferred:
        log.error("Nova's course is empty; her emotion stays %s (EI-Calc)", before.emotion.emotion)
    if block.conflict:
        log.info("Nova and the person are stirred in opposite directions")
    if block.target_missing:
        log.error("there is no side to follow; Nova's space heads for its default")
    for outside in block.target.outside:
        log.error("%s", outside.message)
    log.info(
        "space: depth %.2f → %.2f (target %.2f), closeness %.2f → %.2f (target %.2f)",
        before.space.depth,
        block.space.depth,
        block.target.space.depth,
        before.space.closeness,
        block.space.closeness,
        block.target.space.closeness,
    )


def _log_intensity(mood: MoodVector) -> None:
    if mood.intensity_source == "namensmenge":
        log.info("vector %s was told from the names of the emotions: a half has no arousal", mood.vector)


def log_gate(gate: GatedArousal) -> None:
    """One INFO line with everything that the gated arousal was computed from (spec 02 §3.6)."""
    log.info(
        "EI gate: arousal %.3f × (dynamic %.3f, intent %.3f, tone %.3f) → %.3f",
        gate.arousal,
        gate.dynamic_factor,
        gate.intent_factor,
        gate.tone_factor,
        gate.value,
    )


def report_outside(outside: Sequence[OutsideTable], state: ConversationState) -> None:
    """One ERROR line for each value that its factor table does not know (spec 02 §3.6)."""
    for report in outside:
        log.error("%s, turn %s", report.message, state.get("turn_id"))


def _report_unknown(emotions: Sequence[str], state: ConversationState) -> None:
    """One ERROR line for each emotion that no stage of the canon pull knows (seed: node-perzeption §3.2)."""
    for emotion in dict.fromkeys(emotions):
        log.error(
            "emotion %r is outside the canon and takes part as written, turn %s",
            emotion,
            state.get("turn_id"),
        )
