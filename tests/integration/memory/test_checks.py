"""What doctor tells about home and stores."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from novaberg.memory import checks, schema
from novaberg.memory.checks import CheckCalibration, CheckResult, check_stores
from novaberg.memory.servers import ServiceUrls
from novaberg.settings import Settings, load_settings
from tests.support.stores import temporary_home

DEAD_DATABASE = "postgresql://someone:secret@127.0.0.1:1/x"
DEAD_REDIS = "redis://:secret@127.0.0.1:1/0"


@pytest.fixture
def own(service_urls: ServiceUrls, database_url: str) -> Iterator[Settings]:
    """Servers "of one's own" that work, and an empty home."""
    with temporary_home() as home:
        yield load_settings(home=home, database_url=database_url, redis_url=service_urls.redis)


def _by_part(results: list[CheckResult]) -> dict[str, CheckResult]:
    assert all("\n" not in result.detail + result.remedy for result in results)
    return {result.part: result for result in results}


async def test_embedded_stores_are_started_checked_and_stopped() -> None:
    """`novaberg doctor` on a fresh machine."""
    with temporary_home() as home:
        results = _by_part(await check_stores(load_settings(home=home, database_url="", redis_url="")))
    assert list(results) == ["home", "disk", "database", "schema", "redis"]
    assert all(result.ok for result in results.values())
    assert "PostgreSQL 18" in results["database"].detail
    assert "append-only file on" in results["redis"].detail
    assert "empty" in results["schema"].detail


async def test_own_servers_that_work_pass(own: Settings) -> None:
    """A migrated database has the head revision."""
    results = _by_part(await check_stores(own))
    assert [part for part, result in results.items() if not result.ok] == []
    assert results["schema"].detail == f"revision {schema.HEAD}"


async def test_own_servers_that_do_not_answer_are_named_by_their_variable(own: Settings) -> None:
    """One line with variable and cause; no password."""
    settings = own.model_copy(update={"database_url": DEAD_DATABASE, "redis_url": DEAD_REDIS})
    results = _by_part(await check_stores(settings))
    assert "NOVABERG_DATABASE_URL" in results["database"].detail
    assert "refused" in results["database"].detail
    assert "NOVABERG_REDIS_URL" in results["redis"].detail
    assert not results["database"].ok
    assert not results["redis"].ok
    assert "secret" not in str(results)


async def test_an_unusable_home_is_told_once_and_own_servers_are_still_checked(own: Settings) -> None:
    """The first cause, not its consequences."""
    settings = own.model_copy(update={"home": Path("/dev/null/home"), "redis_url": ""})
    results = await check_stores(settings)
    assert [(result.part, result.ok) for result in results] == [
        ("home", False),
        ("disk", True),
        ("database", True),
        ("schema", True),
    ]
    assert results[0].remedy == "Choose another folder or change its owner."


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("free_mb", "ok", "warning"), [(50, False, False), (500, True, True), (5000, True, False)]
)
async def test_little_space_is_a_warning_and_hardly_any_a_failure(
    own: Settings, monkeypatch: pytest.MonkeyPatch, free_mb: int, ok: bool, warning: bool
) -> None:
    """Below 1 GB and below 100 MB."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: _Usage(10**12, 0, free_mb * 10**6))
    disk = _by_part(await check_stores(own))["disk"]
    assert (disk.ok, disk.warning) == (ok, warning)


async def test_old_servers_are_refused(own: Settings) -> None:
    """PostgreSQL ≥ 15, Redis ≥ 7 or Valkey ≥ 8 (design §4)."""
    future = CheckCalibration(postgres_major=99, valkey_major=99)
    results = _by_part(await check_stores(own, future))
    assert results["database"].remedy == "Use PostgreSQL 99 or newer."
    assert "Valkey 99" in results["redis"].remedy


async def test_a_missing_extension_is_named(own: Settings) -> None:
    """A server without pgvector cannot hold the long-term memory."""
    results = _by_part(await check_stores(own, CheckCalibration(extensions=("vector", "no_such_extension"))))
    assert not results["database"].ok
    assert "no_such_extension" in results["database"].remedy


def test_a_working_memory_without_append_only_file_is_a_warning() -> None:
    """An own server that keeps nothing on disk is allowed but told."""
    result = checks._judge_redis({"redis_version": "7.4.1", "aof_enabled": 0}, checks.DEFAULT_CHECKS)
    assert result.warning
    assert "appendonly" in result.remedy


async def test_an_unknown_schema_fails_and_an_unexpected_error_is_caught(own: Settings) -> None:
    """The check never raises."""
    with psycopg.connect(own.database_url, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        try:
            unknown = _by_part(await check_stores(own))["schema"]
            connection.execute("ALTER TABLE alembic_version RENAME COLUMN version_num TO other")
            broken = _by_part(await check_stores(own))["schema"]
        finally:
            connection.execute("ALTER TABLE alembic_version RENAME COLUMN other TO version_num")
            connection.execute("UPDATE alembic_version SET version_num = %s", (schema.HEAD,))
    assert not unknown.ok
    assert "9999" in unknown.detail
    assert not broken.ok
    assert "UndefinedColumn" in broken.detail
