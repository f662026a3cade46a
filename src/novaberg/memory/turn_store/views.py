"""What people and clients ask: history, what became of a message, what was missed, which turns are stuck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg.rows import class_row
from pydantic import JsonValue

from novaberg.errors import UnknownTurnError
from novaberg.memory.database import Database
from novaberg.memory.jobs import Connection
from novaberg.memory.turn_store.reading import (
    ANSWER_COLUMNS,
    TURN_COLUMNS,
    TurnRow,
    read_row,
    read_rows,
    whole_turn,
)
from novaberg.memory.turn_store.records import (
    HistoryTurn,
    InboxMessage,
    MessageFate,
    StoredAnswer,
    Turn,
    TurnState,
)
from novaberg.pair import Pair

_PAGE: Final = f"""
SELECT {TURN_COLUMNS} FROM turns
WHERE user_id = %(user_id)s AND character_id = %(character_id)s
  AND (%(before)s::bigint IS NULL OR nummer < %(before)s)
ORDER BY nummer DESC LIMIT %(limit)s
"""
_PAGE_MESSAGES: Final = """
SELECT turn_id, nachrichten_id, prompt, empfangen_am, client_id, message_id FROM inbox
WHERE user_id = %(user_id)s AND character_id = %(character_id)s
  AND (turn_id = ANY(%(turn_ids)s) OR (%(waiting)s AND turn_id IS NULL))
ORDER BY id
"""
_PAGE_ANSWERS: Final = f"SELECT {ANSWER_COLUMNS} FROM answers WHERE turn_id = ANY(%s)"

_ANSWERS_SINCE: Final = f"""
SELECT {ANSWER_COLUMNS} FROM answers
WHERE user_id = %s AND character_id = %s AND nummer > %s
ORDER BY nummer LIMIT %s
"""
_LAST_ANSWER: Final = "SELECT max(nummer) FROM answers WHERE user_id = %s AND character_id = %s"

_FATES: Final = """
SELECT i.nachrichten_id, i.turn_id, t.zustand AS state, t.fehler AS error
FROM inbox i LEFT JOIN turns t ON t.turn_id = i.turn_id
WHERE i.user_id = %s AND i.character_id = %s AND i.nachrichten_id = ANY(%s)
ORDER BY i.id
"""

_STEP_RESULTS: Final = """
SELECT s.turn_id, s.ergebnis FROM turn_steps s JOIN turns t ON t.turn_id = s.turn_id
WHERE t.user_id = %s AND t.character_id = %s AND s.turn_id = ANY(%s) AND s.schritt = %s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Assigned:
    turn_id: str | None
    nachrichten_id: str
    prompt: str
    empfangen_am: datetime
    client_id: str
    message_id: str | None

    def message(self) -> InboxMessage:
        return InboxMessage(
            nachrichten_id=self.nachrichten_id,
            prompt=self.prompt,
            empfangen_am=self.empfangen_am,
            client_id=self.client_id,
            message_id=self.message_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fate:
    nachrichten_id: str
    turn_id: str | None
    state: TurnState | None
    error: str | None


async def load(database: Database, pair: Pair, turn_id: str) -> Turn:
    """One turn with everything; see `TurnStore.load`."""
    async with database.connection() as connection:
        row = await read_row(connection, pair, turn_id)
        if row is None:
            raise UnknownTurnError
        return await whole_turn(connection, row)


async def in_state(database: Database, pair: Pair, state: TurnState) -> tuple[Turn, ...]:
    """All turns of the pair in one state, oldest first."""
    async with database.connection() as connection:
        rows = await read_rows(connection, pair, state)
        return tuple([await whole_turn(connection, row) for row in rows])


async def history(
    database: Database, pair: Pair, *, limit: int, before: int | None
) -> tuple[HistoryTurn, ...]:
    """What people see; see `TurnStore.history`."""
    identity = {"user_id": pair.user_id, "character_id": pair.character_id}
    async with database.transaction() as connection:
        # One snapshot: a message that is being cut right now is neither lost nor shown twice.
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor = connection.cursor(row_factory=class_row(TurnRow))
        await cursor.execute(_PAGE, {**identity, "before": before, "limit": limit})
        rows = list(reversed(await cursor.fetchall()))
        turn_ids = [row.turn_id for row in rows]
        answers = await _answers(connection, turn_ids)
        messages = await _messages(connection, {**identity, "turn_ids": turn_ids, "waiting": before is None})
    turns = [
        HistoryTurn(
            number=row.number,
            turn_id=row.turn_id,
            state=row.state,
            messages=messages.get(row.turn_id, ()),
            answer=answers.get(row.turn_id),
            error=row.error,
        )
        for row in rows
    ]
    waiting = messages.get(None, ())
    if waiting:
        turns.append(
            HistoryTurn(number=None, turn_id=None, state=None, messages=waiting, answer=None, error=None)
        )
    return tuple(turns)


async def answers_since(
    database: Database, pair: Pair, *, after: int, limit: int
) -> tuple[StoredAnswer, ...]:
    """What a client missed; see `TurnStore.answers_since`."""
    async with database.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(StoredAnswer))
        await cursor.execute(_ANSWERS_SINCE, (pair.user_id, pair.character_id, after, limit))
        return tuple(await cursor.fetchall())


async def last_answer_number(database: Database, pair: Pair) -> int:
    """Number of the pair's newest answer, 0 if there is none."""
    async with database.connection() as connection:
        cursor = await connection.execute(_LAST_ANSWER, (pair.user_id, pair.character_id))
        row = await cursor.fetchone()
    return row[0] if row and row[0] is not None else 0


async def fates(
    database: Database, pair: Pair, nachrichten_ids: Collection[str]
) -> Mapping[str, MessageFate]:
    """What became of messages; see `TurnStore.fates`."""
    async with database.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(_Fate))
        await cursor.execute(_FATES, (pair.user_id, pair.character_id, list(nachrichten_ids)))
        rows = await cursor.fetchall()
        answers = await _answers(connection, [row.turn_id for row in rows if row.turn_id is not None])
    return {
        row.nachrichten_id: MessageFate(
            nachrichten_id=row.nachrichten_id,
            turn_id=row.turn_id,
            state=row.state,
            answer=answers.get(row.turn_id) if row.turn_id else None,
            error=row.error,
        )
        for row in rows
    }


async def step_results(
    database: Database, pair: Pair, turn_ids: Collection[str], *, schritt: str
) -> Mapping[str, JsonValue]:
    """What one step left in several turns; see `TurnStore.step_results`."""
    async with database.connection() as connection:
        cursor = await connection.execute(
            _STEP_RESULTS, (pair.user_id, pair.character_id, list(turn_ids), schritt)
        )
        return dict(await cursor.fetchall())


async def _answers(connection: Connection, turn_ids: Sequence[str]) -> Mapping[str, StoredAnswer]:
    cursor = connection.cursor(row_factory=class_row(StoredAnswer))
    await cursor.execute(_PAGE_ANSWERS, (list(turn_ids),))
    return {answer.turn_id: answer for answer in await cursor.fetchall()}


async def _messages(
    connection: Connection, values: Mapping[str, object]
) -> Mapping[str | None, tuple[InboxMessage, ...]]:
    cursor = connection.cursor(row_factory=class_row(_Assigned))
    await cursor.execute(_PAGE_MESSAGES, values)
    grouped: defaultdict[str | None, list[InboxMessage]] = defaultdict(list)
    for row in await cursor.fetchall():
        grouped[row.turn_id].append(row.message())
    return {turn_id: tuple(messages) for turn_id, messages in grouped.items()}
