"""Live messages over pub/sub (design §3: stage messages, delivery)."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.errors import RedisUnavailableError
from novaberg.memory.bulletin import Bulletin, BulletinCalibration, BulletinMessage, Subscription
from novaberg.memory.redis import connect_redis
from novaberg.memory.servers import ServiceUrls, open_services
from novaberg.pair import Pair
from novaberg.settings import load_settings
from tests.integration.memory.outage import until
from tests.support.stores import temporary_home

PAIR = Pair("meister")


@pytest_asyncio.fixture
async def bulletin(redis: Redis) -> AsyncIterator[Bulletin]:
    bulletin = Bulletin(redis)
    try:
        yield bulletin
    finally:
        await bulletin.close()


async def next_of(subscription: Subscription) -> BulletinMessage:
    async with asyncio.timeout(10):
        return await anext(subscription)


async def test_a_message_reaches_every_watcher_of_the_person(bulletin: Bulletin) -> None:
    """Spec 01 §5.3: several clients per user; content arrives as it was sent."""
    message = {"typ": "character_response", "nachricht": "grün 😀\n\x00", "arousal": 0.5, "ids": ["a"]}
    async with bulletin.subscribe("meister") as first, bulletin.subscribe("meister") as second:
        await bulletin.publish(PAIR, message)
        expected = BulletinMessage("nova", {**message, "nachricht": "grün 😀\n␀"})
        assert await next_of(first) == expected
        assert await next_of(second) == expected


async def test_messages_keep_their_order(bulletin: Bulletin) -> None:
    async with bulletin.subscribe("meister") as subscription:
        for number in range(50):
            await bulletin.publish(PAIR, {"typ": "character_stage", "n": number})
        assert [(await next_of(subscription)).message["n"] for _ in range(50)] == list(range(50))


async def test_nobody_sees_another_persons_messages(bulletin: Bulletin, redis: Redis, redis_url: str) -> None:
    """Promise P16; also two homes on one server, in different databases, do not hear each other."""
    other_home = connect_redis(redis_url.replace("db=9", "db=8"))
    other_bulletin = Bulletin(other_home)
    try:
        async with bulletin.subscribe("meister") as subscription:
            await bulletin.publish(Pair("gast"), {"n": 1})
            await bulletin.publish(Pair("nova", "meister"), {"n": 2})
            await other_bulletin.publish(PAIR, {"n": 3})
            await bulletin.publish(PAIR, {"n": 4})
            assert (await next_of(subscription)).message == {"n": 4}
    finally:
        await other_bulletin.close()
        await other_home.aclose()


async def test_a_message_that_nobody_watches_is_no_error(bulletin: Bulletin) -> None:
    """The answer stands in its table; telling is best effort."""
    await bulletin.publish(PAIR, {"typ": "character_response"})


async def test_rubbish_on_the_channel_is_skipped(
    bulletin: Bulletin, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Case H5 for messages."""
    async with bulletin.subscribe("meister") as subscription:
        for rubbish in ("{kaputt", "7", "[]", "{}", '{"character_id": "nova", "nachricht": 7}'):
            await redis.publish("bulletin:9:meister", rubbish)
        await bulletin.publish(PAIR, {"n": 1})
        assert (await next_of(subscription)).message == {"n": 1}
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 5


async def test_watchers_do_not_take_connections_from_turns(redis_url: str) -> None:
    """A pool of two serves commands beside ten subscriptions."""
    from novaberg.memory.redis import RedisCalibration

    client = connect_redis(redis_url, RedisCalibration(max_connections=2, wait_s=0.5))
    bulletin = Bulletin(client)
    try:
        watching = [bulletin.subscribe("meister") for _ in range(10)]
        subscriptions = [await watch.__aenter__() for watch in watching]
        await bulletin.publish(PAIR, {"n": 1})
        assert {(await next_of(subscription)).message["n"] for subscription in subscriptions} == {1}
        for watch in watching:
            await watch.__aexit__(None, None, None)
    finally:
        await bulletin.close()
        await client.aclose()


