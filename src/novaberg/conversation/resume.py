"""The state that has to survive a kill between the answer and the end of its turn, as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import cast

from pydantic import JsonValue, TypeAdapter

from novaberg.conversation.payload import course_from_json, course_to_json
from novaberg.conversation.state import ConversationState, PerceptionOrigin
from novaberg.memory.session import SessionTurn
from novaberg.personality import InternalPersonality, Personality
from novaberg.vocabulary import ROLE_ASSISTANT

_EXTERNAL = TypeAdapter(Personality)
_INTERNAL = TypeAdapter(InternalPersonality)
_TURNS = TypeAdapter(tuple[dict[str, JsonValue], ...])
_ORIGIN: TypeAdapter[PerceptionOrigin] = TypeAdapter(PerceptionOrigin)


def dump_answer_state(state: ConversationState) -> dict[str, JsonValue]:
    """What path 2 knows when its answer is committed: enough to run its tail without asking anything again.

    Of the session only Nova's own turns travel: the style rule of the tail reads them, and nobody else there does.
    """
    return {
        "external": asdict(state["external"]),
        "internal": asdict(state["internal"]),
        "external_herkunft": state.get("external_herkunft"),
        "raw_turns": cast("JsonValue", _own_turns(state.get("raw_turns", ()))),
        "nova_emotions_verlauf": course_to_json(state.get("nova_emotions_verlauf", ())),
        "nova_emotion_konflikt": state.get("nova_emotion_konflikt", False),
        "response": state.get("response", ""),
        "model": state.get("model", ""),
        "token_total": state.get("token_total", 0),
    }


def _own_turns(turns: Iterable[SessionTurn]) -> list[SessionTurn]:
    return [turn for turn in turns if turn.get("rolle") == ROLE_ASSISTANT]


def load_answer_state(start: ConversationState, saved: dict[str, JsonValue]) -> ConversationState:
    """``start`` (the state of the event) completed by what `dump_answer_state` saved.

    Raises:
        pydantic.ValidationError: the saved state was not written by `dump_answer_state`.
    """
    state: ConversationState = {
        **start,
        "external": _EXTERNAL.validate_python(saved["external"]),
        "internal": _INTERNAL.validate_python(saved["internal"]),
        "raw_turns": cast("tuple[SessionTurn, ...]", _TURNS.validate_python(saved["raw_turns"])),
        "nova_emotions_verlauf": course_from_json(saved["nova_emotions_verlauf"]),
        "nova_emotion_konflikt": bool(saved["nova_emotion_konflikt"]),
        "response": str(saved["response"]),
        "model": str(saved["model"]),
        "token_total": TypeAdapter(int).validate_python(saved["token_total"]),
    }
    if saved.get("external_herkunft") is not None:
        state["external_herkunft"] = _ORIGIN.validate_python(saved["external_herkunft"])
    return state
