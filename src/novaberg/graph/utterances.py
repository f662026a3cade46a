"""Session turns in the form in which models are given them."""

from __future__ import annotations

from collections.abc import Sequence

from novaberg.memory.session import SessionTurn
from novaberg.models.material import Utterance
from novaberg.models.protocol import Message
from novaberg.vocabulary import ROLE_ASSISTANT, ROLE_USER


def utterances(turns: Sequence[SessionTurn]) -> tuple[Utterance, ...]:
    """Contributions of the person and of Nova, oldest first; turns without text or with another role are left out."""
    found = []
    for turn in turns:
        text, role = turn.get("inhalt", ""), turn.get("rolle")
        if not text:
            continue
        emotion, origin = turn.get("emotion") or "", turn.get("herkunft", "")
        if role == ROLE_USER:
            found.append(Utterance("user", text, emotion, origin))
        elif role == ROLE_ASSISTANT:
            found.append(Utterance("assistant", text, emotion, origin))
    return tuple(found)


def chat_messages(history: Sequence[Utterance], last: str) -> tuple[Message, ...]:
    """The conversation as messages of both sides, ended by ``last`` as the user's.

    What a server's wire demands beyond that, strict alternation for instance, its adapter sees to.
    """
    return (*(Message(entry.speaker, entry.text) for entry in history), Message("user", last))
