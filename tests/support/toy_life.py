"""A small life of a turn for tests of the engine: same resume points as the real one, nodes that only sleep."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from pydantic import JsonValue

from novaberg.memory.database import Database
from novaberg.memory.turn_store import OpenTurn, StoredEvent, Turn, TurnStore

TAIL_STEPS = ("session", "ei_calc_persist", "turn_roh")

_CREATE = """
CREATE TABLE IF NOT EXISTS toy_diary (
    id BIGSERIAL PRIMARY KEY, turn_id TEXT, what TEXT, pid INTEGER, at TIMESTAMPTZ
)
"""


@dataclass(frozen=True, slots=True)
class ToyEvent:
    """An event as path 1 would publish it."""

    event_id: str
    payload: dict[str, JsonValue]
    source: str = "user"
    typ: str = "message"
    trigger_count: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the diary."""

    turn_id: str
    what: str
    pid: int
    at: datetime


class Diary:
    """Writes down, across processes, which node ran when and where."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self) -> None:
        """Create the table if need be."""
        async with self._database.connection() as connection:
            await connection.execute(_CREATE)

    async def write(self, turn: Turn, what: str) -> None:
        """Note that ``what`` is about to be committed for the turn, or happened in it."""
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO toy_diary (turn_id, what, pid, at) VALUES (%s, %s, %s, %s)",
                (turn.turn_id, what, os.getpid(), datetime.now(UTC)),
            )

    async def read(self) -> Sequence[Entry]:
        """All lines in order."""
        async with self._database.connection() as connection:
            cursor = await connection.execute("SELECT turn_id, what, pid, at FROM toy_diary ORDER BY id")
            return [Entry(*row) for row in await cursor.fetchall()]


class ToyLife:
    """Both halves side by side, event row, answer row, tail steps, end.

    Args:
        node_s: shortest and longest sleep of a node, in seconds.
    """

    def __init__(self, store: TurnStore, diary: Diary, *, node_s: tuple[float, float] = (0.0, 0.0)) -> None:
        self._store = store
        self._diary = diary
        self._node_s = node_s

    async def handle(self, turn: OpenTurn) -> None:
        """Runs the turn from wherever it stands."""
        await self._diary.write(turn, "start")
        event: asyncio.Future[StoredEvent] = asyncio.get_running_loop().create_future()
        async with asyncio.TaskGroup() as halves:
            halves.create_task(self._human(turn, event))
            halves.create_task(self._character(turn, event))
        await self._store.finish(turn)

    async def _human(self, turn: OpenTurn, event: asyncio.Future[StoredEvent]) -> None:
        if turn.event is None:
            await self._node(turn, "perzeption")
            payload: dict[str, JsonValue] = {"nachrichten_ids": list(turn.nachrichten_ids)}
            event.set_result(await self._store.publish_event(turn, ToyEvent(str(uuid4()), payload)))
        else:
            event.set_result(turn.event)
        if not turn.human_done:
            await self._node(turn, "salience")
            await self._store.mark_human_done(turn)

    async def _character(self, turn: OpenTurn, event: asyncio.Future[StoredEvent]) -> None:
        payload = (await event).payload
        if turn.answer is None:
            await self._node(turn, "responder")
            await self._store.save_answer(turn, text=f"auf: {turn.prompt}", payload=payload)
        for schritt in TAIL_STEPS:
            if schritt not in turn.steps:
                await self._node(turn, schritt)
                await self._store.step_done(turn, schritt, {"ok": True})

    async def _node(self, turn: OpenTurn, name: str) -> None:
        await asyncio.sleep(random.uniform(*self._node_s))
        await self._diary.write(turn, name)
