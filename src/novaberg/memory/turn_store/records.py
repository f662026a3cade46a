"""What the turn store hands out: messages, turns, events, answers. Plain frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from pydantic import JsonValue

from novaberg.pair import Pair

TurnState = Literal["offen", "wartend", "gescheitert", "erledigt"]
"""``offen``: a worker is on it, or was when it died. ``wartend``: queued again by hand, comes before new
messages of its pair. ``gescheitert``: given up, kept, can be queued again. ``erledigt``: done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxMessage:
    """One accepted message."""

    nachrichten_id: str
    """32 hex digits, made at intake."""
    prompt: str
    empfangen_am: datetime
    """When the request came in, before any work on it."""
    client_id: str
    """``""`` = the client named none."""
    message_id: str | None
    """The client's own id; ``None`` = it gave none."""

    def entry(self) -> dict[str, JsonValue]:
        """The queue entry that the block rule reads (spec 01 §3.1.1): ``empfangen_am`` is Unix time."""
        return {
            "nachrichten_id": self.nachrichten_id,
            "prompt": self.prompt,
            "empfangen_am": self.empfangen_am.timestamp(),
            "client_id": self.client_id,
        }


@dataclass(frozen=True, slots=True)
class Accepted:
    """A message that is committed."""

    nachrichten_id: str
    repeated: bool
    """True = the ``message_id`` was known: ``nachrichten_id`` is the first one, nothing was stored."""


class CutBlock(Protocol):
    """The messages that become one turn."""

    @property
    def ids(self) -> Sequence[str]:
        """``nachrichten_id`` of each message, a prefix of those that wait."""
        ...

    @property
    def prompt(self) -> str:
        """The merged text."""
        ...


Cut = Callable[[Sequence[Mapping[str, JsonValue]]], CutBlock]
"""The block rule: gets the waiting entries (at least one, in order), returns a non-empty prefix."""


class NewEvent(Protocol):
    """What path 1 hands over (spec 01 §2.7)."""

    @property
    def event_id(self) -> str:
        """UUID4 with dashes."""
        ...

    @property
    def source(self) -> str:
        """``user`` or ``character``."""
        ...

    @property
    def typ(self) -> str:
        """``message`` or ``continue``."""
        ...

    @property
    def payload(self) -> Mapping[str, JsonValue]:
        """Spec 01 §2.8."""
        ...

    @property
    def trigger_count(self) -> int:
        """How many events the turn raised about itself before this one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """The event row of a turn."""

    event_id: str
    """UUID4 with dashes."""
    source: str
    typ: str
    payload: Mapping[str, JsonValue]
    trigger_count: int
    resume: JsonValue
    """What the publisher left for whoever takes the turn up again; ``None`` = nothing."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """The answer row of a turn. It is never replaced."""

    number: int
    """Grows with every answer; a client that reconnects names the last one it has."""
    turn_id: str
    text: str
    payload: Mapping[str, JsonValue]
    """What the clients get (spec 01 §5.3, ``character_response``)."""
    resume: JsonValue
    """What the writer left for the steps after the answer; ``None`` = nothing."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step after the answer that is done."""

    schritt: str
    result: JsonValue
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Everything that is stored of a turn."""

    turn_id: str
    """32 hex digits."""
    number: int
    """Grows with every turn; within a pair this is the order of the turns."""
    pair: Pair
    state: TurnState
    prompt: str
    """The merged block as it was cut."""
    messages: tuple[InboxMessage, ...]
    """The block, in order of arrival."""
    starts: int
    """How often a worker began; kills count here and only here."""
    failures: int
    """Real failures since the turn was cut or queued again (spec 01 §3.4, ``versuche``)."""
    error: str | None
    """The last failure, ``None`` = none so far."""
    human_done: bool
    """The HumanGraph's tail is finished."""
    created_at: datetime
    """When the block was cut."""
    started_at: datetime
    """When the last worker began."""
    deadline: datetime
    """When this start is stopped, if it is not done by then."""
    ended_at: datetime | None
    event: StoredEvent | None
    answer: StoredAnswer | None
    steps: Mapping[str, StepResult]
    """Steps that are done, by name."""

    @property
    def nachrichten_ids(self) -> tuple[str, ...]:
        """Ids of the block's messages, in order."""
        return tuple(message.nachrichten_id for message in self.messages)

    @property
    def empfangen_am(self) -> datetime:
        """When the first message of the block came in (spec 01 §2.8)."""
        return self.messages[0].empfangen_am


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn(Turn):
    """A turn in a worker's hands. Every write of the turn names its fence."""

    fence: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryTurn:
    """One turn as a person sees it; the last entry of a history may hold the messages that still wait."""

    number: int | None
    """Cursor for the page before; ``None`` = messages that wait."""
    turn_id: str | None
    state: TurnState | None
    messages: tuple[InboxMessage, ...]
    answer: StoredAnswer | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFate:
    """What became of one message."""

    nachrichten_id: str
    turn_id: str | None
    """``None`` = it still waits."""
    state: TurnState | None
    answer: StoredAnswer | None
    error: str | None
