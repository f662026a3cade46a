"""``novaberg worker``: answers what others accept, without any surface of its own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from novaberg.cli.output import emit
from novaberg.cli.running import execute, run_until_stopped

if TYPE_CHECKING:
    from novaberg.settings import Settings


def worker(context: typer.Context) -> None:
    """Answer messages without serving a page. Ctrl-C ends; running answers may finish."""
    execute(context, lambda settings: run_until_stopped(lambda stop: _work(settings, stop)))


async def _work(settings: Settings, stop: asyncio.Event) -> int:
    from novaberg.cli.stopping import announced
    from novaberg.cli.texts import TEXTS
    from novaberg.turns.program import open_program

    texts = TEXTS[settings.language]
    async with announced(stop, texts.stopping), open_program(settings):
        emit(texts.working)
        await stop.wait()
    return 0
