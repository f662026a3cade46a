"""Detached server processes. Whether one lives is told by a lock that it inherits, never by a process id.

The lock file of a server is locked before the start and handed to it; the server and its children hold it until
the last of them is gone. Process ids lie after a crash (reused, zombie, another container); this lock does not.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from novaberg.errors import EmbeddedServerError
from novaberg.memory.servers.handover import NOTHING, Handover
from novaberg.memory.servers.locks import lock_within
from novaberg.memory.servers.system_user import ServerUser

LOG_LIMIT = 5_000_000
"""Bytes after which a log is set aside (one old log is kept) at the next start."""

LOG_TAIL = 12
"""Lines of a server's log that an error message quotes."""

_PROBE_PATIENCE_S = 2.0
"""Seconds to wait for a lock that somebody may only be probing."""

_PASSED_ON = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

_DETACH = '"$@" </dev/null >&2 &'
"""The shell ends at once, so the server belongs to init, which collects it; it never becomes our zombie."""


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """The files by which a server is known."""

    alive: Path
    """Locked while the server lives."""
    log: Path
    """Its standard output and error."""


def server_environment() -> dict[str, str]:
    """A small environment: English messages, UTC, none of the client variables of PostgreSQL."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**kept, "LC_ALL": "C", "TZ": "UTC"}


def launch(
    command: Iterable[str | Path],
    files: ServerFiles,
    *,
    folder: Path,
    user: ServerUser | None,
    given: Handover,
) -> int:
    """Start a server in a session of its own, with none of our descriptors but its lock and the given folders.

    Returns:
        Size of the log before the start, for `log_tail`.

    Raises:
        EmbeddedServerError: processes of the server still live, or the program cannot be executed.
    """
    handle = lock_within(files.alive, _PROBE_PATIENCE_S)
    if handle is None:
        raise EmbeddedServerError(
            f"A server is still ending ({files.alive} is locked). Wait a moment and start again."
        )
    arguments = list(map(str, command))
    try:
        with _rotated(files.log).open("ab") as log:
            before = log.tell()
            subprocess.run(
                ["/bin/sh", "-c", _DETACH, "sh", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=folder,
                env=server_environment(),
                umask=0o077,
                start_new_session=True,
                pass_fds=(handle, *given.handles.values()),
                check=True,
                **as_user(user),
            )
    except (OSError, subprocess.CalledProcessError) as error:
        raise EmbeddedServerError(
            f"{arguments[0]} cannot be executed ({error}). Install Novaberg again."
        ) from error
    finally:
        os.close(handle)
    return before


def run_tool(
    command: Iterable[str | Path],
    *,
    folder: Path,
    user: ServerUser | None,
    given: Handover = NOTHING,
    lock: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a short program of the server as its user and collect what it says.

    Args:
        lock: descriptor of a lock that the program holds as long as it lives, also when we die before it.

    Raises:
        EmbeddedServerError: the program cannot be executed.
    """
    arguments = list(map(str, command))
    try:
        return subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=server_environment(),
            umask=0o077,
            pass_fds=(*given.handles.values(), *([] if lock is None else [lock])),
            **as_user(user),
        )
    except OSError as error:
        raise EmbeddedServerError(
            f"{arguments[0]} cannot be executed ({error}). Install Novaberg again."
        ) from error


class RunAs(TypedDict, total=False):
    """Arguments of `subprocess.run` that choose the user."""

    user: int
    group: int
    extra_groups: list[int]


def as_user(user: ServerUser | None) -> RunAs:
    """Arguments of `subprocess.run` that run a command as the server's user."""
    return {} if user is None else {"user": user.uid, "group": user.gid, "extra_groups": []}


def log_tail(log: Path, start: int = 0) -> str:
    """The last lines that were written to a log after byte ``start``."""
    try:
        with log.open("rb") as file:
            file.seek(start)
            lines = file.read().decode("utf-8", errors="replace").splitlines()
    except OSError as error:
        return f"(log {log} cannot be read: {error})"
    return "\n".join(lines[-LOG_TAIL:]) or "(its log is empty)"


def _rotated(log: Path) -> Path:
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".old.log"))
    return log
