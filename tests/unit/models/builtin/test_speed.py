"""No text makes the rules slow: the work grows with the length, not with its square."""

from __future__ import annotations

import time

import pytest

from novaberg.models.builtin.perception import signs_of
from novaberg.models.builtin.reading import read
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.material import PerceptionMaterial
from tests.unit.models.builtin.talk import Talk

UNITS = [
    "Mein Hund Bruno ist krank und ich mache mir Sorgen. ",
    "mein hund und ",
    "nicht traurig ",
    "will nicht mehr leben ",
    "mein ",
    "Anna und Bruno und ",
    "mein Hund heißt ",
    "a",
    "😭",
    "(((",
    "1+",
    "? ",
    "12 mal ",
    ", ",
    "a\n",
    "<b>",
    "halte ich nicht ",
]
GENEROUS = 0.6
"""Processor seconds for perception and answer of 16,000 characters; they take a third of it or less."""


def _seconds(text: str) -> float:
    read.cache_clear()
    signs_of.cache_clear()
    started = time.process_time()
    perceive(PerceptionMaterial(text=text, role="user", language="de"))
    Talk("de").say(text)
    return time.process_time() - started


@pytest.mark.parametrize("unit", UNITS)
def test_the_longest_message_is_answered_quickly(unit: str) -> None:
    text = (unit * (16_000 // len(unit) + 1))[:16_000]
    assert min(_seconds(text), _seconds(text)) < GENEROUS
