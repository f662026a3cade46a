"""Values of path 1 that the answer does not wait for (design §3)."""

from __future__ import annotations

import asyncio

import pytest

from novaberg.conversation.late import NOT_DETERMINED, HumanSalience, HumanTail, finished_tail

RATED = HumanSalience(0.7, ("humor",))


async def test_a_reader_waits_for_the_salience_but_not_for_the_end() -> None:
    tail = HumanTail()
    reader = asyncio.create_task(tail.salience())
    await asyncio.sleep(0)
    assert not reader.done()
    tail.rated(RATED)
    assert await reader == RATED
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(tail.finished(), 0.01)


async def test_only_the_first_salience_counts() -> None:
    tail = HumanTail()
    tail.rated(RATED)
    tail.rated(HumanSalience(0.1, ()))
    assert await tail.salience() == RATED


async def test_an_end_without_salience_leaves_it_undetermined_and_not_zero() -> None:
    """Spec 01 §2.3: ``None`` is not 0.0."""
    tail = HumanTail()
    tail.finish()
    await tail.finished()
    assert await tail.salience() == NOT_DETERMINED
    assert NOT_DETERMINED.salienz_human is None


async def test_a_failed_path_1_frees_the_reader_and_fails_whoever_waits_for_its_end() -> None:
    """Nobody waits for ever, and a lost utterance is never taken for a stored one."""
    tail = HumanTail()
    waiting = asyncio.create_task(tail.finished())
    await asyncio.sleep(0)
    tail.fail(RuntimeError("Pfad 1"))
    with pytest.raises(RuntimeError, match="Pfad 1"):
        await waiting
    assert await tail.salience() == NOT_DETERMINED


async def test_the_salience_survives_a_failure_after_it() -> None:
    tail = HumanTail()
    tail.rated(RATED)
    tail.fail(RuntimeError())
    assert await tail.salience() == RATED


async def test_a_tail_that_is_over_lets_everybody_pass() -> None:
    """An impulse, or a turn whose path 1 was finished before a restart."""
    tail = finished_tail(RATED)
    await asyncio.wait_for(tail.finished(), 0.1)
    assert await tail.salience() == RATED
    assert await finished_tail().salience() == NOT_DETERMINED
