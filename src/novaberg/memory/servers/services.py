"""Opening and closing the stores of a process: embedded servers on demand, or those that the settings name."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from novaberg.errors import EmbeddedServerError, ServicesInUseError
from novaberg.memory.home import Home, home_errors, prepare_home
from novaberg.memory.servers import control
from novaberg.memory.servers.binaries import postgres_programs, valkey_program
from novaberg.memory.servers.control import EmbeddedServer
from novaberg.memory.servers.leases import Lease, holders, release_lease, take_lease
from novaberg.memory.servers.locks import exclusive, is_held
from novaberg.memory.servers.postgres import Postgres
from novaberg.memory.servers.sockets import remove_socket_folder, socket_folder
from novaberg.memory.servers.system_user import ServerUser, open_home, server_user
from novaberg.memory.servers.valkey import Valkey
from novaberg.settings import Settings

log = logging.getLogger(__name__)

LOCK_TIMEOUT_S = 180.0
"""Seconds that another process may spend starting or stopping the servers; its own limits are 60 s each."""

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

    Servers that other processes use are shared; servers left behind by a killed process are adopted.

    Raises:
        HomeVersionError, HomeUnusableError, DiskFullError: the home cannot be used.
        MissingServerWheelError: no embedded server exists for this platform.
        EmbeddedServerError: a server does not start; the message quotes its log.
    """
    visit = _Visit(settings)
    try:
        yield await _to_the_end(visit.enter)
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
    if not Home(settings.home).mark.exists():
        return False
    return await _to_the_end(lambda: _stop(settings, force=force))


class _Visit:
    """One use of the servers by this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lease: Lease | None = None

    def enter(self) -> ServiceUrls:
        parts = _embedded_parts(self._settings)
        if not parts:
            return _urls(self._settings, {})
        home = prepare_home(self._settings.home)
        with _locked(home):
            lease = take_lease(home.leases)
            try:
                servers = _servers(home, parts)
                if not any(map(control.is_running, servers.values())):
                    home.keep.unlink(missing_ok=True)
                _each(servers.values(), control.ensure_running)
            except BaseException:
                release_lease(lease)
                _stop_if_unused(home)
                raise
            self._lease = lease
        return _urls(self._settings, servers)

    def leave(self) -> None:
        if self._lease is None:
            return
        home = Home(self._settings.home)
        with _locked(home):
            release_lease(self._lease)
            self._lease = None
            _stop_if_unused(home)


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
        return _stop_running(home)


def _stop_if_unused(home: Home) -> None:
    if not home.keep.exists() and not holders(home.leases):
        _stop_running(home)


def _stop_running(home: Home) -> bool:
    """Stop what runs in this home, also what these settings would not start."""
    running = [part for part in _BUILDERS if is_held(home.alive(part))]
    if running:
        _each(_servers(home, running).values(), control.stop)
    remove_socket_folder(home)
    return bool(running)


def _build_postgres(home: Home, sockets: Path, user: ServerUser | None) -> EmbeddedServer:
    return Postgres(home, postgres_programs(home, user), sockets, user)


def _build_valkey(home: Home, sockets: Path, user: ServerUser | None) -> EmbeddedServer:
    return Valkey(home, valkey_program(), sockets, user)


_BUILDERS = {"postgres": _build_postgres, "valkey": _build_valkey}


def _embedded_parts(settings: Settings) -> list[str]:
    """The stores for which the settings name no server."""
    named = {"postgres": settings.database_url, "valkey": settings.redis_url}
    return [part for part, url in named.items() if not url]


def _servers(home: Home, parts: Iterable[str]) -> dict[str, EmbeddedServer]:
    user = server_user()
    with home_errors(home.root):
        open_home(home.root, user)
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
    with ThreadPoolExecutor(max_workers=len(_BUILDERS)) as pool:
        for outcome in [pool.submit(work, server) for server in servers]:
            outcome.result()


@contextmanager
def _locked(home: Home) -> Iterator[None]:
    try:
        with exclusive(home.lock, LOCK_TIMEOUT_S):
            yield
    except TimeoutError as error:
        raise EmbeddedServerError(
            f"Another process has been starting or stopping the stores for {LOCK_TIMEOUT_S:.0f} s. "
            "`novaberg doctor` shows more."
        ) from error


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
