"""The way of log entries from memory to the table: a bounded buffer and a writer that drains it.

Nothing here may stop a turn. While the database is down entries are kept and tried again; a row that the database
refuses costs only itself; a cancelled or repeated insert never writes a row twice, because each row takes its number
from the sequence before the first try.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg

from novaberg.clock import Clock
from novaberg.errors import StoreError
from novaberg.memory.database import Database
from novaberg.memory.pipeline_log_entries import LogEntry, describe, dropped_entry, refused_entry

log = logging.getLogger(__name__)

_RESERVE = "SELECT nextval('pipeline_log_id_seq') FROM generate_series(1, %s)"
_INSERT = """
    INSERT INTO pipeline_log
        (id, erstellt_am, turn_id, span_id, quelle, node, art, inhalt, user_id, character_id)
    SELECT * FROM unnest(
        %s::bigint[], %s::timestamptz[], %s::text[], %s::uuid[], %s::text[], %s::text[], %s::text[],
        %s::text[]::jsonb[], %s::text[], %s::text[])
    ON CONFLICT (id) DO NOTHING
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogWriterCalibration:
    """Tunable numbers of the log writer."""

    capacity: int = 20_000
    """Entries that are kept while the database is away, about 20 MB; beyond, the oldest go."""
    batch_rows: int = 1_000
    """Rows of one insert."""
    final_flush_s: float = 30.0
    """Seconds that a shutdown waits for the last entries (spec 01 §3.13)."""


DEFAULT_LOG_WRITER = LogWriterCalibration()


class LogBuffer:
    """Entries that wait for the writer. May be filled from any thread.

    Args:
        capacity: entries that are kept; beyond, the oldest are dropped and counted.
    """

    def __init__(self, capacity: int) -> None:
        self._entries: deque[LogEntry] = deque()
        self._capacity = capacity
        self._dropped = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def append(self, entry: LogEntry) -> None:
        """Add the newest entry."""
        with self._lock:
            if len(self._entries) >= self._capacity:
                self._entries.popleft()
                self._dropped += 1
            self._entries.append(entry)

    def take(self, limit: int) -> list[LogEntry]:
        """Remove and return up to ``limit`` of the oldest entries."""
        with self._lock:
            return [self._entries.popleft() for _ in range(min(limit, len(self._entries)))]

    def take_dropped(self) -> int:
        """How many entries were dropped since the last asking."""
        with self._lock:
            dropped, self._dropped = self._dropped, 0
        return dropped


@dataclass(slots=True)
class _Batch:
    """Entries on their way, with the row numbers once these are reserved."""

    entries: list[LogEntry]
    ids: list[int]


