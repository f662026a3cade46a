"""File locks that the kernel frees when their holder dies, whatever the manner of death."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from novaberg.errors import EmbeddedServerError

if sys.platform != "win32":  # the embedded servers need a POSIX system; the module must still be importable
    import fcntl

POLL_SECONDS = 0.01
"""Pause between two tries of something that another process will change."""


def try_lock(path: Path, *, probe: bool = False) -> int | None:
    """Lock a file (created if absent) and give its descriptor, or ``None`` while another holds it.

    Args:
        probe: lock it in a way that does not disturb other probes.

    The lock belongs to the open file, not to the process: a child that inherits the descriptor keeps it held.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if probe else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle


def lock_within(path: Path, timeout: float) -> int | None:
    """As `try_lock`, trying for ``timeout`` seconds."""
    end = time.monotonic() + timeout
    while (handle := try_lock(path)) is None:
        if time.monotonic() > end:
            return None
        time.sleep(POLL_SECONDS)
    return handle


def is_held(path: Path) -> bool:
    """Whether some living process holds the lock of this file. An absent file is free."""
    if not path.exists():
        return False
    handle = try_lock(path, probe=True)
    if handle is None:
        return True
    os.close(handle)
    return False


def wait_free(path: Path, timeout: float) -> bool:
    """Wait until nobody holds the lock; ``False`` when ``timeout`` seconds have passed."""
    end = time.monotonic() + timeout
    while is_held(path):
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECONDS)
    return True


@contextmanager
def exclusive(path: Path, timeout: float) -> Iterator[int]:
    """Hold the lock of a file for a while; gives its descriptor.

    Raises:
        EmbeddedServerError: another process held it longer than ``timeout`` seconds.
    """
    handle = lock_within(path, timeout)
    if handle is None:
        raise EmbeddedServerError(
            f"Another process has been starting or stopping the stores of {path.parent} for {timeout:.0f} s. "
            "Wait for it, or end it and start again."
        )
    try:
        yield handle
    finally:
        os.close(handle)
