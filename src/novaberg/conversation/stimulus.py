"""The only access to the two stimulus slots: what somebody said, and what Nova thought (spec 01 §3.2; seed name reiz).

An event's ``source`` cannot tell whether a person spoke: the retry of a person's turn carries ``character`` too. So
the origin is always asked here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from novaberg.conversation.state import ConversationState
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE, ORIGIN_USER_TURN

log = logging.getLogger(__name__)

_LOG_SOURCES: Final[Mapping[str, str]] = {"human": "user", "character": "character", "agent": "agent"}


def event_payload(state: ConversationState) -> Mapping[str, JsonValue]:
    """The payload of the event that started the run; empty without one."""
    return state.get("event_payload") or {}


def stimulus_is_own_thought(state: ConversationState) -> bool:
    """True exactly if the payload's ``reiz_herkunft`` is ``eigener_impuls``."""
    return event_payload(state).get("reiz_herkunft") == ORIGIN_OWN_IMPULSE


def stimulus_text(state: ConversationState) -> str:
    """The own thought on an impulse, else what the person said. No fall-back between the two: an impulse without a
    thought is a defect and has to look like one."""
    if stimulus_is_own_thought(state):
        return state.get("eigener_gedanke") or ""
    return state.get("user_prompt") or ""


def stimulus_origin(state: ConversationState) -> str:
    """``nutzer_turn``, ``eigener_impuls``, or an unknown origin as it stands (never read as the person)."""
    return str(event_payload(state).get("reiz_herkunft") or ORIGIN_USER_TURN)


def stimulus_level(state: ConversationState) -> float | None:
    """The arousal in which an own thought was formed, 0.0 to 1.0; ``None`` = there is none.

    Rejected with an ERROR line, never clamped: a bool, a text, a number outside the span (spec 01 §3.2 rule 3).
    """
    if not stimulus_is_own_thought(state):
        return None
    level = event_payload(state).get("gedanke_arousal")
    if level is None:
        return None
    if isinstance(level, bool) or not isinstance(level, int | float):
        log.error("gedanke_arousal %r is not a number; the thought carries no level", level)
        return None
    if not 0.0 <= level <= 1.0:
        log.error("gedanke_arousal %r lies outside 0 to 1; the thought carries no level", level)
        return None
    return float(level)


def log_source(state: ConversationState) -> str:
    """``quelle`` of this graph's log rows: ``user``, ``character`` or ``agent``; unknown graphs count as ``user``."""
    return _LOG_SOURCES.get(state.get("graph_rolle") or "", "user")
