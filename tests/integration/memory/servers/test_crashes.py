"""kill -9 of anything, remains of dead servers, swept sockets."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Callable

import psycopg
import pytest
import redis

from novaberg.memory.database import Database
from novaberg.memory.redis import connect_redis
from novaberg.memory.servers import ServiceUrls, open_services
from tests.integration.memory.servers.conftest import Place, read_both, write_both
from tests.support.store_user import StoreUser


def test_servers_of_a_killed_user_are_adopted_and_stopped_by_the_next(settled: Place) -> None:
    """Issue, deliverable 2: safe after kill -9."""
    with StoreUser(settled.root) as killed:
        write_both(killed.urls(), "vorher")
        pids = settled.pids
        killed.kill()
    assert settled.running == (True, True)
    with StoreUser(settled.root) as heir:
        assert read_both(heir.urls()) == (["vorher"], ["vorher"])
        assert settled.pids == pids
        heir.leave()
    assert settled.running == (False, False)


def test_a_user_killed_beside_another_leaves_the_servers_to_it(settled: Place) -> None:
    """The kernel frees the lease of the dead; the living one is the last."""
    with StoreUser(settled.root) as killed, StoreUser(settled.root) as living:
        killed.urls()
        living.urls()
        killed.kill()
        assert settled.running == (True, True)
        living.leave()
    assert settled.running == (False, False)


@pytest.mark.parametrize("delay", [0.35, 0.5, 0.65, 0.8, 1.0])
def test_a_start_killed_at_any_moment_does_not_spoil_the_next_one(place: Place, delay: float) -> None:
    """Between an empty home and running servers: creation of the data, server starting, database being created."""
    with StoreUser(place.root) as killed:
        time.sleep(delay)
        killed.kill()
    with StoreUser(place.root) as user:
        write_both(user.urls(), "danach")
        user.leave()
    assert place.running == (False, False)
    assert list(place.root.glob("postgres.new-*")) == []


def test_everything_killed_at_once_loses_nothing_that_was_stored(settled: Place) -> None:
    """P1 and P4: PostgreSQL loses nothing; Valkey at most the last second, which has passed here."""
    with StoreUser(settled.root) as user:
        write_both(user.urls(), "eins")
        time.sleep(1.2)
        for pid in (user.pid, *settled.pids):
            os.kill(pid, signal.SIGKILL)
    with StoreUser(settled.root) as next_user:
        assert read_both(next_user.urls()) == (["eins"], ["eins"])
        next_user.leave()


async def test_a_killed_server_is_started_again_and_the_pools_go_on(settled: Place) -> None:
    """A living program outlives its servers: no committed row is lost, pools reconnect by themselves."""
    async with open_services(settled.settings) as urls, Database.open(urls.database) as database:
        memory = connect_redis(urls.redis)
        write_both(urls, "eins")
        await asyncio.gather(memory.ping(), _count(database))
        await asyncio.sleep(1.1)
        for pid in settled.pids:
            os.kill(pid, signal.SIGKILL)
        await _until(lambda: _both_answer(urls), seconds=20)
        assert await memory.lrange("kept", 0, -1) == ["eins"]
        assert await _count(database) == 1
        await memory.aclose()
    assert settled.running == (False, False)


async def test_sockets_that_are_swept_away_under_a_living_program_come_back(settled: Place) -> None:
    """The addresses stay the same, so pools find the servers again."""
    async with open_services(settled.settings) as urls, Database.open(urls.database) as database:
        write_both(urls, "eins")
        shutil.rmtree(settled.home.run)
        await _until(lambda: _both_answer(urls), seconds=20)
        assert await _count(database) == 1
    assert settled.running == (False, False)


async def test_a_killed_backend_drops_all_sessions_and_the_pool_recovers(settled: Place) -> None:
    """Measured: kill -9 of one backend drops every session. Only a statement in flight may fail, and visibly."""
    async with open_services(settled.settings) as urls, Database.open(urls.database) as database:
        write_both(urls, "eins")
        assert await asyncio.gather(*(_count(database) for _ in range(8))) == [1] * 8
        with psycopg.connect(urls.database) as victim:
            os.kill(victim.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                victim.execute("SELECT 1")
        await _until(lambda: _both_answer(urls), seconds=20)
        assert await asyncio.gather(*(_count(database) for _ in range(8))) == [1] * 8


async def test_remains_of_dead_servers_do_not_hinder_a_start(settled: Place) -> None:
    """After a power cut: process ids that now belong to strangers, socket files without a server."""
    async with open_services(settled.settings) as urls:
        write_both(urls, "eins")
    stranger = f"{os.getpid()}\n{settled.home.postgres}\n1\n5432\n{settled.home.run}\n\n1 1\nready\n"
    (settled.home.postgres / "postmaster.pid").write_text(stranger)
    (settled.home.valkey / "valkey.pid").write_text(f"{os.getpid()}\n")
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock", "valkey.sock"):
        (settled.home.run / name).write_text(f"{os.getpid()}\n")
    async with open_services(settled.settings) as urls:
        assert read_both(urls) == (["eins"], ["eins"])


def test_servers_that_lost_their_sockets_are_restarted(settled: Place) -> None:
    """Somebody swept the folder: alive but unreachable servers must not block the home for ever."""
    with StoreUser(settled.root) as killed:
        write_both(killed.urls(), "eins")
        killed.kill()
    pids = settled.pids
    for name in (".s.PGSQL.5432", "valkey.sock"):
        (settled.home.run / name).unlink()
    with StoreUser(settled.root) as user:
        assert read_both(user.urls()) == (["eins"], ["eins"])
        assert set(settled.pids).isdisjoint(pids)
        user.leave()


async def _count(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM kept")).fetchone()
    assert row is not None
    return int(row[0])


async def _until(condition: Callable[[], bool], *, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(condition):
        assert time.monotonic() < end, "the servers did not come back"
        await asyncio.sleep(0.05)


def _both_answer(urls: ServiceUrls) -> bool:
    try:
        return read_both(urls)[0] == ["eins"]
    except (psycopg.OperationalError, redis.RedisError):
        return False
