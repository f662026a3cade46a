"""Who both sides are, read on one connection (seed: node-db-zugriff §3, steps 3 and 4).

The four reads of a turn stay four calls in the caller's order, because that order is the order of the log rows. They
share one connection: a third of the time of four visits to the pool. Each is a transaction of its own, so the failure
of one does not touch the next, and a connection that broke is replaced.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from novaberg.memory.characters import CharacterStore, select_character
from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.memory.instructions import select_directives, select_identities
from novaberg.personality import Character, Directive


class IdentityReader:
    """The reads of `CharacterStore` and `InstructionStore` with the same meaning and errors, for one turn.

    Open it with `IdentityStore.open`.
    """

    def __init__(self, database: Database, characters: CharacterStore, stack: AsyncExitStack) -> None:
        self._database = database
        self._characters = characters
        self._stack = stack
        self._connection: AsyncConnection[TupleRow] | None = None

    async def load(self, user_id: str, character_id: str) -> Character | None:
        """As `CharacterStore.load`."""
        with statement_errors("The character"):
            return await select_character(await self._live(), user_id, character_id)

    async def load_nova(self, user_id: str) -> Character | None:
        """As `CharacterStore.load_nova`."""
        return await self.load(*self._characters.nova_row(user_id))

    def nova_row(self, user_id: str) -> tuple[str, str]:
        """As `CharacterStore.nova_row`."""
        return self._characters.nova_row(user_id)

    async def identities(self, user_id: str) -> tuple[str, ...]:
        """As `InstructionStore.identities`."""
        with statement_errors("The identities"):
            return await select_identities(await self._live(), user_id)

    async def directives(self, user_id: str) -> tuple[Directive, ...]:
        """As `InstructionStore.directives`."""
        with statement_errors("The directives"):
            return await select_directives(await self._live(), user_id)

    async def _live(self) -> AsyncConnection[TupleRow]:
        if self._connection is None or self._connection.closed:
            await self._stack.aclose()
            self._connection = await self._stack.enter_async_context(self._database.connection())
        return self._connection


class IdentityStore:
    """Opens readers.

    Args:
        database: the open database.
        characters: knows where Nova's own row stands.
    """

    def __init__(self, database: Database, characters: CharacterStore) -> None:
        self._database = database
        self._characters = characters

    @asynccontextmanager
    async def open(self) -> AsyncIterator[IdentityReader]:
        """A reader for one turn; it takes its connection with the first read and gives it back at the end."""
        async with AsyncExitStack() as stack:
            yield IdentityReader(self._database, self._characters, stack)
