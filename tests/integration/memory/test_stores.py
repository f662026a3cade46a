"""All stores together: start, work, end, start again (design §4)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import fields
from pathlib import Path

import pytest
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError
from novaberg.memory.database import Database
from novaberg.memory.pipeline_log import LogHeader
from novaberg.memory.servers import ServiceUrls
from novaberg.memory.stores import open_stores
from novaberg.pair import Pair
from novaberg.settings import Settings, load_settings
from tests.integration.memory.outage import database_away

PAIR = Pair("meister")
TURN = "0123456789abcdef0123456789abcdef"
HEAD = LogHeader(TURN, "character", None, "meister", "nova")


@pytest.fixture
def urls(database: Database, redis: Redis, database_url: str, redis_url: str) -> ServiceUrls:
    return ServiceUrls(database_url, redis_url, database_embedded=False, redis_embedded=False)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path, log_flush_seconds=3600.0)


async def test_what_one_process_stored_the_next_one_finds(
    settings: Settings, urls: ServiceUrls, clock: MovableClock
) -> None:
    """Case H1, E6: stop and start, also when Redis forgot everything meanwhile but its mirror."""
    async with open_stores(settings, clock, urls) as stores:
        stores.pipeline_log.berechnung(HEAD, "ei_calc", {"n": 1})
        await stores.nova_states.save(PAIR, {"emotion": "freude"})
        await stores.sessions.store_turn(PAIR, {"rolle": "user", "inhalt": "Hallo", "turn_id": TURN})
        await stores.redis.delete("nova_state:meister:nova")
    async with open_stores(settings, clock, urls) as stores:
        assert [row.inhalt for row in await stores.pipeline_log.rows(TURN)] == [{"n": 1}]
        assert await stores.nova_states.load(PAIR) == {"emotion": "freude"}
        assert len(await stores.sessions.retrieve(PAIR)) == 1


async def test_an_error_inside_still_writes_the_log(
    settings: Settings, urls: ServiceUrls, clock: MovableClock
) -> None:
    """The rows before a crash are the ones that explain it."""
    with pytest.raises(RuntimeError, match="broken"):
        async with open_stores(settings, clock, urls) as stores:
            stores.pipeline_log.fehler(HEAD, "ei_calc", {"grund": "x"})
            raise RuntimeError("broken")
    async with open_stores(settings, clock, urls) as stores:
        assert len(await stores.pipeline_log.rows(TURN)) == 1


async def test_a_cancelled_service_still_writes_the_log_and_closes_everything(
    settings: Settings, urls: ServiceUrls, clock: MovableClock, redis: Redis
) -> None:
    """Spec 01 §3.13: the final flush comes before the connections close."""
    inside = asyncio.Event()

    async def serve() -> None:
        async with open_stores(settings, clock, urls) as stores, stores.bulletin.subscribe("meister"):
            stores.pipeline_log.berechnung(HEAD, "ei_calc", {})
            inside.set()
            await asyncio.sleep(3600)

    task = asyncio.create_task(serve())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with open_stores(settings, clock, urls) as stores:
        assert len(await stores.pipeline_log.rows(TURN)) == 1
    assert await redis.pubsub_channels("bulletin:9:*") == []


async def test_every_store_is_there(settings: Settings, urls: ServiceUrls, clock: MovableClock) -> None:
    async with open_stores(settings, clock, urls) as stores:
        assert all(getattr(stores, field.name) is not None for field in fields(stores))
        assert stores.characters.nova_row("meister") == ("nova", "meister")
        async with stores.identity.open() as reader:
            assert await reader.load_nova("meister") is None


async def test_a_refilled_state_is_announced(
    settings: Settings, urls: ServiceUrls, clock: MovableClock, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Design §4: store start-up refills the hash and says so in the log."""
    async with open_stores(settings, clock, urls) as stores:
        await stores.nova_states.save(PAIR, {"emotion": "freude"})
    await redis.flushdb()
    with caplog.at_level(logging.WARNING, "novaberg"):
        async with open_stores(settings, clock, urls):
            pass
    assert "Redis had lost nova_state of meister:nova" in caplog.text


async def test_each_store_tells_whether_it_answers(
    settings: Settings, urls: ServiceUrls, clock: MovableClock, database_url: str, redis: Redis
) -> None:
    """Spec 01 §5.2, ``GET /health``: a frozen server is absent too, and the answer does not take its time."""
    async with open_stores(settings, clock, urls) as stores:
        assert await stores.ping() == {"postgres": True, "redis": True}
        with database_away(database_url):
            assert await stores.ping() == {"postgres": False, "redis": True}
        await redis.execute_command("CLIENT", "PAUSE", "2500", "ALL")
        async with asyncio.timeout(2.4):
            assert await stores.ping() == {"postgres": True, "redis": False}
        await asyncio.sleep(0.7)
        assert await stores.ping() == {"postgres": True, "redis": True}


async def test_an_absent_server_is_named(settings: Settings, urls: ServiceUrls, clock: MovableClock) -> None:
    """Neither is replaced by something that forgets."""
    no_redis = ServiceUrls(
        urls.database, "unix:///nowhere/valkey.sock", database_embedded=False, redis_embedded=False
    )
    with pytest.raises(RedisUnavailableError):
        async with open_stores(settings, clock, no_redis):
            pass
    no_database = ServiceUrls(
        "postgresql://u@/n?host=/nowhere", urls.redis, database_embedded=False, redis_embedded=False
    )
    with pytest.raises(DatabaseUnavailableError):
        async with open_stores(settings, clock, no_database):
            pass
