"""The headers that every response carries (promises P9, P11). The only place where they are named."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COMMON: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with less, browsers hide the origin of our own forms
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

DATA_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
"""Content-Security-Policy of everything that is no page: it loads nothing, whoever opens it."""

PAGE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content-Security-Policy of HTML: this server only, and no script at all."""


def page_policy(nonce: str) -> str:
    """Content-Security-Policy of the page with the conversation.

    Scripts are files of this server or carry the nonce of the response; nothing is compiled in the browser. So nothing
    that a model writes can run, load or send anything.
    """
    return f"{PAGE_POLICY}; script-src 'self' 'nonce-{nonce}'; connect-src 'self'; font-src 'self'"


class SecurityHeaders:
    """Middleware that completes the headers of each response, refusals and WebSocket denials included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""

        async def send_completed(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                complete(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, send_completed)


def complete(headers: MutableHeaders) -> None:
    """Add what is missing, take what lets others in. Nothing is cached unless a route says so: answers are private."""
    is_page = headers.get("content-type", "").startswith("text/html")
    for name in [name for name in headers if name.startswith("access-control-")]:
        del headers[name]  # no other page may read anything, whatever a library offers
    for name, value in COMMON.items():
        headers[name] = value
    headers.setdefault("Content-Security-Policy", PAGE_POLICY if is_page else DATA_POLICY)
    headers.setdefault("Cache-Control", "no-store")
