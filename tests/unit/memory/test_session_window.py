"""Numbers and pure rules of the session window (spec 03 §3.1)."""

import re
from inspect import signature
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import novaberg
from novaberg.memory.session_format import format_session_turns_numbered
from novaberg.memory.session_window import DEFAULT_SESSION, last_user_index, summary_due, turns_left

DECAY_ZERO_POINT_S = 10_800


def test_the_session_outlives_the_decay_of_the_state() -> None:
    """A-077, invariant of spec 03 §3.1: otherwise the history dies before the state has come to rest."""
    assert DEFAULT_SESSION.ttl_s >= DECAY_ZERO_POINT_S


def test_the_twenty_sixth_turn_makes_the_first_summary_due() -> None:
    """Spec 03 §3.1.2: n ≤ 25 returns, first trigger at 26."""
    assert not summary_due(25)
    assert summary_due(26)
    assert turns_left(26, summarised=True) == 16
    assert turns_left(26, summarised=False) == 20


@given(st.integers(0, 500), st.booleans())
def test_a_check_never_adds_turns_and_never_empties_a_session(length: int, summarised: bool) -> None:
    left = turns_left(length, summarised=summarised)
    assert min(length, 15) <= left <= length


def test_unreadable_turns_are_no_turns_of_the_person() -> None:
    assert last_user_index([{"rolle": "user"}, None, {"rolle": "assistant"}, None]) == 0
    assert last_user_index([None, {"rolle": "assistant"}]) is None
    assert last_user_index([]) is None


def test_the_window_has_one_limit() -> None:
    """B-064: two numbers for one window stood in two documents; the program knows one."""
    sources = Path(novaberg.__file__).parent.rglob("*.py")
    naming = [path.name for path in sources if re.search(r"\b12_?000\b", path.read_text("utf-8"))]
    assert naming == ["session_window.py"]
    limit = signature(format_session_turns_numbered).parameters["max_window_chars"].default
    assert limit == DEFAULT_SESSION.window_max_chars == 12_000
