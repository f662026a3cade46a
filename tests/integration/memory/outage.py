"""Making a database go away and come back, and waiting for what happens by itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.database import Database, DatabaseCalibration
from tests.support.stores import admin, url_of

IMPATIENT = DatabaseCalibration(wait_s=0.3, retry_s=0.3)
"""A pool that gives up at once, so that tests of outages are quick."""


def name_of(url: str) -> str:
    return str(conninfo_to_dict(url)["dbname"])


def kill_backends(connection: psycopg.Connection, database: str) -> int:
    """Terminate every session of the database; the number of victims."""
    statement = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    return len(connection.execute(statement, [database]).fetchall())


@contextmanager
def database_away(url: str) -> Iterator[None]:
    """While open, the database drops all sessions and refuses new ones."""
    name = name_of(url)
    with admin(url_of(url, "postgres")) as connection:
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        connection.execute(allow.format(sql.Identifier(name), sql.SQL("FALSE")))
        kill_backends(connection, name)
        try:
            yield
        finally:
            connection.execute(allow.format(sql.Identifier(name), sql.SQL("TRUE")))


class LosesConfirmations:
    """A database of which a third of the answers are lost after the work was done."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._dice = random.Random(20260830)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        async with self._database.connection() as connection:
            yield connection
        if self._dice.random() < 1 / 3:
            raise DatabaseUnavailableError("the answer was lost on the way")


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait up to five seconds for something that others bring about."""
    for _ in range(500):
        if await condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")
