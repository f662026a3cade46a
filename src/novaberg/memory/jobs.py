"""The doorbell in SQL: ring a pair's job, and find rings that were lost with the process that held them.

A job is only a hint that a pair has something to do; inbox and turn rows are the truth. So every job may be
lost or doubled, and this module may delete any job whose worker is gone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg.rows import TupleRow

from novaberg.memory.database import Database
from novaberg.pair import Pair

QUEUE_NAME: Final = "turns"
TASK_NAME: Final = "turn"
LIFELINE_KEY: Final = 7301
"""First half of the advisory lock of a living worker; the second half is its id."""

Connection = psycopg.AsyncConnection[TupleRow]

_LOCK_PAIR: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"

# Looked for first, because a refused insert would abort the caller's transaction.
_RING: Final = """
SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
    %(queue)s, %(task)s, 0, %(lock)s, %(lock)s,
    jsonb_build_object('user_id', %(user_id)s::text, 'character_id', %(character_id)s::text), NULL
)::procrastinate_job_to_defer_v1])
WHERE NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = %(lock)s AND status = 'todo')
"""

# One look a tick. A server that just started has broken every lifeline at once: all get time to come back.
_LOOK: Final = """
SELECT
    ARRAY(
        SELECT id FROM procrastinate_workers
        WHERE clock_timestamp() - pg_postmaster_start_time() > make_interval(secs => %(settle_s)s)
          AND pg_try_advisory_xact_lock(%(key)s, id::int)
    ),
    ARRAY(SELECT id FROM procrastinate_jobs WHERE status = 'doing' AND task_name = %(task)s AND worker_id IS NULL),
    ARRAY(
        SELECT id FROM procrastinate_jobs
        WHERE status = 'doing' AND task_name = %(task)s AND worker_id = %(worker_id)s
    ),
    ARRAY(
        SELECT ARRAY[user_id, character_id]::text[] FROM (
            SELECT user_id, character_id FROM inbox WHERE turn_id IS NULL
            UNION
            SELECT user_id, character_id FROM turns WHERE zustand IN ('offen', 'wartend')
        ) AS unfinished
        WHERE NOT EXISTS (
            SELECT 1 FROM procrastinate_jobs j
            WHERE j.lock = user_id || ':' || character_id AND j.status IN ('todo', 'doing')
        )
    )
"""

_CLOSE_DEAD: Final = """
WITH dead AS MATERIALIZED (
    SELECT id FROM procrastinate_workers
    WHERE id = ANY(%(suspects)s) AND pg_try_advisory_xact_lock(%(key)s, id::int)
), gone AS (
    DELETE FROM procrastinate_workers w USING dead WHERE w.id = dead.id
), closed AS (
    DELETE FROM procrastinate_jobs
    WHERE status = 'doing' AND task_name = %(task)s
      AND (worker_id IS NULL OR worker_id IN (SELECT id FROM dead))
    RETURNING id
)
SELECT (SELECT count(*) FROM dead), (SELECT count(*) FROM closed)
"""

_CLOSE_HELD: Final = (
    "DELETE FROM procrastinate_jobs WHERE id = ANY(%s) AND status = 'doing' AND worker_id = %s"
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What one look at the jobs found."""

    suspects: frozenset[int]
    """Registered workers that held no lifeline at that moment."""
    strays: frozenset[int]
    """Running jobs whose worker signed off without them."""
    held: frozenset[int]
    """Running jobs of the worker that asks, as the database sees it."""
    forgotten: tuple[Pair, ...]
    """Pairs with an unfinished turn or a waiting message, but without a job."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What one recovery closed."""

    workers: int
    jobs: int


async def lock_pair(connection: Connection, pair: Pair) -> None:
    """Hold the pair until the end of the transaction: accepting, cutting and ringing exclude each other."""
    await connection.execute(_LOCK_PAIR, (str(pair),))


async def ring(connection: Connection, pair: Pair) -> bool:
    """Put one job for the pair into the queue unless one waits already; returns whether it did.

    The caller's transaction holds `lock_pair`. The job becomes visible, and wakes a worker, with the commit.
    """
    cursor = await connection.execute(
        _RING,
        {
            "queue": QUEUE_NAME,
            "task": TASK_NAME,
            "lock": str(pair),
            "user_id": pair.user_id,
            "character_id": pair.character_id,
        },
    )
    return await cursor.fetchone() is not None


class JobStore:
    """Looks after the jobs of dead workers (design §3: told by a session lock, not by heartbeats)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def look(self, worker_id: int, *, settle_s: float) -> Findings:
        """What there is to mend.

        Args:
            worker_id: who asks.
            settle_s: nobody is suspect while the server is younger than this, in seconds.
        """
        values = {"key": LIFELINE_KEY, "task": TASK_NAME, "worker_id": worker_id, "settle_s": settle_s}
        async with self._database.connection() as connection:
            cursor = await connection.execute(_LOOK, values)
            row = await cursor.fetchone()
        assert row is not None, "a look returns one row"
        suspects, strays, held, forgotten = row
        return Findings(
            suspects=frozenset(suspects),
            strays=frozenset(strays),
            held=frozenset(held),
            forgotten=tuple(Pair(user_id, character_id) for user_id, character_id in forgotten),
        )

    async def close_dead(self, suspects: Collection[int]) -> Closed:
        """Remove those of the ``suspects`` that still hold no lifeline, with their running jobs, and all strays."""
        values = {"suspects": list(suspects), "key": LIFELINE_KEY, "task": TASK_NAME}
        async with self._database.transaction() as connection:
            cursor = await connection.execute(_CLOSE_DEAD, values)
            row = await cursor.fetchone()
        workers, jobs = row or (0, 0)
        return Closed(workers=workers, jobs=jobs)

    async def close_held(self, worker_id: int, job_ids: Collection[int]) -> None:
        """Remove jobs that the database ascribes to this worker although it runs none of them."""
        async with self._database.transaction() as connection:
            await connection.execute(_CLOSE_HELD, (list(job_ids), worker_id))

    async def ring(self, pair: Pair) -> bool:
        """Ring for the pair unless a job of it waits already; returns whether it did."""
        async with self._database.transaction() as connection:
            await lock_pair(connection, pair)
            return await ring(connection, pair)
