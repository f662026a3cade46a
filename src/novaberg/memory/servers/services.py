"""Opening and closing the stores of a process: embedded servers on demand, or those that the settings name."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from novaberg.errors import MissingServerWheelError, NovabergError, ServicesInUseError
from novaberg.memory.home import PARTS, Home, home_errors, prepare_home
from novaberg.memory.servers import control
from novaberg.memory.servers.binaries import postgres_programs, valkey_program
from novaberg.memory.servers.control import EmbeddedServer
from novaberg.memory.servers.leases import Lease, holders, release_lease, revoke_leases, take_lease
from novaberg.memory.servers.locks import exclusive, is_held
from novaberg.memory.servers.postgres import Postgres
from novaberg.memory.servers.sockets import remove_socket_folder, socket_folder
from novaberg.memory.servers.system_user import ServerUser, server_user
from novaberg.memory.servers.valkey import Valkey
from novaberg.settings import Settings

log = logging.getLogger(__name__)

LOCK_TIMEOUT_S = 180.0
"""Seconds that another process may spend starting or stopping the servers; its own limits are 60 s each."""

WATCH_S = 1.0
"""Seconds between two looks at the locks of the servers (microseconds each)."""

REVIVAL_PAUSE_S = 10.0
"""Seconds between two tries to start a dead server that does not come up."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServiceUrls:
    """Where the stores are."""

    database: str
    """``postgresql://…``"""
    redis: str
    """``unix://…`` or ``redis://…``"""
    database_embedded: bool
    redis_embedded: bool


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[ServiceUrls]:
    """The stores of this process: running while the context is open, stopped when the last process leaves.

    Servers that other processes use are shared; servers left behind by a killed process are adopted; a server that dies
    while it is used is started again within seconds (pools reconnect by themselves).

    Raises:
        HomeVersionError, HomeUnusableError, DiskFullError: the home cannot be used.
        MissingServerWheelError: no embedded server exists for this platform.
        EmbeddedServerError: a server does not start; the message quotes its log.
    """
    visit = _Visit(settings)
    try:
        urls = await _to_the_end(visit.enter)
        watch = asyncio.create_task(visit.watch(), name="watch over the embedded servers")
        try:
            yield urls
        finally:
            watch.cancel()
            await asyncio.wait([watch])
    finally:
        await _to_the_end(visit.leave)


async def start_services(settings: Settings) -> ServiceUrls:
    """Start the embedded servers and let them run until `stop_services`, whoever comes and goes.

    A machine that was switched off ends that too. Errors as `open_services`.
    """
    return await _to_the_end(lambda: _start_and_keep(settings))


async def stop_services(settings: Settings, *, force: bool = False) -> bool:
    """Stop the embedded servers of the home.

    Args:
        force: also while other processes use them.

    Returns:
        Whether any was running.

    Raises:
        ServicesInUseError: other processes use them; the message says which.
        EmbeddedServerError: a server cannot be stopped.
    """
    if sys.platform == "win32" or not Home(settings.home).mark.exists():
        return False
    return await _to_the_end(lambda: _stop(settings, force=force))


