"""``novaberg serve``: page, routes and worker in one process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from novaberg.cli.output import emit
from novaberg.cli.running import execute, run_until_stopped

if TYPE_CHECKING:
    from novaberg.settings import Settings


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address; else NOVABERG_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; else NOVABERG_PORT; 0 = any free one.")] = None,
) -> None:
    """Serve the page and the HTTP interface, and answer.

    Without NOVABERG_TOKEN only on this machine. Ctrl-C ends; running answers may finish.
    """
    execute(context, _command, host=host, port=port)


def _command(settings: Settings) -> int:
    return run_until_stopped(lambda stop: _serve(settings, stop))


async def _serve(settings: Settings, stop: asyncio.Event) -> int:
    from novaberg.cli.stopping import announced
    from novaberg.cli.texts import TEXTS
    from novaberg.server import serving

    texts = TEXTS[settings.language]
    async with announced(stop, texts.stopping):
        await serving.serve(
            settings,
            settings.host,
            settings.port,
            stop=stop,
            on_ready=lambda url: emit(texts.serving.format(url=url)),
        )
    return 0
