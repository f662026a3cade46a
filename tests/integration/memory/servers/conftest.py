"""Homes of their own for tests that start, kill and damage servers."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import redis

from novaberg.memory.home import Home
from novaberg.memory.servers import ServiceUrls, open_services, stop_services
from novaberg.memory.servers.locks import is_held
from novaberg.settings import Settings, load_settings
from tests.support.stores import temporary_home


@dataclass(frozen=True)
class Place:
    """A home under test and looks at its servers from outside."""

    root: Path

    @property
    def home(self) -> Home:
        """Its layout."""
        return Home(self.root)

    @property
    def settings(self) -> Settings:
        """Settings with this home and embedded servers."""
        return load_settings(home=self.root, database_url="", redis_url="")

    @property
    def postgres_pid(self) -> int:
        """Process id of the postmaster."""
        return int((self.home.postgres / "postmaster.pid").read_text().splitlines()[0])

    @property
    def valkey_pid(self) -> int:
        """Process id of Valkey."""
        return int((self.home.valkey / "valkey.pid").read_text())

    @property
    def pids(self) -> tuple[int, int]:
        """Both process ids."""
        return self.postgres_pid, self.valkey_pid

    @property
    def running(self) -> tuple[bool, bool]:
        """Whether any process of PostgreSQL, of Valkey lives."""
        return is_held(self.home.alive("postgres")), is_held(self.home.alive("valkey"))

    def stop(self) -> None:
        """Stop whatever runs here."""
        if self.home.mark.exists() and any(self.running):
            asyncio.run(stop_services(self.settings, force=True))


@pytest.fixture
def place() -> Iterator[Place]:
    """A home that does not exist yet; nothing of it runs at the end."""
    with temporary_home() as home:
        place = Place(home)
        yield place
        place.stop()


@pytest.fixture(scope="session")
def settled_home() -> Iterator[Path]:
    """A home whose servers ran once and were stopped."""
    with temporary_home() as home:
        asyncio.run(_open_once(Place(home)))
        yield home


@pytest.fixture
def settled(place: Place, settled_home: Path) -> Place:
    """A copy of that home, for tests whose subject is not the first start."""
    subprocess.run(["cp", "-a", str(settled_home), str(place.root)], check=True)
    return place


async def _open_once(place: Place) -> None:
    async with open_services(place.settings):
        pass


def write_both(urls: ServiceUrls, value: str) -> None:
    """Store a value in each store."""
    with psycopg.connect(urls.database) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (value text)")
        connection.execute("INSERT INTO kept VALUES (%s)", (value,))
    with redis.Redis.from_url(urls.redis, decode_responses=True) as client:
        client.rpush("kept", value)


def read_both(urls: ServiceUrls) -> tuple[list[str], list[str]]:
    """What each store has kept."""
    with psycopg.connect(urls.database) as connection:
        rows = [value for (value,) in connection.execute("SELECT value FROM kept").fetchall()]
    with redis.Redis.from_url(urls.redis, decode_responses=True) as client:
        return rows, list(client.lrange("kept", 0, -1))
