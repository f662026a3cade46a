"""Accepting a message: one transaction, committed before anything is acknowledged."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import uuid4

from novaberg.errors import QueueFullError
from novaberg.memory.database import Database
from novaberg.memory.jobs import Connection, lock_pair, ring
from novaberg.memory.turn_store.records import Accepted
from novaberg.pair import Pair

_KNOWN: Final = """
SELECT nachrichten_id FROM inbox WHERE user_id = %s AND character_id = %s AND message_id = %s
"""

# Counts no further than it must: a flood does not make accepting slower.
_INSERT: Final = """
INSERT INTO inbox (nachrichten_id, user_id, character_id, client_id, message_id, prompt, empfangen_am)
SELECT %(nachrichten_id)s, %(user_id)s::varchar, %(character_id)s::varchar, %(client_id)s, %(message_id)s,
       %(prompt)s, %(empfangen_am)s::timestamptz
WHERE (
    SELECT count(*) FROM (
        SELECT 1 FROM inbox
        WHERE user_id = %(user_id)s::varchar AND character_id = %(character_id)s::varchar AND turn_id IS NULL
        LIMIT %(max_waiting)s
    ) AS waiting
) < %(max_waiting)s
RETURNING nachrichten_id
"""

_WAITING: Final = "SELECT count(*) FROM inbox WHERE user_id = %s AND character_id = %s AND turn_id IS NULL"


async def accept(
    database: Database,
    pair: Pair,
    *,
    prompt: str,
    client_id: str,
    message_id: str | None,
    empfangen_am: datetime,
    max_waiting: int,
) -> Accepted:
    """Store one message and ring for its pair; see `TurnStore.accept`."""
    async with database.transaction() as connection:
        await lock_pair(connection, pair)
        known = await _known(connection, pair, message_id)
        if known is not None:
            return Accepted(known, repeated=True)
        nachrichten_id = uuid4().hex
        cursor = await connection.execute(
            _INSERT,
            {
                "nachrichten_id": nachrichten_id,
                "user_id": pair.user_id,
                "character_id": pair.character_id,
                "client_id": client_id,
                "message_id": message_id,
                "prompt": prompt,
                "empfangen_am": empfangen_am,
                "max_waiting": max_waiting,
            },
        )
        if await cursor.fetchone() is None:
            raise QueueFullError(
                f"{max_waiting} messages of this person are still waiting. "
                "Wait for an answer, then send again; nothing was stored."
            )
        await ring(connection, pair)
    return Accepted(nachrichten_id, repeated=False)


async def waiting_count(database: Database, pair: Pair) -> int:
    """Messages of the pair that belong to no turn yet."""
    async with database.connection() as connection:
        cursor = await connection.execute(_WAITING, (pair.user_id, pair.character_id))
        row = await cursor.fetchone()
    return row[0] if row else 0


async def _known(connection: Connection, pair: Pair, message_id: str | None) -> str | None:
    if message_id is None:
        return None
    cursor = await connection.execute(_KNOWN, (pair.user_id, pair.character_id, message_id))
    row = await cursor.fetchone()
    return row[0] if row else None
