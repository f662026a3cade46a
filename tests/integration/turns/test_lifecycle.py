"""One claimed turn from its block to its end on real stores, and what is done again after an interruption (design §3).

An interruption is a failure that escapes; the turn is then taken up with what is committed, as after a kill.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.conversation.intake import cut_block
from novaberg.errors import LostFenceError, ModelServerError, RedisUnavailableError
from novaberg.memory.database import Database
from novaberg.memory.turn_store import OpenTurn, Turn
from novaberg.turns.lifecycle import TurnLifecycle
from novaberg.turns.messages import Message
from tests.support.house import PAIR, House, perceived, rated, stores_on
from tests.support.scripted_model import Scripted, ScriptedChatModel

PROMPT = "Mein Hund Bruno ist krank."
FIRST, SECOND = "Oh je, Bruno!", "Das habe ich nie gesagt."


@dataclass(frozen=True)
class Scene:
    """A house and the life of its turns."""

    house: House
    life: TurnLifecycle

    async def say(self) -> OpenTurn:
        """A message is accepted and its turn claimed."""
        stores, now = self.house.stores, self.house.clock.now()
        await stores.turns.accept(
            PAIR, prompt=PROMPT, client_id="phone", message_id=None, empfangen_am=now, max_waiting=9
        )
        return await self.take()

    async def take(self) -> OpenTurn:
        """What a worker finds: the open turn, under a new fence."""
        turn = await self.house.stores.turns.claim_block(
            PAIR, cut=partial(cut_block, window=30.0), deadline_s=30
        )
        assert turn is not None
        return turn

    async def stored(self, turn: Turn) -> Turn:
        return await self.house.stores.turns.load(PAIR, turn.turn_id)

    async def said(self) -> list[tuple[str, str]]:
        """Role and words of the session, oldest first."""
        turns = await self.house.stores.sessions.retrieve(PAIR)
        return [(turn["rolle"], turn["inhalt"]) for turn in turns]

    async def raw_answers(self, turn: Turn) -> list[object]:
        rows = await self.house.rows(turn.turn_id)
        return [content["response"] for art, content in rows if art == "turn_roh"]

    def asked(self) -> list[str]:
        """Whom the model answered, sorted because the paths run side by side."""
        return sorted(request.caller for request in self.house.model.requests)


def living_with(house: House, **replies: Scripted | list[Scripted]) -> Scene:
    """A scene on the stores of ``house``, whose model says what the test wants."""
    usual: dict[str, Scripted | list[Scripted]] = {
        "perzeption": perceived(),
        "salienz": [rated(0.8), rated(0.1)],
        "responder": [FIRST, SECOND],
    }
    house = House(house.stores, ScriptedChatModel({**usual, **replies}), house.clock)
    return Scene(house, TurnLifecycle(house.context().services))


@pytest_asyncio.fixture
async def house(database: Database, redis: Redis, clock: MovableClock) -> AsyncIterator[House]:
    house = House(stores_on(database, redis, clock), ScriptedChatModel(), clock)
    yield house
    await house.stores.bulletin.close()


@pytest.fixture
def scene(house: House) -> Scene:
    return living_with(house)


def break_once(monkeypatch: pytest.MonkeyPatch, store: object, method: str) -> None:
    """The store fails at its next call and works from then on."""
    works = getattr(store, method)

    async def fail(*arguments: object) -> object:
        monkeypatch.setattr(store, method, works)
        raise RedisUnavailableError

    monkeypatch.setattr(store, method, fail)


async def test_a_whole_turn_is_told_in_order_and_leaves_everything(scene: Scene) -> None:
    """Spec 01 §5.3, design §3: the answer at once when it is approved, its tail afterwards."""
    told: list[Message] = []
    async with scene.house.stores.bulletin.subscribe(PAIR.user_id) as heard:
        turn = await scene.say()
        await scene.life.handle(turn)
        while not told or told[-1]["typ"] != "turn_complete":
            told.append((await anext(heard)).message)
    kinds = [message["typ"] for message in told]
    assert kinds[0] == "user_message"
    assert kinds.count("character_response") == kinds.count("turn_complete") == 1
    answered = kinds.index("character_response")
    nodes = [message.get("node") for message in told]
    assert nodes.index("db_zugriff") < answered < nodes.index("ei_calc_persist")
    assert told[-1]["salienz_human"] == 0.8
    assert (await scene.stored(turn)).state == "erledigt"
    assert await scene.said() == [("user", PROMPT), ("assistant", FIRST)]
    assert await scene.raw_answers(turn) == [FIRST]


async def test_a_turn_taken_up_after_its_event_perceives_nobody_again(house: House) -> None:
    """Design §3, resume points: event row."""
    scene = living_with(house, responder=[ModelServerError(), SECOND])
    turn = await scene.say()
    with pytest.raises(ModelServerError):
        await scene.life.handle(turn)
    event = (await scene.stored(turn)).event
    await scene.life.handle(await scene.take())
    after = await scene.stored(turn)
    assert after.event == event
    assert after.answer is not None
    assert after.answer.text == SECOND
    assert scene.asked() == ["perzeption", "perzeption", "responder", "responder", "salienz", "salienz"]
    assert await scene.said() == [("user", PROMPT), ("assistant", SECOND)]


async def test_an_answer_that_stands_is_never_asked_for_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design §3: an answer that exists is never generated again; what is remembered is what was said."""
    break_once(monkeypatch, scene.house.stores.nova_states, "save")
    turn = await scene.say()
    with pytest.raises(RedisUnavailableError):
        await scene.life.handle(turn)
    assert (await scene.stored(turn)).human_done
    told: list[Message] = []
    async with scene.house.stores.bulletin.subscribe(PAIR.user_id) as heard:
        await scene.life.handle(await scene.take())
        while not told or told[-1]["typ"] != "turn_complete":
            told.append((await anext(heard)).message)
    assert told[0]["nachricht"] == FIRST, "whoever was away gets the answer again"
    assert told[-1]["salienz_human"] == 0.8, "what path 1 found out is kept"
    assert len(scene.house.model.asked("responder")) == 1
    assert await scene.said() == [("user", PROMPT), ("assistant", FIRST)]
    assert await scene.raw_answers(turn) == [FIRST]
    assert (await scene.house.hash())["emotion"] == "unsicherheit"