async def test_leaving_ends_the_subscription_at_the_server(bulletin: Bulletin, redis: Redis) -> None:
    """A page that was closed must not leave a listener behind."""

    async def listeners() -> int:
        return int(dict(await redis.pubsub_numsub("bulletin:9:meister"))["bulletin:9:meister"])

    async def nobody_listens() -> bool:
        return await listeners() == 0

    async with bulletin.subscribe("meister"):
        assert await listeners() == 1
    await until(nobody_listens)


async def test_a_subscriber_whose_connection_was_killed_goes_on_and_is_told_of_the_gap(
    bulletin: Bulletin, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """What was sent meanwhile may be lost here; the subscriber learns when to look into the answers table."""
    gaps = asyncio.Event()
    async with bulletin.subscribe("meister", on_gap=gaps.set) as subscription:
        await bulletin.publish(PAIR, {"n": 1})
        assert (await next_of(subscription)).message == {"n": 1}
        await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        async with asyncio.timeout(10):
            await gaps.wait()
        await bulletin.publish(PAIR, {"n": 2})
        assert (await next_of(subscription)).message == {"n": 2}
    assert "reconnects" in caplog.text
    assert "connected again" in caplog.text


async def test_a_subscriber_survives_a_killed_and_restarted_server(
    service_urls: ServiceUrls, caplog: pytest.LogCaptureFixture
) -> None:
    """kill -9 of the server in the middle of a watch; it comes back after several refused tries."""
    with temporary_home() as home:
        settings = load_settings(home=home, database_url=service_urls.database, redis_url="")
        async with open_services(settings) as urls:
            client = connect_redis(urls.redis)
            bulletin = Bulletin(client, BulletinCalibration(first_retry_s=0.02, longest_retry_s=0.1))
            gaps = asyncio.Event()
            try:
                async with bulletin.subscribe("meister", on_gap=gaps.set) as subscription:
                    await bulletin.publish(PAIR, {"n": 1})
                    assert (await next_of(subscription)).message == {"n": 1}
                    os.kill(int((await client.info("server"))["process_id"]), signal.SIGKILL)
                    await asyncio.sleep(0.3)
                    with pytest.raises(RedisUnavailableError):
                        await bulletin.publish(PAIR, {"n": 2})
                    assert not gaps.is_set()
                    async with open_services(settings):
                        async with asyncio.timeout(10):
                            await gaps.wait()
                        await bulletin.publish(PAIR, {"n": 3})
                        assert (await next_of(subscription)).message == {"n": 3}
            finally:
                await bulletin.close()
                await client.aclose()
    assert caplog.text.count("cannot reconnect yet") >= 2


async def test_a_start_without_redis_is_an_error() -> None:
    """At the start nothing is bridged: the caller tells its client."""
    client = connect_redis("unix:///nowhere/valkey.sock")
    bulletin = Bulletin(client)
    try:
        with pytest.raises(RedisUnavailableError):
            async with bulletin.subscribe("meister"):
                pass
        with pytest.raises(RedisUnavailableError):
            await bulletin.publish(PAIR, {})
    finally:
        await bulletin.close()
        await client.aclose()


async def test_silence_is_not_taken_for_an_outage_and_an_outage_not_for_silence(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Trap T22: a quiet connection is asked for a sign of life; only one that gives none is replaced."""
    calibration = BulletinCalibration(idle_s=0.05, silent_s=0.4, first_retry_s=0.02)
    bulletin = Bulletin(redis, calibration)
    gaps = asyncio.Event()
    try:
        async with bulletin.subscribe("meister", on_gap=gaps.set) as subscription:
            await asyncio.sleep(1.0)
            assert not gaps.is_set()
            await redis.execute_command("CLIENT", "PAUSE", "1500", "ALL")
            async with asyncio.timeout(10):
                await gaps.wait()
            await bulletin.publish(PAIR, {"n": 1})
            assert (await next_of(subscription)).message == {"n": 1}
    finally:
        await bulletin.close()
