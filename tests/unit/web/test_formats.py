from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from novaberg.web.formats import duration, grouped, moment_title, needs_mark, time_mark, two_decimals
from novaberg.web.texts import ENGLISH, GERMAN

BERLIN = "Europe/Berlin"
NOON = datetime(2026, 8, 30, 10, tzinfo=UTC)


def test_numbers_have_two_decimals_and_the_mark_of_the_language() -> None:
    """Design §11: two decimals, decimal comma in German."""
    assert two_decimals(0.5, GERMAN) == "0,50"
    assert two_decimals(-1.256, ENGLISH) == "-1.26"
    assert grouped(16000, GERMAN) == "16.000"
    assert grouped(16000, ENGLISH) == "16,000"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0 ms"), (0.062, "62 ms"), (0.1, "0,1 s"), (0.44, "0,4 s"), (8.4, "8,4 s"), (72.4, "1 min 12 s")],
)
def test_durations_read_like_speech(seconds: float, text: str) -> None:
    assert duration(seconds, GERMAN) == text


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (None, True),
        (NOON - timedelta(minutes=29), False),
        (NOON - timedelta(minutes=30), True),
        (NOON - timedelta(days=1), True),
    ],
)
def test_the_time_is_told_at_the_start_and_after_a_silence(before: datetime | None, expected: bool) -> None:
    assert needs_mark(before, NOON, BERLIN) is expected


def test_a_new_day_begins_at_the_persons_midnight_not_at_that_of_utc() -> None:
    """Spec 07 §12.10."""
    midnight = datetime(2026, 8, 29, 22, tzinfo=UTC)
    assert needs_mark(midnight - timedelta(minutes=1), midnight + timedelta(minutes=1), BERLIN)
    assert not needs_mark(midnight - timedelta(minutes=1), midnight + timedelta(minutes=1), "UTC")


@pytest.mark.parametrize(
    ("days", "german", "english"),
    [
        (0, "Heute, 12:00", "Today, 12:00"),
        (1, "Gestern, 12:00", "Yesterday, 12:00"),
        (2, "28. August, 12:00", "28 August, 12:00"),
        (365, "30. August 2025, 12:00", "30 August 2025, 12:00"),
    ],
)
def test_a_mark_names_the_day_as_one_says_it(days: int, german: str, english: str) -> None:
    moment = NOON - timedelta(days=days)
    assert time_mark(moment, now=NOON, timezone=BERLIN, texts=GERMAN) == german
    assert time_mark(moment, now=NOON, timezone=BERLIN, texts=ENGLISH) == english


def test_the_exact_moment_has_its_zone_and_utc() -> None:
    """Spec 07 §3.5."""
    assert moment_title(NOON, BERLIN) == "30.08.2026 12:00:00 Europe/Berlin · 10:00:00 UTC"
