"""Writes of a turn under way. Each proves with the fence that this worker still holds the turn.

Proof and row are one statement, so one commit: a worker that lost its turn leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from psycopg.rows import class_row
from pydantic import JsonValue

from novaberg.errors import LostFenceError, TurnError
from novaberg.memory.database import Database
from novaberg.memory.jobs import Connection
from novaberg.memory.json_text import clean_text, dump_json
from novaberg.memory.turn_store.reading import (
    ANSWER_COLUMNS,
    EVENT_COLUMNS,
    TurnRow,
    open_turn,
    read_answer,
    read_event,
    read_row,
)
from novaberg.memory.turn_store.records import NewEvent, OpenTurn, StoredAnswer, StoredEvent

# Locks the turn's row: whoever takes it over waits for this write, or this write finds the fence changed.
_HELD: Final = """
WITH held AS (
    SELECT turn_id, user_id, character_id FROM turns
    WHERE turn_id = %(turn_id)s AND fence = %(fence)s AND zustand = 'offen'
    FOR NO KEY UPDATE
)
"""

_EVENT: Final = f"""{_HELD}
INSERT INTO events
    (turn_id, user_id, character_id, event_id, source, typ, payload, trigger_count, resume, erstellt_am)
SELECT turn_id, user_id, character_id, %(event_id)s, %(source)s, %(typ)s, %(payload)s::jsonb,
       %(trigger_count)s, %(resume)s::jsonb, %(now)s
FROM held ON CONFLICT (turn_id) DO NOTHING RETURNING {EVENT_COLUMNS}
"""

_ANSWER: Final = f"""{_HELD}
INSERT INTO answers (turn_id, user_id, character_id, text, payload, resume, erstellt_am)
SELECT turn_id, user_id, character_id, %(text)s, %(payload)s::jsonb, %(resume)s::jsonb, %(now)s
FROM held ON CONFLICT (turn_id) DO NOTHING RETURNING {ANSWER_COLUMNS}
"""

_STEP: Final = f"""{_HELD}
INSERT INTO turn_steps (turn_id, schritt, ergebnis, erstellt_am)
SELECT turn_id, %(schritt)s, %(result)s::jsonb, %(now)s FROM held ON CONFLICT (turn_id, schritt) DO NOTHING
RETURNING schritt
"""

_SET_STATE: Final = (
    "UPDATE turns SET {assignments} WHERE turn_id = %(turn_id)s AND fence = %(fence)s AND zustand = 'offen'"
)
_HUMAN_DONE: Final = _SET_STATE.format(assignments="human_done = TRUE")
_FAILURE: Final = (
    _SET_STATE.format(assignments="versuche = versuche + 1, fehler = %(error)s") + " RETURNING versuche"
)
_FAIL: Final = _SET_STATE.format(
    assignments="zustand = 'gescheitert', fehler = %(error)s, beendet_am = %(now)s"
)
# A finished turn is not taken up again: what its tail needed to go on holds personal data and is let go.
_FINISH: Final = (
    "WITH finished AS ("
    + _SET_STATE.format(assignments="zustand = 'erledigt', fehler = NULL, beendet_am = %(now)s")
    + """ AND human_done AND EXISTS (SELECT 1 FROM answers a WHERE a.turn_id = turns.turn_id) RETURNING turn_id)
