"""Server-sent events: a turn told as it happens."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Final

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from novaberg.errors import NovabergError
from novaberg.server.messages import Acknowledgement
from novaberg.settings import Settings
from novaberg.turns.following import Following
from novaberg.turns.messages import Message
from novaberg.turns.refusals import refusal

log = logging.getLogger(__name__)

KEEP_ALIVE_S: Final = 15.0
"""Seconds of silence after which a comment is sent, so that no proxy takes the connection for dead."""

_EVENTS: Final = {
    "character_stage": "stage",
    "character_response": "answer",
    "turn_complete": "complete",
    "error": "error",
}
"""``typ`` of a message → name of its event."""


class EventStream(StreamingResponse):
    """A stream that lets go of what it listens to, however it ends.

    Args:
        events: encoded events.
        held: closed at the end, also when the client is gone before the first byte.
    """

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[str], held: AsyncExitStack) -> None:
        super().__init__(events, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        async with self._held:
            await super().__call__(scope, receive, send)


async def turn_events(
    ear: Following, greeting: Acknowledgement, settings: Settings, *, keep_alive_s: float = KEEP_ALIVE_S
) -> AsyncIterator[str]:
    """``processing``, then the turn of the accepted message: ``stage``\\*, ``answer``, ``complete`` or ``error``.

    A store that fails meanwhile ends the stream with an ``error`` too; the turn itself lives on.
    """
    yield event("processing", greeting.model_dump_json())
    messages = ear.until_end(greeting.nachrichten_id, accepted_before=greeting.wiederholt)
    coming: asyncio.Task[Message] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(messages))
            if not (await asyncio.wait({coming}, timeout=keep_alive_s))[0]:
                yield ": …\n\n"
                continue
            try:
                message = coming.result()
            except StopAsyncIteration:
                return
            except NovabergError as error:
                log.warning("a turn can be followed no longer: %s", error.message, exc_info=True)
                yield event("error", json.dumps(_broken_off(error, greeting, settings), ensure_ascii=False))
                return
            coming = None
            name = _EVENTS.get(str(message["typ"]))
            if name:
                yield event(name, json.dumps(message, ensure_ascii=False))
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})
        await messages.aclose()


def _broken_off(error: NovabergError, greeting: Acknowledgement, settings: Settings) -> Message:
    return {
        "typ": "error",
        "nachrichten_ids": [greeting.nachrichten_id],
        "fehler": refusal(error, settings),
    }


def event(name: str, data: str) -> str:
    """One event; ``data`` is JSON on a single line."""
    return f"event: {name}\ndata: {data}\n\n"
