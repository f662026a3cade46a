"""``GET /health``: is everything there? Quick, whatever hangs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel

from novaberg import __version__
from novaberg.models.protocol import ModelHealth
from novaberg.server.problems import responses
from novaberg.turns.program import Program

log = logging.getLogger(__name__)

HEALTH_PATH: Final = "/health"
STORES_WAIT_S: Final = 1.0
"""Seconds after which a store that does not answer counts as away."""
MODEL_WAIT_S: Final = 0.5
"""Seconds for which a request waits for a running look at the model server."""
MODEL_FRESH_S: Final = 15.0
"""Seconds for which the last look is believed."""
MODEL_LIMIT_S: Final = 10.0
"""Seconds after which a look is given up."""

Lamp = Literal["ok", "fehler"]


class Health(BaseModel):
    """One lamp a part."""

    server: Lamp
    postgres: Lamp
    redis: Lamp
    modell: Lamp
    version: str


class ModelWatch:
    """Knows how the model server is without ever being held up by it: looks run beside the requests."""

    def __init__(self, look: Callable[[], Awaitable[ModelHealth]]) -> None:
        self._look = look
        self._looking: asyncio.Task[None] | None = None
        self._ok = False
        self._seen_at: float | None = None

    async def ok(self) -> bool:
        """The last finding; a server that did not answer yet does not count as there."""
        if self._seen_at is None or time.monotonic() - self._seen_at > MODEL_FRESH_S:
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._refresh(), name="model check")
            await asyncio.wait({self._looking}, timeout=MODEL_WAIT_S)
        return self._ok

    async def close(self) -> None:
        """End a look that is still under way."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})

    async def _refresh(self) -> None:
        try:
            async with asyncio.timeout(MODEL_LIMIT_S):
                health = await self._look()
        except TimeoutError:
            health = ModelHealth(False, f"no answer within {MODEL_LIMIT_S:.0f} s")
        if not health.ok and (self._ok or self._seen_at is None):
            log.warning("the model cannot answer: %s %s", health.detail, health.remedy)
        self._ok = health.ok
        self._seen_at = time.monotonic()


def health_router(program: Program, models: ModelWatch) -> APIRouter:
    """The route of the lamps."""
    router = APIRouter(tags=["health"])

    @router.get(HEALTH_PATH, responses=responses())
    async def health() -> Health:
        """Which parts are there; always 200, the lamps tell."""
        stores, model_ok = await asyncio.gather(_stores(program), models.ok())
        return Health(
            server="ok",
            postgres=_lamp(stores.get("postgres", False)),
            redis=_lamp(stores.get("redis", False)),
            modell=_lamp(model_ok),
            version=__version__,
        )

    return router


async def _stores(program: Program) -> dict[str, bool]:
    try:
        async with asyncio.timeout(STORES_WAIT_S):
            return await program.ping()
    except TimeoutError:
        return {}


def _lamp(ok: bool) -> Lamp:
    return "ok" if ok else "fehler"
