"""Who uses the embedded servers: one locked file for each user, freed by the kernel when its process dies."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from novaberg.memory.servers.locks import is_held, try_lock


@dataclass(frozen=True, slots=True)
class Lease:
    """A held lease. Take and release leases only under the lock of the home."""

    path: Path
    handle: int

    @property
    def valid(self) -> bool:
        """``False`` once the servers were stopped by force although this process uses them."""
        return self.path.exists()


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that uses the servers."""

    pid: int
    program: str

    def __str__(self) -> str:
        return f"{self.program} (process {self.pid})"


def take_lease(folder: Path) -> Lease:
    """Register this process as a user of the servers."""
    number, name = tempfile.mkstemp(prefix=f"{os.getpid()}-", suffix=".lease", dir=folder)
    os.close(number)
    path = Path(name)
    path.write_text(json.dumps({"pid": os.getpid(), "program": _program()}), encoding="utf-8")
    handle = try_lock(path)
    if handle is None:
        raise OSError(f"a new lease is locked already: {path}")
    return Lease(path, handle)


def release_lease(lease: Lease) -> None:
    """Leave; the file goes with the lock."""
    lease.path.unlink(missing_ok=True)
    os.close(lease.handle)


def holders(folder: Path) -> list[Holder]:
    """The living users; leases of dead processes are removed on the way."""
    found = []
    for path in sorted(folder.glob("*.lease")):
        if is_held(path):
            found.append(_read_holder(path))
        else:
            path.unlink(missing_ok=True)
    return found


def revoke_leases(folder: Path) -> None:
    """Make all leases invalid; their processes keep running but no longer count as users."""
    for path in folder.glob("*.lease"):
        path.unlink(missing_ok=True)


def _program() -> str:
    """Name and first word of the command line; later words may be private text."""
    return " ".join([Path(sys.argv[0]).name or "python", *sys.argv[1:2]])


def _read_holder(path: Path) -> Holder:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Holder(int(content["pid"]), str(content["program"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(int(path.name.partition("-")[0]), "a program")