UPDATE answers SET resume = NULL FROM finished WHERE answers.turn_id = finished.turn_id
"""
)


async def publish_event(
    database: Database, turn: OpenTurn, event: NewEvent, *, resume: JsonValue, now: datetime
) -> StoredEvent:
    """Commit the event row; see `TurnStore.publish_event`."""
    values = {
        **_identity(turn),
        "event_id": event.event_id,
        "source": event.source,
        "typ": event.typ,
        "payload": dump_json(event.payload),
        "trigger_count": event.trigger_count,
        "resume": _json_or_null(resume),
        "now": now,
    }
    async with database.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(StoredEvent))
        await cursor.execute(_EVENT, values)
        stored = await cursor.fetchone()
        if stored is None:
            await _check_held(connection, turn)
            stored = await read_event(connection, turn.turn_id)
    assert stored is not None, "refused although the turn is held: the row exists"
    return stored


async def save_answer(
    database: Database,
    turn: OpenTurn,
    *,
    text: str,
    payload: Mapping[str, JsonValue],
    resume: JsonValue,
    now: datetime,
) -> StoredAnswer:
    """Commit the answer row; see `TurnStore.save_answer`."""
    values = {
        **_identity(turn),
        "text": clean_text(text),
        "payload": dump_json(payload),
        "resume": _json_or_null(resume),
        "now": now,
    }
    async with database.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(StoredAnswer))
        await cursor.execute(_ANSWER, values)
        stored = await cursor.fetchone()
        if stored is None:
            await _check_held(connection, turn)
            stored = await read_answer(connection, turn.turn_id)
    assert stored is not None, "refused although the turn is held: the row exists"
    return stored


async def step_done(
    database: Database, turn: OpenTurn, schritt: str, *, result: JsonValue, now: datetime
) -> bool:
    """Mark a step as done; see `TurnStore.step_done`."""
    values = {**_identity(turn), "schritt": schritt, "result": _json_or_null(result), "now": now}
    async with database.connection() as connection:
        cursor = await connection.execute(_STEP, values)
        if cursor.rowcount == 1:
            return True
        await _check_held(connection, turn)
    return False


async def mark_human_done(database: Database, turn: OpenTurn) -> None:
    """The HumanGraph's tail is over; see `TurnStore.mark_human_done`."""
    async with database.connection() as connection:
        cursor = await connection.execute(_HUMAN_DONE, _identity(turn))
        if cursor.rowcount != 1:
            raise LostFenceError


async def record_failure(database: Database, turn: OpenTurn, *, error: str) -> int:
    """Count a real failure; see `TurnStore.record_failure`."""
    async with database.connection() as connection:
        cursor = await connection.execute(_FAILURE, {**_identity(turn), "error": clean_text(error)})
        row = await cursor.fetchone()
    if row is None:
        raise LostFenceError
    failures: int = row[0]
    return failures


async def fail(database: Database, turn: OpenTurn, *, error: str, now: datetime) -> None:
    """Give the turn up; see `TurnStore.fail`."""
    async with database.connection() as connection:
        cursor = await connection.execute(_FAIL, {**_identity(turn), "error": clean_text(error), "now": now})
        if cursor.rowcount != 1:
            raise LostFenceError


async def finish(database: Database, turn: OpenTurn, *, now: datetime) -> None:
    """Close the turn; see `TurnStore.finish`."""
    async with database.connection() as connection:
        cursor = await connection.execute(_FINISH, {**_identity(turn), "now": now})
        if cursor.rowcount == 1:
            return
        row = await read_row(connection, turn.pair, turn.turn_id)
        if row is None or row.fence != turn.fence or row.state not in ("offen", "erledigt"):
            raise LostFenceError
        if row.state == "offen":
            raise TurnError(
                f"Turn {turn.turn_id} cannot end: it has {await _missing(connection, row)}. "
                "It is kept and can be queued again with `novaberg turns requeue`."
            )


async def refresh(database: Database, turn: OpenTurn) -> OpenTurn:
    """Read the turn anew; see `TurnStore.refresh`."""
    async with database.connection() as connection:
        return await open_turn(connection, await _check_held(connection, turn))


def _identity(turn: OpenTurn) -> dict[str, object]:
    return {"turn_id": turn.turn_id, "fence": turn.fence}


def _json_or_null(value: JsonValue) -> str | None:
    return None if value is None else dump_json(value)


async def _check_held(connection: Connection, turn: OpenTurn) -> TurnRow:
    row = await read_row(connection, turn.pair, turn.turn_id)
    if row is None or row.fence != turn.fence or row.state != "offen":
        raise LostFenceError
    return row


async def _missing(connection: Connection, row: TurnRow) -> str:
    parts = [] if row.human_done else ["an unfinished human half"]
    if await read_answer(connection, row.turn_id) is None:
        parts.append("no answer")
    return " and ".join(parts)
