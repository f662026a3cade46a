from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import uuid4

import psycopg
import pytest
import pytest_asyncio

from novaberg.clock import MovableClock
from novaberg.conversation.intake import cut_block
from novaberg.errors import (
    LostFenceError,
    QueueFullError,
    TurnError,
    TurnNotFailedError,
    UnknownTurnError,
)
from novaberg.memory.database import Database
from novaberg.memory.turn_store import Accepted, CutBlock, OpenTurn, TurnStore
from novaberg.pair import Pair
from tests.support.toy_life import ToyEvent

PAIR = Pair("meister")
OTHER = Pair("gast")
CUT = partial(cut_block, window=30.0)


@pytest.fixture
def store(database: Database, clock: MovableClock) -> TurnStore:
    return TurnStore(database, clock)


@dataclass
class Talk:
    """Says things to the store at the clock's time."""

    store: TurnStore
    clock: MovableClock

    async def say(
        self, prompt: str, *, pair: Pair = PAIR, message_id: str | None = None, max_waiting: int = 100
    ) -> Accepted:
        return await self.store.accept(
            pair,
            prompt=prompt,
            client_id="test",
            message_id=message_id,
            empfangen_am=self.clock.now(),
            max_waiting=max_waiting,
        )

    async def claim(self, pair: Pair = PAIR) -> OpenTurn:
        turn = await self.store.claim_block(pair, cut=CUT, deadline_s=180)
        assert turn is not None
        return turn

    async def open(self, prompt: str = "Hallo") -> OpenTurn:
        await self.say(prompt)
        return await self.claim()

    async def answer(self, turn: OpenTurn, text: str = "Ja.") -> None:
        await self.store.publish_event(turn, event())
        await self.store.save_answer(turn, text=text, payload={"nachricht": text})
        await self.store.mark_human_done(turn)
        await self.store.finish(turn)


@pytest.fixture
def talk(store: TurnStore, clock: MovableClock) -> Talk:
    return Talk(store, clock)


def event() -> ToyEvent:
    return ToyEvent(str(uuid4()), {"user_prompt": "Hallo", "empfangen_am": 1.5})


async def job_statuses(database: Database, pair: Pair = PAIR) -> list[str]:
    async with database.connection() as connection:
        cursor = await connection.execute(
            "SELECT status::text FROM procrastinate_jobs WHERE lock = %s ORDER BY id", (str(pair),)
        )
        return [row[0] for row in await cursor.fetchall()]


# ── accepting ────────────────────────────────────────────────────────────────


async def test_an_accepted_message_is_committed_with_its_job_when_the_id_is_returned(
    talk: Talk, database: Database, database_url: str
) -> None:
    """Promise P1; seen by a session that has nothing to do with the one that wrote."""
    accepted = await talk.say("Hallo")
    async with await psycopg.AsyncConnection.connect(database_url) as stranger:
        cursor = await stranger.execute("SELECT nachrichten_id, prompt FROM inbox")
        assert await cursor.fetchall() == [(accepted.nachrichten_id, "Hallo")]
        cursor = await stranger.execute(
            "SELECT lock, queueing_lock, args, status::text FROM procrastinate_jobs"
        )
        assert await cursor.fetchall() == [
            ("meister:nova", "meister:nova", {"user_id": "meister", "character_id": "nova"}, "todo")
        ]


async def test_many_waiting_messages_ring_once(talk: Talk, database: Database) -> None:
    """Design §3: at most one waiting job per pair."""
    for number in range(5):
        await talk.say(f"{number}")
    assert await job_statuses(database) == ["todo"]


async def test_the_same_message_id_again_returns_the_first_id_and_stores_nothing(
    talk: Talk, store: TurnStore
) -> None:
    """Promise P2."""
    first = await talk.say("Hallo", message_id="client-1")
    again = await talk.say("Hallo", message_id="client-1")
    assert not first.repeated
    assert again == Accepted(first.nachrichten_id, repeated=True)
    assert await store.waiting_count(PAIR) == 1


async def test_fifty_racing_calls_with_one_message_id_make_one_message(talk: Talk, store: TurnStore) -> None:
    """Promise P2: double send from several clients at once."""
    results = await asyncio.gather(*(talk.say("Hallo", message_id="race") for _ in range(50)))
    assert len({result.nachrichten_id for result in results}) == 1
    assert [result.repeated for result in results].count(False) == 1
    assert await store.waiting_count(PAIR) == 1


async def test_a_repetition_is_recognised_after_its_turn_is_done(talk: Talk, store: TurnStore) -> None:
    first = await talk.say("Hallo", message_id="late")
    await talk.answer(await talk.claim())
    assert await talk.say("Hallo", message_id="late") == Accepted(first.nachrichten_id, repeated=True)
    assert await store.claim_block(PAIR, cut=CUT, deadline_s=180) is None


