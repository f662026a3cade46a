"""A whole worker in this process: queue, lifeline, recovery."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import psycopg
import pytest
import pytest_asyncio

from novaberg.clock import SystemClock
from novaberg.conversation.intake import cut_block
from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.database import DEFAULT_DATABASE, Database
from novaberg.memory.turn_store import HistoryTurn, OpenTurn, Turn, TurnStore
from novaberg.pair import Pair
from novaberg.turns.pair_job import Handle
from novaberg.turns.queue import QueueCalibration
from novaberg.turns.worker import WorkerCalibration, run_worker
from tests.support.sessions import count_sessions, terminate_sessions
from tests.support.toy_life import Diary, ToyLife
from tests.support.waiting import until

PAIR = Pair("meister")

RARELY_POLLS = WorkerCalibration(queue=QueueCalibration(poll_s=60.0))
"""Whatever starts soon was rung for."""


@dataclass
class House:
    """A store with a worker that may be switched on, and what people say to it."""

    database: Database
    store: TurnStore
    diary: Diary
    clock: SystemClock = field(default_factory=SystemClock)
    told: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def working(
        self,
        handle: Handle | None = None,
        *,
        calibration: WorkerCalibration = RARELY_POLLS,
        deadline_s: float = 30.0,
    ) -> AsyncIterator[None]:
        async with run_worker(
            database=self.database,
            store=self.store,
            handle=handle or self.life().handle,
            on_failed=self.on_failed,
            cut=partial(cut_block, window=30.0),
            deadline_s=deadline_s,
            calibration=calibration,
        ):
            yield

    def life(self, shortest_s: float = 0.0, longest_s: float = 0.0) -> ToyLife:
        return ToyLife(self.store, self.diary, node_s=(shortest_s, longest_s))

    async def on_failed(self, turn: Turn, error: Exception) -> None:
        self.told.append(f"{turn.prompt}: {type(error).__name__}")

    async def say(self, prompt: str, *, pair: Pair = PAIR, message_id: str | None = None) -> str:
        accepted = await self.store.accept(
            pair,
            prompt=prompt,
            client_id="",
            message_id=message_id,
            empfangen_am=self.clock.now(),
            max_waiting=1000,
        )
        return accepted.nachrichten_id

    async def is_quiet(self, pair: Pair = PAIR) -> bool:
        return not await self.store.waiting_count(pair) and not await self.store.open_turns(pair)

    async def quiet(self, pair: Pair = PAIR, *, timeout_s: float = 15.0) -> float:
        return await until(lambda: self.is_quiet(pair), timeout_s=timeout_s)


@pytest_asyncio.fixture
async def house(database: Database) -> House:
    diary = Diary(database)
    await diary.open()
    return House(database, TurnStore(database, SystemClock()), diary)


def texts(turns: Sequence[HistoryTurn]) -> list[str]:
    return [message.prompt for turn in turns for message in turn.messages]


# ── order and merging ────────────────────────────────────────────────────────


async def test_two_messages_within_50_ms_make_one_turn_or_two_in_order_never_interleaved(
    house: House,
) -> None:
    """Promise P3, sixty times."""
    under_way = 0

    async def watched(turn: OpenTurn) -> None:
        nonlocal under_way
        under_way += 1
        assert under_way == 1, "two turns of one pair at the same time"
        await life.handle(turn)
        under_way -= 1

    life = house.life(0.0, 0.004)
    expected: list[str] = []
    shapes: set[int] = set()
    async with house.working(watched):
        for number in range(60):
            before = len(await house.store.history(PAIR, limit=1000))
            for letter in "ab":
                await house.say(f"{number}{letter}")
                expected.append(f"{number}{letter}")
                await asyncio.sleep(random.uniform(0, 0.05) if letter == "a" else 0)
            await house.quiet()
            shapes.add(len(await house.store.history(PAIR, limit=1000)) - before)
    history = await house.store.history(PAIR, limit=1000)
    assert texts(history) == expected
    assert all(turn.state == "erledigt" and turn.answer for turn in history)
    assert [turn.answer.number for turn in history if turn.answer] == sorted(
        turn.answer.number for turn in history if turn.answer
    )
    assert shapes <= {1, 2}


async def test_a_burst_during_a_turn_becomes_one_block(house: House) -> None:
    """Design §3: utterances that arrive while a turn runs wait and become one block by the 30 s rule."""
    gate = asyncio.Event()

    async def held(turn: OpenTurn) -> None:
        await gate.wait()
        await house.life().handle(turn)

    async with house.working(held):
        await house.say("erste")
        await until(lambda: _has_open_turn(house))
        for number in range(10):
            await house.say(f"{number}")
        gate.set()
        await house.quiet()
    first, second = await house.store.history(PAIR)
    assert [message.prompt for message in first.messages] == ["erste"]
    assert second.answer is not None
    assert second.answer.text == "auf: " + "\n".join(f"{number}" for number in range(10))


async def _has_open_turn(house: House) -> bool:
    return bool(await house.store.open_turns(PAIR))


async def test_the_same_message_sent_by_racing_clients_is_answered_once(house: House) -> None:
    """Promise P2: replay storm while the worker runs."""
    async with house.working(house.life(0.0, 0.01).handle):
        ids = await asyncio.gather(*(house.say("Hallo", message_id="m") for _ in range(50)))
        await house.quiet()
        ids += await asyncio.gather(*(house.say("Hallo", message_id="m") for _ in range(5)))
        await house.quiet()
    assert len(set(ids)) == 1
    (turn,) = await house.store.history(PAIR)
    assert turn.answer is not None
    assert turn.answer.text == "auf: Hallo"


async def test_what_comes_after_a_turns_last_look_starts_at_once_and_not_at_the_poll(house: House) -> None:
    """Measured, "Durable turns": the end of a job wakes nobody by itself. Polls come every 60 s here."""
    starts: dict[str, float] = {}

    async def noted(turn: OpenTurn) -> None:
        starts.update(dict.fromkeys(turn.nachrichten_ids, time.monotonic()))
        await house.life().handle(turn)

    waits = []
    async with house.working(noted):
        for number in range(80):
            nachrichten_id = await house.say(f"{number}")
            said = time.monotonic()
            # Sweeps over the end of the turn: before the last look, between look and close, after the close.
            await asyncio.sleep(0.0005 * number)
            waits.append((nachrichten_id, said))
        await house.quiet(timeout_s=5.0)
    late = sorted(starts[nachrichten_id] - said for nachrichten_id, said in waits)
    assert late[-1] < 0.5


async def test_pairs_run_side_by_side(house: House) -> None:
    """Design §3: order per pair, not over all."""
    pairs = [Pair(f"person{number}") for number in range(8)]
    together = asyncio.Barrier(len(pairs))

    async def meets(turn: OpenTurn) -> None:
        async with asyncio.timeout(10):
            await together.wait()
        await house.life().handle(turn)

    async with house.working(meets):
        for pair in pairs:
            await house.say("Hallo", pair=pair)
        for pair in pairs:
            await house.quiet(pair)
    assert house.told == []


async def test_messages_accepted_while_nobody_worked_are_answered_at_the_start(house: House) -> None:
    await house.say("Hallo")
    async with house.working():
        assert await house.quiet() < 1.0


async def test_a_ring_that_was_lost_is_rung_again(house: House) -> None:
    """Design §3: a job may be lost."""
    async with house.working():
        await house.say("eins")
        await house.quiet()
        async with house.database.transaction() as connection:
            await connection.execute(
                """
                INSERT INTO inbox (nachrichten_id, user_id, character_id, prompt, empfangen_am)
                VALUES (repeat('a', 32), 'meister', 'nova', 'ohne Klingel', %s)
                """,
                (house.clock.now(),),
            )
        await until(lambda: _answered(house, "a" * 32), timeout_s=3.0)


async def _answered(house: House, nachrichten_id: str) -> bool:
    fate = (await house.store.fates(PAIR, [nachrichten_id])).get(nachrichten_id)
    return fate is not None and fate.state == "erledigt"


async def test_a_failed_turn_is_told_and_the_pair_goes_on(house: House) -> None:
    async def hangs_on_demand(turn: OpenTurn) -> None:
        if turn.prompt == "häng":
            await asyncio.sleep(60)
        await house.life().handle(turn)

    async with house.working(hangs_on_demand, deadline_s=0.3):
        await house.say("häng")
        await until(lambda: _has_failed(house))
        await house.say("weiter")
        await house.quiet()
    assert house.told == ["häng: TurnDeadlineError"]
    assert [turn.state for turn in await house.store.history(PAIR)] == ["gescheitert", "erledigt"]


async def _has_failed(house: House) -> bool:
    return bool(await house.store.failed_turns(PAIR))


# ── stopping ─────────────────────────────────────────────────────────────────


async def test_leaving_lets_the_turn_under_way_end_and_begins_no_other(house: House) -> None:
    async def says_more(turn: OpenTurn) -> None:
        await house.say("danach")
        begun.set()
        await asyncio.sleep(0.3)
        await house.life().handle(turn)

    begun = asyncio.Event()
    async with house.working(says_more):
        await house.say("zuerst")
        await begun.wait()
    assert [turn.state for turn in await house.store.history(PAIR)] == ["erledigt", None]
    assert await count_sessions(house.database.url, "novaberg lifeline") == 0
    assert await count_sessions(house.database.url, "novaberg listener") == 0


async def test_a_turn_beyond_the_grace_is_left_open_and_resumed_by_the_next_worker(house: House) -> None:
    """Measured, "Durable turns", shutdown: job aborted, turn open, one answer after the next start."""
    short = WorkerCalibration(queue=QueueCalibration(poll_s=60.0, grace_s=0.1))

    async def hangs_the_first_time(turn: OpenTurn) -> None:
        if turn.starts == 1:
            begun.set()
            await asyncio.sleep(60)
        await house.life().handle(turn)

    begun = asyncio.Event()
    async with house.working(hangs_the_first_time, calibration=short):
        await house.say("Hallo")
        await begun.wait()
        left = time.monotonic()
    assert time.monotonic() - left < 2.0
    (turn,) = await house.store.open_turns(PAIR)
    assert (turn.starts, turn.failures) == (1, 0)
    async with house.working(hangs_the_first_time):
        await house.quiet()
    (done,) = await house.store.history(PAIR)
    assert done.state == "erledigt"


async def test_a_second_cancellation_hurries(house: House) -> None:
    """Measured, "Durable turns", shutdown: who cancels twice does not wait for the grace; recovery cleans up."""
    begun = asyncio.Event()
    ended = asyncio.Event()

    async def hangs_the_first_time(turn: OpenTurn) -> None:
        if turn.starts == 1:
            begun.set()
            await ended.wait()
        await house.life().handle(turn)

    async def serve() -> None:
        async with house.working(hangs_the_first_time):
            await asyncio.sleep(60)

    serving = asyncio.create_task(serve())
    await house.say("Hallo")
    await begun.wait()
    serving.cancel()
    await asyncio.sleep(0.2)
    assert not serving.done()
    serving.cancel()
    hurried = time.monotonic()
    await asyncio.wait({serving})
    assert time.monotonic() - hurried < 2.0
    async with house.working(hangs_the_first_time):
        await house.quiet()
        ended.set()
        await asyncio.sleep(0.1)
    (turn,) = await house.store.history(PAIR)
    assert (turn.state, turn.answer and turn.answer.text) == ("erledigt", "auf: Hallo")


async def test_a_worker_without_a_database_says_so_at_once(house: House, tmp_path: object) -> None:
    nowhere = Database(house.database._pool, f"postgresql://nobody@/none?host={tmp_path}", DEFAULT_DATABASE)
    with pytest.raises(DatabaseUnavailableError, match="novaberg doctor"):
        async with run_worker(
            database=nowhere,
            store=house.store,
            handle=house.life().handle,
            on_failed=house.on_failed,
            cut=cut_block,
            deadline_s=30,
        ):
            pass


# ── a database that stumbles ─────────────────────────────────────────────────


async def test_killed_sessions_in_the_middle_of_turns_cost_no_answer(house: House) -> None:
    """Measured, "Durable turns": statements in flight are failed tries; the worker goes on and LISTEN comes back."""
    pairs = [Pair(f"person{number}") for number in range(4)]
    said: defaultdict[Pair, list[str]] = defaultdict(list)
    async with house.working(house.life(0.02, 0.1).handle, calibration=WorkerCalibration()):
        for number in range(6):
            for pair in pairs:
                await _say_again_if_it_broke(house, pair, f"{number}")
                said[pair].append(f"{number}")
            await asyncio.sleep(random.uniform(0.05, 0.25))
            await terminate_sessions(house.database.url)
        for pair in pairs:
            await house.quiet(pair)
        await until(lambda: _listens(house), timeout_s=3.0)
        await house.say("danach")
        assert await house.quiet() < 3.0
    for pair in pairs:
        history = await house.store.history(pair, limit=100)
        assert texts(history) == said[pair]
        assert {turn.state for turn in history} == {"erledigt"}


async def _say_again_if_it_broke(house: House, pair: Pair, prompt: str) -> None:
    """What a client does: the same message_id again until it is acknowledged."""
    for _ in range(20):
        try:
            await house.say(prompt, pair=pair, message_id=f"{pair}{prompt}")
        except DatabaseUnavailableError:
            await asyncio.sleep(0.05)
        else:
            return
    raise AssertionError("never acknowledged")


async def _listens(house: House) -> bool:
    return await count_sessions(house.database.url, "novaberg listener") == 1


@pytest.mark.slow
async def test_a_crash_of_the_server_in_the_middle_of_turns_costs_no_answer(house: House) -> None:
    """kill -9 of one backend: the server drops every session and recovers."""
    life = house.life(0.05, 0.2)
    async with house.working(life.handle, calibration=WorkerCalibration(), deadline_s=60):
        for number in range(2):
            await _say_again_if_it_broke(house, PAIR, f"{number}")
            await asyncio.sleep(random.uniform(0.05, 0.3))
            async with await psycopg.AsyncConnection.connect(house.database.url) as victim:
                os.kill(victim.info.backend_pid, signal.SIGKILL)
            await asyncio.sleep(0.3)

        async def quiet() -> bool:
            try:
                return await house.is_quiet()
            except DatabaseUnavailableError:
                return False

        await until(quiet, timeout_s=50)
        await until(lambda: _listens(house), timeout_s=5)
        await house.say("danach")
        assert await house.quiet() < 3.0
    history = await house.store.history(PAIR, limit=100)
    assert texts(history) == ["0", "1", "danach"]
    assert {turn.state for turn in history} == {"erledigt"}


async def test_a_job_that_this_process_does_not_run_is_closed_and_rung_again(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The reply to a fetch was lost with its connection: the job counts as running under a living worker."""
    async with house.working():
        await house.say("eins")
        await house.quiet()
        await until(lambda: _has_no_job(house))
        with caplog.at_level(logging.WARNING, logger="novaberg.turns.recovery"):
            async with house.database.transaction() as connection:
                await connection.execute(
                    """
                    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status, worker_id)
                    SELECT 'turns', 'turn', 'meister:nova', 'meister:nova', '{}', 'doing', max(id)
                    FROM procrastinate_workers
                    """
                )
            await house.say("zwei")
            assert await house.quiet(timeout_s=5.0) > 0.5
    assert "it does not run" in caplog.text
    assert texts(await house.store.history(PAIR)) == ["eins", "zwei"]


async def _has_no_job(house: House) -> bool:
    async with house.database.connection() as connection:
        cursor = await connection.execute("SELECT 1 FROM procrastinate_jobs")
        return await cursor.fetchone() is None
