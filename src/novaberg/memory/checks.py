"""What `novaberg doctor` tells about home and stores: each part in one line, never an exception."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg
import redis

from novaberg.errors import NovabergError
from novaberg.memory import schema
from novaberg.memory.home import home_errors, prepare_home, write_whole
from novaberg.memory.redis import connect_redis
from novaberg.memory.servers import ServiceUrls, open_services
from novaberg.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckCalibration:
    """What is asked of disk and servers."""

    free_warning_mb: int = 1000
    """MB of free space below which a warning is due."""
    free_failure_mb: int = 100
    """MB of free space below which the check fails: a turn could not be stored safely."""
    postgres_major: int = 15
    """Oldest PostgreSQL (design §4)."""
    redis_major: int = 7
    """Oldest Redis (design §4)."""
    valkey_major: int = 8
    """Oldest Valkey (design §4)."""
    extensions: tuple[str, ...] = ("vector", "pg_trgm", "unaccent")
    """Extensions that the schema needs."""
    connect_timeout_s: int = 5
    """Seconds for one try to connect."""


DEFAULT_CHECKS = CheckCalibration()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a part is. ``ok`` with a ``remedy`` is a warning."""

    part: str
    ok: bool
    detail: str
    remedy: str = ""

    @property
    def warning(self) -> bool:
        """It works, but something should be done."""
        return self.ok and bool(self.remedy)


async def check_stores(
    settings: Settings, calibration: CheckCalibration = DEFAULT_CHECKS
) -> list[CheckResult]:
    """Check home, disk, PostgreSQL, schema and working memory, starting the embedded servers if need be. Never raises."""
    results = [
        await _guarded("home", lambda: _check_home(settings)),
        await _guarded("disk", lambda: _check_disk(settings, calibration)),
    ]
    try:
        async with _opened(settings, results) as urls:
            await _check_servers(settings, urls, results, calibration)
    except NovabergError as error:
        log.warning("closing the stores after a check: %s", error, exc_info=True)
        results.append(_failed("services", error))
    return results


@asynccontextmanager
async def _opened(settings: Settings, results: list[CheckResult]) -> AsyncIterator[ServiceUrls | None]:
    """The stores, or ``None`` with the reason among the results. An unusable home is told once."""
    if any(result.part == "home" and not result.ok for result in results):
        yield None
        return
    services = open_services(settings)
    try:
        urls = await services.__aenter__()
    except NovabergError as error:
        log.debug("opening the stores for a check", exc_info=True)
        results.append(_failed("services", error))
        yield None
        return
    try:
        yield urls
    finally:
        await services.__aexit__(None, None, None)


async def _check_servers(
    settings: Settings, urls: ServiceUrls | None, results: list[CheckResult], calibration: CheckCalibration
) -> None:
    database = settings.database_url if urls is None else urls.database
    memory = settings.redis_url if urls is None else urls.redis
    if database:
        found = await _guarded("database", lambda: _check_database(settings, database, calibration))
        results.append(found)
        if found.ok:
            results.append(await _guarded("schema", lambda: _check_schema(database)))
    if memory:
        results.append(await _guarded("redis", lambda: _check_redis(settings, memory, calibration)))


async def _guarded(part: str, check: Callable[[], Awaitable[CheckResult]]) -> CheckResult:
    try:
        return await check()
    except NovabergError as error:
        log.debug("check of %s", part, exc_info=True)
        return _failed(part, error)
    except Exception as error:
        log.exception("check of %s", part)
        return CheckResult(
            part, False, f"{type(error).__name__}: {_one_line(error)}", "See the log; please report this."
        )


async def _check_home(settings: Settings) -> CheckResult:
    home = prepare_home(settings.home)
    probe = home.root / "doctor.probe"
    with home_errors(home.root):
        write_whole(probe, "ok\n")
        probe.unlink()
    return CheckResult("home", True, f"{home.root} is writable")


async def _check_disk(settings: Settings, calibration: CheckCalibration) -> CheckResult:
    place = next(folder for folder in (settings.home, *settings.home.parents) if folder.is_dir())
    free = shutil.disk_usage(place).free // 1_000_000
    detail = f"{free} MB free at {place}"
    if free < calibration.free_failure_mb:
        return CheckResult("disk", False, detail, "Free some space; messages cannot be stored safely.")
    return CheckResult(
        "disk", True, detail, "Free some space soon." if free < calibration.free_warning_mb else ""
    )


