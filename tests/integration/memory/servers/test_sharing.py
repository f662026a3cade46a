"""Started on demand, shared by several processes, stopped when the last one leaves."""

from __future__ import annotations

import asyncio
import os

import psutil
import psycopg
import pytest

from novaberg.errors import ServicesInUseError
from novaberg.memory.servers import open_services, start_services, stop_services
from novaberg.settings import load_settings
from tests.integration.memory.servers.conftest import Place, read_both, write_both
from tests.support.store_user import StoreUser


async def test_servers_run_while_they_are_used_and_keep_what_was_written(place: Place) -> None:
    """Design §4: real servers under the home; the next start finds everything."""
    async with open_services(place.settings) as urls:
        assert place.running == (True, True)
        assert urls.database_embedded
        assert urls.redis_embedded
        write_both(urls, "eins")
    assert place.running == (False, False)
    async with open_services(place.settings) as urls:
        assert read_both(urls) == (["eins"], ["eins"])


def test_two_processes_share_the_servers_and_the_last_one_stops_them(settled: Place) -> None:
    """Issue, deliverable 2."""
    with StoreUser(settled.root) as first, StoreUser(settled.root) as second:
        assert first.urls() == second.urls()
        pids = settled.pids
        first.leave()
        assert settled.pids == pids
        assert settled.running == (True, True)
        second.leave()
    assert settled.running == (False, False)


async def test_two_users_in_one_process_share_the_servers(settled: Place) -> None:
    """A lease belongs to a use, not to a process id."""
    async with open_services(settled.settings) as outer:
        async with open_services(settled.settings) as inner:
            assert inner == outer
        assert settled.running == (True, True)
    assert settled.running == (False, False)


def test_processes_that_start_together_on_an_empty_home_get_the_same_servers(place: Place) -> None:
    """Starting happens under one lock: one initdb, one pair of servers."""
    users = [StoreUser(place.root) for _ in range(3)]
    assert len({user.urls() for user in users}) == 1
    for user in users:
        user.leave()
        user.__exit__()
    assert place.running == (False, False)


async def test_a_cancelled_start_leaves_nothing_running(place: Place) -> None:
    """Ctrl-C while the servers start."""

    async def use() -> None:
        async with open_services(place.settings):
            await asyncio.sleep(60)

    task = asyncio.create_task(use())
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert place.running == (False, False)


async def test_servers_listen_on_private_sockets_only(settled: Place) -> None:
    """Promise P9: stores on sockets only."""
    async with open_services(settled.settings):
        for pid in settled.pids:
            assert psutil.Process(pid).net_connections(kind="inet") == []
        assert {path.name for path in settled.home.run.iterdir()} >= {".s.PGSQL.5432", "valkey.sock"}
        for folder in (
            settled.root,
            settled.home.run,
            settled.home.postgres,
            settled.home.valkey,
            settled.home.logs,
        ):
            assert folder.stat().st_mode & 0o077 == 0, folder


async def test_servers_are_detached_from_their_starter(settled: Place) -> None:
    """A session of their own: no terminal signal reaches them, no zombie of ours remains."""
    async with open_services(settled.settings):
        for pid in settled.pids:
            assert os.getsid(pid) != os.getsid(0)
            assert psutil.Process(pid).ppid() != os.getpid()


def test_servers_hold_no_descriptor_of_their_starter(settled: Place) -> None:
    """The output of a killed starter ends at once although its servers live on."""
    with StoreUser(settled.root) as user:
        user.urls()
        user.kill()
        assert settled.running == (True, True)
        assert user.rest_of_output() == ""


async def test_own_servers_are_used_instead_and_nothing_is_started(place: Place) -> None:
    """NOVABERG_DATABASE_URL and NOVABERG_REDIS_URL: the home is not even created."""
    database, redis = "postgresql://db.example/x", "redis://redis.example/0"
    settings = load_settings(home=place.root, database_url=database, redis_url=redis)
    async with open_services(settings) as urls:
        assert (urls.database, urls.redis) == (database, redis)
        assert (urls.database_embedded, urls.redis_embedded) == (False, False)
    assert not place.root.exists()


@pytest.mark.parametrize(
    ("own", "running"),
    [
        ({"database_url": "postgresql://db.example/x", "redis_url": ""}, (False, True)),
        ({"database_url": "", "redis_url": "redis://redis.example/0"}, (True, False)),
    ],
)
async def test_only_the_store_without_an_address_is_embedded(
    settled: Place, own: dict[str, str], running: tuple[bool, bool]
) -> None:
    """Each variable replaces its own server only."""
    async with open_services(load_settings(home=settled.root, **own)):
        assert settled.running == running
    assert settled.running == (False, False)


def test_a_stop_is_refused_while_somebody_uses_the_servers(settled: Place) -> None:
    """`novaberg services --stop` says who; with force it stops, and the user does not start them again."""
    with StoreUser(settled.root) as user:
        user.urls()
        with pytest.raises(ServicesInUseError, match=str(user.pid)):
            asyncio.run(stop_services(settled.settings))
        assert settled.running == (True, True)
        assert asyncio.run(stop_services(settled.settings, force=True))
        assert settled.running == (False, False)
        user.leave()
    assert settled.running == (False, False)


async def test_a_stop_without_servers_says_so(place: Place) -> None:
    """Also when the home does not exist; it is not created."""
    assert not await stop_services(place.settings)
    assert not place.root.exists()
    async with open_services(place.settings):
        pass
    assert not await stop_services(place.settings)


async def test_started_services_stay_until_they_are_stopped(settled: Place) -> None:
    """`novaberg services` prints addresses that are still good when other programs have come and gone."""
    urls = await start_services(settled.settings)
    async with open_services(settled.settings) as same:
        assert same == urls
    assert settled.running == (True, True)
    with psycopg.connect(urls.database) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert await stop_services(settled.settings)
    assert settled.running == (False, False)
    async with open_services(settled.settings):
        pass
    assert settled.running == (False, False)
