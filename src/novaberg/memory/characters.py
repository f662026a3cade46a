"""Distilled characters of both sides, table ``charakter_hash`` (seed: node-db-zugriff §3, step 3, and §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.pair import DEFAULT_CHARACTER
from novaberg.personality import Character

HASH_COLUMNS: Mapping[str, LiteralString] = {
    "core": "kern_hash",
    "adaptive": "adaptive_hash",
    "relationship": "beziehungsprofil",
    "intentions": "intentions_profil",
    "emotions": "emotions_profil",
}
"""Field of `Character` → column; serves both sides (seed name ``_HASH_FELDER``)."""

_SELECT: LiteralString = (
    "SELECT "
    + ", ".join(HASH_COLUMNS.values())
    + " FROM charakter_hash WHERE user_id = %s AND character_id = %s"
)


class CharacterStore:
    """Characters of persons and of Nova. Errors of the database propagate: without a character no turn makes sense.

    Args:
        database: the open database.
        character_id: the figure of this installation (seed name ``ASSISTANT_USER_ID``).
    """

    def __init__(self, database: Database, character_id: str = DEFAULT_CHARACTER) -> None:
        self._database = database
        self._character_id = character_id

    async def load(self, user_id: str, character_id: str) -> Character | None:
        """The row of the pair; ``None`` = no row. NULL columns are empty text.

        Raises:
            DatabaseUnavailableError: the database does not answer.
            StoreError: it refuses the statement.
        """
        with statement_errors("The character"):
            async with self._database.connection() as connection:
                return await select_character(connection, user_id, character_id)

    async def load_nova(self, user_id: str) -> Character | None:
        """Nova's own character towards this person; as `load`."""
        return await self.load(*self.nova_row(user_id))

    def nova_row(self, user_id: str) -> tuple[str, str]:
        """The key of Nova's own row: her id stands first. The only place that knows the swap."""
        return self._character_id, user_id


async def select_character(
    connection: AsyncConnection[TupleRow], user_id: str, character_id: str
) -> Character | None:
    """The row as a `Character` on a given connection; ``None`` = no row."""
    cursor = await connection.execute(_SELECT, [user_id, character_id])
    row = await cursor.fetchone()
    if row is None:
        return None
    return Character(**{field: str(value or "") for field, value in zip(HASH_COLUMNS, row, strict=True)})
