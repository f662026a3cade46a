"""Mounts the page in the browser into the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import HTMLResponse
from nicegui import Client, background_tasks, core, ui

from novaberg.turns.program import Program
from novaberg.web.chat import Chat
from novaberg.web.octagon import mark_svg
from novaberg.web.policy import Nonces
from novaberg.web.texts import TEXTS, Texts

TITLE: Final = "Novaberg"
VIEWPORT: Final = (
    "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
)
RECONNECT_S: Final = 20.0
"""Seconds for which the page of a browser that is gone is kept; after that the browser loads it anew."""
CONNECT_S: Final = 60.0
"""Seconds within which a browser that got the document opens its socket."""

_THEME: Final = (
    '<meta name="theme-color" content="#faf9f7" media="(prefers-color-scheme: light)">'
    '<meta name="theme-color" content="#161615" media="(prefers-color-scheme: dark)">'
)


def mount(app: FastAPI, program: Program) -> None:
    """Serve the page at ``/``; ``program`` stays open as long as ``app`` is served. Once per process."""
    texts = TEXTS[program.settings.language]
    style = files("novaberg.web").joinpath("assets", "style.css").read_text(encoding="utf-8")

    @ui.page("/", title=TITLE, language=texts.html_language)
    async def page(client: Client) -> None:
        ui.add_head_html(f"{_THEME}<style>{style}</style>")
        chat = Chat(program)
        await client.connected(timeout=CONNECT_S)
        if client.is_deleted:
            return
        living = background_tasks.create(chat.live(), name=f"chat of client {client.id}")

        def leave() -> None:
            living.cancel()

        client.on_delete(leave)

    ui.run_with(
        app,
        title=TITLE,
        viewport=VIEWPORT,
        favicon=mark_svg(),
        dark=None,
        language=texts.html_language,
        binding_refresh_interval=None,
        reconnect_timeout=RECONNECT_S,
        gzip_middleware_factory=None,
        tailwind=False,
        show_welcome_message=False,
    )
    core.sio.eio.cors_allowed_origins = []  # who may connect is the gate's business
    core.app.add_exception_handler(404, _not_found(texts, style))
    core.app.add_middleware(Nonces)
    core.app.add_middleware(GZipMiddleware)


def _not_found(texts: Texts, style: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    document = (
        f'<!doctype html><html lang="{texts.html_language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="{VIEWPORT}"><title>{TITLE}</title>{_THEME}<style>{style}</style></head>'
        f'<body><main class="nb-page nb-prose"><p class="nb-nowhere">{escape(texts.no_such_page)} '
        f'<a href="/">{escape(texts.back)}</a></p></main></body></html>'
    )

    async def not_found(_: Request, __: Exception) -> Response:
        return HTMLResponse(document, status_code=404)

    return not_found
