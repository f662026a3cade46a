"""The gate in front of every route, page, static file and WebSocket."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from novaberg.errors import AccessError, ForeignRequestError
from novaberg.server.access import COOKIE, Asking, check_request
from novaberg.server.login import LOGIN_PATH, login_page
from novaberg.server.problems import problem_of
from novaberg.settings import Settings

_POLICY_VIOLATION: Final = 1008


class Gate:
    """Middleware that refuses requests before anything of them is read."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._settings = settings
        self._token = settings.token.get_secret_value()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is None:
            await self.app(scope, receive, send)
        else:
            await _refuse(refused, scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        try:
            check_request(asking_of(scope), self._token)
        except ForeignRequestError as error:
            return problem_of(error, self._settings)
        except AccessError as error:
            if scope["type"] == "http" and scope["path"] == LOGIN_PATH and scope["method"] == "POST":
                return None  # this route takes the token itself
            if _wants_page(scope):
                return login_page(self._settings)
            return problem_of(error, self._settings)
        return None


def asking_of(scope: Scope) -> Asking:
    """What the gate needs to know of a request."""
    headers = Headers(scope=scope)
    navigates = (
        headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and scope.get("method") == "GET"
    )
    return Asking(
        hosts=headers.getlist("host"),
        origins=headers.getlist("origin"),
        authorization=headers.get("authorization", "").encode("latin-1"),
        cookie=_our_cookie(headers.get("cookie", "")),
        site=headers.get("sec-fetch-site", ""),
        navigates=navigates,
    )


def _our_cookie(header: str) -> str:
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def _wants_page(scope: Scope) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and "text/html" in Headers(scope=scope).get("accept", "")
    )


async def _refuse(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    await response(scope, receive, send)
