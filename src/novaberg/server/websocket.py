"""``WS /ws/{user_id}``: everything that happens in a person's conversation, live (spec 01 §5.3)."""

from __future__ import annotations

import asyncio
import logging

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from novaberg.errors import NovabergError
from novaberg.memory.bulletin import Subscription
from novaberg.server.connections import BROKEN, UNNAMED, ClientConnection, Connections, greeting
from novaberg.server.problems import problem_of
from novaberg.turns.intake import MAX_CLIENT_TEXT
from novaberg.turns.program import Program, pair_of

log = logging.getLogger(__name__)


def websocket_router(program: Program, connections: Connections) -> APIRouter:
    """The route of the live channel."""
    router = APIRouter()

    @router.websocket("/ws/{user_id}")
    async def live(
        websocket: WebSocket, user_id: str, client_id: str = UNNAMED, character_id: str = ""
    ) -> None:
        connection = ClientConnection(
            user_id, client_id[:MAX_CLIENT_TEXT] or UNNAMED, character_id, websocket
        )
        try:
            pair_of(program.settings, user_id, character_id)
            gap = asyncio.Event()
            async with program.listen(user_id, on_gap=gap.set) as subscription:
                await websocket.accept()
                await _serve(connection, connections, subscription, gap)
        except NovabergError as error:
            await _refuse(connection, error, program)

    return router


async def _serve(
    connection: ClientConnection, connections: Connections, subscription: Subscription, gap: asyncio.Event
) -> None:
    """Until the client leaves, its connection breaks, or something it should have heard was lost.

    After a loss the client is sent away: coming back, it fetches what it missed.
    """
    await connections.enter(connection)
    name = connection.client_id
    tasks = {
        asyncio.create_task(connection.answer(), name=f"answer {name}"),
        asyncio.create_task(_greet_and_forward(connection, subscription), name=f"tell {name}"),
        asyncio.create_task(_wait(gap), name=f"gap {name}"),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            _note_end(connection, task.exception())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        connections.leave(connection)
        await connection.close(BROKEN, "beendet")


async def _greet_and_forward(connection: ClientConnection, subscription: Subscription) -> None:
    await connection.send(greeting(connection))
    await connection.forward(subscription)


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


def _note_end(connection: ClientConnection, error: BaseException | None) -> None:
    if error is None or isinstance(error, WebSocketDisconnect):
        return
    log.warning("%s is dropped: %s: %s", connection, type(error).__name__, error, exc_info=error)


async def _refuse(connection: ClientConnection, error: NovabergError, program: Program) -> None:
    websocket = connection.websocket
    if "websocket.http.response" in websocket.scope.get("extensions", {}):
        await websocket.send_denial_response(problem_of(error, program.settings))
    else:
        await websocket.close(BROKEN, "abgelehnt")
