"""Errors of what is mounted beside the routes: programs get a problem, people get the page that they asked for."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novaberg.server.problems import MEDIA_TYPE, problem_of_status
from novaberg.settings import Settings

_KEPT: Final = ("allow", "retry-after", "www-authenticate")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


class MountedErrors:
    """Middleware that turns any other error response into problem details unless HTML was asked for.

    Args:
        routes: our own; what is mounted behind them takes wrong methods for unknown addresses.
    """

    def __init__(self, app: ASGIApp, settings: Settings, routes: Sequence[BaseRoute]) -> None:
        self.app = app
        self._settings = settings
        self._routes = routes

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
                await self._problem(message, scope)(scope, receive, send)
            elif not replaced:
                await send(message)

        await self.app(scope, receive, send_problems)

    def _problem(self, start: Message, scope: Scope) -> Response:
        found = Headers(raw=start["headers"])
        kept = {name: found[name] for name in _KEPT if name in found}
        status = int(start["status"])
        if status == HTTPStatus.NOT_FOUND and (allowed := self._allowed(scope)):
            status, kept = HTTPStatus.METHOD_NOT_ALLOWED, {"allow": ", ".join(allowed)}
        return problem_of_status(status, self._settings, headers=kept)

    def _allowed(self, scope: Scope) -> list[str]:
        """Methods that one of our routes takes at this address."""
        return [
            method
            for method in _METHODS
            if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in self._routes)
        ]


def _is_foreign_error(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return bool(start["status"] >= 400) and not kind.startswith(MEDIA_TYPE)
