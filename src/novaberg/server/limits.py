"""Bodies that are larger than any message are refused before they are read (promise P13)."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novaberg.errors import RequestTooLargeError
from novaberg.server.problems import problem_of
from novaberg.settings import Settings

BYTES_PER_CHAR = 12
"""Longest JSON form of one character: two escaped surrogates."""
OVERHEAD = 16_384
"""Bytes for everything in a request that is not the message."""


def body_limit(settings: Settings) -> int:
    """Most bytes of a request body."""
    return settings.max_prompt_chars * BYTES_PER_CHAR + OVERHEAD


class BodyLimit:
    """Middleware; a body of announced size is refused at once, a chunked one when it grows too long."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._settings = settings
        self._limit = body_limit(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdigit() and int(announced) > self._limit:
            await problem_of(self._error(), self._settings)(scope, receive, send)
            return
        seen = 0

        async def receive_limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._limit:
                # The only kind of error that the framework lets through while it reads a body.
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        await self.app(scope, receive_limited, send)

    def _error(self) -> RequestTooLargeError:
        return RequestTooLargeError(
            f"The request is larger than {self._limit} bytes. Shorten it; nothing was stored."
        )
