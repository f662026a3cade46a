"""Session memory on a real store (spec 03 §3.1)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from redis.asyncio import Redis

from novaberg.clock import MovableClock, unix_time
from novaberg.errors import RedisUnavailableError
from novaberg.memory.redis import connect_redis
from novaberg.memory.session import SessionStore, SessionTurn
from novaberg.pair import Pair

PAIR = Pair("meister")
TURNS, SUMMARY, TIMES = (f"session:meister:nova:{suffix}" for suffix in ("turns", "summary", "zeiten"))
HOUR = 3600.0


@pytest.fixture
def sessions(redis: Redis, clock: MovableClock) -> SessionStore:
    return SessionStore(redis, clock)


def user_turn(number: int, text: str = "") -> SessionTurn:
    return {
        "rolle": "user",
        "inhalt": text or f"Satz {number}",
        "turn_id": f"{number:032x}",
        "zeit": float(number),
        "intentionen": [],
        "arousal": 0.5,
        "herkunft": "nutzer_turn",
    }


def answer(number: int) -> SessionTurn:
    return {**user_turn(number, f"Antwort {number}"), "rolle": "assistant"}


async def fill(sessions: SessionStore, count: int, pair: Pair = PAIR) -> None:
    for number in range(count):
        await sessions.store_turn(pair, user_turn(number))


async def summarise(previous: str, turns: Sequence[SessionTurn]) -> str:
    return f"{previous}[{turns[0]['inhalt']}…{turns[-1]['inhalt']}]"


async def fail(previous: str, turns: Sequence[SessionTurn]) -> str:
    raise RuntimeError("the model is away")


async def say_nothing(previous: str, turns: Sequence[SessionTurn]) -> str:
    return " \n"


# ── storing and reading ──────────────────────────────────────────────────────


async def test_turns_come_back_whole_and_in_order(sessions: SessionStore) -> None:
    """Trap T33: whole records are transported, formatting is the consumer's; empty lists stay lists."""
    turn: SessionTurn = {
        **user_turn(1, "Zeile eins\nZeile zwei, grün 😀"),
        "intentionen": ["smalltalk"],
        "themen": ["Garten"],
        "embedding": [0.25, -1.0],
        "emotion": "freude",
    }
    assert await sessions.store_turn(PAIR, turn)
    assert await sessions.store_turn(PAIR, answer(1))
    assert await sessions.retrieve(PAIR) == (turn, answer(1))


async def test_an_empty_session_is_no_error(sessions: SessionStore) -> None:
    """Spec 03 §7."""
    assert await sessions.retrieve(PAIR) == ()
    assert await sessions.summary(PAIR) is None
    assert not await sessions.mark_last_user_turn(PAIR, done=True, success=True)
    assert (await sessions.summarise_if_needed(PAIR, summarise)).result == "nicht_faellig"


async def test_a_repeated_step_stores_its_turn_once(sessions: SessionStore) -> None:
    """Design §3: tail steps are idempotent by (turn_id, rolle); both sides of a turn share the id."""
    assert await sessions.store_turn(PAIR, user_turn(1))
    assert await sessions.store_turn(PAIR, answer(1))
    assert not await sessions.store_turn(PAIR, user_turn(1, "anders"))
    assert not await sessions.store_turn(PAIR, answer(1))
    assert await sessions.retrieve(PAIR) == (user_turn(1), answer(1))


async def test_two_writers_at_the_same_moment_store_a_turn_once(
    sessions: SessionStore, redis_url: str, clock: MovableClock
) -> None:
    """Two workers in the same tail: the script is atomic."""
    other_client = connect_redis(redis_url)
    try:
        other = SessionStore(other_client, clock)
        for number in range(20):
            outcomes = await asyncio.gather(
                *(store.store_turn(PAIR, user_turn(number)) for store in (sessions, other) * 4)
            )
            assert sorted(outcomes) == [False] * 7 + [True]
    finally:
        await other_client.aclose()
    assert [turn["zeit"] for turn in await sessions.retrieve(PAIR)] == [float(number) for number in range(20)]


async def test_an_odd_turn_id_is_recognised_too(sessions: SessionStore) -> None:
    """The comparison is on values, not on their JSON spelling."""
    odd: SessionTurn = {**user_turn(1), "turn_id": 'a"b\\c\nd%ä'}
    assert await sessions.store_turn(PAIR, odd)
    assert not await sessions.store_turn(PAIR, odd)
    quoted: SessionTurn = {**user_turn(2, 'er schrieb "a"'), "turn_id": "a"}
    assert await sessions.store_turn(PAIR, quoted)