async def test_a_failing_tail_of_path_1_costs_no_answer(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design §3: each path runs to its own end; the person's words stand before Nova's all the same."""
    break_once(monkeypatch, scene.house.stores.sessions, "store_turn")
    turn = await scene.say()
    with pytest.raises(RedisUnavailableError):
        await scene.life.handle(turn)
    interrupted = await scene.stored(turn)
    assert interrupted.answer is not None
    assert not interrupted.human_done
    await scene.life.handle(await scene.take())
    assert (await scene.stored(turn)).state == "erledigt"
    assert await scene.said() == [("user", PROMPT), ("assistant", FIRST)]
    assert len(scene.house.model.asked("responder")) == 1


async def test_without_a_perception_the_answer_follows_and_says_so(house: House) -> None:
    """Spec 01 §2.8 and rule 1: nothing looks like a measurement that is none."""
    scene = living_with(house, perzeption=[ModelServerError("weg"), perceived()])
    turn = await scene.say()
    await scene.life.handle(turn)
    after = await scene.stored(turn)
    assert after.event is not None
    assert after.event.payload["pfad1_ausfall"] == "ModelServerError: weg"
    assert after.event.payload["wahrnehmung_herkunft"] == "nicht_wahrgenommen"
    assert "current_emotion" not in after.event.payload
    assert after.state == "erledigt"


async def test_another_worker_makes_this_one_stop_without_a_word(scene: Scene) -> None:
    """Design §3: each state change is fenced."""
    turn = await scene.say()
    await scene.take()
    with pytest.raises(LostFenceError):
        await scene.life.handle(turn)
    after = await scene.stored(turn)
    assert after.event is None
    assert after.answer is None
