"""Connections to the working memory (Redis protocol), errors in the words of this program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import redis
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from novaberg.errors import DiskFullError, RedisUnavailableError


@dataclass(frozen=True, slots=True)
class RedisCalibration:
    """Limits of the pool."""

    max_connections: int = 16
    """Connections at the same time; more commands wait for one."""
    wait_s: float = 5.0
    """Seconds to wait for a free connection."""
    answer_s: float = 5.0
    """Seconds for one answer."""
    connect_s: float = 2.0
    """Seconds for one try to connect."""


DEFAULT_REDIS = RedisCalibration()


def connect_redis(url: str, calibration: RedisCalibration = DEFAULT_REDIS) -> Redis:
    """A client that gives text. It connects with the first command; close it with ``await client.aclose()``.

    A connection that the server closed in the meantime is replaced before the next command; a failed command
    is not repeated, so an outage is seen and nothing is done twice.

    Args:
        url: ``unix://…``, ``redis://…`` or ``rediss://…``
    """
    # RESP2: with RESP3 the library leaves out its test for closed connections.
    pool = BlockingConnectionPool.from_url(
        url,
        decode_responses=True,
        protocol=2,
        max_connections=calibration.max_connections,
        timeout=calibration.wait_s,
        socket_timeout=calibration.answer_s,
        socket_connect_timeout=calibration.connect_s,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


@contextmanager
def translate_redis_errors() -> Iterator[None]:
    """Turn failures of the server into an error of this program; a wrong command passes unchanged.

    Raises:
        RedisUnavailableError: the server does not answer, is still loading, or cannot write its file.
        DiskFullError: its disk is full.
    """
    try:
        yield
    except (
        redis.ConnectionError,
        redis.TimeoutError,
        redis.BusyLoadingError,
        redis.OutOfMemoryError,
    ) as error:
        raise RedisUnavailableError(_unavailable(error)) from error
    except redis.ResponseError as error:
        if "MISCONF" not in str(error):
            raise
        if "No space left on device" in str(error):
            raise DiskFullError from error
        raise RedisUnavailableError(_unavailable(error)) from error


def _unavailable(error: Exception) -> str:
    cause = " ".join(str(error).split()) or type(error).__name__
    return f"The working memory (Redis protocol) does not answer: {cause}. `novaberg doctor` shows more."
