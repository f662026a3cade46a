"""A process that serves turns: lifeline, recovery and queue under one roof."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from novaberg.memory.database import Database
from novaberg.memory.jobs import JobStore
from novaberg.memory.lifeline import Lifeline
from novaberg.memory.turn_store import Cut, TurnStore
from novaberg.turns.failures import FailureCalibration
from novaberg.turns.pair_job import Handle, OnFailed, PairJob
from novaberg.turns.queue import QueueCalibration, TurnQueue
from novaberg.turns.recovery import Recovery, RecoveryCalibration

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerCalibration:
    """All tunable numbers of a worker."""

    queue: QueueCalibration = field(default_factory=QueueCalibration)
    recovery: RecoveryCalibration = field(default_factory=RecoveryCalibration)
    failures: FailureCalibration = field(default_factory=FailureCalibration)
    restart_s: float = 1.0
    """Seconds of pause before everything is built anew after an unexpected end."""


DEFAULT_CALIBRATION: Final = WorkerCalibration()


class Worker:
    """Serves turns until stopped. Any number of processes may do so on one database.

    Args:
        database: reached directly; the lifeline does not survive a transaction-mode pooler.
        handle: runs one turn; see `novaberg.turns.pair_job.Handle`.
        on_failed: tells the person that a turn was given up.
        cut: the block rule.
        deadline_s: seconds that a start of a turn may take.
    """

    def __init__(
        self,
        *,
        database: Database,
        store: TurnStore,
        handle: Handle,
        on_failed: OnFailed,
        cut: Cut,
        deadline_s: float,
        calibration: WorkerCalibration = DEFAULT_CALIBRATION,
    ) -> None:
        self._url = database.url
        self._calibration = calibration
        self._jobs = JobStore(database)
        self._pair_job = PairJob(
            store=store,
            handle=handle,
            on_failed=on_failed,
            cut=cut,
            deadline_s=deadline_s,
            calibration=calibration.failures,
        )
        self._queue = TurnQueue(database.url, self._pair_job, calibration=calibration.queue)
        self.started = asyncio.Event()
        """Set as soon as the first recovery is done and the queue is being served."""

    def stop(self) -> None:
        """Begin no further turn. Cancelling `run` then waits for those under way."""
        self._pair_job.stop()

    async def run(self) -> None:
        """Serve until cancelled; a second cancellation hurries.

        Raises:
            DatabaseUnavailableError: the database did not answer at the first start. Later it is waited for.
        """
        while True:
            try:
                await self._serve()
            except Exception:
                if not self.started.is_set():
                    raise
                log.exception("the worker ended unexpectedly; starting it again")
                await asyncio.sleep(self._calibration.restart_s)

    async def _serve(self) -> None:
        async with Lifeline(self._url) as lifeline, self._queue:
            recovery = Recovery(self._jobs, lifeline, self._queue, calibration=self._calibration.recovery)
            await recovery.once()
            self.started.set()
            looking = asyncio.create_task(recovery.run(), name="recovery")
            try:
                await self._queue.run(lifeline.worker_id)
            finally:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)


@contextlib.asynccontextmanager
async def run_worker(
    *,
    database: Database,
    store: TurnStore,
    handle: Handle,
    on_failed: OnFailed,
    cut: Cut,
    deadline_s: float,
    calibration: WorkerCalibration = DEFAULT_CALIBRATION,
) -> AsyncIterator[None]:
    """Serve turns beside the body of the ``async with``; arguments as `Worker`.

    Entering returns as soon as turns are served. Leaving lets those under way end within their grace; a cancellation
    while it waits hurries.

    Raises:
        DatabaseUnavailableError: on entering, if the database does not answer.
    """
    worker = Worker(
        database=database,
        store=store,
        handle=handle,
        on_failed=on_failed,
        cut=cut,
        deadline_s=deadline_s,
        calibration=calibration,
    )
    running = asyncio.create_task(worker.run(), name="worker")
    started = asyncio.create_task(worker.started.wait(), name="worker started")
    try:
        await asyncio.wait({running, started}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
        yield
    finally:
        worker.stop()
        started.cancel()
        running.cancel()
        await _ended(running)


async def _ended(running: asyncio.Task[None]) -> None:
    try:
        await asyncio.wait({running})
    except asyncio.CancelledError:
        running.cancel()
        await asyncio.wait({running})
        raise
