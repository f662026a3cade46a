"""Says that the end has begun."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from novaberg.cli.output import tell


@asynccontextmanager
async def announced(stop: asyncio.Event, text: str) -> AsyncIterator[None]:
    """Tell ``text`` as soon as ``stop`` is set."""

    async def announce() -> None:
        await stop.wait()
        tell(text)

    announcing = asyncio.create_task(announce(), name="announce the end")
    try:
        yield
    finally:
        announcing.cancel()
        await asyncio.wait({announcing})
