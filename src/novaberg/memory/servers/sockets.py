"""The folder of the sockets. Its path must be short: a Unix socket address ends at about 100 bytes.

The home itself is best, because nobody cleans it: a temporary folder may be swept, XDG_RUNTIME_DIR vanishes at
logout while a server may live on. Only a home that cannot hold sockets (long path, unusual file system) gets a folder
of its own below the temporary folder; ``run`` in the home is then a link to it, so every process finds the same one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from novaberg.errors import HomeUnusableError
from novaberg.memory.home import FULL, PARTS, Home
from novaberg.memory.servers.locks import is_held
from novaberg.memory.servers.system_user import ServerUser

_PROBE = ".s.PGSQL.probe"
"""As long as the longest socket name that is used."""


def socket_folder(home: Home, user: ServerUser | None) -> Path:
    """The folder of the sockets, created if need be, open to this user and the server's user only.

    Call it under the lock of the home.

    Raises:
        HomeUnusableError: no folder can hold sockets.
        OSError: no space.
    """
    linked = _linked_folder(home)
    if linked is not None and _private(linked, user):
        return linked
    if not home.run.is_symlink():
        restore_socket_folder(home.run, user)
        if _in_use(home) or _can_hold_sockets(home.run):
            return home.run
        shutil.rmtree(home.run)
    return _link_temporary_folder(home, user)


def restore_socket_folder(folder: Path, user: ServerUser | None) -> None:
    """Create a folder of sockets, or create it again at the same place when somebody swept it away.

    Raises:
        HomeUnusableError: a folder of somebody else stands there now.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if folder.stat().st_uid not in _owners(user):
            raise HomeUnusableError(
                f"{folder} belongs to somebody else. Remove it and start again."
            ) from None
    if user is not None:
        os.chown(folder, user.uid, user.gid)
    folder.chmod(0o700)


def remove_socket_folder(home: Home) -> None:
    """Leave nothing behind outside the home once both servers are stopped."""
    folder = _linked_folder(home)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)  # nothing of value; what is foreign stays
        home.run.unlink(missing_ok=True)


def _in_use(home: Home) -> bool:
    return any(is_held(home.alive(part)) for part in PARTS)


def _prefix(home: Home) -> str:
    """A copied home carries the link of its original: the name tells whose folder it is."""
    return f"novaberg-{hashlib.sha256(os.fsencode(home.root.resolve())).hexdigest()[:10]}-"


def _linked_folder(home: Home) -> Path | None:
    if not home.run.is_symlink():
        return None
    folder = home.run.readlink()
    if folder.name.startswith(_prefix(home)) and folder.is_dir() and not folder.is_symlink():
        return folder
    return None


def _link_temporary_folder(home: Home, user: ServerUser | None) -> Path:
    for base in dict.fromkeys((Path(tempfile.gettempdir()), Path("/tmp"))):  # mkdtemp is safe there
        with suppress(OSError):
            folder = Path(tempfile.mkdtemp(prefix=_prefix(home), dir=base))
            if _can_hold_sockets(folder):
                home.run.unlink(missing_ok=True)
                home.run.symlink_to(folder)
                restore_socket_folder(folder, user)
                return folder
            folder.rmdir()
    raise HomeUnusableError(
        f"Neither {home.root} nor the temporary folder can hold Unix sockets. "
        "Choose a NOVABERG_HOME with a shorter path on a local disk, or set TMPDIR."
    )


def _private(folder: Path, user: ServerUser | None) -> bool:
    """After a restart of the machine anybody may have made a folder of that name in the temporary folder."""
    found = folder.stat()
    return found.st_uid in _owners(user) and not stat.S_IMODE(found.st_mode) & 0o077


def _owners(user: ServerUser | None) -> set[int]:
    return {os.geteuid()} if user is None else {os.geteuid(), user.uid}


def _can_hold_sockets(folder: Path) -> bool:
    probe = folder / _PROBE
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        try:
            probe.unlink(missing_ok=True)
            trial.bind(str(probe))
        except OSError as error:
            if error.errno in FULL:  # tells nothing about the folder
                raise
            return False
    probe.unlink()
    return True
