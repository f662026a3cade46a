"""Where time comes from. Everything that means something asks a `Clock`; tests and simulations move it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo


class Clock(Protocol):
    """Tells the present."""

    def now(self) -> datetime:
        """The present as an aware UTC datetime."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present as an aware UTC datetime."""
        return datetime.now(UTC)


class MovableClock:
    """A clock that stands still until it is moved (tests, simulations).

    Args:
        start: aware datetime from which the clock counts.
    """

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs an aware datetime")
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The moment to which the clock was moved."""
        return self._now

    def move(self, seconds: float) -> None:
        """Move the clock by ``seconds`` (negative values move it back)."""
        self._now += timedelta(seconds=seconds)


def unix_time(moment: datetime) -> float:
    """Seconds since 1970 of an aware datetime, the form in which clocks are persisted (seed: node-ei-calc-persist §3)."""
    return moment.timestamp()


def local(moment: datetime, timezone: str) -> datetime:
    """The same moment in the person's zone, for display and prompts."""
    return moment.astimezone(ZoneInfo(timezone))
