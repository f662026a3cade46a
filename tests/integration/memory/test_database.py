"""The pool of database connections."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from novaberg.errors import DatabaseUnavailableError, DiskFullError
from novaberg.memory.database import Database, translate_database_errors


async def test_connections_are_in_autocommit_and_speak_utc(database: Database) -> None:
    """Design §6.6: aware UTC inside."""
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT now(), current_setting('TimeZone')")
        row = await cursor.fetchone()
    assert row is not None
    assert connection.autocommit
    assert row[0].utcoffset().total_seconds() == 0
    assert row[1] == "UTC"


async def test_a_transaction_is_rolled_back_by_an_error(database: Database) -> None:
    """Promise P1: what was not acknowledged is not half there."""
    async with database.connection() as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS t_rollback (x int)")
    with pytest.raises(RuntimeError):
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO t_rollback VALUES (1)")
            raise RuntimeError
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM t_rollback")
        assert await cursor.fetchone() == (0,)


async def test_killed_sessions_are_replaced_before_the_next_statement(database: Database) -> None:
    """Measured: one killed backend drops every session; pools must reconnect."""
    async with database.connection() as connection:
        await connection.execute("SELECT 1")
    with psycopg.connect(database.url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    results = await asyncio.gather(*(_one(database) for _ in range(20)))
    assert results == [(1,)] * 20


async def _one(database: Database) -> object:
    async with database.connection() as connection:
        return await (await connection.execute("SELECT 1")).fetchone()


async def test_a_session_that_breaks_in_flight_is_an_unavailable_database(database: Database) -> None:
    """The statement in flight fails visibly; nothing is repeated behind the caller's back."""
    with pytest.raises(DatabaseUnavailableError, match="terminating connection"):
        async with database.connection() as connection:
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")


async def test_an_unreachable_server_is_told_with_its_cause() -> None:
    """Contract of the errors: what happened and what to do."""
    with pytest.raises(DatabaseUnavailableError, match="nowhere"):
        async with Database.open("postgresql:///x?host=/nowhere"):
            pass


async def test_a_wrong_statement_is_not_taken_for_an_outage(database: Database) -> None:
    """Lock and serialisation failures belong to the statement, not to the server."""
    with pytest.raises(psycopg.errors.UndefinedTable):
        async with database.connection() as connection:
            await connection.execute("SELECT * FROM there_is_no_such_table")
    with pytest.raises(psycopg.errors.QueryCanceled):
        async with database.connection() as connection:
            await connection.execute("SET statement_timeout = 20")
            try:
                await connection.execute("SELECT pg_sleep(5)")
            finally:
                await connection.execute("RESET statement_timeout")


def test_a_full_disk_is_told_as_such() -> None:
    """SQLSTATE 53100 (issue: full disk is bad input with a clear error)."""
    with pytest.raises(DiskFullError), translate_database_errors():
        raise psycopg.errors.DiskFull("could not extend file")
