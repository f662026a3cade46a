"""The socket on which the server listens."""

from __future__ import annotations

import socket

import pytest

from novaberg.errors import PortUnavailableError
from novaberg.server.listening import bind, listen, url_of


def test_a_taken_port_is_told_before_anything_is_started() -> None:
    """Brief: one clear message with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortUnavailableError, match=f"port {port}: .*--port"):
            bind("127.0.0.1", port)


def test_the_address_answers_nobody_before_it_listens() -> None:
    """Brief: the home is open before anybody is heard."""
    with bind("localhost", 0) as taken:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(taken.getsockname(), timeout=1)
        listen(taken)
        socket.create_connection(taken.getsockname(), timeout=1).close()
        assert url_of(taken) == f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("host", ["256.1.1.1", "no-such-name.invalid", "203.0.113.7"])
def test_an_address_that_is_not_ours_is_refused(host: str) -> None:
    """Brief: a clear message."""
    with pytest.raises(PortUnavailableError, match=host):
        bind(host, 0)


def test_two_servers_cannot_share_a_port() -> None:
    """The second one is refused when it wants to listen, at the latest."""
    with bind("127.0.0.1", 0) as first:
        listen(first)
        with pytest.raises(PortUnavailableError):
            bind("127.0.0.1", first.getsockname()[1])
