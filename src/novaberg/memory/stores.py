"""All stores of a process, opened in the right order and closed in the reverse one."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from redis.asyncio import Redis

from novaberg.clock import Clock
from novaberg.memory.bulletin import Bulletin
from novaberg.memory.characters import CharacterStore
from novaberg.memory.database import Database
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
