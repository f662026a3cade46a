"""The schema and its upgrades."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest

from novaberg.errors import HomeVersionError
from novaberg.memory import schema
from novaberg.memory.servers import ServiceUrls
from tests.support.stores import admin, fresh_database


@pytest.fixture
def empty_url(service_urls: ServiceUrls) -> Iterator[str]:
    """A database without any table."""
    with fresh_database(service_urls.database) as url:
        yield url


async def test_an_upgrade_brings_an_empty_database_to_the_head(empty_url: str) -> None:
    """Extensions, the queue's tables and our own."""
    assert await schema.revision(empty_url) is None
    await schema.upgrade(empty_url)
    assert await schema.revision(empty_url) == schema.HEAD
    with admin(empty_url) as connection:
        names = {name for (name,) in connection.execute("SELECT extname FROM pg_extension").fetchall()}
        jobs = connection.execute("SELECT to_regclass('procrastinate_jobs')").fetchone()
    assert {"vector", "pg_trgm", "unaccent"} <= names
    assert jobs != (None,)


async def test_upgrades_at_the_same_time_do_the_work_once(empty_url: str) -> None:
    """Two processes that start together on an empty home."""
    await asyncio.gather(*(schema.upgrade(empty_url) for _ in range(3)))
    assert await schema.revision(empty_url) == schema.HEAD


def test_upgrades_of_two_processes_are_serialised(empty_url: str) -> None:
    """The advisory lock, not luck: both must end well, whoever comes second."""
    code = (
        "import asyncio, sys; from novaberg.memory.schema import upgrade; asyncio.run(upgrade(sys.argv[1]))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, empty_url]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert asyncio.run(schema.revision(empty_url)) == schema.HEAD


async def test_an_unknown_revision_is_another_version(empty_url: str) -> None:
    """Issue "Bad input": a home that belongs to another version; nothing is changed."""
    await schema.upgrade(empty_url)
    with admin(empty_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(HomeVersionError, match="9999"):
        await schema.upgrade(empty_url)
    assert await schema.revision(empty_url) == "9999"


def test_the_named_head_is_the_last_migration() -> None:
    """The fast path must not skip a migration."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(schema._FOLDER))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.HEAD
