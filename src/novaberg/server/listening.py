"""The socket on which the server listens."""

from __future__ import annotations

import os
import socket
from typing import Final

from novaberg.errors import PortUnavailableError

BACKLOG: Final = 128
"""Connections that may wait to be accepted."""


def bind(host: str, port: int) -> socket.socket:
    """Take the address without listening yet: an address that is not to be had is told before anything is started.

    Args:
        host: address or name; ``localhost`` means 127.0.0.1.
        port: 0 = any free one.

    Raises:
        PortUnavailableError: the address is in use, not ours, or needs rights that we do not have.
    """
    name = "127.0.0.1" if host.lower() == "localhost" else host.strip("[]")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            name or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        taken = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _unavailable(host, port, error) from error
    try:
        if os.name == "posix":
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
    except OSError as error:
        taken.close()
        raise _unavailable(host, port, error) from error
    return taken


def listen(taken: socket.socket) -> None:
    """Begin to listen.

    Raises:
        PortUnavailableError: another process was quicker.
    """
    try:
        taken.listen(BACKLOG)
    except OSError as error:
        host, port = taken.getsockname()[:2]
        raise _unavailable(host, port, error) from error


def url_of(taken: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _unavailable(host: str, port: int, error: OSError) -> PortUnavailableError:
    return PortUnavailableError(
        f"Cannot listen at {host}, port {port}: {error.strerror or error}. "
        "Another server may run there; choose another address with --host and --port."
    )
