"""The bounded queue of a subscription: stages may go, answers may not."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.memory.bulletin import BulletinMessage, Subscription


def stage(number: int) -> BulletinMessage:
    return BulletinMessage("nova", {"typ": "character_stage", "n": number})


def reply(number: int) -> BulletinMessage:
    return BulletinMessage("nova", {"typ": "character_response", "n": number})


async def drain(subscription: Subscription, count: int) -> list[BulletinMessage]:
    async with asyncio.timeout(1):
        return [await anext(subscription) for _ in range(count)]


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 8))
def test_a_slow_subscriber_loses_oldest_stages_and_never_an_answer(kinds: list[bool], size: int) -> None:
    """The queue is bounded as long as stages can make room; what is left keeps its order."""
    messages = [(reply if is_reply else stage)(number) for number, is_reply in enumerate(kinds)]

    async def run() -> tuple[list[BulletinMessage], int]:
        subscription = Subscription(size)
        for message in messages:
            subscription.put(message)
        return await drain(subscription, len(messages) - subscription.dropped), subscription.dropped

    kept, dropped = asyncio.run(run())
    stages = [message for message in messages if message.is_stage]
    replies = [message for message in messages if not message.is_stage]
    assert [message for message in kept if not message.is_stage] == replies
    assert [message for message in kept if message.is_stage] == stages[dropped:]
    assert len(kept) <= max(size, len(replies))


async def test_dropping_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    subscription = Subscription(2)
    for number in range(10):
        subscription.put(stage(number))
    assert subscription.dropped == 8
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_a_failed_subscription_gives_what_it_has_and_then_its_error() -> None:
    """A watcher must not wait for ever for a feed that died."""
    subscription = Subscription(2)
    subscription.put(reply(1))
    subscription.fail(RuntimeError("the feed broke"))
    assert await anext(subscription) == reply(1)
    with pytest.raises(RuntimeError, match="the feed broke"):
        await anext(subscription)


async def test_a_waiting_reader_wakes_up() -> None:
    subscription = Subscription(2)
    waiting = asyncio.create_task(drain(subscription, 1))
    await asyncio.sleep(0)
    subscription.put(reply(1))
    assert await waiting == [reply(1)]
