"""Real stores for all integration tests: one pair of servers for the session, a database for each module."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.memory.database import Database
from novaberg.memory.redis import connect_redis
from novaberg.memory.schema import upgrade
from novaberg.memory.servers import ServiceUrls, open_services
from novaberg.settings import load_settings
from tests.support.stores import (
    TEMPLATE,
    create_template,
    empty_tables,
    fresh_database,
    temporary_home,
    url_of,
)

REDIS_TEST_DB = 9
"""Logical database that is flushed before each test; the program itself uses 0."""


@pytest.fixture(scope="session")
def service_urls() -> Iterator[ServiceUrls]:
    """Embedded stores in a temporary home, for the whole session."""
    with temporary_home() as home, asyncio.Runner() as runner:
        services = open_services(load_settings(home=home, database_url="", redis_url=""))
        urls = runner.run(services.__aenter__())
        try:
            yield urls
        finally:
            runner.run(services.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def database_template(service_urls: ServiceUrls) -> ServiceUrls:
    """The stores with a migrated template database."""
    create_template(service_urls.database)
    asyncio.run(upgrade(url_of(service_urls.database, TEMPLATE)))
    return service_urls


@pytest.fixture(scope="module")
def database_url(database_template: ServiceUrls) -> Iterator[str]:
    """Address of a fresh, migrated database of this test module."""
    with fresh_database(database_template.database, TEMPLATE) as url:
        yield url


@pytest.fixture
def redis_url(service_urls: ServiceUrls) -> str:
    """Address of the logical test database of the working memory."""
    return f"{service_urls.redis}?db={REDIS_TEST_DB}"


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A pool on this module's database, with all tables empty."""
    empty_tables(database_url)
    async with Database.open(database_url) as database:
        yield database


@pytest_asyncio.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """The working memory, empty."""
    client = connect_redis(redis_url)
    try:
        await client.flushdb()
        yield client
    finally:
        await client.aclose()


@pytest.fixture
def clock() -> MovableClock:
    """A clock at a fixed date: 30 August 2026, 12:00 UTC."""
    return MovableClock(datetime(2026, 8, 30, 12, tzinfo=UTC))
