"""Mending what dead processes left: their jobs are closed, and every pair with unfinished work is rung again."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.jobs import Findings, JobStore
from novaberg.memory.lifeline import Lifeline
from novaberg.turns.queue import TurnQueue

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecoveryCalibration:
    """Times of the recovery. Origin: takeover within a second, and nobody loses a turn over a short disconnection."""

    tick_s: float = 0.75
    """Seconds between two looks."""
    confirm_s: float = 0.25
    """Seconds after which a suspect is looked at again: a living worker reconnects its lifeline in 10 to 50 ms."""
    settle_s: float = 2.0
    """Seconds after a server start in which nobody is declared dead: all lifelines broke together."""


DEFAULT_CALIBRATION: Final = RecoveryCalibration()


class Recovery:
    """Looks once before a worker starts and then every tick; every process does it for all (design §3).

    It never takes anything from a living worker, whether that is busy, blocked or just reconnecting.
    """

    def __init__(
        self,
        jobs: JobStore,
        lifeline: Lifeline,
        queue: TurnQueue,
        *,
        calibration: RecoveryCalibration = DEFAULT_CALIBRATION,
    ) -> None:
        self._jobs = jobs
        self._lifeline = lifeline
        self._queue = queue
        self._calibration = calibration
        self._unexplained: frozenset[int] = frozenset()

    async def run(self) -> None:
        """Look every tick until cancelled."""
        while True:
            await asyncio.sleep(self._calibration.tick_s)
            try:
                await self.once()
            except DatabaseUnavailableError as error:
                log.warning("no recovery this time, PostgreSQL does not answer: %s", error)
            except Exception:
                log.exception("recovery failed; trying again")

    async def once(self) -> None:
        """Look, close what is orphaned, ring where work is left without a job.

        Raises:
            DatabaseUnavailableError: the next look makes up for it.
        """
        findings = await self._look()
        if await self._close_dead(findings) or await self._close_unexplained(findings):
            findings = await self._look()
        for pair in findings.forgotten:
            if await self._jobs.ring(pair):
                log.info("rang for %s: unfinished work without a job", pair)

    async def _look(self) -> Findings:
        return await self._jobs.look(self._lifeline.worker_id, settle_s=self._calibration.settle_s)

    async def _close_dead(self, findings: Findings) -> bool:
        suspects = findings.suspects if self._lifeline.settled else frozenset()
        if not suspects and not findings.strays:
            return False
        if suspects:
            await asyncio.sleep(self._calibration.confirm_s)
        closed = await self._jobs.close_dead(suspects)
        if closed.workers or closed.jobs:
            log.warning("%d dead workers removed, %d of their jobs closed", closed.workers, closed.jobs)
        return closed.jobs > 0

    async def _close_unexplained(self, findings: Findings) -> bool:
        """Jobs that the database ascribes to this process although it runs none of them: the reply to a fetch, or the
        closing of a job, was lost with its connection. Seen twice in a row, because a job may be on its way."""
        unexplained = findings.held - self._queue.running
        confirmed = unexplained & self._unexplained
        self._unexplained = unexplained - confirmed
        if not confirmed:
            return False
        await self._jobs.close_held(self._lifeline.worker_id, confirmed)
        log.warning("%d jobs of this worker closed that it does not run", len(confirmed))
        return True
