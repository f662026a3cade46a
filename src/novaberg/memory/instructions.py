"""What a person told Nova to be and to do: identities and directives (seed: node-db-zugriff §3, step 4).

Both belong to the person, not to the pair, and are read afresh every turn: agents may change them at any time.
"""

from __future__ import annotations

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.personality import Directive

_IDENTITIES = (
    "SELECT anweisung FROM charakter_anweisungen WHERE user_id = %s AND aktiv = TRUE ORDER BY erstellt_am, id"
)
_DIRECTIVES = (
    "SELECT anweisung, kontext FROM direktiven WHERE user_id = %s AND aktiv = TRUE ORDER BY erstellt_am, id"
)


class InstructionStore:
    """Active identities and directives. Errors propagate; the node decides what they cost.

    Both methods raise `DatabaseUnavailableError` when the database does not answer and `StoreError` when it refuses the
    statement (for instance another schema).

    Args:
        database: the open database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def identities(self, user_id: str) -> tuple[str, ...]:
        """Active identity statements, oldest first; empty if there are none."""
        with statement_errors("The identities"):
            async with self._database.connection() as connection:
                return await select_identities(connection, user_id)

    async def directives(self, user_id: str) -> tuple[Directive, ...]:
        """Active directives, oldest first; a missing context is empty text."""
        with statement_errors("The directives"):
            async with self._database.connection() as connection:
                return await select_directives(connection, user_id)


async def select_identities(connection: AsyncConnection[TupleRow], user_id: str) -> tuple[str, ...]:
    """As `InstructionStore.identities`, on a given connection."""
    cursor = await connection.execute(_IDENTITIES, [user_id])
    return tuple(str(statement) for (statement,) in await cursor.fetchall())


async def select_directives(connection: AsyncConnection[TupleRow], user_id: str) -> tuple[Directive, ...]:
    """As `InstructionStore.directives`, on a given connection."""
    cursor = await connection.execute(_DIRECTIVES, [user_id])
    return tuple(Directive(str(order), str(context or "")) for order, context in await cursor.fetchall())
