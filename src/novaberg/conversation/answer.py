"""Every write of ``response`` goes through here and leaves a line (spec 01 §3.5.5)."""

from __future__ import annotations

import logging
from typing import Final

from novaberg.conversation.state import ConversationState, StateUpdate

log = logging.getLogger(__name__)

_PREVIEW_CHARS: Final = 120


def set_answer(state: ConversationState, text: object, *, writer: str) -> StateUpdate:
    """The update that makes ``text`` the answer.

    A text that is no string counts as empty with an ERROR line; an empty answer is an ERROR too, because an answer with
    thousands of tokens can have no character.
    """
    if not isinstance(text, str):
        log.error("%s wrote an answer of type %s; it counts as empty", writer, type(text).__name__)
        text = ""
    before = len(state.get("response", ""))
    level = logging.INFO if text else logging.ERROR
    log.log(level, "answer by %s: %d → %d characters: %.*s", writer, before, len(text), _PREVIEW_CHARS, text)
    return {"response": text}
