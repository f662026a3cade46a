"""Clients that wait for the end of their turn, on real stores: what they hear live, and what they missed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.conversation.intake import cut_block
from novaberg.errors import ModelUnreachableError
from novaberg.memory.bulletin import Bulletin
from novaberg.memory.database import Database
from novaberg.memory.turn_store import OpenTurn, TurnStore
from novaberg.pair import Pair
from novaberg.turns import following as following_module
from novaberg.turns.apologies import apology
from novaberg.turns.failures import describe
from novaberg.turns.following import Following, following
from novaberg.turns.messages import Message
from novaberg.turns.steps import COMPLETION_STEP

PAIR = Pair("meister")
FAILURE = ModelUnreachableError("Ollama antwortet nicht; starte es.")


@dataclass(frozen=True)
class Scene:
    """One person, and turns that end as the test wants."""

    store: TurnStore
    bulletin: Bulletin
    clock: MovableClock

    async def say(self, prompt: str = "Hallo!") -> str:
        accepted = await self.store.accept(
            PAIR, prompt=prompt, client_id="", message_id=None, empfangen_am=self.clock.now(), max_waiting=9
        )
        return accepted.nachrichten_id

    async def claim(self) -> OpenTurn:
        turn = await self.store.claim_block(PAIR, cut=partial(cut_block, window=30.0), deadline_s=30)
        assert turn is not None
        return turn

    async def answer(self, turn: OpenTurn) -> Message:
        message: Message = {
            "typ": "character_response",
            "nachricht": "Ja.",
            "nachrichten_ids": list(turn.nachrichten_ids),
        }
        await self.store.save_answer(turn, text="Ja.", payload=message)
        return message

    async def complete(self, turn: OpenTurn) -> Message:
        message: Message = {"typ": "turn_complete", "nachrichten_ids": list(turn.nachrichten_ids)}
        await self.store.step_done(turn, COMPLETION_STEP, message)
        await self.store.mark_human_done(turn)
        await self.store.finish(turn)
        return message

    async def give_up(self, turn: OpenTurn) -> None:
        await self.store.fail(turn, error=describe(FAILURE))

    def follow(self) -> AbstractAsyncContextManager[Following]:
        return following(self.store, self.bulletin, PAIR, language="de")


@pytest_asyncio.fixture
async def scene(database: Database, redis: Redis, clock: MovableClock) -> AsyncIterator[Scene]:
    bulletin = Bulletin(redis)
    yield Scene(TurnStore(database, clock), bulletin, clock)
    await bulletin.close()


async def heard_of(scene: Scene, message: str, *, accepted_before: bool = True) -> list[Message]:
    """Everything until the end."""
    async with scene.follow() as ear:
        return [told async for told in ear.until_end(message, accepted_before=accepted_before)]


async def test_a_turn_that_is_over_is_told_from_the_tables(scene: Scene) -> None:
    """Design §3: clients fetch from the answers table on reconnect."""
    message = await scene.say()
    turn = await scene.claim()
    answer, completion = await scene.answer(turn), await scene.complete(turn)
    assert await heard_of(scene, message) == [answer, completion]


async def test_a_failure_reads_the_same_whenever_it_is_asked_for(scene: Scene) -> None:
    """Design §3: the person gets an honest message, not the name of an exception."""
    message = await scene.say()
    turn = await scene.claim()
    await scene.give_up(turn)
    (ending,) = await heard_of(scene, message)
    assert ending["typ"] == "error"
    assert ending["turn_id"] == turn.turn_id
    assert ending["fehler"] == apology(FAILURE, turn=turn, fallback="de")


async def test_a_failure_after_the_answer_does_not_take_the_answer_back(scene: Scene) -> None:
    """Design §3: an answer that exists is never generated again."""
    message = await scene.say()
    turn = await scene.claim()
    answer = await scene.answer(turn)
    await scene.give_up(turn)
    told, ending = await heard_of(scene, message)
    assert told == answer
    assert "Die Antwort steht" in str(ending["fehler"])


async def test_what_is_told_live_and_twice_is_heard_once_and_nothing_of_others(scene: Scene) -> None:
    """Design §3: an answer may arrive twice."""
    message = await scene.say()
    turn = await scene.claim()
    answer = await scene.answer(turn)
    async with scene.follow() as ear:
        completion: Message = {"typ": "turn_complete", "nachrichten_ids": [message]}
        foreign: Message = {"typ": "turn_complete", "nachrichten_ids": ["another"]}
        for told in (foreign, answer, answer, completion):
            await scene.bulletin.publish(PAIR, told)
        await scene.bulletin.publish(Pair("meister", "other"), completion)
        assert [told async for told in ear.until_end(message)] == [answer, completion]


async def test_what_the_live_channel_lost_is_fetched_after_a_silence(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case D: no client waits for ever because a message was lost."""
    monkeypatch.setattr(following_module, "LOOK_AFTER_S", 0.05)
    message = await scene.say()
    turn = await scene.claim()
    answer = await scene.answer(turn)
    async with scene.follow() as ear:
        told = ear.until_end(message)
        assert await anext(told) == answer
        completion = await scene.complete(turn)
        assert [rest async for rest in told] == [completion]
