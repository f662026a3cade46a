"""The folder in which everything is kept (NOVABERG_HOME): its layout, its version mark, who may enter it."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import novaberg
from novaberg.errors import DiskFullError, HomeUnusableError, HomeVersionError

HOME_FORMAT = 1
"""Version of the folder layout and of both data folders together; another number is another kind of home."""

PARTS = ("postgres", "valkey")
"""The embedded servers."""

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers of a full disk or quota."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where each thing lies below NOVABERG_HOME."""

    root: Path

    @property
    def mark(self) -> Path:
        """The version mark; written before anything else."""
        return self.root / "novaberg.json"

    @property
    def postgres(self) -> Path:
        """Data folder of the embedded PostgreSQL."""
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        """Data folder of the embedded Valkey."""
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        """Logs of the embedded servers."""
        return self.root / "logs"

    @property
    def leases(self) -> Path:
        """One locked file for each process that uses the embedded servers."""
        return self.root / "leases"

    @property
    def run(self) -> Path:
        """Folder of the sockets, or a link to it when sockets cannot live in the home."""
        return self.root / "run"

    @property
    def lock(self) -> Path:
        """Held by whoever starts or stops the embedded servers."""
        return self.root / "services.lock"

    @property
    def keep(self) -> Path:
        """Present = the embedded servers stay when the last process leaves."""
        return self.root / "services.keep"

    def alive(self, part: str) -> Path:
        """Locked while the embedded server ``part`` lives."""
        return self.root / f"{part}.alive"


def prepare_home(root: Path) -> Home:
    """Create the home if need be and check that this program may use it.

    Nothing is left half written: the version mark comes first and appears in one piece.

    Raises:
        HomeVersionError: the home has another format, or data without a mark.
        HomeUnusableError: it cannot be created or written.
        DiskFullError: there is no space for it.
    """
    home = Home(root)
    with home_errors(root):
        if not root.is_dir():
            root.mkdir(parents=True, exist_ok=True)
            root.chmod(0o700)
        _check_mark(home)
        for folder in (home.logs, home.leases):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)
    return home


@contextmanager
def home_errors(path: Path) -> Iterator[None]:
    """Translate what goes wrong while writing below the home.

    Raises:
        DiskFullError: no space or quota left.
        HomeUnusableError: any other failure of the file system.
    """
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DiskFullError(
                f"The disk of {path} is full. Free some space and start again; nothing was lost."
            ) from error
        raise HomeUnusableError(
            f"NOVABERG_HOME {path} cannot be used ({error.strerror or error}: {error.filename or path}). "
            "Choose another folder or change its owner."
        ) from error


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """Replace a small file in one step, synced: readers see the old text or the new one, never a part."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def closed_parent(path: Path) -> Path | None:
    """The topmost folder above ``path`` that other users may not enter, or ``None``."""
    closed = [folder for folder in path.parents if not folder.stat().st_mode & stat.S_IXOTH]
    return closed[-1] if closed else None


def _check_mark(home: Home) -> None:
    current = {"format": HOME_FORMAT, "program": novaberg.__version__}
    try:
        text = home.mark.read_text(encoding="utf-8")
    except FileNotFoundError:
        _refuse_data_without_mark(home)
        write_whole(home.mark, json.dumps(current) + "\n")
        return
    found = _read_mark(home, text)
    if found["format"] != HOME_FORMAT:
        raise HomeVersionError(
            f"{home.root} was written by Novaberg {found.get('program', '(unknown)')} "
            f"in home format {found['format']}; this is {novaberg.__version__} with format {HOME_FORMAT}. "
            "Use that version, or another NOVABERG_HOME."
        )
    if found != current:
        write_whole(home.mark, json.dumps(current) + "\n")


def _read_mark(home: Home, text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "format" not in found:
        raise HomeVersionError(
            f"{home.mark} is not a version mark of Novaberg. Restore it, or choose another NOVABERG_HOME."
        )
    return found


def _refuse_data_without_mark(home: Home) -> None:
    for folder in (home.postgres, home.valkey):
        if folder.exists():
            raise HomeVersionError(
                f"{folder} exists, but {home.mark} is missing, so its version is unknown. "
                "Restore that file, or choose another NOVABERG_HOME."
            )
