"""All stores of a process, opened in the right order and closed in the reverse one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from redis.asyncio import Redis

from novaberg.clock import Clock
from novaberg.errors import StoreError
from novaberg.memory.bulletin import Bulletin
from novaberg.memory.characters import CharacterStore
from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.memory.identity import IdentityStore
from novaberg.memory.instructions import InstructionStore
from novaberg.memory.nova_state import NovaStateStore
from novaberg.memory.pipeline_log import PipelineLog
from novaberg.memory.redis import connect_redis, translate_redis_errors
from novaberg.memory.schema import upgrade
from novaberg.memory.servers import ServiceUrls
from novaberg.memory.session import SessionStore
from novaberg.memory.turn_store import TurnStore
from novaberg.settings import Settings

log = logging.getLogger(__name__)

PING_S = 2.0
"""Seconds after which a store that was asked for a sign of life counts as absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Everything that is kept, one store per subject. Make it with `open_stores`."""

    database: Database
    redis: Redis
    turns: TurnStore
    sessions: SessionStore
    nova_states: NovaStateStore
    characters: CharacterStore
    instructions: InstructionStore
    identity: IdentityStore
    """Characters and instructions of one turn on one connection."""
    pipeline_log: PipelineLog
    bulletin: Bulletin

    async def ping(self) -> dict[str, bool]:
        """Whether ``postgres`` and ``redis`` answer now, within `PING_S`; never raises."""
        postgres, redis = await asyncio.gather(
            _answers("PostgreSQL", self._ask_postgres), _answers("Redis", self._ask_redis)
        )
        return {"postgres": postgres, "redis": redis}

    async def _ask_postgres(self) -> None:
        with statement_errors("The database"):
            async with self.database.connection() as connection:
                await connection.execute("SELECT 1")

    async def _ask_redis(self) -> None:
        with translate_redis_errors():
            await self.redis.ping()


async def _answers(name: str, ask: Callable[[], Awaitable[None]]) -> bool:
    try:
        async with asyncio.timeout(PING_S):
            await ask()
    except (StoreError, TimeoutError) as error:
        log.warning("%s does not answer (%s)", name, type(error).__name__, exc_info=True)
        return False
    return True


@asynccontextmanager
async def open_stores(settings: Settings, clock: Clock, urls: ServiceUrls) -> AsyncIterator[Stores]:
    """The stores on running servers: schema upgraded, lost states refilled, log writer at work.

    On leaving, also by error or cancellation, the log is written to its end before the connections close.

    Raises:
        HomeVersionError: the database was written by another version.
        DatabaseUnavailableError, RedisUnavailableError, DiskFullError: a server does not answer or cannot write.
    """
    await upgrade(urls.database)
    async with Database.open(urls.database) as database, _redis(urls.redis) as redis:
        stores = _assemble(settings, clock, database, redis)
        restored = await stores.nova_states.restore_lost()
        if restored:
            log.warning("%d states of Nova were refilled from the mirror", len(restored))
        try:
            async with stores.pipeline_log.writer():
                yield stores
        finally:
            await stores.bulletin.close()


def _assemble(settings: Settings, clock: Clock, database: Database, redis: Redis) -> Stores:
    characters = CharacterStore(database, settings.pair.character_id)
    return Stores(
        database=database,
        redis=redis,
        turns=TurnStore(database, clock),
        sessions=SessionStore(redis, clock),
        nova_states=NovaStateStore(redis, database, clock),
        characters=characters,
        instructions=InstructionStore(database),
        identity=IdentityStore(database, characters),
        pipeline_log=PipelineLog(database, clock, flush_seconds=settings.log_flush_seconds),
        bulletin=Bulletin(redis),
    )


@asynccontextmanager
async def _redis(url: str) -> AsyncIterator[Redis]:
    client = connect_redis(url)
    try:
        with translate_redis_errors():
            await client.ping()
        yield client
    finally:
        await client.aclose()
