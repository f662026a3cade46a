"""The queue: procrastinate as a doorbell with order per pair. The only module that knows procrastinate."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import procrastinate
from procrastinate import exceptions, jobs, manager
from procrastinate.connector import Notify

from novaberg.memory.jobs import QUEUE_NAME, TASK_NAME
from novaberg.memory.listener import listen
from novaberg.pair import Pair

log = logging.getLogger(__name__)

RunPair = Callable[[Pair], Awaitable[None]]
"""Serves a pair until it has nothing left to do."""

# Reads like the note of a new job; the number of the job does not matter.
_GREETING: Final = json.dumps({"type": "job_inserted", "job_id": 0})


@dataclass(frozen=True, slots=True)
class QueueCalibration:
    """How a process serves the queue. Origin: measured with 1, 2 and 4 processes on two cores."""

    concurrency: int = 16
    """Pairs whose turns run in this process at the same time."""
    poll_s: float = 1.0
    """Seconds between two looks without being rung; a net only."""
    grace_s: float = 10.0
    """Seconds that running turns get when the process is asked to stop."""
    pool_size: int = 1
    """Connections for fetching and closing jobs, a millisecond each. Each one more that a server restart broke would
    delay the first fetch afterwards by a second."""
    pool_wait_s: float = 2.0
    """Seconds that a fetch waits for a connection. The pool's own pauses between tries double without end; a request
    that gives up and comes again at the next poll lets it try anew."""
    hurry_s: float = 2.0
    """Seconds that cancelled turns get to end when the process is asked to stop a second time."""
    never_s: float = 86_400.0
    """Seconds between two looks for jobs to abort: nobody asks for that here."""


DEFAULT_CALIBRATION: Final = QueueCalibration()


class TurnQueue:
    """Runs one job per pair that has something to do; an async context manager (opens its connections).

    Args:
        url: the database.
        run_pair: the job; order per pair and one at a time per pair are kept by the queue.
    """

    def __init__(
        self, url: str, run_pair: RunPair, *, calibration: QueueCalibration = DEFAULT_CALIBRATION
    ) -> None:
        self._calibration = calibration
        self._run_pair = run_pair
        self._running: dict[int, asyncio.Task[None]] = {}
        self._app = procrastinate.App(connector=_Connector(url, calibration))
        self._jobs = _Jobs(self._app.connector)
        self._app.job_manager = self._jobs
        self._app.task(name=TASK_NAME, queue=QUEUE_NAME, pass_context=True)(self._turn)

    @property
    def running(self) -> frozenset[int]:
        """Ids of the jobs that run in this process."""
        return frozenset(self._running)

    async def __aenter__(self) -> Self:
        await self._app.open_async()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._app.close_async()

    async def run(self, worker_id: int) -> None:
        """Serve the queue under this id until cancelled. Cancelled once it lets running turns end within the grace
        and then cancels them; cancelled again it hurries."""
        self._jobs.worker_id = worker_id
        try:
            while True:
                await self._run_once()
                log.warning("the queue's worker returned; starting it again")
        finally:
            await self._end_hurriedly()

    async def _run_once(self) -> None:
        await self._app.run_worker_async(
            queues=[QUEUE_NAME],
            concurrency=self._calibration.concurrency,
            fetch_job_polling_interval=self._calibration.poll_s,
            abort_job_polling_interval=self._calibration.never_s,
            shutdown_graceful_timeout=self._calibration.grace_s,
            # What happened is told by inbox and turns; finished jobs would only pile up.
            delete_jobs="always",
            install_signal_handlers=False,
        )

    async def _end_hurriedly(self) -> None:
        """Jobs that the library left behind because it was cancelled twice."""
        left = list(self._running.values())
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=self._calibration.hurry_s)

    async def _turn(self, context: procrastinate.JobContext, user_id: str, character_id: str) -> None:
        job_id, task = context.job.id, asyncio.current_task()
        assert job_id is not None, "a job from the database has an id"
        assert task is not None, "a coroutine runs in a task"
        self._running[job_id] = task
        try:
            await self._run_pair(Pair(user_id, character_id))
        finally:
            del self._running[job_id]


class _Connector(procrastinate.PsycopgConnector):
    """Listens for ever: the library's own listener ends with the first failed reconnection, the worker lives on deaf."""

    def __init__(self, url: str, calibration: QueueCalibration) -> None:
        super().__init__(
            conninfo=url,
            min_size=1,
            max_size=calibration.pool_size,
            timeout=calibration.pool_wait_s,
            reconnect_timeout=calibration.pool_wait_s,
            name="novaberg queue",
        )
        self._url = url

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        await listen(self._url, channels, on_notification, greeting=_GREETING)


class _Jobs(manager.JobManager):
    """Who is alive is told by the lifeline, so nothing here may declare a worker dead; and a database that is away for a
    moment may not end the worker: what stays undone is mended by the recovery."""

    worker_id: int | None = None
    _rang: bool = False

    async def register_worker(self) -> int:
        assert self.worker_id is not None, "the lifeline registered this worker"
        return self.worker_id

    async def unregister_worker(self, worker_id: int) -> None:
        """The lifeline signs off."""

    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:
        return []

    async def update_heartbeat(self, worker_id: int) -> None:
        try:
            await super().update_heartbeat(worker_id)
        except exceptions.ConnectorException:
            log.warning(
                "heartbeat of worker %d not written; it lives by its lifeline", worker_id, exc_info=True
            )

    async def listen_for_jobs(
        self, *, on_notification: manager.NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        async def hear(*, channel: str, notification: jobs.Notification) -> None:
            self._rang = True
            await on_notification(channel=channel, notification=notification)

        await super().listen_for_jobs(on_notification=hear, queues=queues)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        # The worker forgets rings that come while it fetches: then look once more instead of at the next poll.
        while True:
            self._rang = False
            try:
                job = await super().fetch_job(queues=queues, worker_id=worker_id)
            except exceptions.ConnectorException:
                log.warning("no job could be fetched; trying again at the next ring or poll", exc_info=True)
                return None
            if job is not None or not self._rang:
                return job

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        try:
            await super().finish_job(job=job, status=status, delete_job=delete_job)
        except exceptions.ConnectorException:
            log.warning("job %s could not be closed; the recovery closes it", job.id, exc_info=True)
