"""Work that nobody waits for and that comes due with time: so far the retention of the log (spec 01 §4.4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final

from novaberg.clock import Clock
from novaberg.memory.pipeline_log import PipelineLog

log = logging.getLogger(__name__)

RETENTION_EVERY: Final = timedelta(days=1)
TICK_S: Final = 600.0
"""Seconds between two looks at the clock."""


class Housekeeping:
    """Knows what is due. Simulations call `due` with a moved clock; a process calls it at every tick."""

    def __init__(self, pipeline_log: PipelineLog, *, retention_days: int) -> None:
        self._log = pipeline_log
        self._retention_days = retention_days
        self._last_retention: datetime | None = None

    async def due(self, now: datetime) -> None:
        """Do what is due at ``now``. A failure is logged and tried again at the next tick."""
        if self._last_retention is not None and now - self._last_retention < RETENTION_EVERY:
            return
        outcome = await self._log.delete_expired(now, self._retention_days)
        if outcome.error:
            log.error("the log retention failed and is tried again: %s", outcome.error)
            return
        self._last_retention = now
        log.info(
            "log retention: %d rows older than %d days deleted", outcome.deleted_count, self._retention_days
        )


@asynccontextmanager
async def keeping_house(housekeeping: Housekeeping, clock: Clock) -> AsyncIterator[None]:
    """Calls `Housekeeping.due` now and at every tick until the block ends."""

    async def tick() -> None:
        while True:
            try:
                await housekeeping.due(clock.now())
            except Exception:
                log.exception("housekeeping failed and is tried again at the next tick")
            await asyncio.sleep(TICK_S)

    task = asyncio.create_task(tick(), name="housekeeping")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