async def test_the_same_message_id_of_another_person_is_another_message(talk: Talk) -> None:
    first = await talk.say("Hallo", message_id="1")
    second = await talk.say("Hallo", message_id="1", pair=OTHER)
    assert second.nachrichten_id != first.nachrichten_id
    assert not second.repeated


async def test_messages_beyond_the_limit_are_refused_and_not_stored(talk: Talk, store: TurnStore) -> None:
    """Promise P13; a repetition still gets its id, and another person is not affected."""
    first = await talk.say("1", message_id="first", max_waiting=2)
    await talk.say("2", max_waiting=2)
    with pytest.raises(QueueFullError, match="2 messages"):
        await talk.say("3", max_waiting=2)
    assert await store.waiting_count(PAIR) == 2
    assert (await talk.say("1", message_id="first", max_waiting=2)).nachrichten_id == first.nachrichten_id
    await talk.say("1", pair=OTHER, max_waiting=2)


async def test_racing_calls_never_exceed_the_limit(talk: Talk, store: TurnStore) -> None:
    results = await asyncio.gather(
        *(talk.say(f"{number}", max_waiting=7) for number in range(30)), return_exceptions=True
    )
    assert sum(isinstance(result, QueueFullError) for result in results) == 23
    assert await store.waiting_count(PAIR) == 7


# ── claiming ─────────────────────────────────────────────────────────────────


async def test_a_block_of_waiting_messages_becomes_one_turn_in_order(
    talk: Talk, store: TurnStore, clock: MovableClock
) -> None:
    """Spec 01 §9.2 case 10: messages at 0, 30.0, 61 s → block of two, the third stays."""
    first = await talk.say("eins")
    clock.move(30.0)
    second = await talk.say("zwei")
    clock.move(31.0)
    await talk.say("drei")
    turn = await talk.claim()
    assert turn.nachrichten_ids == (first.nachrichten_id, second.nachrichten_id)
    assert turn.prompt == "eins\nzwei"
    assert turn.empfangen_am == clock.now() - timedelta(seconds=61)
    assert (turn.state, turn.starts, turn.failures, turn.event, turn.answer) == ("offen", 1, 0, None, None)
    assert turn.deadline == clock.now() + timedelta(seconds=180)
    assert await store.waiting_count(PAIR) == 1


async def test_nothing_to_do_is_told(store: TurnStore) -> None:
    assert await store.claim_block(PAIR, cut=CUT, deadline_s=180) is None


async def test_the_open_turn_comes_before_waiting_messages_and_keeps_its_id(talk: Talk) -> None:
    """Design §3: first finishes the pair's open turn."""
    first = await talk.open("eins")
    await talk.say("zwei")
    again = await talk.claim()
    assert (again.turn_id, again.prompt, again.starts) == (first.turn_id, "eins", 2)
    assert again.fence != first.fence