async def test_a_turn_without_id_is_stored_each_time_with_a_warning(
    sessions: SessionStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Rather twice than not at all."""
    anonymous: SessionTurn = {"rolle": "user", "inhalt": "Hallo"}
    assert await sessions.store_turn(PAIR, anonymous)
    assert await sessions.store_turn(PAIR, anonymous)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2


@pytest.mark.parametrize("text", ["", "  \n", None])
async def test_a_turn_without_text_is_not_stored(
    sessions: SessionStore, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    """Spec 03 §3.1.1: no content → warning, nothing written."""
    assert not await sessions.store_turn(PAIR, {**user_turn(1), "inhalt": text})
    assert await sessions.retrieve(PAIR) == ()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_unreadable_turns_are_skipped_with_a_warning(
    sessions: SessionStore, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Case H5; spec 03 §3.1.3."""
    await sessions.store_turn(PAIR, user_turn(1))
    await redis.rpush(TURNS, "{kaputt", "7", "null", b"\xff\xfe{}", "[1]")
    await sessions.store_turn(PAIR, user_turn(2))
    assert not await sessions.store_turn(PAIR, user_turn(2))
    assert await sessions.retrieve(PAIR) == (user_turn(1), user_turn(2))
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 5
    assert await sessions.mark_last_user_turn(PAIR, done=True, success=True)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud83db"])
async def test_characters_without_a_stored_form_lose_no_turn(sessions: SessionStore, text: str) -> None:
    """A person may send anything; and the same step still recognises its turn."""
    assert await sessions.store_turn(PAIR, user_turn(1, text))
    assert not await sessions.store_turn(PAIR, user_turn(1, text))
    (stored,) = await sessions.retrieve(PAIR)
    assert stored["inhalt"] in ("a␀b", "a\ufffdb")


# ── life ─────────────────────────────────────────────────────────────────────


async def test_both_keys_live_four_hours_from_their_last_write(sessions: SessionStore, redis: Redis) -> None:
    """Spec 03 §9 check 12."""
    await fill(sessions, 26)
    await sessions.summarise_if_needed(PAIR, summarise)
    await redis.expire(TURNS, 10)
    await redis.expire(TIMES, 10)
    await sessions.store_turn(PAIR, user_turn(26))
    for key in (TURNS, SUMMARY, TIMES):
        assert 14_390 <= await redis.ttl(key) <= 14_400


async def test_four_hours_by_the_clock_end_a_session(sessions: SessionStore, clock: MovableClock) -> None:
    """Design §3: expiry is a stored moment against the clock; Redis only cleans up later."""
    await fill(sessions, 26)
    await sessions.summarise_if_needed(PAIR, summarise)
    clock.move(4 * HOUR - 0.001)
    assert len(await sessions.retrieve(PAIR)) == 16
    assert await sessions.summary(PAIR) is not None
    clock.move(0.001)
    assert await sessions.retrieve(PAIR) == ()
    assert await sessions.summary(PAIR) is None
    assert not await sessions.mark_last_user_turn(PAIR, done=True, success=True)
    assert (await sessions.summarise_if_needed(PAIR, summarise)).left == 0


async def test_a_turn_renews_the_session(sessions: SessionStore, clock: MovableClock) -> None:
    """Spec 03 §3.1.1: EXPIRE on every write."""
    for number in range(5):
        await sessions.store_turn(PAIR, user_turn(number))
        clock.move(3 * HOUR)
    assert len(await sessions.retrieve(PAIR)) == 5


async def test_the_first_turn_after_the_end_starts_a_new_session(
    sessions: SessionStore, clock: MovableClock
) -> None:
    """A turn of yesterday must not come back because somebody speaks today."""
    await fill(sessions, 3)
    clock.move(5 * HOUR)
    assert await sessions.store_turn(PAIR, user_turn(2, "derselbe Turn, eine neue Sitzung"))
    assert [turn["inhalt"] for turn in await sessions.retrieve(PAIR)] == ["derselbe Turn, eine neue Sitzung"]


async def test_a_clock_that_was_set_back_ends_nothing(sessions: SessionStore, clock: MovableClock) -> None:
    await fill(sessions, 2)
    clock.move(-24 * HOUR)
    assert len(await sessions.retrieve(PAIR)) == 2


async def test_turns_whose_moment_was_lost_are_still_shown(sessions: SessionStore, redis: Redis) -> None:
    """Unknown is not "over": Redis' own EXPIRE still bounds them."""
    await fill(sessions, 2)
    await redis.delete(TIMES)
    assert len(await sessions.retrieve(PAIR)) == 2


async def test_reset_forgets_everything_of_the_pair(sessions: SessionStore, redis: Redis) -> None:
    """Spec 03 §3.1.3: turns, summary, stack, pending."""
    await fill(sessions, 26)
    await sessions.summarise_if_needed(PAIR, summarise)
    await redis.set("session:meister:nova:stack", "x")
    await redis.set("session:meister:nova:pending", "x")
    await sessions.store_turn(Pair("gast"), user_turn(1))
    await sessions.reset(PAIR)
    assert await redis.keys("session:meister:*") == []
    assert len(await sessions.retrieve(Pair("gast"))) == 1


# ── summary ──────────────────────────────────────────────────────────────────


async def test_the_twenty_sixth_turn_triggers_a_summary_of_the_oldest_ten(sessions: SessionStore) -> None:
    """Spec 03 §9 check 12: 16 remain, the summary stands for the ten."""
    await fill(sessions, 25)
    assert (await sessions.summarise_if_needed(PAIR, fail)).result == "nicht_faellig"
    await sessions.store_turn(PAIR, user_turn(25))
    outcome = await sessions.summarise_if_needed(PAIR, summarise)
    assert (outcome.result, outcome.due, outcome.left) == ("zusammengefasst", True, 16)
    assert await sessions.summary(PAIR) == "[Satz 0…Satz 9]"
    assert (await sessions.retrieve(PAIR))[0]["inhalt"] == "Satz 10"


async def test_the_next_summary_gets_the_previous_one(sessions: SessionStore) -> None:
    """Spec 03 §3.1.2 step 3."""
    await fill(sessions, 26)
    await sessions.summarise_if_needed(PAIR, summarise)
    for number in range(26, 36):
        await sessions.store_turn(PAIR, user_turn(number))
    assert (await sessions.summarise_if_needed(PAIR, summarise)).left == 16
    assert await sessions.summary(PAIR) == "[Satz 0…Satz 9][Satz 10…Satz 19]"


@pytest.mark.parametrize("broken", [fail, say_nothing])
async def test_a_failed_summary_cuts_the_window_and_keeps_the_old_summary(
    sessions: SessionStore, redis: Redis, caplog: pytest.LogCaptureFixture, broken: object
) -> None:
    """Spec 03 §3.1.2 step 4: failure of any kind → log, last 20 turns, summary untouched."""
    await fill(sessions, 26)
    await sessions.summarise_if_needed(PAIR, summarise)
    for number in range(26, 36):
        await sessions.store_turn(PAIR, user_turn(number))
    outcome = await sessions.summarise_if_needed(PAIR, broken)  # type: ignore[arg-type]
    assert (outcome.result, outcome.left) == ("gekuerzt", 20)
    assert await sessions.summary(PAIR) == "[Satz 0…Satz 9]"
    assert [turn["inhalt"] for turn in await sessions.retrieve(PAIR)] == [f"Satz {n}" for n in range(16, 36)]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_unreadable_turns_are_left_out_of_a_summary(sessions: SessionStore, redis: Redis) -> None:
    """Spec 03 §3.1.2 step 2."""
    await redis.rpush(TURNS, b"\xff", *["{kaputt"] * 8)
    await fill(sessions, 17)
    assert (await sessions.summarise_if_needed(PAIR, summarise)).left == 16
    assert await sessions.summary(PAIR) == "[Satz 0…Satz 0]"


async def test_ten_unreadable_turns_are_no_reason_to_ask_a_model(
    sessions: SessionStore, redis: Redis
) -> None:
    """Spec 03 §3.1.2 step 2: none readable → return."""
    await redis.rpush(TURNS, *["{kaputt"] * 10)
    await fill(sessions, 17)
    outcome = await sessions.summarise_if_needed(PAIR, fail)
    assert (outcome.result, outcome.left) == ("unlesbar", 27)
    assert await sessions.summary(PAIR) is None


async def test_a_turn_that_arrives_during_the_summary_is_kept(sessions: SessionStore) -> None:
    """The model takes seconds; nobody waits for it."""
    await fill(sessions, 26)

    async def slowly(previous: str, turns: Sequence[SessionTurn]) -> str:
        await sessions.store_turn(PAIR, answer(25))
        return "kurz"

    assert (await sessions.summarise_if_needed(PAIR, slowly)).left == 17
    assert (await sessions.retrieve(PAIR))[-1] == answer(25)


async def test_a_session_that_was_reset_during_the_summary_stays_forgotten(sessions: SessionStore) -> None:
    """What the person deleted must not come back as a summary."""
    await fill(sessions, 26)

    async def reset(previous: str, turns: Sequence[SessionTurn]) -> str:
        await sessions.reset(PAIR)
        return "kurz"

    outcome = await sessions.summarise_if_needed(PAIR, reset)
    assert (outcome.result, outcome.left) == ("ueberholt", 0)
    assert await sessions.summary(PAIR) is None
    assert await sessions.retrieve(PAIR) == ()


async def test_two_summaries_at_once_remove_ten_turns_not_twenty(sessions: SessionStore) -> None:
    """A repeated tail step beside a living one."""
    await fill(sessions, 26)
    all_have_read = asyncio.Barrier(4)

    async def together(previous: str, turns: Sequence[SessionTurn]) -> str:
        await all_have_read.wait()
        return "kurz"

    outcomes = await asyncio.gather(*(sessions.summarise_if_needed(PAIR, together) for _ in range(4)))
    assert sorted(outcome.result for outcome in outcomes) == ["ueberholt"] * 3 + ["zusammengefasst"]
    assert len(await sessions.retrieve(PAIR)) == 16


# ── the service's mark ───────────────────────────────────────────────────────


async def test_the_mark_stands_at_the_persons_latest_turn(sessions: SessionStore, redis: Redis) -> None:
    """Spec 03 §3.1.4; everything else of the turn stays byte for byte, also its empty list."""
    for turn in (user_turn(1), answer(1), user_turn(2), answer(2)):
        await sessions.store_turn(PAIR, turn)
    before = await redis.lrange(TURNS, 0, -1)
    assert await sessions.mark_last_user_turn(PAIR, done=True, success=False)
    after = await redis.lrange(TURNS, 0, -1)
    assert [after[0], after[1], after[3]] == [before[0], before[1], before[3]]
    assert json.loads(after[2]) == {**user_turn(2), "aktion_erledigt": True, "aktion_erfolgreich": False}


async def test_marks_beside_new_turns_hit_the_right_one(sessions: SessionStore) -> None:
    """The list moves while the turn is marked; a mark never overwrites another turn."""
    await sessions.store_turn(PAIR, user_turn(0))
    for number in range(1, 40):
        await asyncio.gather(
            sessions.mark_last_user_turn(PAIR, done=True, success=True),
            sessions.store_turn(PAIR, answer(number)),
            sessions.summarise_if_needed(PAIR, summarise),
        )
    turns = await sessions.retrieve(PAIR)
    assert [turn["zeit"] for turn in turns] == [float(n) for n in range(40 - len(turns), 40)]
    assert all("aktion_erledigt" not in turn for turn in turns if turn["rolle"] == "assistant")


# ── the store itself ─────────────────────────────────────────────────────────


async def test_an_absent_store_is_an_error_not_an_empty_session(clock: MovableClock) -> None:
    """Absent and failed stay distinguishable (design §6)."""
    client = connect_redis("unix:///nowhere/valkey.sock")
    sessions = SessionStore(client, clock)
    try:
        for call in (
            sessions.retrieve(PAIR),
            sessions.summary(PAIR),
            sessions.store_turn(PAIR, user_turn(1)),
            sessions.summarise_if_needed(PAIR, summarise),
            sessions.mark_last_user_turn(PAIR, done=True, success=True),
            sessions.reset(PAIR),
        ):
            with pytest.raises(RedisUnavailableError):
                await call
    finally:
        await client.aclose()


async def test_scripts_survive_a_restart_of_the_server(sessions: SessionStore, redis: Redis) -> None:
    """A restarted server has forgotten all scripts."""
    await sessions.store_turn(PAIR, user_turn(1))
    await redis.script_flush()
    assert await sessions.store_turn(PAIR, user_turn(2))
    assert len(await sessions.retrieve(PAIR)) == 2


async def test_the_moment_is_that_of_the_clock(
    sessions: SessionStore, redis: Redis, clock: MovableClock
) -> None:
    await sessions.store_turn(PAIR, user_turn(1))
    assert float(await redis.hget(TIMES, "turns") or "0") == unix_time(clock.now())
