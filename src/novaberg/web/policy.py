"""The page's own Content-Security-Policy: every response has its nonce, so that no script but ours can run (P11)."""

from __future__ import annotations

import secrets
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novaberg.server.headers import page_policy

_NONCE_BYTES: Final = 18


class Nonces:
    """Middleware around the page's framework: marks the scripts of its documents and forbids all others.

    A document carries the still parts of the page only. What people and models wrote comes later, over the socket,
    and is drawn as text; so everything that is marked here is ours.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, _Marking(send))


class _Marking:
    """Holds an HTML document back until it is whole; everything else passes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_document(message):
            self._start = message
        elif self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)
        else:
            await self._send(message)

    async def _finish(self, start: Message) -> None:
        nonce = secrets.token_urlsafe(_NONCE_BYTES)
        body = mark_scripts(self._body, nonce)
        headers = MutableHeaders(scope=start)
        headers["Content-Security-Policy"] = page_policy(nonce)
        headers["Content-Length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def mark_scripts(document: bytes, nonce: str) -> bytes:
    """The document with the nonce in each of its scripts."""
    return document.replace(b"<script", b'<script nonce="' + nonce.encode() + b'"')


def _is_document(start: Message) -> bool:
    return Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")