async def _check_database(settings: Settings, url: str, calibration: CheckCalibration) -> CheckResult:
    remedy = (
        "Correct NOVABERG_DATABASE_URL or start that server."
        if settings.database_url
        else "See the log in the home."
    )
    try:
        connection = await psycopg.AsyncConnection.connect(
            url, autocommit=True, connect_timeout=calibration.connect_timeout_s
        )
    except psycopg.Error as error:
        named = (
            "NOVABERG_DATABASE_URL does not answer" if settings.database_url else "PostgreSQL does not answer"
        )
        return CheckResult("database", False, f"{named}: {_one_line(error)}", remedy)
    async with connection:
        version = connection.info.server_version
        cursor = await connection.execute(
            "SELECT name FROM pg_available_extensions WHERE name = ANY(%s)",
            (list(calibration.extensions),),
        )
        extensions = {str(name) for (name,) in await cursor.fetchall()}
    return _judge_database(version, extensions, calibration)


def _judge_database(version: int, extensions: set[str], calibration: CheckCalibration) -> CheckResult:
    major = version // 10_000
    missing = [name for name in calibration.extensions if name not in extensions]
    detail = f"PostgreSQL {major}.{version % 10_000} answers"
    if major < calibration.postgres_major:
        return CheckResult(
            "database", False, detail, f"Use PostgreSQL {calibration.postgres_major} or newer."
        )
    if missing:
        names = ", ".join(missing)
        return CheckResult(
            "database",
            False,
            f"{detail}, but lacks {names}",
            f"Install these extensions on that server: {names}.",
        )
    return CheckResult("database", True, f"{detail}, with {', '.join(calibration.extensions)}")


async def _check_schema(url: str) -> CheckResult:
    found = await schema.revision(url)
    if found == schema.HEAD:
        return CheckResult("schema", True, f"revision {found}")
    if found is None:
        return CheckResult("schema", True, "empty; the first start creates it")
    if schema.is_known(found):
        return CheckResult("schema", True, f"revision {found}; the next start brings it to {schema.HEAD}")
    return CheckResult(
        "schema", False, f"revision {found} is not known here", "Use the newer Novaberg that wrote it."
    )


async def _check_redis(settings: Settings, url: str, calibration: CheckCalibration) -> CheckResult:
    client = connect_redis(url)
    try:
        info = await client.info()
    except (redis.RedisError, OSError) as error:
        if settings.redis_url:
            detail = f"NOVABERG_REDIS_URL does not answer: {_one_line(error)}"
            return CheckResult("redis", False, detail, "Correct NOVABERG_REDIS_URL or start that server.")
        return CheckResult(
            "redis", False, f"Valkey does not answer: {_one_line(error)}", "See the log in the home."
        )
    finally:
        await client.aclose()
    return _judge_redis(info, calibration)


def _judge_redis(info: dict[str, object], calibration: CheckCalibration) -> CheckResult:
    valkey = info.get("valkey_version")
    name, version = ("Valkey", valkey) if valkey else ("Redis", info.get("redis_version"))
    oldest = calibration.valkey_major if valkey else calibration.redis_major
    detail = f"{name} {version} answers"
    if _major(version) < oldest:
        return CheckResult(
            "redis",
            False,
            detail,
            f"Use Redis {calibration.redis_major} or Valkey {calibration.valkey_major} or newer.",
        )
    if not info.get("aof_enabled"):
        remedy = "Set appendonly yes there, or a restart of that server makes Nova forget the running conversation."
        return CheckResult("redis", True, f"{detail}, without append-only file", remedy)
    return CheckResult("redis", True, f"{detail}, append-only file on")


def _major(version: object) -> int:
    head = str(version).partition(".")[0]
    return int(head) if head.isdigit() else 0


def _failed(part: str, error: NovabergError) -> CheckResult:
    """Messages end with the sentence that says what to do; of a quoted log the last line is kept."""
    lines = [line.strip() for line in error.message.splitlines() if line.strip()]
    if len(lines) > 1:
        return CheckResult(part, False, f"{lines[0]} … {lines[-1]}", "Read that log; it has the cause.")
    detail, _, remedy = lines[0].rpartition(". ")
    return CheckResult(
        part, False, detail or lines[0], remedy if detail else "`novaberg doctor` again after a new start."
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
