"""Taking the next turn of a pair, and queueing a failed one again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from psycopg.rows import class_row

from novaberg.errors import TurnNotFailedError, UnknownTurnError
from novaberg.memory.database import Database
from novaberg.memory.jobs import Connection, lock_pair, ring
from novaberg.memory.turn_store.reading import TURN_COLUMNS, TurnRow, open_turn, read_row
from novaberg.memory.turn_store.records import Cut, InboxMessage, OpenTurn
from novaberg.pair import Pair

# The open turn first, then what was queued again by hand, oldest first.
_TAKE_UNFINISHED: Final = f"""
UPDATE turns
SET zustand = 'offen', fence = %(fence)s, starts = starts + 1, begonnen_am = %(now)s, frist = %(deadline)s
WHERE turn_id = (
    SELECT turn_id FROM turns
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s AND zustand IN ('offen', 'wartend')
    ORDER BY zustand = 'offen' DESC, nummer
    LIMIT 1
)
RETURNING {TURN_COLUMNS}
"""

_WAITING: Final = """
SELECT nachrichten_id, prompt, empfangen_am, client_id, message_id FROM inbox
WHERE user_id = %s AND character_id = %s AND turn_id IS NULL
ORDER BY id
"""

_CREATE: Final = f"""
INSERT INTO turns (turn_id, user_id, character_id, zustand, prompt, fence, erstellt_am, begonnen_am, frist)
VALUES (
    %(turn_id)s, %(user_id)s, %(character_id)s, 'offen', %(prompt)s, %(fence)s, %(now)s, %(now)s, %(deadline)s
)
RETURNING {TURN_COLUMNS}
"""

_ASSIGN: Final = "UPDATE inbox SET turn_id = %s WHERE nachrichten_id = ANY(%s) AND turn_id IS NULL"

_REQUEUE: Final = """
UPDATE turns SET zustand = 'wartend', versuche = 0, fehler = NULL, beendet_am = NULL
WHERE user_id = %s AND character_id = %s AND turn_id = %s AND zustand = 'gescheitert'
"""


async def claim_block(
    database: Database, pair: Pair, *, cut: Cut, now: datetime, deadline_s: float
) -> OpenTurn | None:
    """Take the pair's next turn; see `TurnStore.claim_block`."""
    deadline = now + timedelta(seconds=deadline_s)
    async with database.transaction() as connection:
        await lock_pair(connection, pair)
        row = await _take_unfinished(connection, pair, now=now, deadline=deadline)
        if row is None:
            row = await _cut_new(connection, pair, cut=cut, now=now, deadline=deadline)
        return await open_turn(connection, row) if row is not None else None


async def requeue(database: Database, pair: Pair, turn_id: str) -> None:
    """Let a failed turn run once more; see `TurnStore.requeue`."""
    async with database.transaction() as connection:
        await lock_pair(connection, pair)
        cursor = await connection.execute(_REQUEUE, (pair.user_id, pair.character_id, turn_id))
        if cursor.rowcount != 1:
            row = await read_row(connection, pair, turn_id)
            if row is None:
                raise UnknownTurnError
            raise TurnNotFailedError
        await ring(connection, pair)


async def _take_unfinished(
    connection: Connection, pair: Pair, *, now: datetime, deadline: datetime
) -> TurnRow | None:
    cursor = connection.cursor(row_factory=class_row(TurnRow))
    await cursor.execute(
        _TAKE_UNFINISHED,
        {
            "fence": uuid4(),
            "now": now,
            "deadline": deadline,
            "user_id": pair.user_id,
            "character_id": pair.character_id,
        },
    )
    return await cursor.fetchone()


async def _cut_new(
    connection: Connection, pair: Pair, *, cut: Cut, now: datetime, deadline: datetime
) -> TurnRow | None:
    inbox = connection.cursor(row_factory=class_row(InboxMessage))
    await inbox.execute(_WAITING, (pair.user_id, pair.character_id))
    waiting = [message.entry() for message in await inbox.fetchall()]
    if not waiting:
        return None
    block = cut(waiting)
    turns = connection.cursor(row_factory=class_row(TurnRow))
    await turns.execute(
        _CREATE,
        {
            "turn_id": uuid4().hex,
            "user_id": pair.user_id,
            "character_id": pair.character_id,
            "prompt": block.prompt,
            "fence": uuid4(),
            "now": now,
            "deadline": deadline,
        },
    )
    row = await turns.fetchone()
    assert row is not None, "an insert returns its row"
    assigned = await connection.execute(_ASSIGN, (row.turn_id, list(block.ids)))
    if not block.ids or assigned.rowcount != len(block.ids):
        raise ValueError(f"the block rule named {len(block.ids)} messages, {assigned.rowcount} of them wait")
    return row
