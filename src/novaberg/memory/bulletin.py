"""Live messages to whoever watches a person's conversation, over Redis pub/sub: stages, answers, errors.

A message may be lost while Redis is away; what must not be lost stands in the answers table. A subscriber is told of
such a gap, so that it can look there.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import JsonValue
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from novaberg.errors import RedisUnavailableError
from novaberg.memory.json_text import dump_json
from novaberg.memory.redis import translate_redis_errors
from novaberg.pair import Pair

log = logging.getLogger(__name__)

STAGE = "character_stage"
"""``typ`` of the messages that may be dropped when a subscriber is slow: the next stage replaces them anyway."""

GapListener = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BulletinCalibration:
    """Tunable numbers of a subscription."""

    queue_size: int = 256
    """Messages that wait for a slow subscriber before stage messages are dropped."""
    idle_s: float = 10.0
    """Seconds of silence after which the connection is asked for a sign of life."""
    silent_s: float = 30.0
    """Seconds without any sign of life after which the connection counts as lost."""
    first_retry_s: float = 0.1
    """Wait before the second try to reconnect; it doubles."""
    connections: int = 10_000
    """Subscriptions of one process at the same time; servers allow as many clients by default."""
    longest_retry_s: float = 5.0
    """Longest wait between two tries."""


DEFAULT_BULLETIN = BulletinCalibration()


@dataclass(frozen=True, slots=True)
class BulletinMessage:
    """One message to the watchers of a person."""

    character_id: str
    message: dict[str, JsonValue]

    @property
    def is_stage(self) -> bool:
        """Whether it only tells how far a turn is."""
        return self.message.get("typ") == STAGE


class Subscription:
    """Messages of one person in order of arrival; iterate it. One reader at a time.

    Args:
        queue_size: waiting messages beyond which the oldest stage message is dropped; answers are never dropped.
    """

    def __init__(self, queue_size: int) -> None:
        self._queue_size = queue_size
        self._waiting: deque[BulletinMessage] = deque()
        self._changed = asyncio.Event()
        self._failure: BaseException | None = None
        self.dropped = 0
        """Stage messages that this subscriber was too slow for."""

    def put(self, message: BulletinMessage) -> None:
        """Queue a message, making room if need be."""
        self._waiting.append(message)
        if len(self._waiting) > self._queue_size:
            self._drop_oldest_stage()
        self._changed.set()

    def fail(self, failure: BaseException) -> None:
        """End the iteration with an error once the queue is empty."""
        self._failure = failure
        self._changed.set()

    def __aiter__(self) -> AsyncIterator[BulletinMessage]:
        return self

    async def __anext__(self) -> BulletinMessage:
        while not self._waiting:
            if self._failure is not None:
                raise self._failure
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()

    def _drop_oldest_stage(self) -> None:
        for index, message in enumerate(self._waiting):
            if message.is_stage:
                del self._waiting[index]
                self.dropped += 1
                if self.dropped == 1:
                    log.warning("a subscriber is slow: stage messages are dropped from now on")
                return


class Bulletin:
    """Publishes and subscribes messages, one channel per person.

    Args:
        redis: decoding client; subscriptions open connections of their own beside its pool, so that watchers never
            take connections from turns.
    """

    def __init__(self, redis: Redis, calibration: BulletinCalibration = DEFAULT_BULLETIN) -> None:
        self._redis = redis
        self._calibration = calibration
        pool = redis.connection_pool
        # Pub/sub ignores the database number; with it in the name two homes on one server do not hear each other.
        self._database = pool.connection_kwargs.get("db", 0)
        self._listening = Redis(
            connection_pool=ConnectionPool(
                connection_class=pool.connection_class,
                max_connections=calibration.connections,
                **pool.connection_kwargs,
            )
        )

    async def publish(self, pair: Pair, message: Mapping[str, JsonValue]) -> None:
        """Send a message to everyone who watches this person now.

        Raises:
            RedisUnavailableError: Redis does not answer.
        """
        text = dump_json({"character_id": pair.character_id, "nachricht": dict(message)})
        with translate_redis_errors():
            await self._redis.publish(self._channel(pair.user_id), text)

    @asynccontextmanager
    async def subscribe(
        self, user_id: str, *, on_gap: GapListener | None = None
    ) -> AsyncIterator[Subscription]:
        """Watch a person; messages sent after entering arrive.

        Args:
            on_gap: called after each reconnect; what was sent meanwhile is lost here and must be fetched.

        Raises:
            RedisUnavailableError: Redis does not answer at the start; later outages are bridged.
        """
        subscription = Subscription(self._calibration.queue_size)
        channel = self._channel(user_id)
        with translate_redis_errors():
            pubsub = await self._open(channel)
        task = asyncio.create_task(
            self._feed(subscription, channel, pubsub, on_gap), name="bulletin subscriber"
        )
        try:
            yield subscription
        finally:
            task.cancel()
            await asyncio.wait({task})
            if subscription.dropped:
                log.warning("a slow subscriber missed %d stage messages", subscription.dropped)

    async def close(self) -> None:
        """Release the connections of the subscriptions; these must have ended."""
        await self._listening.aclose(close_connection_pool=True)

    def _channel(self, user_id: str) -> str:
        return f"bulletin:{self._database}:{user_id}"

    async def _open(self, channel: str) -> PubSub:
        pubsub = self._listening.pubsub()
        try:
            await pubsub.subscribe(channel)
            await self._confirmed(pubsub)
        except BaseException:
            await _close(pubsub)
            raise
        return pubsub

    async def _confirmed(self, pubsub: PubSub) -> None:
        deadline = time.monotonic() + self._calibration.idle_s
        while time.monotonic() < deadline:
            reply = await pubsub.get_message(timeout=self._calibration.idle_s)
            if reply is not None and reply["type"] == "subscribe":
                return
        raise RedisUnavailableError

    async def _feed(
        self, subscription: Subscription, channel: str, pubsub: PubSub, on_gap: GapListener | None
    ) -> None:
        try:
            while True:
                try:
                    await self._receive(subscription, pubsub)
                except (RedisError, RedisUnavailableError, OSError) as error:
                    log.warning(
                        "the bulletin lost its connection (%s: %s) and reconnects",
                        type(error).__name__,
                        error,
                    )
                await _close(pubsub)
                pubsub = await self._reopen(channel)
                if on_gap is not None:
                    on_gap()
        except Exception as failure:
            log.exception("a bulletin subscription failed")
            subscription.fail(failure)
        finally:
            await _close(pubsub)

    async def _receive(self, subscription: Subscription, pubsub: PubSub) -> None:
        heard = time.monotonic()
        while True:
            reply = await pubsub.get_message(timeout=self._calibration.idle_s)
            if reply is not None:
                heard = time.monotonic()
                if reply["type"] == "message":
                    _deliver(subscription, reply["data"])
            elif time.monotonic() - heard > self._calibration.silent_s:
                raise RedisUnavailableError("The working memory gives no sign of life.")
            else:
                await pubsub.ping()

    async def _reopen(self, channel: str) -> PubSub:
        wait = self._calibration.first_retry_s
        while True:
            try:
                pubsub = await self._open(channel)
            except (RedisError, RedisUnavailableError, OSError) as error:
                log.warning("the bulletin cannot reconnect yet (%s: %s)", type(error).__name__, error)
                await asyncio.sleep(wait)
                wait = min(2 * wait, self._calibration.longest_retry_s)
            else:
                log.warning("the bulletin is connected again; messages sent meanwhile are lost here")
                return pubsub


async def _close(pubsub: PubSub) -> None:
    await pubsub.aclose()  # type: ignore[no-untyped-call]  # the library leaves it untyped


def _deliver(subscription: Subscription, text: str) -> None:
    try:
        envelope = json.loads(text)
        message = BulletinMessage(str(envelope["character_id"]), dict(envelope["nachricht"]))
    except (ValueError, TypeError, KeyError):
        log.warning("the bulletin skips an unreadable message", exc_info=True)
        return
    subscription.put(message)
