"""Values of path 1 that the answer does not wait for (design §3, "Only what the answer needs is on its path")."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HumanSalience:
    """What path 1's salience found out about the utterance."""

    salienz_human: float | None
    """0.0 to 1.0; ``None`` = not determined, never the same as 0.0."""
    user_intentionen: tuple[str, ...]


NOT_DETERMINED = HumanSalience(salienz_human=None, user_intentionen=())
"""There was no utterance, or its salience could not be determined."""


class HumanTail:
    """The rest of path 1 as seen by path 2: a value that arrives, and an end that is waited for."""

    def __init__(self) -> None:
        self._salience: HumanSalience | None = None
        self._failure: BaseException | None = None
        self._rated = asyncio.Event()
        self._finished = asyncio.Event()

    def rated(self, salience: HumanSalience) -> None:
        """Path 1's salience is there. Only the first value counts."""
        if not self._rated.is_set():
            self._salience = salience
            self._rated.set()

    def finish(self) -> None:
        """Path 1 is over, with or without a salience."""
        self.rated(NOT_DETERMINED)
        self._finished.set()

    def fail(self, error: BaseException) -> None:
        """Path 1 broke off before it stored the utterance; whoever waits for its end gets ``error``."""
        self._failure = error
        self.finish()

    async def salience(self) -> HumanSalience:
        """Waits for the salience of the utterance."""
        await self._rated.wait()
        return self._salience or NOT_DETERMINED

    async def finished(self) -> None:
        """Waits until path 1 has stored the utterance; raises what it failed with."""
        await self._finished.wait()
        if self._failure is not None:
            raise self._failure


def finished_tail(salience: HumanSalience = NOT_DETERMINED) -> HumanTail:
    """A tail that is over already: an impulse, or a turn whose path 1 was finished before a restart."""
    tail = HumanTail()
    tail.rated(salience)
    tail.finish()
    return tail
