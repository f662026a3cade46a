"""``WS /ws/{user_id}`` (spec 01 §5.3, 07 §3.4)."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from fastapi import WebSocketDisconnect
from starlette.testclient import TestClient
from starlette.websockets import WebSocketState

from novaberg.errors import RedisUnavailableError
from novaberg.memory.bulletin import BulletinMessage, Subscription
from novaberg.server.app import create_app
from novaberg.server.connections import BROKEN, REPLACED, UNNAMED, ClientConnection, Connections
from tests.support.program import StubProgram


class StubSocket:
    """Records what is sent; may be slow or broken."""

    def __init__(self, *, delay: float = 0.0, broken: bool = False) -> None:
        self.sent: list[Any] = []
        self.closed: tuple[int, str] | None = None
        self.delay = delay
        self.broken = broken
        self.application_state = self.client_state = WebSocketState.CONNECTED

    async def send_json(self, message: Any) -> None:
        if self.broken:
            raise WebSocketDisconnect(1006)
        await asyncio.sleep(self.delay)
        self.sent.append(message)

    async def close(self, code: int, reason: str) -> None:
        self.application_state = WebSocketState.DISCONNECTED
        self.closed = (code, reason)


def _connection(
    socket: StubSocket, *, client_id: str = "tab", character_id: str = "", timeout: float = 5.0
) -> ClientConnection:
    return ClientConnection("meister", client_id, character_id, socket, timeout)  # type: ignore[arg-type]


def _heard(character_id: str = "nova", **message: Any) -> BulletinMessage:
    return BulletinMessage(character_id, message)


@pytest.mark.parametrize(
    ("wanted", "heard", "gets"), [("", "nova", True), ("nova", "nova", True), ("iris", "nova", False)]
)
def test_a_client_hears_its_figure(wanted: str, heard: str, gets: bool) -> None:
    """Spec 01 §5.3: to clients with empty or equal ``character_id``."""
    connection = _connection(StubSocket(), character_id=wanted)
    assert connection.wants(_heard(heard, typ="character_response")) is gets


def test_nobody_hears_what_it_said_itself() -> None:
    """Spec 07 §7: echoed to the other clients, never to the sender; everything else comes to all."""
    connection = _connection(StubSocket(), client_id="tab-1")
    assert not connection.wants(_heard(typ="user_message", client_id="tab-1"))
    assert connection.wants(_heard(typ="user_message", client_id="tab-2"))
    assert connection.wants(_heard(typ="user_message", client_id=""))
    assert connection.wants(_heard(typ="character_response", client_id="tab-1"))
    unnamed = _connection(StubSocket(), client_id=UNNAMED)
    assert unnamed.wants(_heard(typ="user_message", client_id=UNNAMED))


async def test_a_slow_client_is_noted_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 01 §3.8: a send timeout is not a connection failure; the message arrives."""
    socket = StubSocket(delay=0.05)
    with caplog.at_level(logging.WARNING):
        await _connection(socket, timeout=0.01).send({"typ": "character_response"})
    assert socket.sent == [{"typ": "character_response"}]
    assert "is slow" in caplog.text
    assert socket.closed is None


async def test_a_broken_client_ends_its_forwarding() -> None:
    """Spec 01 §3.8: a real exception ends the connection."""
    subscription = Subscription(4)
    subscription.put(_heard(typ="turn_complete"))
    with pytest.raises(WebSocketDisconnect):
        await _connection(StubSocket(broken=True)).forward(subscription)


async def test_a_new_connection_of_a_client_replaces_the_old_one() -> None:
    """Spec 07 §3.4 [fix]; the old one is told not to come back."""
    connections = Connections()
    old, new = StubSocket(), StubSocket()
    first, second = _connection(old), _connection(new)
    await connections.enter(first)
    await connections.enter(second)
    assert old.closed == (REPLACED, "ersetzt")
    assert new.closed is None
    connections.leave(first)  # the old one leaves late and must not take the new one's place away
    third = StubSocket()
    await connections.enter(_connection(third))
    assert new.closed == (REPLACED, "ersetzt")


async def test_clients_without_a_name_and_other_persons_are_left_alone() -> None:
    """Two unnamed clients are not the same one, nor are equal names of two persons."""
    connections = Connections()
    sockets = [StubSocket() for _ in range(4)]
    await connections.enter(_connection(sockets[0], client_id=UNNAMED))
    await connections.enter(_connection(sockets[1], client_id=UNNAMED))
    await connections.enter(ClientConnection("anna", "tab", "", sockets[2]))  # type: ignore[arg-type]
    await connections.enter(_connection(sockets[3]))
    assert [socket.closed for socket in sockets] == [None] * 4


def test_a_client_is_greeted_told_and_answered() -> None:
    """Spec 01 §5.3: ``verbindung``, ``echo`` on any message, and what is announced."""
    program = StubProgram()
    headers = {"Host": "127.0.0.1:8642"}
    with (
        TestClient(create_app(program, page=False)) as client,
        client.websocket_connect("/ws/meister?client_id=tab&character_id=nova", headers=headers) as socket,
    ):
        assert socket.receive_json() == {
            "typ": "verbindung",
            "nachricht": "verbunden",
            "client_id": "tab",
            "character_id": "nova",
        }
        socket.send_text("da?")
        assert socket.receive_json() == {"typ": "echo", "nachricht": "da?"}
        socket.send_bytes(b"\xff")
        assert socket.receive_json() == {"typ": "echo", "nachricht": ""}
        assert client.portal is not None
        client.portal.call(program.announce, {"typ": "character_stage", "node": "perzeption"})
        assert socket.receive_json()["node"] == "perzeption"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/ws/meister", {}, 401),
        ("/ws/meister", {"Authorization": "Bearer falsch"}, 401),
        ("/ws/meister?token=geheim", {}, 401),
        ("/ws/meister", {"Authorization": "Bearer geheim", "Origin": "http://evil.example"}, 403),
        ("/ws/a:b", {"Authorization": "Bearer geheim"}, 400),
        ("/nirgends", {"Authorization": "Bearer geheim"}, None),
    ],
)
def test_the_live_channel_is_behind_the_gate(path: str, headers: dict[str, str], status: int | None) -> None:
    """I3, I4: WebSocket included."""
    with TestClient(create_app(StubProgram(token="geheim"), page=False)) as client:
        with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(path, headers=headers):
            pass
        if status is not None:
            assert refused.value.status_code == status  # type: ignore[attr-defined]


def test_without_the_channel_a_client_is_told_to_come_back() -> None:
    """P5: an outage is visible, not a silent connection that hears nothing."""
    program = StubProgram()
    program.fails_with = RedisUnavailableError()
    headers = {"Host": "localhost"}
    with TestClient(create_app(program, page=False)) as client:
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect("/ws/meister", headers=headers),
        ):
            pass
        assert refused.value.status_code == 503  # type: ignore[attr-defined]


def test_after_a_loss_a_client_is_sent_to_fetch_what_it_missed() -> None:
    """Design §3: what pub/sub lost is read from the answers table, on reconnect."""
    program = StubProgram()
    with (
        TestClient(create_app(program, page=False)) as client,
        client.websocket_connect("/ws/meister", headers={"Host": "localhost"}) as socket,
    ):
        assert socket.receive_json()["typ"] == "verbindung"
        assert client.portal is not None
        assert program.on_gap is not None
        client.portal.call(program.on_gap)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == BROKEN
