"""Errors of what is mounted beside the routes: programs get a problem, people get the page that they asked for."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novaberg.server.problems import MEDIA_TYPE, problem_of_status
from novaberg.settings import Settings

_KEPT: Final = ("allow", "retry-after", "www-authenticate")


class MountedErrors:
    """Middleware that turns any other error response into problem details unless HTML was asked for."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or "text/html" in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        replaced = False

        async def send_problems(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and _is_foreign_error(message):
                replaced = True
                headers = Headers(raw=message["headers"])
                kept = {name: headers[name] for name in _KEPT if name in headers}
                response = problem_of_status(message["status"], self._settings, headers=kept)
                await response(scope, receive, send)
            elif not replaced:
                await send(message)

        await self.app(scope, receive, send_problems)


def _is_foreign_error(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return bool(start["status"] >= 400) and not kind.startswith(MEDIA_TYPE)
