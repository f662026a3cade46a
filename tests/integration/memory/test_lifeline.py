from __future__ import annotations

import pytest

from novaberg.errors import DatabaseUnavailableError
from novaberg.memory.database import Database
from novaberg.memory.jobs import LIFELINE_KEY, JobStore
from novaberg.memory.lifeline import Lifeline, LifelineCalibration
from tests.support.sessions import terminate_sessions
from tests.support.waiting import until

NAME = "novaberg lifeline"


async def suspects(database: Database) -> frozenset[int]:
    return (await JobStore(database).look(0, settle_s=0.0)).suspects


async def registered(database: Database) -> list[int]:
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT id FROM procrastinate_workers ORDER BY id")
        return [row[0] for row in await cursor.fetchall()]


async def is_locked(database: Database, worker_id: int) -> bool:
    async with database.connection() as connection:
        cursor = await connection.execute(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND granted",
            (LIFELINE_KEY, worker_id),
        )
        return await cursor.fetchone() is not None


async def test_a_worker_is_above_suspicion_while_its_lifeline_lives(
    database: Database, database_url: str
) -> None:
    async with Lifeline(database_url) as lifeline:
        assert await registered(database) == [lifeline.worker_id]
        assert await suspects(database) == frozenset()
        assert lifeline.settled


async def test_leaving_signs_off(database: Database, database_url: str) -> None:
    async with Lifeline(database_url):
        pass
    assert await registered(database) == []


async def test_a_registered_worker_without_a_lifeline_is_suspect(
    database: Database, database_url: str
) -> None:
    async with Lifeline(database_url) as living, database.connection() as connection:
        cursor = await connection.execute("SELECT worker_id FROM procrastinate_register_worker_v1()")
        (dead,) = await cursor.fetchone() or (None,)
        assert await suspects(database) == {dead}
        assert dead != living.worker_id


async def test_a_server_that_just_started_makes_nobody_suspect(database: Database, database_url: str) -> None:
    """Measured, "Durable turns": all lifelines broke together, wait before declaring anyone dead."""
    async with database.connection() as connection:
        await connection.execute("SELECT procrastinate_register_worker_v1()")
    found = await JobStore(database).look(0, settle_s=1e6)
    assert found.suspects == frozenset()


async def test_a_killed_session_is_replaced_under_the_same_id(database: Database, database_url: str) -> None:
    """Measured, "Durable turns": a lifeline that reconnects and locks its ids again."""
    async with Lifeline(database_url, calibration=LifelineCalibration(settle_s=0.3)) as lifeline:
        worker_id = lifeline.worker_id
        assert await terminate_sessions(database_url, application_name=NAME) == 1

        async def is_back() -> bool:
            return not lifeline.settled

        assert await until(is_back, timeout_s=5) < 1.0
        assert lifeline.worker_id == worker_id
        assert await registered(database) == [worker_id]
        assert await is_locked(database, worker_id)

        async def is_settled() -> bool:
            return lifeline.settled

        await until(is_settled, timeout_s=2)


async def test_a_worker_that_was_declared_dead_meanwhile_signs_on_again(
    database: Database, database_url: str
) -> None:
    async with Lifeline(database_url) as lifeline:
        async with database.connection() as connection:
            await connection.execute("DELETE FROM procrastinate_workers")
        await terminate_sessions(database_url, application_name=NAME)

        async def is_back() -> bool:
            return await registered(database) == [lifeline.worker_id]

        await until(is_back, timeout_s=5)


async def test_a_worker_without_a_database_says_so(tmp_path: object) -> None:
    with pytest.raises(DatabaseUnavailableError, match="novaberg doctor"):
        async with Lifeline(f"postgresql://nobody@/none?host={tmp_path}"):
            pass
