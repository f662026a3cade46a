"""Connections to PostgreSQL: one pool for each process, errors in the words of this program."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from novaberg.errors import DatabaseUnavailableError, DiskFullError

log = logging.getLogger(__name__)

_NOT_THE_SERVER = ("40", "55", "57014")
"""SQLSTATE beginnings of operational errors of a statement, not of the server: serialisation, locks, cancelled."""


@dataclass(frozen=True, slots=True)
class DatabaseCalibration:
    """Limits of the pool."""

    min_size: int = 1
    """Connections that are kept open."""
    wait_s: float = 10.0
    """Seconds to wait for a connection; long enough for a server restart."""
    slice_s: float = 1.0
    """Seconds of that wait after which the pool is asked anew."""
    connect_s: int = 5
    """Seconds for one try to connect."""
    retry_s: float = 2.0
    """Seconds after which the pool stops trying by itself; the next request starts it again. The pauses between its
    own tries double: measured after an outage of 8 s, it answers 0.1 s after the server with 2, 6 s with 30."""


DEFAULT_DATABASE = DatabaseCalibration()


class Database:
    """A pool of connections, each tested before it is handed out: a restarted server is met silently.

    Connections are in autocommit, speak UTC and give tuple rows.
    """

    def __init__(
        self, pool: AsyncConnectionPool[AsyncConnection[TupleRow]], url: str, calibration: DatabaseCalibration
    ) -> None:
        self._pool = pool
        self._calibration = calibration
        self.url = url
        """The address, for sessions of one's own (LISTEN, lifelines)."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls, url: str, *, max_size: int = 8, calibration: DatabaseCalibration = DEFAULT_DATABASE
    ) -> AsyncIterator[Database]:
        """Open the pool and close it at the end.

        Args:
            url: ``postgresql://…``
            max_size: most connections at the same time.

        Raises:
            DatabaseUnavailableError: the server does not answer or refuses; the message has its words.
        """
        with translate_database_errors():
            await (await _connect(url, calibration)).close()
        pool = AsyncConnectionPool[AsyncConnection[TupleRow]](
            url,
            kwargs={"autocommit": True, "connect_timeout": calibration.connect_s},
            min_size=min(calibration.min_size, max_size),
            max_size=max_size,
            open=False,
            configure=_speak_utc,
            check=AsyncConnectionPool.check_connection,
            timeout=calibration.wait_s,
            reconnect_timeout=calibration.retry_s,
            name="novaberg",
        )
        async with pool:
            yield cls(pool, url, calibration)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        """A connection in autocommit, for as long as the context is open.

        Raises:
            DatabaseUnavailableError: the server does not answer, or broke the connection inside the context.
            DiskFullError: the server has no space for what was written inside the context.
        """
        with translate_database_errors():
            connection = await self._take()
            try:
                yield connection
            finally:
                await self._pool.putconn(connection)

    async def _take(self) -> AsyncConnection[TupleRow]:
        """Ask in slices: the pool tries a server anew only when it is asked anew, so that one long wait would sleep
        through the server's return."""
        deadline = time.monotonic() + self._calibration.wait_s
        while True:
            left = deadline - time.monotonic()
            try:
                return await self._pool.getconn(timeout=max(min(self._calibration.slice_s, left), 0.001))
            except PoolTimeout:
                if time.monotonic() >= deadline:
                    raise

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        """A connection inside a transaction: committed at the end, rolled back by an error.

        Errors as `connection`.
        """
        async with self.connection() as connection, connection.transaction():
            yield connection


@contextmanager
def translate_database_errors() -> Iterator[None]:
    """Turn failures of the server into errors of this program; failures of a statement pass unchanged.

    Raises:
        DatabaseUnavailableError, DiskFullError: see `Database.connection`.
    """
    try:
        yield
    except psycopg.errors.DiskFull as error:
        raise DiskFullError from error
    except (PoolTimeout, PoolClosed) as error:
        raise DatabaseUnavailableError(_unavailable(error)) from error
    except psycopg.OperationalError as error:
        if (error.sqlstate or "").startswith(_NOT_THE_SERVER):
            raise
        raise DatabaseUnavailableError(_unavailable(error)) from error


def _unavailable(error: Exception) -> str:
    cause = " ".join(str(error).split()) or type(error).__name__
    return f"PostgreSQL does not answer: {cause}. `novaberg doctor` shows more; nothing was lost."


async def _connect(url: str, calibration: DatabaseCalibration) -> AsyncConnection[TupleRow]:
    """One connection outside the pool, because the pool tells only that it waited, not why."""
    return await AsyncConnection.connect(url, autocommit=True, connect_timeout=calibration.connect_s)


async def _speak_utc(connection: AsyncConnection[TupleRow]) -> None:
    await connection.execute("SET TIME ZONE 'UTC'")
