"""The one mapping that travels through all nodes of a graph (spec 01 §2.3).

Every key that a node writes is declared here; the node wrapper refuses any other, because the graph engine would
drop it without a word. Keys that `create_state` does not set stay absent until somebody computes them, so that
"has not run" can be told from "found nothing".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from pydantic import JsonValue

from novaberg.conversation.entries import ContextEntry
from novaberg.conversation.payload import course_from_payload, emotion_from_payload, has_emotion
from novaberg.conversation.pending import PendingWrite, merge_pending_writes
from novaberg.ei.gravitation import GravitationPoint
from novaberg.ei.records import CourseEntry
from novaberg.memory.session import SessionTurn
from novaberg.personality import InternalPersonality, Personality
from novaberg.vocabulary import ROLE_ASSISTANT, ROLE_USER

EventSource = Literal["user", "character"]

PerceptionOrigin = Literal["gelesen", "standardwerte", "nicht_wahrgenommen"]
"""Whether a side's emotion was read from a perception, stands on defaults after an unreadable reply, or was never
perceived because path 1 broke off."""


class ConversationState(TypedDict, total=False):
    """All declared channels. German names are the persisted vocabulary that every specification uses."""

    # input
    user_prompt: str
    eigener_gedanke: str
    user_id: str
    character_id: str
    turn_id: str

    # event context
    event_source: EventSource
    event_payload: Mapping[str, JsonValue]

    # the two sides and the role markers
    external: Personality
    internal: InternalPersonality
    external_herkunft: PerceptionOrigin
    internal_herkunft: PerceptionOrigin
    perzeption_rolle: str
    ei_calc_rolle: str
    graph_rolle: str

    # session and memory
    raw_turns: tuple[SessionTurn, ...]
    session_turns: tuple[SessionTurn, ...]
    session_summary: str
    user_intentionen: tuple[str, ...]
    memory_entries: tuple[ContextEntry, ...]
    memory_entries_raw: tuple[ContextEntry, ...]
    memory_context: str

    # emotion
    emotions_verlauf: tuple[CourseEntry, ...]
    nova_emotions_verlauf: tuple[CourseEntry, ...]
    nova_emotion_konflikt: bool
    emotionale_gravitationspunkte: tuple[GravitationPoint, ...]

    # answer
    response: str
    model: str
    token_total: int

    # writes
    pending_writes: Annotated[tuple[PendingWrite, ...], merge_pending_writes]
    salienz_human: float | None


StateUpdate = ConversationState
"""A node returns the keys that it changed, never more."""


def _base_state(user_id: str, character_id: str, turn_id: str) -> ConversationState:
    return {
        "user_id": user_id,
        "character_id": character_id,
        "turn_id": turn_id,
        "token_total": 0,
        "salienz_human": None,
    }


def human_state(*, user_prompt: str, user_id: str, character_id: str, turn_id: str) -> ConversationState:
    """Start of the HumanGraph: somebody said ``user_prompt``."""
    return {
        **_base_state(user_id, character_id, turn_id),
        "user_prompt": user_prompt,
        "eigener_gedanke": "",
        "event_source": "user",
        "event_payload": {},
        "graph_rolle": "human",
        "ei_calc_rolle": "user",
        "perzeption_rolle": ROLE_USER,
    }


def character_state(
    *, payload: Mapping[str, JsonValue], source: EventSource, user_id: str, character_id: str, turn_id: str
) -> ConversationState:
    """Start of the CharacterGraph: an event arrived.

    The two stimulus slots are taken from the payload as they stand; neither falls back to the other (spec 01 §2.4).
    """
    return {
        **_base_state(user_id, character_id, turn_id),
        "user_prompt": _text(payload.get("user_prompt")),
        "eigener_gedanke": _text(payload.get("eigener_gedanke")),
        "event_source": source,
        "event_payload": payload,
        "graph_rolle": "character",
        "ei_calc_rolle": "character",
        "perzeption_rolle": ROLE_ASSISTANT,
        "emotions_verlauf": course_from_payload(payload),
    }


def human_tail_state(
    *, payload: Mapping[str, JsonValue], user_id: str, character_id: str, turn_id: str
) -> ConversationState:
    """Where path 1 goes on when a turn is taken up again after its event: at the salience.

    The person's side comes from the event. Without EI keys in it the person was never perceived, and ``external``
    stays absent.
    """
    state = human_state(
        user_prompt=_text(payload.get("user_prompt")),
        user_id=user_id,
        character_id=character_id,
        turn_id=turn_id,
    )
    state["emotions_verlauf"] = course_from_payload(payload)
    if has_emotion(payload):
        state["external"] = Personality(emotion=emotion_from_payload(payload))
    return state


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
