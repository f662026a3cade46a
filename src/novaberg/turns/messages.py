"""The messages that clients of a person get while a turn lives (spec 01 §5.3). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from novaberg.conversation.payload import course_to_json, emotion_to_json
from novaberg.conversation.state import ConversationState
from novaberg.conversation.stimulus import event_payload
from novaberg.graph.stages import Stage
from novaberg.memory.turn_store import Turn
from novaberg.personality import Personality
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE

Message = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds since the first message of the block was received."""

    answer_ms: float
    total_ms: float


def message_ids(turn: Turn) -> list[JsonValue]:
    """``nachrichten_id`` of every message of the turn."""
    return list(turn.nachrichten_ids)


def user_message(turn: Turn) -> Message:
    """What the person wrote, for her other clients. ``client_id`` names the sender if there is exactly one."""
    senders = {message.client_id for message in turn.messages}
    return {
        "typ": "user_message",
        "nachricht": turn.prompt,
        "turn_id": turn.turn_id,
        "nachrichten_ids": message_ids(turn),
        "user_id": turn.pair.user_id,
        "character_id": turn.pair.character_id,
        "client_id": senders.pop() if len(senders) == 1 else "",
    }


def stage_message(turn: Turn, stage: Stage) -> Message:
    """One finished node."""
    return {
        "typ": "character_stage",
        "turn_id": turn.turn_id,
        "nachrichten_ids": message_ids(turn),
        "node": stage.node,
        "label": stage.label,
        "detail": stage.detail,
    }


def answer_message(turn: Turn, state: ConversationState) -> Message:
    """The answer with what is known when it is approved. All EI fields are Nova's."""
    nova = state["internal"].emotion
    course = state.get("nova_emotions_verlauf", ())
    leading = course[0] if course else None
    origin = event_payload(state).get("reiz_herkunft")
    return {
        "typ": "character_response",
        "nachricht": state["response"],
        "turn_id": turn.turn_id,
        "nachrichten_ids": message_ids(turn),
        "reiz_herkunft": origin if origin == ORIGIN_OWN_IMPULSE else "",
        "modell": state.get("model", ""),
        "token_total": state.get("token_total", 0),
        "emotion": nova.emotion,
        "arousal": nova.arousal,
        "emotions_vektor": nova.emotions_vector,
        "emotions_verlauf": course_to_json(state.get("emotions_verlauf", ())),
        "sprach_stil": nova.language_style,
        "beziehungs_dynamik": nova.relationship_dynamic,
        "nova_emotion": leading["emotion"] if leading else "",
        "nova_arousal": leading["arousal"] if leading else 0.0,
        "nova_emotions_verlauf": course_to_json(course),
        "nova_emotions_vektor": nova.emotions_vector,
        "nova_emotion_konflikt": state.get("nova_emotion_konflikt", False),
        "intent": nova.intent,
        "tone": nova.tone,
        "gespraechs_modus": nova.mode,
    }


def complete_message(turn: Turn, state: ConversationState, timings: Timings) -> Message:
    """The end of the turn: both perceived sides, and the sign for panels to load anew."""
    return {
        "typ": "turn_complete",
        "turn_id": turn.turn_id,
        "nachrichten_ids": message_ids(turn),
        "external": _side(state.get("external"), state.get("external_herkunft")),
        "internal": _side(state.get("internal"), state.get("internal_herkunft")),
        "salienz_human": state.get("salienz_human"),
        "user_intentionen": list(state.get("user_intentionen", ())),
        "timings": {"answer_ms": round(timings.answer_ms, 1), "total_ms": round(timings.total_ms, 1)},
    }


def _side(side: Personality | None, origin: str | None) -> dict[str, JsonValue]:
    """One side's emotion and where it comes from. Without a perception there are no values, only the origin."""
    if side is None or origin is None:
        return {"herkunft": origin or "nicht_wahrgenommen"}
    return {**emotion_to_json(side.emotion), "herkunft": origin}


def error_message(turn: Turn, text: str) -> Message:
    """The honest word that there will be no answer for now."""
    return {"typ": "error", "turn_id": turn.turn_id, "nachrichten_ids": message_ids(turn), "fehler": text}
