"""The event that carries the result of one graph to the other (spec 01 §2.7–2.8, §3.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from novaberg.conversation.payload import EMOTION_KEYS, course_to_json, emotion_from_payload
from novaberg.conversation.state import ConversationState, EventSource
from novaberg.conversation.stimulus import (
    event_payload,
    stimulus_is_own_thought,
    stimulus_level,
    stimulus_text,
)
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE

__all__ = [
    "Event",
    "emotion_from_payload",
    "human_payload",
    "received_at",
    "retry_payload",
    "self_trigger_allowed",
]

MAX_SELF_TRIGGERS: Final = 3
"""Events that a turn may raise about itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What starts a run of the CharacterGraph."""

    event_id: str
    turn_id: str
    source: EventSource
    typ: str
    """``message`` or ``continue``."""
    payload: Mapping[str, JsonValue]
    trigger_count: int = 0


def human_payload(
    state: ConversationState, *, received_at: float, message_ids: Sequence[str], failure: str = ""
) -> dict[str, JsonValue]:
    """Payload of a human turn, at the moment when the answer may start.

    Args:
        state: what path 1 reached. Without ``external`` (perception never finished) the EI keys are left out, so the
            reader's defaults act and nothing looks like a measurement.
        received_at: Unix time at which the first message of the block arrived.
        message_ids: all messages of the block, in order.
        failure: ``Type: message`` if path 1 broke off; the key is absent otherwise.

    ``salienz_human`` and ``user_intentionen`` arrive later with the salience of path 1 (design §3).
    """
    payload: dict[str, JsonValue] = {
        "turn_id": state.get("turn_id", ""),
        "empfangen_am": received_at,
        "user_prompt": state.get("user_prompt", ""),
        "nachrichten_ids": list(message_ids),
        "emotions_verlauf": course_to_json(state.get("emotions_verlauf", ())),
    }
    external = state.get("external")
    if external is not None:
        payload |= {key: getattr(external.emotion, field) for key, field in EMOTION_KEYS.items()}
        payload["emotions_vektor_quelle"] = external.emotion.emotions_vector_quelle
    payload["wahrnehmung_herkunft"] = state.get("external_herkunft", "nicht_wahrgenommen")
    if failure:
        payload["pfad1_ausfall"] = failure
    return payload


def retry_payload(state: ConversationState) -> dict[str, JsonValue]:
    """The six keys by which a turn asks to be run once more. Exactly one stimulus slot is filled (spec 01 §3.9)."""
    own = stimulus_is_own_thought(state)
    return {
        "user_prompt": "" if own else state.get("user_prompt", ""),
        "eigener_gedanke": stimulus_text(state) if own else "",
        "reiz_herkunft": ORIGIN_OWN_IMPULSE if own else "",
        "gedanke_arousal": stimulus_level(state),
        "turn_id": state.get("turn_id", ""),
        "thinker_unsicher_retry": True,
    }


def self_trigger_allowed(trigger_count: int) -> bool:
    """Whether a turn may raise another event about itself (spec 01 §3.9)."""
    return trigger_count < MAX_SELF_TRIGGERS


def received_at(state: ConversationState) -> JsonValue:
    """``empfangen_am`` of the event as it stands, ``None`` if it is missing."""
    return event_payload(state).get("empfangen_am")
