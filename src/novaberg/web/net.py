"""A net under the live channel: silence while something is awaited leads to a look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine


class Net:
    """Looks once after a silence, and whenever it is told to.

    Args:
        look: what to do; it tells its own errors.
        after_s: seconds of silence.
    """

    def __init__(self, look: Callable[[], Coroutine[None, None, None]], *, after_s: float) -> None:
        self._look = look
        self._after_s = after_s
        self._silence: asyncio.TimerHandle | None = None
        self._looking: set[asyncio.Task[None]] = set()

    def cast(self, *, awaited: bool) -> None:
        """Something was heard or done: the silence begins anew, if anything is awaited at all."""
        if self._silence is not None:
            self._silence.cancel()
        loop = asyncio.get_running_loop()
        self._silence = loop.call_later(self._after_s, self.look_soon) if awaited else None

    def look_soon(self) -> None:
        """Look without waiting for the silence."""
        task = asyncio.get_running_loop().create_task(self._look())
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    def close(self) -> None:
        """Nothing is looked for any more."""
        if self._silence is not None:
            self._silence.cancel()
        for task in self._looking:
            task.cancel()
