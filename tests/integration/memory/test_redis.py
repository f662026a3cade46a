"""The pool of working-memory connections."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from novaberg.errors import RedisUnavailableError
from novaberg.memory.redis import connect_redis, translate_redis_errors


async def test_five_hundred_commands_at_once_wait_for_a_connection(redis: Redis) -> None:
    """Measured: 500 concurrent commands need a blocking pool."""
    await redis.hset("h", mapping={f"f{i}": str(i) for i in range(25)})
    answers = await asyncio.gather(*(redis.hgetall("h") for _ in range(500)))
    assert all(answer["f24"] == "24" for answer in answers)


async def test_connections_that_the_server_closed_are_replaced(redis: Redis) -> None:
    """A restarted server is met silently by the next command."""
    await asyncio.gather(*(redis.ping() for _ in range(10)))
    killer = connect_redis_like(redis)
    await killer.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    await killer.aclose()
    assert await asyncio.gather(*(redis.ping() for _ in range(10))) == [True] * 10


def connect_redis_like(redis: Redis) -> Redis:
    """A second client on the same socket."""
    return connect_redis(f"unix://{redis.connection_pool.connection_kwargs['path']}")


async def test_an_unreachable_server_is_told_with_its_cause() -> None:
    """No retries hide an outage."""
    client = connect_redis("unix:///nowhere/valkey.sock")
    with pytest.raises(RedisUnavailableError, match="nowhere"), translate_redis_errors():
        await client.ping()
    await client.aclose()
