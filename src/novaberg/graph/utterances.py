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
    """The conversation as alternating messages that end with ``last`` as the user's.

    Contributions of one side in a row are joined, because some servers demand strict alternation; a conversation that
    Nova began starts with an empty remark of the person, because some demand that the user speaks first.
    """
    messages: list[Message] = []
    for entry in (*history, Utterance("user", last)):
        if messages and messages[-1].role == entry.speaker:
            messages[-1] = Message(entry.speaker, f"{messages[-1].content}\n\n{entry.text}")
        else:
            messages.append(Message(entry.speaker, entry.text))
    if messages[0].role == "assistant":
        messages.insert(0, Message("user", "…"))
    return tuple(messages)
