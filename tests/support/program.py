"""A program without stores, for tests of what the surfaces make of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from novaberg.clock import MovableClock
from novaberg.errors import NovabergError
from novaberg.memory.bulletin import BulletinMessage, Subscription
from novaberg.memory.pipeline_log import LogRow
from novaberg.memory.turn_store import Accepted, HistoryTurn, StoredAnswer, Turn
from novaberg.models.protocol import ModelHealth
from novaberg.pair import Pair
from novaberg.settings import Settings, load_settings
from novaberg.turns.intake import Intake
from novaberg.turns.messages import Message
from novaberg.turns.program import Program, StateView

START = datetime(2026, 8, 30, 12, tzinfo=UTC)


def turn_messages(nachrichten_id: str, *, turn_id: str = "t1", error: str = "") -> list[Message]:
    """What a client hears of a usual turn, or of one that failed."""
    ids: Message = {"turn_id": turn_id, "nachrichten_ids": [nachrichten_id]}
    stage: Message = {
        "typ": "character_stage",
        "node": "perzeption",
        "label": "Perzeption — Wahrnehmung",
        "detail": "x",
    }
    if error:
        return [{**stage, **ids}, {"typ": "error", "fehler": error, **ids}]
    timings: Message = {"answer_ms": 1.0, "total_ms": 2.0}
    return [
        {**stage, **ids},
        {"typ": "character_response", "nachricht": "Ja.", **ids},
        {
            "typ": "turn_complete",
            "external": {"emotion": "freude"},
            "internal": {},
            "timings": timings,
            **ids,
        },
    ]


@dataclass
class StubEar:
    """Plays prepared messages, then stays silent or breaks."""

    messages: list[Message]
    waits: asyncio.Event | None = None
    breaks_with: NovabergError | None = None
    closed: bool = False

    async def until_end(
        self, nachrichten_id: str, *, accepted_before: bool = False
    ) -> AsyncGenerator[Message, None]:
        try:
            for message in self.messages:
                yield message
            if self.breaks_with is not None:
                raise self.breaks_with
            if self.waits is not None:
                await self.waits.wait()
        finally:
            self.closed = True


class StubProgram(Program):
    """Accepts by the real rules of the door, remembers, and plays what the test prepared."""

    def __init__(self, **settings: object) -> None:
        self.settings: Settings = load_settings(**settings)
        self.clock = MovableClock(START)
        self.inbox = StubInbox()
        self._intake = Intake(self.inbox, self.settings)  # type: ignore[arg-type]
        self.ear: StubEar | None = None
        self.leaving = asyncio.Event()
        self.on_gap: Callable[[], None] | None = None
        self.subscriptions: list[Subscription] = []
        self.stores = {"postgres": True, "redis": True}
        self.model = ModelHealth(True, "fine")
        self.model_hangs = False
        self.rows: list[LogRow] = []
        self.view = StateView(nova_state={}, session=(), summary="")
        self.turns: tuple[HistoryTurn, ...] = ()
        self.answers: tuple[StoredAnswer, ...] = ()
        self.requeued: list[tuple[Pair, str]] = []
        self.fails_with: Exception | None = None

    @asynccontextmanager
    async def follow(self, pair: Pair) -> AsyncIterator[StubEar]:  # type: ignore[override]
        self._fail()
        self.ear = self.ear or StubEar(turn_messages("id-1"))
        try:
            yield self.ear
        finally:
            self.leaving.set()

    @asynccontextmanager
    async def listen(  # type: ignore[override]
        self, user_id: str, *, on_gap: Callable[[], None] | None = None
    ) -> AsyncIterator[Subscription]:
        self._fail()
        self.on_gap = on_gap
        subscription = Subscription(16)
        self.subscriptions.append(subscription)
        yield subscription

    def announce(self, message: Message, character_id: str = "nova") -> None:
        for subscription in self.subscriptions:
            subscription.put(BulletinMessage(character_id, message))

    async def history(
        self, pair: Pair, *, limit: int = 50, before: int | None = None
    ) -> tuple[HistoryTurn, ...]:
        self._fail()
        return self.turns[-limit:]

    async def answers_since(self, pair: Pair, after: int, *, limit: int = 50) -> tuple[StoredAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.number > after)[:limit]

    async def state(self, pair: Pair) -> StateView:
        self._fail()
        return self.view

    async def trace(self, turn_id: str) -> list[LogRow]:
        return [row for row in self.rows if row.turn_id == turn_id]

    async def last_turn_id(self, pair: Pair) -> str | None:
        return self.rows[-1].turn_id if self.rows else None

    async def turns_in_trouble(self, pair: Pair) -> tuple[Turn, ...]:
        return ()

    async def requeue(self, pair: Pair, turn_id: str) -> None:
        self._fail()
        self.requeued.append((pair, turn_id))

    async def reset_session(self, pair: Pair) -> None:
        self._fail()

    async def ping(self) -> dict[str, bool]:
        return self.stores

    async def check_model(self) -> ModelHealth:
        if self.model_hangs:
            await asyncio.Event().wait()
        return self.model

    def _fail(self) -> None:
        if self.fails_with is not None:
            raise self.fails_with


@dataclass
class StubInbox:
    """What was accepted, in order."""

    messages: list[Mapping[str, object]] = field(default_factory=list)
    fails_with: Exception | None = None

    async def accept(self, pair: Pair, **message: object) -> Accepted:
        if self.fails_with is not None:
            raise self.fails_with
        known = [m["message_id"] for m in self.messages if m["message_id"] is not None]
        if message["message_id"] in known:
            return Accepted(f"id-{known.index(message['message_id']) + 1}", True)
        self.messages.append({"pair": pair, **message})
        return Accepted(f"id-{len(self.messages)}", False)
