"""Breaking sessions on purpose, seen from outside."""

from __future__ import annotations

import psycopg


async def terminate_sessions(url: str, *, application_name: str | None = None) -> int:
    """End other sessions of this database at the server (all, or those of one application); returns how many."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        cursor = await connection.execute(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND (%(name)s::text IS NULL OR application_name = %(name)s)
            """,
            {"name": application_name},
        )
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def count_sessions(url: str, application_name: str) -> int:
    """Sessions of one application on this database."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        cursor = await connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s",
            (application_name,),
        )
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])
