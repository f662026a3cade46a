"""Where time comes from (design §6.6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from novaberg.clock import MovableClock, SystemClock, local, unix_time

NOON = datetime(2026, 8, 30, 12, tzinfo=UTC)


def test_the_system_clock_is_aware_and_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert now.utcoffset() == timedelta(0)
    assert before <= now <= datetime.now(UTC)


def test_a_movable_clock_stands_until_it_is_moved() -> None:
    clock = MovableClock(NOON)
    assert clock.now() == clock.now() == NOON
    clock.move(14_425)
    assert clock.now() - NOON == timedelta(seconds=14_425)
    clock.move(-14_425)
    assert clock.now() == NOON


def test_a_movable_clock_speaks_utc_wherever_it_starts() -> None:
    start = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert MovableClock(start).now().utcoffset() == timedelta(0)
    assert MovableClock(start).now() == NOON


def test_a_naive_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        MovableClock(datetime(2026, 8, 30, 12))


def test_persisted_time_is_unix_seconds_with_fraction() -> None:
    """A-070: ``turn_zeit`` like 1786792663.6."""
    assert unix_time(datetime.fromtimestamp(1_786_792_663.6, UTC)) == pytest.approx(1_786_792_663.6)


@pytest.mark.parametrize(
    ("moment", "hour"),
    [(datetime(2026, 8, 30, 12, tzinfo=UTC), 14), (datetime(2026, 1, 30, 12, tzinfo=UTC), 13)],
)
def test_local_time_follows_the_zone_and_its_seasons(moment: datetime, hour: int) -> None:
    shown = local(moment, "Europe/Berlin")
    assert shown.hour == hour
    assert shown == moment
