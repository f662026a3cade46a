"""The forensic log: every decision of a turn leaves a row from which it can be recomputed (spec 01 §4.4, §6).

Log calls are synchronous, cost microseconds and never raise; a writer brings the rows to the table in batches. The
one exception is the raw turn, which is permanent and written at once.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from pydantic import JsonValue

from novaberg.clock import Clock
from novaberg.errors import InvalidPairError, NotStorableError
from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.memory.json_text import dump_json
from novaberg.memory.pipeline_log_entries import (
    DECISIONS,
    Art,
    LogHeader,
    describe,
    entry_of_text,
    make_entry,
)
from novaberg.memory.pipeline_log_reading import (
    ExpiryResult,
    LogRow,
    delete_expired_rows,
    read_last_turn_id,
    read_nova_emotions,
    read_rows,
)
from novaberg.memory.pipeline_log_writer import DEFAULT_LOG_WRITER, LogBuffer, LogWriter, LogWriterCalibration
from novaberg.pair import Pair

__all__ = ["DECISIONS", "Art", "ExpiryResult", "LogHeader", "LogRow", "PipelineLog"]

log = logging.getLogger(__name__)

Content = Mapping[str, JsonValue]

_INSERT_RAW_TURN = """
    INSERT INTO pipeline_log (erstellt_am, turn_id, quelle, node, art, inhalt, user_id, character_id)
    VALUES (%s, %s, %s, %s, 'turn_roh', %s::jsonb, %s, %s)
    ON CONFLICT (turn_id) WHERE art = 'turn_roh' AND turn_id <> '' DO NOTHING
