"""A house over real stores for graph tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.memory.database import Database
from novaberg.memory.redis import connect_redis
from tests.support.house import House, stores_on, talkative
from tests.support.scripted_model import ScriptedChatModel


@pytest.fixture
def house(database: Database, redis: Redis, clock: MovableClock) -> House:
    """Stores that answer, and a model that has something to say to everybody."""
    return House(stores_on(database, redis, clock), talkative(), clock)


@pytest.fixture
def mute_house(database: Database, redis: Redis, clock: MovableClock) -> House:
    """The same with a model that must not be asked at all."""
    return House(stores_on(database, redis, clock), ScriptedChatModel(), clock)


@pytest_asyncio.fixture
async def without_redis(database: Database, clock: MovableClock) -> AsyncIterator[House]:
    """A house whose working memory cannot be reached."""
    client = connect_redis("unix:///nowhere/valkey.sock")
    try:
        yield House(stores_on(database, client, clock), talkative(), clock)
    finally:
        await client.aclose()


@pytest_asyncio.fixture
async def without_database(database_url: str, redis: Redis, clock: MovableClock) -> House:
    """A house whose database pool is closed."""
    async with Database.open(database_url) as closed:
        pass
    return House(stores_on(closed, redis, clock), talkative(), clock)
