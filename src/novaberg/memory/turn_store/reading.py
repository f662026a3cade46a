"""Reading whole turns. The readers work on a connection, so that they can be part of a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final
from uuid import UUID

from psycopg.rows import class_row

from novaberg.memory.jobs import Connection
from novaberg.memory.turn_store.records import (
    InboxMessage,
    OpenTurn,
    StepResult,
    StoredAnswer,
    StoredEvent,
    Turn,
    TurnState,
)
from novaberg.pair import Pair

TURN_COLUMNS: Final = """
turn_id, nummer AS number, user_id, character_id, zustand AS state, prompt, fence, starts,
versuche AS failures, fehler AS error, human_done, erstellt_am AS created_at, begonnen_am AS started_at,
frist AS deadline, beendet_am AS ended_at
"""
_MESSAGE_COLUMNS: Final = "nachrichten_id, prompt, empfangen_am, client_id, message_id"
ANSWER_COLUMNS: Final = "nummer AS number, turn_id, text, payload, resume, erstellt_am AS created_at"
EVENT_COLUMNS: Final = (
    "event_id::text AS event_id, source, typ, payload, trigger_count, resume, erstellt_am AS created_at"
)

_TURN: Final = f"SELECT {TURN_COLUMNS} FROM turns WHERE user_id = %s AND character_id = %s AND turn_id = %s"
_IN_STATE: Final = f"""
SELECT {TURN_COLUMNS} FROM turns WHERE user_id = %s AND character_id = %s AND zustand = %s ORDER BY nummer
"""
_MESSAGES: Final = f"SELECT {_MESSAGE_COLUMNS} FROM inbox WHERE turn_id = %s ORDER BY id"
_EVENT: Final = f"SELECT {EVENT_COLUMNS} FROM events WHERE turn_id = %s"
_ANSWER: Final = f"SELECT {ANSWER_COLUMNS} FROM answers WHERE turn_id = %s"
_STEPS: Final = (
    "SELECT schritt, ergebnis AS result, erstellt_am AS created_at FROM turn_steps WHERE turn_id = %s"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    """One row of ``turns``."""

    turn_id: str
    number: int
    user_id: str
    character_id: str
    state: TurnState
    prompt: str
    fence: UUID
    starts: int
    failures: int
    error: str | None
    human_done: bool
    created_at: datetime
    started_at: datetime
    deadline: datetime
    ended_at: datetime | None


async def read_row(connection: Connection, pair: Pair, turn_id: str) -> TurnRow | None:
    """The row of one turn of the pair."""
    cursor = connection.cursor(row_factory=class_row(TurnRow))
    await cursor.execute(_TURN, (pair.user_id, pair.character_id, turn_id))
    return await cursor.fetchone()


async def read_rows(connection: Connection, pair: Pair, state: TurnState) -> list[TurnRow]:
    """All rows of the pair in one state, oldest first."""
    cursor = connection.cursor(row_factory=class_row(TurnRow))
    await cursor.execute(_IN_STATE, (pair.user_id, pair.character_id, state))
    return await cursor.fetchall()


async def whole_turn(connection: Connection, row: TurnRow) -> Turn:
    """The turn with everything that belongs to it."""
    return Turn(
        turn_id=row.turn_id,
        number=row.number,
        pair=Pair(row.user_id, row.character_id),
        state=row.state,
        prompt=row.prompt,
        messages=await read_messages(connection, row.turn_id),
        starts=row.starts,
        failures=row.failures,
        error=row.error,
        human_done=row.human_done,
        created_at=row.created_at,
        started_at=row.started_at,
        deadline=row.deadline,
        ended_at=row.ended_at,
        event=await read_event(connection, row.turn_id),
        answer=await read_answer(connection, row.turn_id),
        steps={step.schritt: step for step in await read_steps(connection, row.turn_id)},
    )


async def open_turn(connection: Connection, row: TurnRow) -> OpenTurn:
    """The same for the worker that holds ``row.fence``."""
    turn = await whole_turn(connection, row)
    return OpenTurn(fence=row.fence, **{field.name: getattr(turn, field.name) for field in fields(Turn)})


async def read_messages(connection: Connection, turn_id: str) -> tuple[InboxMessage, ...]:
    """The turn's block, in order of arrival."""
    cursor = connection.cursor(row_factory=class_row(InboxMessage))
    await cursor.execute(_MESSAGES, (turn_id,))
    return tuple(await cursor.fetchall())


async def read_event(connection: Connection, turn_id: str) -> StoredEvent | None:
    """The turn's event row."""
    cursor = connection.cursor(row_factory=class_row(StoredEvent))
    await cursor.execute(_EVENT, (turn_id,))
    return await cursor.fetchone()


async def read_answer(connection: Connection, turn_id: str) -> StoredAnswer | None:
    """The turn's answer row."""
    cursor = connection.cursor(row_factory=class_row(StoredAnswer))
    await cursor.execute(_ANSWER, (turn_id,))
    return await cursor.fetchone()


async def read_steps(connection: Connection, turn_id: str) -> Sequence[StepResult]:
    """The steps of the turn that are done."""
    cursor = connection.cursor(row_factory=class_row(StepResult))
    await cursor.execute(_STEPS, (turn_id,))
    return await cursor.fetchall()