"""


class PipelineLog:
    """One log per process.

    Args:
        database: the open database.
        clock: dates each entry at the moment it is put.
        flush_seconds: interval of the writer (``NOVABERG_LOG_FLUSH_SECONDS``).
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        flush_seconds: float = 10.0,
        calibration: LogWriterCalibration = DEFAULT_LOG_WRITER,
    ) -> None:
        self._database = database
        self._clock = clock
        self._buffer = LogBuffer(calibration.capacity)
        self._writer = LogWriter(
            database, self._buffer, clock, interval_s=flush_seconds, calibration=calibration
        )
        self._hurry_at = max(calibration.capacity // 2, 1)

    # ── one method per kind of row ───────────────────────────────────────────

    def eingang(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What came in."""
        self._put(head, node, "eingang", inhalt, quelle)

    def prompt(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What a model was asked."""
        self._put(head, node, "prompt", inhalt, quelle)

    def berechnung(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """A calculation with its inputs."""
        self._put(head, node, "berechnung", inhalt, quelle)

    def switch(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """A branch that was taken."""
        self._put(head, node, "switch", inhalt, quelle)

    def db_read(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What was read from a store."""
        self._put(head, node, "db_read", inhalt, quelle)

    def db_write(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What was written to a store."""
        self._put(head, node, "db_write", inhalt, quelle)

    def ausgabe(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What came out."""
        self._put(head, node, "ausgabe", inhalt, quelle)

    def fehler(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What failed, with its reason."""
        self._put(head, node, "fehler", inhalt, quelle)

    def bemerkung(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """A remark."""
        self._put(head, node, "bemerkung", inhalt, quelle)

    def token(self, head: LogHeader, node: str, inhalt: Content, *, quelle: str | None = None) -> None:
        """What a model call cost."""
        self._put(head, node, "token", inhalt, quelle)

    def decision(self, head: LogHeader, node: str, name: str, outcome: str, /, **inputs: JsonValue) -> None:
        """A decision with its inputs (seed name ``log_decision``).

        Args:
            name: dotted name from `DECISIONS`.
            outcome: one of the outcomes registered for it; another one is reported and still written.
            inputs: what the decision was made from.
        """
        if outcome not in DECISIONS.get(name, ()):
            log.error("decision %s of node %s has the unregistered outcome %r", name, node, outcome)
        self._put(head, node, "switch", {**inputs, "entscheidung": name, "ausgang": outcome}, None)

    # ── spans ────────────────────────────────────────────────────────────────

    def span_start(
        self,
        node: str,
        *,
        turn_id: str,
        quelle: str,
        user_id: str,
        character_id: str,
        inhalt: Content | None = None,
    ) -> LogHeader:
        """Open the span of a node run and return the header for all its rows."""
        head = LogHeader(turn_id, quelle, str(uuid.uuid4()), user_id, character_id)
        self._put(head, node, "span_start", inhalt or {}, None)
        return head

    def span_end(self, head: LogHeader, node: str, inhalt: Content | None = None) -> None:
        """Close the span of ``head``."""
        self._put(head, node, "span_end", inhalt or {}, None)

    # ── the raw turn ─────────────────────────────────────────────────────────

    async def turn_roh(self, head: LogHeader, node: str, inhalt: Content) -> bool:
        """Write the stimulus–reaction pair of a turn, now and for good (seed: node-dispatcher §8).

        What was logged before is written first, so that the order of the rows stays the order of the calls.

        Returns:
            ``False`` if this turn has its raw record already; nothing is changed then.

        Raises:
            InvalidPairError: ``head`` names no pair.
            NotStorableError: the content has no JSON form.
            DatabaseUnavailableError, DiskFullError, StoreError: the database did not take it.
        """
        if not head.user_id or not head.character_id:
            raise InvalidPairError("A raw turn belongs to a pair; user_id or character_id is missing.")
        try:
            text = dump_json(dict(inhalt))
        except (TypeError, ValueError, RecursionError) as error:
            raise NotStorableError(
                f"The raw turn has no JSON form ({describe(error)}); it was not stored."
            ) from error
        entry = entry_of_text(head, node, "turn_roh", text, quelle=None, now=self._clock.now())
        await self.flush()
        values = [
            entry.erstellt_am,
            entry.turn_id,
            entry.quelle,
            entry.node,
            entry.inhalt,
            entry.user_id,
            entry.character_id,
        ]
        with statement_errors("The raw turn"):
            async with self._database.connection() as connection:
                cursor = await connection.execute(_INSERT_RAW_TURN, values)
                return cursor.rowcount == 1

    # ── writing, reading, ageing ─────────────────────────────────────────────

    async def flush(self) -> None:
        """Write what waits; if the database does not take it, it stays and a warning says how much."""
        await self._writer.flush()

    def writer(self) -> AbstractAsyncContextManager[None]:
        """``async with log.writer():`` writes in the background and leaves nothing behind on shutdown."""
        return self._writer.running()

    async def rows(self, turn_id: str) -> list[LogRow]:
        """All rows of a turn in the order in which they were put; an unreadable row is shown as such.

        Raises:
            DatabaseUnavailableError: the database does not answer.
        """
        await self.flush()
        return await read_rows(self._database, turn_id)

    async def last_turn_id(self, pair: Pair) -> str | None:
        """The turn of the pair's newest row, ``None`` if it has none. Errors as in `rows`."""
        await self.flush()
        return await read_last_turn_id(self._database, pair)

    async def nova_emotions(self, pair: Pair, limit: int) -> list[dict[str, JsonValue]]:
        """``nova_emotion`` of the pair's last raw turns, oldest first. Errors as in `rows`."""
        return await read_nova_emotions(self._database, pair, limit)

    async def delete_expired(self, now: datetime, days: float) -> ExpiryResult:
        """Delete rows older than ``days`` (at least 0) before ``now``; raw turns stay for good.

        A negative number deletes nothing and is an error; so is a database that fails. Neither is raised.
        """
        return await delete_expired_rows(self._database, now, days)

    def _put(self, head: LogHeader, node: str, art: Art, inhalt: Content, quelle: str | None) -> None:
        try:
            self._buffer.append(make_entry(head, node, art, inhalt, quelle=quelle, now=self._clock.now()))
        except Exception:
            log.exception("a log entry of node %r could not be built and is lost", node)
            return
        if len(self._buffer) == self._hurry_at:
            self._writer.hurry()
