"""``dispatcher``: the last node of both graphs; carries out and stores, decides nothing (seed: node-dispatcher).

Every step is idempotent by turn, because a turn that was killed in its tail runs it again.
"""

from __future__ import annotations

import logging

from langgraph.runtime import Runtime
from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.conversation.payload import emotion_to_json
from novaberg.conversation.pending import CLEAR_WRITES
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_origin, stimulus_text
from novaberg.errors import NotStorableError
from novaberg.graph.context import GraphContext
from novaberg.graph.nodes.session_summary import summariser
from novaberg.graph.rows import header
from novaberg.memory.pipeline_log import PipelineLog
from novaberg.memory.session import SessionTurn
from novaberg.pair import Pair, pair_or_none
from novaberg.personality import Emotion
from novaberg.vocabulary import ROLE_ASSISTANT, ROLE_USER

log = logging.getLogger(__name__)

NODE = "dispatcher"


async def dispatcher(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """Entry row before any branch, then the session turn, then the raw turn (seed: node-dispatcher §3.1).

    In the CharacterGraph it first waits for the HumanGraph's dispatcher, so that the person's words stand before Nova's.

    Raises:
        RedisUnavailableError, DatabaseUnavailableError: nothing is skipped silently; the tail is run again.
    """
    context = runtime.context
    pair = pair_or_none(state.get("user_id", ""), state.get("character_id", ""))
    pipeline_log = context.services.stores.pipeline_log
    pipeline_log.eingang(header(state), NODE, entry_line(state, pair))
    update: StateUpdate = {"pending_writes": CLEAR_WRITES}
    if state.get("graph_rolle") == "character":
        await context.human_tail.finished()
        late = await context.human_tail.salience()
        update |= {"salienz_human": late.salienz_human, "user_intentionen": late.user_intentionen}
    complete: ConversationState = {**state, **update}
    await _write_session_turn(context, complete, pair)
    await _write_raw_turn(pipeline_log, complete, pair)
    return update


def entry_line(state: ConversationState, pair: Pair | None) -> dict[str, JsonValue]:
    """What every branch of this node hangs on, so that "did not run" can be told from "ran without success"."""
    return {
        "schritt": "eingang",
        "writes": len(state.get("pending_writes", ())),
        "response": bool(state.get("response")),
        "external": state.get("external") is not None,
        "internal": state.get("internal") is not None,
        "paar": pair is not None,
    }


# ── session turn (seed: node-dispatcher §7) ──────────────────────────────────


async def _write_session_turn(context: GraphContext, state: ConversationState, pair: Pair | None) -> None:
    if pair is None:
        log.warning("turn %s has no complete pair; its session turn is not written", state.get("turn_id"))
        return
    turn = session_turn(state, zeit=unix_time(context.services.clock.now()))
    if not turn["inhalt"]:
        log.warning("turn %s has no content; its session turn is not written", state.get("turn_id"))
        return
    sessions = context.services.stores.sessions
    if await sessions.store_turn(pair, turn):
        await sessions.summarise_if_needed(pair, summariser(context, state))


def session_turn(state: ConversationState, *, zeit: float) -> SessionTurn:
    """The complete turn: Nova's if there is an answer, else the person's (spec 03 §2.2).

    The person's content is always what was said, never Nova's own thought.
    """
    answer = state.get("response", "")
    side = state.get("internal") if answer else state.get("external")
    emotion = side.emotion if side else None
    turn: SessionTurn = {
        "rolle": ROLE_ASSISTANT if answer else ROLE_USER,
        "inhalt": answer or state.get("user_prompt") or "",
        "zeit": zeit,
        "turn_id": state.get("turn_id", ""),
        "intentionen": list(state.get("user_intentionen", ())),
        "kern": "",
        "herkunft": stimulus_origin(state),
        **_emotion_fields(emotion),
    }
    if not answer and emotion and emotion.prompt_topic:
        turn["themen"] = [emotion.prompt_topic]
    return turn


def _emotion_fields(emotion: Emotion | None) -> SessionTurn:
    if emotion is None:
        return {
            "emotion": "neutral",
            "arousal": 0.5,
            "modus": "",
            "emotions_vektor": "",
            "sprach_stil": "",
            "beziehungs_dynamik": "",
            "tone": "sachlich",
        }
    return {
        "emotion": emotion.emotion,
        "arousal": emotion.arousal,
        "modus": emotion.mode,
        "emotions_vektor": emotion.emotions_vector,
        "sprach_stil": emotion.language_style,
        "beziehungs_dynamik": emotion.relationship_dynamic,
        "tone": emotion.tone,
    }


# ── raw turn (seed: node-dispatcher §8) ──────────────────────────────────────


async def _write_raw_turn(pipeline_log: PipelineLog, state: ConversationState, pair: Pair | None) -> None:
    if reason := raw_turn_guard(state, pair):
        level = logging.INFO if reason == "kein_antwortpfad" else logging.WARNING
        log.log(level, "turn %s has no raw turn: %s", state.get("turn_id"), reason)
        pipeline_log.switch(header(state), NODE, {"schritt": "turn_roh_uebersprungen", "grund": reason})
        return
    external, internal = state["external"], state["internal"]
    head = header(state, quelle="character")
    content: dict[str, JsonValue] = {
        "user_prompt": stimulus_text(state),
        "response": state["response"],
        "user_emotion": emotion_to_json(external.emotion),
        "nova_emotion": emotion_to_json(internal.emotion),
        "herkunft": stimulus_origin(state),
    }
    try:
        await pipeline_log.turn_roh(head, NODE, content)
    except NotStorableError as error:
        log.exception("the raw turn of %s could not be serialised", state.get("turn_id"))
        pipeline_log.fehler(head, NODE, {"grund": "turn_roh_write_failed", "fehler": error.message})


def raw_turn_guard(state: ConversationState, pair: Pair | None) -> str:
    """Why this run has no raw turn, in the order in which the reasons are asked; ``""`` = it has one.

    ``kein_antwortpfad`` is no outage: the HumanGraph has no answer by construction.
    """
    if pair is None:
        return "paar_unvollstaendig"
    is_answer_path = state.get("graph_rolle") == "character"
    has_answer = bool(state.get("response"))
    needs_nova = is_answer_path or has_answer
    if state.get("external") is None or (needs_nova and state.get("internal") is None):
        return "personality_fehlt"
    if not has_answer:
        return "response_leer" if is_answer_path else "kein_antwortpfad"
    return ""