async def test_a_resumed_turn_carries_what_was_committed(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    published = event()
    await store.publish_event(turn, published, resume={"stand": [1, "ä"]})
    await store.save_answer(turn, text="Ja.", payload={"nachricht": "Ja."}, resume={"tail": True})
    await store.step_done(turn, "session", {"n": 1})
    await store.mark_human_done(turn)
    again = await talk.claim()
    assert again.event is not None
    assert again.answer is not None
    assert (again.event.event_id, again.event.payload, again.event.resume) == (
        published.event_id,
        published.payload,
        {"stand": [1, "ä"]},
    )
    assert (again.answer.text, again.answer.payload, again.answer.resume) == (
        "Ja.",
        {"nachricht": "Ja."},
        {"tail": True},
    )
    assert again.steps["session"].result == {"n": 1}
    assert again.human_done


async def test_pairs_do_not_see_each_other(talk: Talk, store: TurnStore) -> None:
    """Promise P16."""
    turn = await talk.open()
    assert await store.claim_block(OTHER, cut=CUT, deadline_s=180) is None
    assert await store.history(OTHER) == ()
    assert await store.fates(OTHER, turn.nachrichten_ids) == {}
    assert await store.open_turns(OTHER) == ()
    with pytest.raises(UnknownTurnError):
        await store.load(OTHER, turn.turn_id)
    with pytest.raises(UnknownTurnError):
        await store.requeue(OTHER, turn.turn_id)


async def test_a_block_rule_that_names_other_messages_is_refused_and_nothing_is_taken(
    talk: Talk, store: TurnStore
) -> None:
    @dataclass(frozen=True)
    class Wrong:
        ids: tuple[str, ...] = ("0" * 32,)
        prompt: str = "?"

    def wrong(entries: object) -> CutBlock:
        return Wrong()

    await talk.say("Hallo")
    with pytest.raises(ValueError, match="block rule"):
        await store.claim_block(PAIR, cut=wrong, deadline_s=180)
    assert await store.waiting_count(PAIR) == 1
    assert await store.open_turns(PAIR) == ()


# ── under the fence ──────────────────────────────────────────────────────────


async def test_an_answer_that_exists_is_never_replaced(talk: Talk, store: TurnStore) -> None:
    """Design §3: an answer that exists is never generated again."""
    turn = await talk.open()
    first = await store.save_answer(turn, text="erste", payload={"a": 1})
    assert await store.save_answer(turn, text="zweite", payload={"a": 2}) == first
    assert first.text == "erste"


async def test_a_turn_has_one_event(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    first = await store.publish_event(turn, event())
    assert await store.publish_event(turn, event()) == first


async def test_a_step_is_done_once(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    assert await store.step_result(turn, "session") is None
    assert await store.step_done(turn, "session")
    assert not await store.step_done(turn, "session", {"second": True})
    done = await store.step_result(turn, "session")
    assert done is not None
    assert done.result is None


async def test_whoever_lost_the_turn_writes_nothing(talk: Talk, store: TurnStore) -> None:
    """Design §3: each state change is fenced."""
    lost = await talk.open()
    held = await talk.claim()
    attempts = [
        store.publish_event(lost, event()),
        store.save_answer(lost, text="falsch", payload={}),
        store.step_done(lost, "session"),
        store.step_result(lost, "session"),
        store.mark_human_done(lost),
        store.record_failure(lost, error="x"),
        store.fail(lost, error="x"),
        store.finish(lost),
        store.refresh(lost),
    ]
    for attempt in attempts:
        with pytest.raises(LostFenceError):
            await attempt
    assert await store.refresh(held) == held


async def test_a_write_that_waits_behind_a_takeover_finds_its_fence_lost(
    talk: Talk, store: TurnStore, database: Database
) -> None:
    """The proof is made on the row as it is after the wait, not as it was when the statement began."""
    turn = await talk.open()
    async with database.transaction() as connection:
        await connection.execute("UPDATE turns SET fence = gen_random_uuid()")
        write = asyncio.create_task(store.save_answer(turn, text="falsch", payload={}))
        await asyncio.sleep(0.1)
        assert not write.done()
    with pytest.raises(LostFenceError):
        await write
    assert (await store.load(PAIR, turn.turn_id)).answer is None


async def test_a_turn_without_answer_or_human_half_cannot_end(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    with pytest.raises(TurnError, match="unfinished human half and no answer"):
        await store.finish(turn)
    await store.save_answer(turn, text="Ja.", payload={})
    with pytest.raises(TurnError, match="unfinished human half"):
        await store.finish(turn)
    await store.mark_human_done(turn)
    await store.finish(turn)
    await store.finish(turn)
    done = await store.load(PAIR, turn.turn_id)
    assert (done.state, done.ended_at) == ("erledigt", talk.clock.now())


async def test_text_that_postgresql_cannot_hold_costs_no_answer(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    answer = await store.save_answer(turn, text="a\x00b\ud800", payload={"nachricht": "a\x00b\ud800"})
    assert answer.text == "a␀b�"
    assert answer.payload == {"nachricht": "a␀b�"}
    assert await store.record_failure(turn, error="kaputt\x00") == 1


# ── giving up and queueing again ─────────────────────────────────────────────


async def test_a_failed_turn_is_kept_and_the_next_message_of_the_pair_runs(
    talk: Talk, store: TurnStore
) -> None:
    """Spec 01 §3.4 rule 3: visible dead letter; the queue goes on."""
    turn = await talk.open("eins")
    assert [await store.record_failure(turn, error=f"{n}") for n in (1, 2, 3)] == [1, 2, 3]
    await store.fail(turn, error="ModelServerError: kaputt")
    (failed,) = await store.failed_turns(PAIR)
    assert (failed.turn_id, failed.failures, failed.error) == (turn.turn_id, 3, "ModelServerError: kaputt")
    with pytest.raises(LostFenceError):
        await store.save_answer(turn, text="zu spät", payload={})
    following = await talk.open("zwei")
    assert following.prompt == "zwei"


async def test_a_requeued_turn_keeps_id_messages_and_event_and_starts_with_a_clean_count(
    talk: Talk, store: TurnStore, database: Database
) -> None:
    turn = await talk.open("eins")
    await store.publish_event(turn, event())
    await store.record_failure(turn, error="x")
    await store.fail(turn, error="x")
    async with database.connection() as connection:
        await connection.execute("DELETE FROM procrastinate_jobs")
    await store.requeue(PAIR, turn.turn_id)
    assert await job_statuses(database) == ["todo"]
    (waiting,) = await store.open_turns(PAIR)
    assert (waiting.state, waiting.failures, waiting.error, waiting.ended_at) == ("wartend", 0, None, None)
    again = await talk.claim()
    assert (again.turn_id, again.state, again.nachrichten_ids) == (
        turn.turn_id,
        "offen",
        turn.nachrichten_ids,
    )
    assert again.event is not None


async def test_a_requeued_turn_waits_for_the_open_one_and_precedes_new_messages(
    talk: Talk, store: TurnStore
) -> None:
    failed = await talk.open("eins")
    await store.fail(failed, error="x")
    under_way = await talk.open("zwei")
    await talk.say("drei")
    await store.requeue(PAIR, failed.turn_id)
    assert (await talk.claim()).turn_id == under_way.turn_id
    await talk.answer(await talk.claim())
    assert (await talk.claim()).turn_id == failed.turn_id
    await talk.answer(await talk.claim())
    assert (await talk.claim()).prompt == "drei"


async def test_only_failed_turns_can_be_queued_again(talk: Talk, store: TurnStore) -> None:
    turn = await talk.open()
    with pytest.raises(TurnNotFailedError):
        await store.requeue(PAIR, turn.turn_id)
    await talk.answer(turn)
    with pytest.raises(TurnNotFailedError):
        await store.requeue(PAIR, turn.turn_id)
    with pytest.raises(UnknownTurnError):
        await store.requeue(PAIR, "0" * 32)


# ── what people and clients see ──────────────────────────────────────────────


@pytest_asyncio.fixture
async def three_turns(talk: Talk, clock: MovableClock) -> Talk:
    for word in ("eins", "zwei", "drei"):
        await talk.answer(await talk.open(word), text=f"auf {word}")
        clock.move(60)
    return talk


async def test_history_shows_turns_with_answers_and_then_what_waits(
    three_turns: Talk, store: TurnStore
) -> None:
    """Design §4: history comes from inbox and answers, not from the session."""
    await three_turns.open("vier")
    await three_turns.say("fünf")
    shown = [
        (
            tuple(message.prompt for message in turn.messages),
            turn.answer.text if turn.answer else None,
            turn.state,
        )
        for turn in await store.history(PAIR)
    ]
    assert shown == [
        (("eins",), "auf eins", "erledigt"),
        (("zwei",), "auf zwei", "erledigt"),
        (("drei",), "auf drei", "erledigt"),
        (("vier",), None, "offen"),
        (("fünf",), None, None),
    ]


async def test_history_is_read_page_by_page(three_turns: Talk, store: TurnStore) -> None:
    await three_turns.say("wartet")
    newest = await store.history(PAIR, limit=2)
    assert [turn.messages[0].prompt for turn in newest] == ["zwei", "drei", "wartet"]
    older = await store.history(PAIR, limit=2, before=newest[0].number)
    assert [turn.messages[0].prompt for turn in older] == ["eins"]


async def test_a_client_that_reconnects_gets_the_answers_it_missed(
    three_turns: Talk, store: TurnStore
) -> None:
    everything = await store.answers_since(PAIR, after=0)
    assert [answer.text for answer in everything] == ["auf eins", "auf zwei", "auf drei"]
    missed = await store.answers_since(PAIR, after=everything[0].number)
    assert [answer.text for answer in missed] == ["auf zwei", "auf drei"]
    assert await store.last_answer_number(PAIR) == everything[-1].number
    assert await store.answers_since(PAIR, after=everything[-1].number) == ()
    assert await store.last_answer_number(OTHER) == 0


async def test_the_fate_of_a_message_is_told_at_each_stage(talk: Talk, store: TurnStore) -> None:
    accepted = await talk.say("eins")
    ids = [accepted.nachrichten_id, "0" * 32]

    async def fate() -> tuple[str | None, str | None, str | None]:
        fates = await store.fates(PAIR, ids)
        assert fates.keys() == {accepted.nachrichten_id}
        found = fates[accepted.nachrichten_id]
        return found.state, found.answer.text if found.answer else None, found.error

    assert await fate() == (None, None, None)
    turn = await talk.claim()
    assert await fate() == ("offen", None, None)
    await store.fail(turn, error="kaputt")
    assert await fate() == ("gescheitert", None, "kaputt")
    await store.requeue(PAIR, turn.turn_id)
    await talk.answer(await talk.claim())
    assert await fate() == ("erledigt", "Ja.", None)
