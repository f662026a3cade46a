"""The sign of life of a worker process: a session of its own that holds a lock as long as the process lives.

Who can take the lock knows that the process is gone. kill -9 frees it at once; a blocked event loop keeps it,
so a busy worker never counts as dead (heartbeats would say otherwise).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import psycopg

from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.jobs import LIFELINE_KEY, Connection

log = logging.getLogger(__name__)

# Row and lock become visible together.
_REGISTER: Final = """
WITH w AS MATERIALIZED (SELECT worker_id FROM procrastinate_register_worker_v1())
SELECT worker_id, pg_advisory_lock(%s, worker_id::int) FROM w
"""
_LOCK: Final = "SELECT pg_advisory_lock(%s, %s::int)"
_SIGN_ON_AGAIN: Final = """
INSERT INTO procrastinate_workers (id) OVERRIDING SYSTEM VALUE VALUES (%s) ON CONFLICT (id) DO NOTHING
"""
_SIGN_OFF: Final = "DELETE FROM procrastinate_workers WHERE id = %s"


@dataclass(frozen=True, slots=True)
class LifelineCalibration:
    """Times of the sign of life. Origin: measured on two cores with kills and server restarts."""

    ping_s: float = 1.0
    """Seconds between two questions to the server; a session that it closes is noticed at once."""
    answer_s: float = 5.0
    """Seconds after which an unanswered question counts as a broken session."""
    reconnect_s: float = 0.1
    """Seconds between two tries to connect."""
    settle_s: float = 2.0
    """Seconds after a reconnection in which this process declares nobody dead: others may be coming back."""
    tcp_keepalive_s: int = 5
    """Seconds of silence after which both ends probe a session over TCP."""


DEFAULT_CALIBRATION: Final = LifelineCalibration()


class Lifeline:
    """Registers this process as a worker and keeps its sign of life; an async context manager.

    Args:
        url: the database; connects directly, a transaction-mode pooler would lose the lock.

    Raises:
        DatabaseUnavailableError: on entering, if the database cannot be reached.
    """

    def __init__(self, url: str, *, calibration: LifelineCalibration = DEFAULT_CALIBRATION) -> None:
        self._url = url
        self._calibration = calibration
        self._connection: Connection | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._worker_id: int | None = None
        self._reconnected_at: float | None = None

    @property
    def worker_id(self) -> int:
        """The id under which this process is registered."""
        if self._worker_id is None:
            raise RuntimeError("a lifeline has an id only inside its context")
        return self._worker_id

    @property
    def settled(self) -> bool:
        """False shortly after a reconnection: other workers may be coming back just now."""
        if self._reconnected_at is None:
            return True
        return time.monotonic() - self._reconnected_at > self._calibration.settle_s

    async def __aenter__(self) -> Self:
        try:
            self._connection = await self._connect()
            cursor = await self._connection.execute(_REGISTER, (LIFELINE_KEY,))
            row = await cursor.fetchone()
        except psycopg.Error as error:
            raise DatabaseUnavailableError(
                f"PostgreSQL does not answer, so no worker starts: {error}. See `novaberg doctor`."
            ) from error
        assert row is not None, "a registration returns its row"
        self._worker_id = row[0]
        self._keeper = asyncio.create_task(self._keep(), name="lifeline")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait(
                {self._keeper}
            )  # unlike awaiting it, this tells its end from our own cancellation
            if not self._keeper.cancelled() and (failure := self._keeper.exception()) is not None:
                log.error("the sign of life of this worker had stopped", exc_info=failure)
        if self._connection is not None:
            # Who does not get to sign off is found dead by the others.
            with contextlib.suppress(psycopg.Error, TimeoutError):
                async with asyncio.timeout(self._calibration.answer_s):
                    await self._connection.execute(_SIGN_OFF, (self._worker_id,))
            await self._close()

    async def _connect(self) -> Connection:
        seconds = self._calibration.tcp_keepalive_s
        connection = await psycopg.AsyncConnection.connect(
            self._url,
            autocommit=True,
            application_name="novaberg lifeline",
            connect_timeout=round(self._calibration.answer_s),
            keepalives_idle=seconds,
            keepalives_interval=seconds,
            keepalives_count=2,
        )
        try:
            # The server, too, must notice when a machine vanishes; without effect on a Unix socket.
            for name in ("tcp_keepalives_idle", "tcp_keepalives_interval"):
                await connection.execute("SELECT set_config(%s, %s, false)", (name, str(seconds)))
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _keep(self) -> None:
        while True:
            try:
                await self._watch()
            except (psycopg.Error, TimeoutError, OSError) as error:
                log.warning("lifeline of worker %s lost (%s); connecting again", self._worker_id, error)
                await self._come_back()

    async def _watch(self) -> None:
        connection = self._connection
        assert connection is not None, "kept from entering to leaving"
        while True:
            # Listening wakes as soon as the server closes the session; nothing is ever notified here.
            async for _ in connection.notifies(timeout=self._calibration.ping_s):
                pass
            async with asyncio.timeout(self._calibration.answer_s):
                await connection.execute("SELECT 1")

    async def _come_back(self) -> None:
        while True:
            await self._close()
            try:
                self._connection = await self._connect()
                # The lock first: whoever is declaring this worker dead finishes before the row is made again.
                await self._connection.execute(_LOCK, (LIFELINE_KEY, self._worker_id))
                await self._connection.execute(_SIGN_ON_AGAIN, (self._worker_id,))
            except (psycopg.Error, OSError) as error:
                log.debug("no lifeline yet: %s", error)
                await asyncio.sleep(self._calibration.reconnect_s)
            else:
                self._reconnected_at = time.monotonic()
                log.warning("lifeline of worker %s is back", self._worker_id)
                return

    async def _close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
