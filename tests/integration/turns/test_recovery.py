from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import psycopg
import pytest
import pytest_asyncio

from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.database import Database
from novaberg.memory.jobs import LIFELINE_KEY, Findings, JobStore
from novaberg.memory.lifeline import Lifeline
from novaberg.pair import Pair
from novaberg.turns.queue import TurnQueue
from novaberg.turns.recovery import Recovery, RecoveryCalibration
from tests.support.sessions import terminate_sessions
from tests.support.waiting import until

PAIR = Pair("meister")
QUICK = RecoveryCalibration(tick_s=0.01, confirm_s=0.2, settle_s=0.0)


async def _nothing(pair: Pair) -> None:
    raise AssertionError("no job runs here")


@pytest.fixture
def jobs(database: Database) -> JobStore:
    return JobStore(database)


@pytest_asyncio.fixture
async def lifeline(database: Database, database_url: str) -> AsyncIterator[Lifeline]:
    async with Lifeline(database_url) as lifeline:
        yield lifeline


@pytest.fixture
def recovery(jobs: JobStore, lifeline: Lifeline, database_url: str) -> Recovery:
    return Recovery(jobs, lifeline, TurnQueue(database_url, _nothing), calibration=QUICK)


async def running_job_of(database: Database, worker_id: int | None = None) -> int:
    """A running job of the given worker, or of a new one without a lifeline; returns the worker's id."""
    async with database.connection() as connection:
        if worker_id is None:
            cursor = await connection.execute("SELECT worker_id FROM procrastinate_register_worker_v1()")
            (worker_id,) = await cursor.fetchone() or (0,)
        await JobStore(database).ring(PAIR)
        await connection.execute("SELECT procrastinate_fetch_job_v2(ARRAY['turns'], %s)", (worker_id,))
    return worker_id


async def job_statuses(database: Database) -> list[str]:
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT status::text FROM procrastinate_jobs ORDER BY id")
        return [row[0] for row in await cursor.fetchall()]


async def leave_message(database: Database) -> None:
    async with database.connection() as connection:
        await connection.execute(
            """
            INSERT INTO inbox (nachrichten_id, user_id, character_id, prompt, empfangen_am)
            VALUES (repeat('a', 32), 'meister', 'nova', 'Hallo', now())
            """
        )


async def test_the_job_of_a_dead_worker_is_closed_and_its_pair_rung_again(
    recovery: Recovery, database: Database
) -> None:
    await leave_message(database)
    await running_job_of(database)
    await recovery.once()
    assert await job_statuses(database) == ["todo"]


async def test_a_pair_whose_work_is_done_is_not_rung(recovery: Recovery, database: Database) -> None:
    await running_job_of(database)
    await recovery.once()
    assert await job_statuses(database) == []


async def test_a_suspect_that_is_back_a_moment_later_keeps_its_job(
    recovery: Recovery, database: Database, database_url: str
) -> None:
    """Design §3: never takes from a living worker; a lifeline that reconnects takes some 10 ms."""
    worker_id = await running_job_of(database)
    looking = asyncio.create_task(recovery.once())
    await asyncio.sleep(0.1)
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as reconnected:
        await reconnected.execute("SELECT pg_advisory_lock(%s, %s::int)", (LIFELINE_KEY, worker_id))
        await looking
    assert await job_statuses(database) == ["doing"]


async def test_who_has_just_lost_its_own_lifeline_declares_nobody_dead(
    recovery: Recovery, lifeline: Lifeline, database: Database, database_url: str
) -> None:
    """What broke this lifeline broke others too."""
    await running_job_of(database)
    await terminate_sessions(database_url, application_name="novaberg lifeline")

    async def is_back() -> bool:
        return not lifeline.settled

    await until(is_back)
    await recovery.once()
    assert await job_statuses(database) == ["doing"]


async def test_an_own_job_that_nobody_runs_is_closed_at_the_second_look(
    recovery: Recovery, lifeline: Lifeline, database: Database
) -> None:
    """At the first look it may be on its way from the database to its start."""
    await leave_message(database)
    await running_job_of(database, lifeline.worker_id)
    await recovery.once()
    assert await job_statuses(database) == ["doing"]
    await recovery.once()
    assert await job_statuses(database) == ["todo"]


@pytest.mark.parametrize(
    ("error", "line"),
    [(DatabaseUnavailableError("away"), "no recovery this time"), (ZeroDivisionError(), "recovery failed")],
)
async def test_a_failing_look_is_logged_and_the_next_one_comes(
    database: Database, lifeline: Lifeline, caplog: pytest.LogCaptureFixture, error: Exception, line: str
) -> None:
    class Stumbling(JobStore):
        looks = 0

        async def look(self, worker_id: int, *, settle_s: float) -> Findings:
            self.looks += 1
            if self.looks == 1:
                raise error
            return await super().look(worker_id, settle_s=settle_s)

    queue = TurnQueue(database.url, _nothing)
    recovery = Recovery(Stumbling(database), lifeline, queue, calibration=QUICK)
    await leave_message(database)
    with caplog.at_level(logging.WARNING, logger="novaberg.turns.recovery"):
        running = asyncio.create_task(recovery.run())

        async def rung() -> bool:
            return await job_statuses(database) == ["todo"]

        await until(rung)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert line in caplog.text
