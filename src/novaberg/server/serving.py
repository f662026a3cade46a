"""Serves one home over HTTP until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn

from novaberg.server.access import check_bind
from novaberg.server.app import create_app
from novaberg.server.health import HEALTH_PATH
from novaberg.server.listening import bind, listen, url_of
from novaberg.settings import Settings
from novaberg.turns.program import open_program

log = logging.getLogger(__name__)

GRACE_S: Final = 10
"""Seconds that open requests get at the end; the worker gives running turns its own grace afterwards."""
LONGEST_FRAME: Final = 1_048_576
"""Bytes of one WebSocket message from a client."""
PING_S: Final = 30.0
"""Seconds between two pings of the server, and for each answer (spec 07 §3.4: clients do the same)."""


async def serve(
    settings: Settings,
    host: str,
    port: int,
    *,
    stop: asyncio.Event,
    on_ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Open the home, serve it, and leave it properly once ``stop`` is set.

    The address is reserved first and answers only when the home is open. Cancelling hurries the end.

    Args:
        on_ready: told the address as soon as requests are taken.

    Raises:
        UnsafeBindError, PortUnavailableError: nothing was opened.
        SettingsError, StoreError: the home cannot be opened; the message says what to do.
    """
    check_bind(host, settings.token.get_secret_value())
    with contextlib.closing(bind(host, port)) as address:
        async with open_program(settings) as program:
            server = _Server(_config(create_app(program)))
            listen(address)
            running = asyncio.create_task(server.serve(sockets=[address]), name="http")
            stopping = asyncio.create_task(stop.wait(), name="stop")
            try:
                on_ready(url_of(address))
                await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
                server.should_exit = True
                await running
            finally:
                stopping.cancel()
                server.force_exit = server.should_exit = True
                await asyncio.wait({running})


def _config(app: object) -> uvicorn.Config:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        ws_max_size=LONGEST_FRAME,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
    )
    logging.getLogger("uvicorn.access").addFilter(_is_worth_a_line)
    return config


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Whether an access is logged: health checks come every few seconds."""
    return not (isinstance(record.args, tuple) and len(record.args) > 2 and _is_health(str(record.args[2])))


def _is_health(path: str) -> bool:
    return path.partition("?")[0] == HEALTH_PATH


class _Server(uvicorn.Server):
    """Signals are the program's business, not the library's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
