"""The life of an embedded server, the same for both: adopt or start, wait for a real answer, stop.

The functions block; call them under the lock of the home.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from novaberg.errors import DiskFullError, EmbeddedServerError
from novaberg.memory.servers.handover import Handover, handed_over
from novaberg.memory.servers.locks import POLL_SECONDS, is_held, wait_free
from novaberg.memory.servers.process import ServerFiles, launch, log_tail
from novaberg.memory.servers.system_user import ServerUser

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ControlCalibration:
    """How long a server may take."""

    start_timeout_s: float = 60.0
    """Seconds until a server that starts, recovers or loads must answer."""
    stop_timeout_s: float = 20.0
    """Seconds for a clean stop, which writes everything down; a hard stop afterwards loses nothing either."""
    lost_socket_s: float = 3.0
    """Seconds that a living server may be without its socket file (swept, deleted) before it is restarted."""


DEFAULT_CONTROL = ControlCalibration()


class EmbeddedServer(Protocol):
    """What the control needs to know of a server."""

    @property
    def name(self) -> str:
        """As people know it."""
        ...

    @property
    def url(self) -> str:
        """Where clients connect."""
        ...

    @property
    def socket(self) -> Path:
        """Its socket file."""
        ...

    @property
    def files(self) -> ServerFiles:
        """Its lock and its log."""
        ...

    @property
    def folder(self) -> Path:
        """Its working folder."""
        ...

    @property
    def user(self) -> ServerUser | None:
        """The user under which it runs; ``None`` = ours."""
        ...

    def prepare(self) -> None:
        """Make its data ready and clear what a dead server left; nothing of it lives now."""
        ...

    @property
    def given(self) -> tuple[Path, ...]:
        """The folders that it works in."""
        ...

    def command(self, given: Handover) -> Sequence[str | Path]:
        """Its command line; it reaches its folders as ``given`` says."""
        ...

    def refusal(self) -> str | None:
        """Ask it for real: why it cannot be used yet, or ``None``."""
        ...

    def ask_to_stop(self, *, hard: bool) -> None:
        """Ask it to end: cleanly, or ``hard`` when that took too long (it recovers at its next start)."""
        ...


def is_running(server: EmbeddedServer) -> bool:
    """Whether any process of the server lives."""
    return is_held(server.files.alive)


def is_reachable(server: EmbeddedServer) -> bool:
    """Whether the server lives and has its socket file: a look from outside, in microseconds."""
    return server.socket.exists() and is_running(server)


def ensure_running(server: EmbeddedServer, calibration: ControlCalibration = DEFAULT_CONTROL) -> None:
    """Adopt the running server or start it, and wait until it answers.

    Raises:
        EmbeddedServerError: it does not come up; the message quotes its log.
        DiskFullError: it has no space.
        HomeVersionError: its data belong to another version.
    """
    if is_running(server) and _adopted(server, calibration):
        return
    server.prepare()
    with handed_over(server.given, server.user) as given:
        command = server.command(given)
        start = launch(command, server.files, folder=server.folder, user=server.user, given=given)
    end = time.monotonic() + calibration.start_timeout_s
    while (refusal := server.refusal()) is not None:
        if not is_running(server):
            raise _failure(server, start, "it ended at once")
        if time.monotonic() > end:
            raise _failure(server, start, f"no answer within {calibration.start_timeout_s:.0f} s ({refusal})")
        time.sleep(POLL_SECONDS)


def stop(server: EmbeddedServer, calibration: ControlCalibration = DEFAULT_CONTROL) -> None:
    """Stop the server and wait until all of its processes are gone. Nothing happens when it does not run.

    Raises:
        EmbeddedServerError: it cannot be stopped.
    """
    for hard in (False, True):
        if not is_running(server):
            return
        if hard:
            log.warning("%s did not stop within %.0f s; ending it", server.name, calibration.stop_timeout_s)
        server.ask_to_stop(hard=hard)
        if wait_free(server.files.alive, calibration.stop_timeout_s):
            return
    raise EmbeddedServerError(
        f"The embedded {server.name} could not be stopped; see its log {server.files.log}."
    )


def _adopted(server: EmbeddedServer, calibration: ControlCalibration) -> bool:
    """Wait for a living server: ``True`` = it answers, ``False`` = it is gone and a new one may start."""
    end = time.monotonic() + calibration.start_timeout_s
    seen = time.monotonic()
    while (refusal := server.refusal()) is not None:
        now = time.monotonic()
        if not is_running(server):
            return False
        if now > end:
            raise _failure(server, 0, f"it runs but does not answer ({refusal})")
        if server.socket.exists():
            seen = now
        if now - seen > calibration.lost_socket_s:
            log.warning("%s runs without its socket; restarting it", server.name)
            stop(server, calibration)
            return False
        time.sleep(POLL_SECONDS)
    return True


def _failure(server: EmbeddedServer, start: int, cause: str) -> EmbeddedServerError | DiskFullError:
    tail = log_tail(server.files.log, start)
    if "No space left on device" in tail:
        return DiskFullError(
            f"{server.name} cannot start: the disk is full. Free some space and try again; nothing was lost."
        )
    return EmbeddedServerError(
        f"The embedded {server.name} did not start: {cause}. Its log {server.files.log} ends with:\n{tail}"
    )
