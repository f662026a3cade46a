"""Work that comes due with time."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

from novaberg.clock import MovableClock
from novaberg.memory.pipeline_log import ExpiryResult
from novaberg.turns import housekeeping as module
from novaberg.turns.housekeeping import Housekeeping, keeping_house

NOW = datetime(2026, 8, 30, 12, tzinfo=UTC)


class ScriptedLog:
    """A log whose clean-ups end as the test wants; the last outcome holds for all that follow."""

    def __init__(self, *outcomes: ExpiryResult | Exception) -> None:
        self._outcomes = list(outcomes)
        self.asked: list[tuple[datetime, float]] = []
        self.done = asyncio.Event()

    async def delete_expired(self, now: datetime, days: float) -> ExpiryResult:
        self.asked.append((now, days))
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        self.done.set()
        return outcome


def keeper(log: ScriptedLog) -> Housekeeping:
    return Housekeeping(log, retention_days=365)  # type: ignore[arg-type]


async def test_the_log_is_cleaned_once_a_day() -> None:
    """Spec 01 §4.4: retention runs daily; what is due is told by the clock that is handed in."""
    log = ScriptedLog(ExpiryResult(3))
    house = keeper(log)
    for hours in (0, 1, 23.9, 24, 25):
        await house.due(NOW + timedelta(hours=hours))
    assert log.asked == [(NOW, 365), (NOW + timedelta(hours=24), 365)]


async def test_a_failed_clean_up_is_told_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    """Rule: a failure becomes visible and is not taken for done."""
    log = ScriptedLog(ExpiryResult(0, "away"), ExpiryResult(1))
    house = keeper(log)
    with caplog.at_level(logging.ERROR):
        await house.due(NOW)
    await house.due(NOW + timedelta(minutes=10))
    assert len(log.asked) == 2
    assert "away" in caplog.text


async def test_a_defect_does_not_end_the_housekeeping(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Rule: a caught exception is logged with its traceback; the next tick tries anew."""
    monkeypatch.setattr(module, "TICK_S", 0.001)
    log = ScriptedLog(RuntimeError("defect"), ExpiryResult(0))
    with caplog.at_level(logging.ERROR):
        async with asyncio.timeout(5), keeping_house(keeper(log), MovableClock(NOW)):
            await log.done.wait()
    assert "RuntimeError: defect" in caplog.text
