from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from novaberg.memory.database import Database
from novaberg.memory.jobs import JobStore
from novaberg.memory.lifeline import Lifeline
from novaberg.memory.listener import ListenerCalibration, listen
from novaberg.pair import Pair
from tests.support.sessions import count_sessions, terminate_sessions
from tests.support.waiting import until

PAIR = Pair("meister")
CHANNEL = "procrastinate_queue_v1#turns"


@pytest.fixture
def jobs(database: Database) -> JobStore:
    return JobStore(database)


async def run_sql(database: Database, statement: str, *values: object) -> list[tuple[object, ...]]:
    async with database.connection() as connection:
        cursor = await connection.execute(statement, values)
        return await cursor.fetchall() if cursor.description else []


async def fetch_as(database: Database, worker_id: int) -> int:
    ((job_id,),) = await run_sql(
        database, "SELECT id FROM procrastinate_fetch_job_v2(ARRAY['turns'], %s)", worker_id
    )
    assert isinstance(job_id, int)
    return job_id


async def dead_worker(database: Database) -> int:
    ((worker_id,),) = await run_sql(database, "SELECT worker_id FROM procrastinate_register_worker_v1()")
    assert isinstance(worker_id, int)
    return worker_id


async def all_jobs(database: Database) -> list[tuple[object, ...]]:
    return await run_sql(database, "SELECT lock, status::text FROM procrastinate_jobs ORDER BY id")


async def leave_message(database: Database, pair: Pair) -> None:
    """A message whose ring was lost."""
    await run_sql(
        database,
        """
        INSERT INTO inbox (nachrichten_id, user_id, character_id, prompt, empfangen_am)
        VALUES (replace(gen_random_uuid()::text, '-', ''), %s, %s, 'Hallo', %s)
        """,
        pair.user_id,
        pair.character_id,
        datetime.now(UTC),
    )


async def test_a_pair_is_rung_once_however_many_ring(jobs: JobStore, database: Database) -> None:
    rung = await asyncio.gather(*(jobs.ring(PAIR) for _ in range(8)))
    assert rung.count(True) == 1
    assert await all_jobs(database) == [("meister:nova", "todo")]


async def test_a_running_job_does_not_keep_the_pair_from_being_rung(
    jobs: JobStore, database: Database
) -> None:
    """What came after the running job's last look needs a job of its own."""
    await jobs.ring(PAIR)
    await fetch_as(database, await dead_worker(database))
    assert await jobs.ring(PAIR)
    assert await all_jobs(database) == [("meister:nova", "doing"), ("meister:nova", "todo")]


async def test_a_waiting_message_without_a_job_is_found(jobs: JobStore, database: Database) -> None:
    await leave_message(database, PAIR)
    await leave_message(database, Pair("gast"))
    await jobs.ring(Pair("gast"))
    assert (await jobs.look(0, settle_s=0)).forgotten == (PAIR,)


@pytest.mark.parametrize(
    ("state", "found"), [("offen", True), ("wartend", True), ("gescheitert", False), ("erledigt", False)]
)
async def test_an_unfinished_turn_without_a_job_is_found(
    jobs: JobStore, database: Database, state: str, found: bool
) -> None:
    await run_sql(
        database,
        """
        INSERT INTO turns (turn_id, user_id, character_id, zustand, prompt, fence, erstellt_am, begonnen_am, frist)
        VALUES (repeat('a', 32), 'meister', 'nova', %s, '', gen_random_uuid(), now(), now(), now())
        """,
        state,
    )
    assert ((await jobs.look(0, settle_s=0)).forgotten == (PAIR,)) is found


async def test_only_the_jobs_of_the_dead_are_closed(
    jobs: JobStore, database: Database, database_url: str
) -> None:
    """Design §3: recovery never takes from a living worker."""
    async with Lifeline(database_url) as living:
        await jobs.ring(Pair("lebt"))
        kept = await fetch_as(database, living.worker_id)
        dead = await dead_worker(database)
        await jobs.ring(Pair("tot"))
        await fetch_as(database, dead)
        findings = await jobs.look(living.worker_id, settle_s=0)
        assert findings.suspects == {dead}
        assert findings.held == {kept}
        closed = await jobs.close_dead({dead, living.worker_id})
        assert (closed.workers, closed.jobs) == (1, 1)
        assert await all_jobs(database) == [("lebt:nova", "doing")]
        assert await run_sql(database, "SELECT id FROM procrastinate_workers") == [(living.worker_id,)]


async def test_a_job_whose_worker_signed_off_without_it_is_closed(jobs: JobStore, database: Database) -> None:
    worker = await dead_worker(database)
    await jobs.ring(PAIR)
    job_id = await fetch_as(database, worker)
    await run_sql(database, "DELETE FROM procrastinate_workers")
    assert (await jobs.look(0, settle_s=0)).strays == {job_id}
    assert (await jobs.close_dead(())).jobs == 1
    assert await all_jobs(database) == []


async def test_close_held_takes_only_jobs_of_that_worker(jobs: JobStore, database: Database) -> None:
    mine, other = await dead_worker(database), await dead_worker(database)
    await jobs.ring(Pair("a"))
    first = await fetch_as(database, mine)
    await jobs.ring(Pair("b"))
    second = await fetch_as(database, other)
    await jobs.close_held(mine, {first, second})
    assert await all_jobs(database) == [("b:nova", "doing")]


# ── being heard ──────────────────────────────────────────────────────────────


class Ear:
    def __init__(self) -> None:
        self.payloads: list[str] = []

    async def __call__(self, *, channel: str, payload: str) -> None:
        assert channel == CHANNEL
        self.payloads.append(payload)

    async def has(self, count: int) -> bool:
        return len(self.payloads) >= count


@pytest_asyncio.fixture
async def ear(database: Database, database_url: str) -> AsyncIterator[Ear]:
    """Hears the queue; the greeting is taken off."""
    ear = Ear()
    quick = ListenerCalibration(reconnect_s=0.05)
    listening = asyncio.create_task(listen(database_url, [CHANNEL], ear, greeting="hello", calibration=quick))
    await until(lambda: ear.has(1))
    assert ear.payloads == ["hello"]
    ear.payloads.clear()
    yield ear
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


@pytest.mark.parametrize(
    "ending",
    [
        "UPDATE procrastinate_jobs SET status = 'failed' WHERE id = %s",
        "DELETE FROM procrastinate_jobs WHERE id = %s",
        "SELECT procrastinate_finish_job_v1(%s, 'succeeded', true)",
    ],
)
async def test_the_end_of_a_job_rings(ear: Ear, jobs: JobStore, database: Database, ending: str) -> None:
    """Measured, "Durable turns": without it the next job of the pair waits for the poll. Also without a next one that
    could be seen: it may be committed between the ring and the end."""
    await jobs.ring(PAIR)
    job_id = await fetch_as(database, await dead_worker(database))
    await until(lambda: ear.has(1))
    await run_sql(database, ending, job_id)
    await until(lambda: ear.has(2))


async def test_a_lost_listener_hears_again_and_says_that_it_was_away(
    ear: Ear, jobs: JobStore, database_url: str
) -> None:
    """Measured, "Durable turns": after a server restart the bare worker goes deaf."""
    assert await terminate_sessions(database_url, application_name="novaberg listener") == 1
    await until(lambda: ear.has(1), timeout_s=5)
    assert ear.payloads == ["hello"]
    await jobs.ring(PAIR)
    await until(lambda: ear.has(2))
    assert await count_sessions(database_url, "novaberg listener") == 1
