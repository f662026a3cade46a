"""Waiting for something that happens elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable


async def until(
    condition: Callable[[], Awaitable[bool]], *, timeout_s: float = 10.0, every_s: float = 0.01
) -> float:
    """Wait until the condition holds; returns the seconds that took.

    Raises:
        AssertionError: it did not hold in time.
    """
    start = time.monotonic()
    while not await condition():
        if time.monotonic() - start > timeout_s:
            raise AssertionError(f"still waiting after {timeout_s} s")
        await asyncio.sleep(every_s)
    return time.monotonic() - start
