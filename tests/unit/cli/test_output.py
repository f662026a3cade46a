"""What reaches the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.cli.output import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Schön, dass du da bist!\n\tJa.", "Schön, dass du da bist!\n\tJa."),
        ("\x1b]0;title\x07\x1b[31mred", "]0;title[31mred"),
        ("\x9b31m", "31m"),
        ("a\rb\x08", "ab"),
        ("👩‍👩‍👧 ﷽", "👩‍👩‍👧 ﷽"),
    ],
)
def test_a_model_cannot_command_the_terminal(text: str, shown: str) -> None:
    """P11: output is untrusted."""
    assert printable(text) == shown


@given(st.text())
def test_nothing_printed_begins_a_control_sequence(text: str) -> None:
    """P11: neither ESC nor its one-byte form, and it can always be encoded."""
    shown = printable(text)
    assert not {"\x1b", "\x9b", "\r", "\x07"} & set(shown)
    shown.encode()