class LogWriter:
    """Drains a buffer into ``pipeline_log``.

    Args:
        database: the open database.
        buffer: where the entries wait.
        clock: dates the rows that the writer adds itself.
        interval_s: seconds between two drains; a buffer that is half full is drained at once.
    """

    def __init__(
        self,
        database: Database,
        buffer: LogBuffer,
        clock: Clock,
        *,
        interval_s: float,
        calibration: LogWriterCalibration = DEFAULT_LOG_WRITER,
    ) -> None:
        self._database = database
        self._buffer = buffer
        self._clock = clock
        self._interval_s = interval_s
        self._calibration = calibration
        self._lock = asyncio.Lock()
        self._unconfirmed: _Batch | None = None
        self._hurry = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def waiting(self) -> int:
        """Entries that are not known to stand in the table."""
        return len(self._buffer) + (len(self._unconfirmed.entries) if self._unconfirmed else 0)

    def hurry(self) -> None:
        """Ask for a drain before the interval is over; callable from any thread, without effect if nothing runs."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hurry.set)

    async def flush(self) -> bool:
        """Write everything that waits. Entries stay and ``False`` is returned when the database does not take them."""
        async with self._lock:
            while batch := self._next_batch():
                if not await self._written(batch):
                    return False
                self._unconfirmed = None
        return True

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Drain in the background; on leaving, also by error or cancellation, everything is written once more."""
        stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        task = asyncio.create_task(self._drain_until(stop), name="pipeline_log writer")
        try:
            yield
        finally:
            self._loop = None
            stop.set()
            self._hurry.set()
            await self._finish(task)

    async def _drain_until(self, stop: asyncio.Event) -> None:
        try:
            while not stop.is_set():
                await self._interval()
                await self._flush_and_live_on()
        except asyncio.CancelledError:
            if not stop.is_set():  # else whoever stopped us has given up waiting
                await self._flush_and_live_on()
            raise

    async def _interval(self) -> None:
        try:
            async with asyncio.timeout(self._interval_s):
                await self._hurry.wait()
        except TimeoutError:
            return
        self._hurry.clear()

    async def _flush_and_live_on(self) -> None:
        try:
            await self.flush()
        except Exception:
            log.exception("the log writer failed; %d entries are kept and tried again", self.waiting)

    async def _finish(self, task: asyncio.Task[None]) -> None:
        try:
            async with asyncio.timeout(self._calibration.final_flush_s):
                await asyncio.wait({task})
                await self._flush_and_live_on()
        except TimeoutError:
            task.cancel()
        if self.waiting:
            log.error("shutdown: %d log entries could not be written and are lost", self.waiting)

    def _next_batch(self) -> _Batch | None:
        if self._unconfirmed is None:
            entries = self._note_of_loss() + self._buffer.take(self._calibration.batch_rows)
            self._unconfirmed = _Batch(entries, []) if entries else None
        return self._unconfirmed

    def _note_of_loss(self) -> list[LogEntry]:
        dropped = self._buffer.take_dropped()
        if not dropped:
            return []
        log.warning("the log buffer was full; the %d oldest entries are lost", dropped)
        return [dropped_entry(dropped, self._clock.now())]

    async def _written(self, batch: _Batch) -> bool:
        try:
            async with self._database.connection() as connection:
                if not batch.ids:
                    cursor = await connection.execute(_RESERVE, [len(batch.entries)])
                    batch.ids = [number for (number,) in await cursor.fetchall()]
            await self._insert(batch.ids, batch.entries)
        except (StoreError, psycopg.Error) as error:
            log.warning(
                "the log cannot be written (%s); %d entries are kept and tried again",
                describe(error),
                self.waiting,
            )
            return False
        return True

    async def _insert(self, ids: Sequence[int], entries: Sequence[LogEntry]) -> None:
        """Insert the rows; if one of them is refused, halve until it stands alone."""
        try:
            async with self._database.connection() as connection:
                await connection.execute(_INSERT, _columns(ids, entries))
        except (StoreError, psycopg.Error, UnicodeError) as error:
            if not _is_fault_of_a_row(error):
                raise
            if len(entries) == 1:
                await self._insert_substitute(ids[0], entries[0], error)
                return
            middle = len(entries) // 2
            await self._insert(ids[:middle], entries[:middle])
            await self._insert(ids[middle:], entries[middle:])

    async def _insert_substitute(self, number: int, entry: LogEntry, error: Exception) -> None:
        log.error(
            "log entry %s of node %s was refused and is replaced by a fehler row",
            entry.art,
            entry.node,
            exc_info=error,
        )
        try:
            async with self._database.connection() as connection:
                await connection.execute(_INSERT, _columns([number], [refused_entry(entry, error)]))
        except (psycopg.DataError, psycopg.IntegrityError):
            log.exception("log entry %s of node %s is lost", entry.art, entry.node)


def _columns(ids: Sequence[int], entries: Sequence[LogEntry]) -> list[object]:
    return [
        list(ids),
        [entry.erstellt_am for entry in entries],
        [entry.turn_id for entry in entries],
        [entry.span_id for entry in entries],
        [entry.quelle for entry in entries],
        [entry.node for entry in entries],
        [entry.art for entry in entries],
        [entry.inhalt for entry in entries],
        [entry.user_id for entry in entries],
        [entry.character_id for entry in entries],
    ]


def _is_fault_of_a_row(error: Exception) -> bool:
    """Whether the content is to blame (it would be refused again), not the server (it may be back later)."""
    cause = error.__cause__ if isinstance(error, StoreError) else error
    if isinstance(cause, psycopg.DataError | psycopg.IntegrityError | UnicodeError):
        return True
    # 54: program limits, for instance JSON nested beyond the server's stack.
    return isinstance(cause, psycopg.Error) and (cause.sqlstate or "").startswith("54")
