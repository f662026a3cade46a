"""The connected clients of all persons, and what each of them gets to hear (spec 01 §5.3, 07 §3.4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import JsonValue
from starlette.websockets import WebSocketState

from novaberg.memory.bulletin import BulletinMessage, Subscription
from novaberg.turns.messages import Message

log = logging.getLogger(__name__)

SEND_TIMEOUT_S: Final = 5.0
"""Seconds after which a send counts as slow (spec 01 §5.5 SEND_TIMEOUT). Slow is not dead: it goes on."""
UNNAMED: Final = "unknown"
"""``client_id`` of a client that gave none; such clients never replace each other."""
REPLACED: Final = 4001
"""Close code: the same client connected anew. Do not reconnect."""
BROKEN: Final = 1011
"""Close code: something failed on our side. Reconnect."""


@dataclass(frozen=True, eq=False, slots=True)
class ClientConnection:
    """One connected client.

    Args:
        character_id: the figure it wants to hear; ``""`` = all.
    """

    user_id: str
    client_id: str
    character_id: str
    websocket: WebSocket
    send_timeout_s: float = SEND_TIMEOUT_S
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __str__(self) -> str:
        return f"client {self.client_id!r} of {self.user_id!r} (character {self.character_id or 'any'!r})"

    def wants(self, heard: BulletinMessage) -> bool:
        """Whether this client gets the message: of its figure, and not what it said itself."""
        if self.character_id not in ("", heard.character_id):
            return False
        own = heard.message.get("client_id") == self.client_id and self.client_id != UNNAMED
        return not (own and heard.message.get("typ") == "user_message")

    async def send(self, message: Message) -> None:
        """Send and wait until the network took it, however long; a slow client is noted, not dropped.

        Raises:
            WebSocketDisconnect, RuntimeError, OSError: the connection is gone.
        """
        sending = asyncio.ensure_future(self._send(message))
        try:
            if not (await asyncio.wait({sending}, timeout=self.send_timeout_s))[0]:
                log.warning("%s is slow: %s took over %g s", self, message.get("typ"), self.send_timeout_s)
            await sending
        finally:
            sending.cancel()

    async def _send(self, message: Message) -> None:
        async with self._one_at_a_time:
            await self.websocket.send_json(message)

    async def forward(self, subscription: Subscription) -> None:
        """Pass on what is announced to the person, until the connection breaks. Errors as `send`."""
        async for heard in subscription:
            if self.wants(heard):
                await self.send(heard.message)

    async def answer(self) -> None:
        """Echo what the client sends, until it leaves (spec 01 §5.3)."""
        while True:
            received = await self.websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            await self.send({"typ": "echo", "nachricht": received.get("text") or ""})

    async def close(self, code: int, reason: str) -> None:
        """Close the socket, so that the client notices and can come back. A broken one is left as it is."""
        if self.websocket.application_state is not WebSocketState.CONNECTED:
            return
        try:
            await self.websocket.close(code, reason)
        except (WebSocketDisconnect, RuntimeError, OSError) as error:
            log.debug("%s was closed already: %s", self, error)


class Connections:
    """Which clients are there."""

    def __init__(self) -> None:
        self._named: dict[tuple[str, str], ClientConnection] = {}
        self._count = 0

    async def enter(self, connection: ClientConnection) -> None:
        """A client came. An older connection of the same client is closed: two would get everything twice."""
        self._count += 1
        log.info("%s connected, %d now", connection, self._count)
        if connection.client_id == UNNAMED:
            return
        key = (connection.user_id, connection.client_id)
        older = self._named.get(key)
        self._named[key] = connection
        if older is not None:
            log.info("%s replaces its older connection", connection)
            await older.close(REPLACED, "ersetzt")

    def leave(self, connection: ClientConnection) -> None:
        """A client is gone."""
        self._count -= 1
        log.info("%s left, %d now", connection, self._count)
        key = (connection.user_id, connection.client_id)
        if self._named.get(key) is connection:
            del self._named[key]


def greeting(connection: ClientConnection) -> Message:
    """The first message to a client."""
    fields: Mapping[str, JsonValue] = {
        "typ": "verbindung",
        "nachricht": "verbunden",
        "client_id": connection.client_id,
        "character_id": connection.character_id,
    }
    return dict(fields)
