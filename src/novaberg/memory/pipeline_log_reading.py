"""Reading and ageing of ``pipeline_log``: the rows of a turn, the latest turn, retention."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
from pydantic import JsonValue

from novaberg.errors import StoreError
from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.memory.pipeline_log_entries import describe
from novaberg.pair import Pair

log = logging.getLogger(__name__)

# Content and time are read so that no stored value can make the whole answer unreadable.
_ROWS = """
    SELECT id, CASE WHEN erstellt_am BETWEEN '0001-01-03' AND '9999-12-29' THEN erstellt_am END,
           turn_id, span_id::text, quelle, node, art, inhalt::text, user_id, character_id
    FROM pipeline_log WHERE turn_id = %s ORDER BY id
"""
_LAST_TURN = """
    SELECT turn_id FROM pipeline_log
    WHERE user_id = %s AND character_id = %s AND turn_id <> '' ORDER BY id DESC LIMIT 1
"""
_NOVA_EMOTIONS = """
    SELECT (inhalt -> 'nova_emotion')::text FROM pipeline_log
    WHERE user_id = %s AND character_id = %s AND art = 'turn_roh' ORDER BY id DESC LIMIT %s
"""
_DELETE_EXPIRED = "DELETE FROM pipeline_log WHERE erstellt_am < %s AND art <> 'turn_roh'"

_Record = tuple[int, datetime | None, str, str | None, str, str, str, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of the table, also when a part of it cannot be read."""

    id: int
    erstellt_am: datetime | None
    """UTC; ``None`` if the stored time is outside the calendar."""
    turn_id: str
    span_id: str | None
    quelle: str
    node: str
    art: str
    inhalt: dict[str, JsonValue]
    user_id: str | None
    character_id: str | None
    unlesbar: str = ""
    """Why the row is shown incompletely; empty for a readable row."""

    def as_json(self) -> dict[str, JsonValue]:
        """The row as ``novaberg trace --json`` prints it; ``zeit`` is ISO 8601 in UTC."""
        row: dict[str, JsonValue] = {
            "id": self.id,
            "zeit": self.erstellt_am.isoformat() if self.erstellt_am else None,
            "turn_id": self.turn_id,
            "span_id": self.span_id,
            "quelle": self.quelle,
            "node": self.node,
            "art": self.art,
            "inhalt": self.inhalt,
            "user_id": self.user_id,
            "character_id": self.character_id,
        }
        return row | {"unlesbar": self.unlesbar} if self.unlesbar else row


@dataclass(frozen=True, slots=True)
class ExpiryResult:
    """Outcome of the daily clean-up."""

    deleted_count: int
    error: str | None = None


async def read_rows(database: Database, turn_id: str) -> list[LogRow]:
    """All rows of a turn in the order in which they were put."""
    with statement_errors("The log"):
        async with database.connection() as connection:
            cursor = await connection.execute(_ROWS, [turn_id])
            return [_row(record) for record in await cursor.fetchall()]


async def read_last_turn_id(database: Database, pair: Pair) -> str | None:
    """The turn of the pair's newest row, ``None`` if it has none."""
    with statement_errors("The log"):
        async with database.connection() as connection:
            cursor = await connection.execute(_LAST_TURN, [pair.user_id, pair.character_id])
            record = await cursor.fetchone()
    return None if record is None else str(record[0])


async def read_nova_emotions(database: Database, pair: Pair, limit: int) -> list[dict[str, JsonValue]]:
    """``nova_emotion`` of the pair's last raw turns, oldest first; a row without a readable one is left out."""
    with statement_errors("The log"):
        async with database.connection() as connection:
            cursor = await connection.execute(_NOVA_EMOTIONS, [pair.user_id, pair.character_id, limit])
            records = await cursor.fetchall()
    read = [_content(str(text)) for (text,) in reversed(records) if text is not None]
    return [content for content, problem in read if not problem]


async def delete_expired_rows(database: Database, now: datetime, days: float) -> ExpiryResult:
    """Delete rows older than ``days``, never raw turns; see `PipelineLog.delete_expired`."""
    if not days >= 0:
        log.error("log retention of %s days is refused; nothing was deleted", days)
        return ExpiryResult(0, f"retention of {days} days is negative; nothing was deleted")
    try:
        oldest = now - timedelta(days=days)
    except OverflowError:
        return ExpiryResult(0)  # longer than the calendar reaches back: no row is that old
    try:
        async with database.connection() as connection:
            cursor = await connection.execute(_DELETE_EXPIRED, [oldest])
    except (StoreError, psycopg.Error) as error:
        log.exception("expired log rows could not be deleted")
        return ExpiryResult(0, describe(error))
    return ExpiryResult(cursor.rowcount)


def _row(record: _Record) -> LogRow:
    number, moment, turn_id, span_id, quelle, node, art, text, user_id, character_id = record
    inhalt, problem = _content(text)
    if moment is None:
        problem = problem or "erstellt_am is outside the calendar"
    return LogRow(
        id=number,
        erstellt_am=moment.astimezone(UTC) if moment else None,
        turn_id=turn_id,
        span_id=span_id,
        quelle=quelle,
        node=node,
        art=art,
        inhalt=inhalt,
        user_id=user_id,
        character_id=character_id,
        unlesbar=problem,
    )


def _content(text: str) -> tuple[dict[str, JsonValue], str]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"roh": text}, describe(error)
    if not isinstance(content, dict):
        return {"roh": text}, "inhalt is no JSON object"
    return content, ""