class _Visit:
    """One use of the servers by this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._home = Home(settings.home)
        self._servers: dict[str, EmbeddedServer] = {}
        self._lease: Lease | None = None

    def enter(self) -> ServiceUrls:
        parts = _embedded_parts(self._settings)
        if parts:
            prepare_home(self._settings.home)
            with _locked(self._home):
                self._take_part(parts)
        return _urls(self._settings, self._servers)

    def _take_part(self, parts: Iterable[str]) -> None:
        lease = take_lease(self._home.leases)
        try:
            self._servers = _servers(self._home, parts)
            if not any(map(control.is_running, self._servers.values())):
                self._home.keep.unlink(missing_ok=True)
            _each(self._servers.values(), control.ensure_running)
        except BaseException:
            release_lease(lease)
            _stop_if_unused(self._home)
            raise
        self._lease = lease

    async def watch(self) -> None:
        """Start a server again that died or lost its socket while it is used; a stop by force is respected."""
        while self._lease is not None and self._lease.valid:
            await asyncio.sleep(WATCH_S)
            try:
                if not all(map(control.is_reachable, self._servers.values())):
                    await _to_the_end(self._revive)
            except (NovabergError, OSError):
                log.exception("a dead server could not be started again; trying on")
                await asyncio.sleep(REVIVAL_PAUSE_S)

    def _revive(self) -> None:
        with _locked(self._home):
            if self._lease is None or not self._lease.valid:
                return
            for server in self._servers.values():
                if not control.is_reachable(server):
                    log.warning("%s died or lost its socket; bringing it back", server.name)
                    control.ensure_running(server)

    def leave(self) -> None:
        if self._lease is None:
            return
        with _locked(self._home):
            release_lease(self._lease)
            self._lease = None
            _stop_if_unused(self._home)


def _start_and_keep(settings: Settings) -> ServiceUrls:
    parts = _embedded_parts(settings)
    if not parts:
        return _urls(settings, {})
    home = prepare_home(settings.home)
    with _locked(home):
        servers = _servers(home, parts)
        _each(servers.values(), control.ensure_running)
        home.keep.touch(mode=0o600)
    return _urls(settings, servers)


def _stop(settings: Settings, *, force: bool) -> bool:
    home = prepare_home(settings.home)
    with _locked(home):
        users = holders(home.leases)
        if users and not force:
            names = ", ".join(map(str, users))
            raise ServicesInUseError(
                f"The stores are in use by {names}. End them first, or stop with --force."
            )
        home.keep.unlink(missing_ok=True)
        revoke_leases(home.leases)
        return _stop_running(home)


def _stop_if_unused(home: Home) -> None:
    if not home.keep.exists() and not holders(home.leases):
        _stop_running(home)


def _stop_running(home: Home) -> bool:
    """Stop what runs in this home, also what these settings would not start."""
    running = [part for part in PARTS if is_held(home.alive(part))]
    if running:
        _each(_servers(home, running).values(), control.stop)
    remove_socket_folder(home)
    return bool(running)


def _build_postgres(home: Home, sockets: Path, user: ServerUser | None) -> EmbeddedServer:
    return Postgres(home, postgres_programs(user), sockets, user)


def _build_valkey(home: Home, sockets: Path, user: ServerUser | None) -> EmbeddedServer:
    return Valkey(home, valkey_program(user), sockets, user)


_BUILDERS = {"postgres": _build_postgres, "valkey": _build_valkey}


def _embedded_parts(settings: Settings) -> list[str]:
    """The stores for which the settings name no server."""
    named = {"postgres": settings.database_url, "valkey": settings.redis_url}
    parts = [part for part, url in named.items() if not url]
    if parts and sys.platform == "win32":
        raise MissingServerWheelError(
            "The embedded stores need Linux or macOS (WSL will do). "
            "Set NOVABERG_DATABASE_URL and NOVABERG_REDIS_URL to servers of your own."
        )
    return parts


def _servers(home: Home, parts: Iterable[str]) -> dict[str, EmbeddedServer]:
    user = server_user()
    sockets = socket_folder(home, user)
    return {part: _BUILDERS[part](home, sockets, user) for part in parts}


def _urls(settings: Settings, servers: Mapping[str, EmbeddedServer]) -> ServiceUrls:
    return ServiceUrls(
        database=settings.database_url or servers["postgres"].url,
        redis=settings.redis_url or servers["valkey"].url,
        database_embedded=not settings.database_url,
        redis_embedded=not settings.redis_url,
    )


def _each(servers: Iterable[EmbeddedServer], work: Callable[[EmbeddedServer], None]) -> None:
    """Do the same with all servers at once; the first error is raised when all are done."""
    with ThreadPoolExecutor(max_workers=len(PARTS)) as pool:
        for outcome in [pool.submit(work, server) for server in servers]:
            outcome.result()


@contextmanager
def _locked(home: Home) -> Iterator[None]:
    with home_errors(home.root), exclusive(home.lock, LOCK_TIMEOUT_S):
        yield


async def _to_the_end(work: Callable[[], T]) -> T:
    """Run blocking work in a thread; a cancelled caller waits for its end, so nothing stays half started."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled() and task.exception() is not None:
            log.error("while being cancelled: %s", task.exception())
        raise
