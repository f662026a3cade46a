"""Folders that a server uses without being able to reach them by name.

As root the servers run as a system user, and the folders above the home may be closed to it. Instead of opening private
folders the starter opens the needed ones itself and hands over the descriptors; the server finds them as
``/proc/self/fd/N``. That exists on Linux only; elsewhere the way must be open.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from novaberg.errors import HomeUnusableError
from novaberg.memory.home import closed_parent
from novaberg.memory.servers.system_user import SYSTEM_USER, ServerUser

_DESCRIPTORS = Path("/proc/self/fd")


@dataclass(frozen=True, slots=True)
class Handover:
    """Open folders, by their real paths."""

    handles: Mapping[Path, int]

    def path(self, folder: Path) -> Path:
        """How the server reaches the folder."""
        handle = self.handles.get(folder)
        return folder if handle is None else _DESCRIPTORS / str(handle)


NOTHING = Handover({})


@contextmanager
def handed_over(folders: Iterable[Path], user: ServerUser | None) -> Iterator[Handover]:
    """Open folders for a server that is about to start; they are closed here afterwards, the server keeps its own.

    Raises:
        HomeUnusableError: descriptors cannot be handed over on this system, and a folder above is closed.
    """
    if user is None:
        yield NOTHING
        return
    if not _DESCRIPTORS.is_dir():
        for folder in folders:
            _demand_open_way(folder)
        yield NOTHING
        return
    with ExitStack() as stack:
        handles = {}
        for folder in folders:
            handles[folder] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, handles[folder])
        yield Handover(handles)


def _demand_open_way(folder: Path) -> None:
    closed = closed_parent(folder)
    if closed is not None:
        raise HomeUnusableError(
            f"As root the stores run as the user {SYSTEM_USER}, which may not enter {closed}. "
            "Choose another NOVABERG_HOME, or run Novaberg as a normal user."
        )
