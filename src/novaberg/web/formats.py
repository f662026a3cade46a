"""Numbers and moments as a person reads them. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from novaberg.clock import local
from novaberg.web.texts import Texts

MARK_AFTER: Final = timedelta(minutes=30)
"""Silence after which the conversation shows the time again."""


def two_decimals(value: float, texts: Texts) -> str:
    """``0.5`` → ``0,50`` (design §11)."""
    return f"{value:.2f}".replace(".", texts.decimal_mark)


def grouped(number: int, texts: Texts) -> str:
    """``16000`` → ``16.000``."""
    return f"{number:,}".replace(",", "." if texts.decimal_mark == "," else ",")


def duration(seconds: float, texts: Texts) -> str:
    """``62 ms``, ``0,4 s``, ``1 min 12 s``."""
    if seconds < 0.1:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s".replace(".", texts.decimal_mark)
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def needs_mark(before: datetime | None, moment: datetime, timezone: str) -> bool:
    """Whether the time is told before what was said at ``moment``: at the start, on a new day, after a silence."""
    if before is None or moment - before >= MARK_AFTER:
        return True
    return local(before, timezone).date() != local(moment, timezone).date()


def time_mark(moment: datetime, *, now: datetime, timezone: str, texts: Texts) -> str:
    """When something was said, as one says it on the day ``now``; in the person's zone."""
    there, today = local(moment, timezone), local(now, timezone).date()
    clock = f"{there:%H:%M}"
    if there.date() == today:
        return texts.today.format(time=clock)
    if there.date() == today - timedelta(days=1):
        return texts.yesterday.format(time=clock)
    form = texts.date if there.year == today.year else texts.date_with_year
    return form.format(day=there.day, month=texts.months[there.month - 1], year=there.year, time=clock)


def moment_title(moment: datetime, timezone: str) -> str:
    """The exact moment, in the person's zone and in UTC (spec 07 §3.5)."""
    there = local(moment, timezone)
    return f"{there:%d.%m.%Y %H:%M:%S} {timezone} · {moment.astimezone(UTC):%H:%M:%S} UTC"
