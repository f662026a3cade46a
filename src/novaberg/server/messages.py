"""Bodies of the chat and session routes. Keys on the wire are German (spec 01 §5)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue

from novaberg.memory.turn_store import Accepted, HistoryTurn, StoredAnswer, TurnState
from novaberg.settings import Settings

UserId = Annotated[str, Field(description="The person; empty = the one of the settings")]
CharacterId = Annotated[str, Field(description="The figure; empty = nova")]

_ACCEPTED = {"de": "Nachricht angenommen, die Antwort folgt.", "en": "Message accepted, the answer follows."}
_KNOWN = {"de": "Diese Nachricht ist schon angenommen.", "en": "This message is accepted already."}


class ChatRequest(BaseModel):
    """A message of a person."""

    prompt: Annotated[str, Field(min_length=1)]
    user_id: UserId = ""
    character_id: CharacterId = ""
    client_id: Annotated[str, Field(description="Who sends; the other clients are told of the message")] = ""
    message_id: Annotated[
        str | None, Field(description="The client's own id; the same one never makes a second turn")
    ] = None
    system: Annotated[str | None, Field(description="Accepted and ignored")] = None
    temperatur: Annotated[float | None, Field(ge=0, le=2, description="Accepted and ignored")] = None


class Acknowledgement(BaseModel):
    """A message is committed; its answer comes over WebSocket, or over the stream that it was sent with."""

    status: Literal["processing"] = "processing"
    nachricht: str
    nachrichten_id: str
    wiederholt: Annotated[bool, Field(description="The message_id was known; nothing new was stored")]


def acknowledgement(accepted: Accepted, settings: Settings) -> Acknowledgement:
    """What the client gets for a committed message."""
    text = _KNOWN if accepted.repeated else _ACCEPTED
    return Acknowledgement(
        nachricht=text[settings.language],
        nachrichten_id=accepted.nachrichten_id,
        wiederholt=accepted.repeated,
    )


class Utterance(BaseModel):
    """One message of a person."""

    nachrichten_id: str
    text: str
    zeit: datetime
    client_id: str


class Answer(BaseModel):
    """One answer of the figure."""

    nummer: Annotated[int, Field(description="Grows; name the last one you have as seit")]
    turn_id: str
    text: str
    zeit: datetime
    meldung: Annotated[dict[str, JsonValue], Field(description="The character_response of this answer")]


class HistoryEntry(BaseModel):
    """One turn. Messages that still wait form an entry without number, turn and state at the end."""

    nummer: int | None
    turn_id: str | None
    zustand: TurnState | None
    nachrichten: list[Utterance]
    antwort: Answer | None
    fehler: str | None


class History(BaseModel):
    """A page of the history, oldest first."""

    verlauf: list[HistoryEntry]
    anzahl: int


class MissedAnswers(BaseModel):
    """Answers after a number, oldest first."""

    antworten: list[Answer]
    anzahl: int


def answer_of(stored: StoredAnswer) -> Answer:
    """An answer row as it goes out."""
    return Answer(
        nummer=stored.number,
        turn_id=stored.turn_id,
        text=stored.text,
        zeit=stored.created_at,
        meldung=dict(stored.payload),
    )


def entry_of(turn: HistoryTurn) -> HistoryEntry:
    """A turn of the history as it goes out."""
    return HistoryEntry(
        nummer=turn.number,
        turn_id=turn.turn_id,
        zustand=turn.state,
        nachrichten=[
            Utterance(
                nachrichten_id=message.nachrichten_id,
                text=message.prompt,
                zeit=message.empfangen_am,
                client_id=message.client_id,
            )
            for message in turn.messages
        ],
        antwort=answer_of(turn.answer) if turn.answer else None,
        fehler=turn.error,
    )


class SessionContext(BaseModel):
    """The running session (spec 01 §5.1)."""

    zusammenfassung: str
    turns: list[dict[str, object]]
    anzahl_turns: int


class Done(BaseModel):
    """Something was done."""

    status: Literal["ok"] = "ok"
    nachricht: str
