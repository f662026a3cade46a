"""``novaberg services``: the embedded stores, for other programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from novaberg.cli.options import Json
from novaberg.cli.output import emit, emit_json
from novaberg.cli.running import execute, run

if TYPE_CHECKING:
    from novaberg.settings import Settings


def services(
    context: typer.Context,
    stop: Annotated[bool, typer.Option("--stop", help="Stop them instead.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --stop: also while other programs use them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Start the stores, if need be, and print their addresses; or stop them.

    Started this way they run until they are stopped.
    """
    if force and not stop:
        raise typer.BadParameter("--force goes with --stop only.")

    def command(settings: Settings) -> int:
        if stop:
            return run(lambda: _stop(settings, force=force, as_json=as_json))
        return run(lambda: _start(settings, as_json=as_json))

    execute(context, command)


async def _start(settings: Settings, *, as_json: bool) -> int:
    from novaberg.memory.servers import start_services

    urls = await start_services(settings)
    if as_json:
        emit_json(asdict(urls))
    else:
        emit(f"NOVABERG_DATABASE_URL={urls.database}")
        emit(f"NOVABERG_REDIS_URL={urls.redis}")
    return 0


async def _stop(settings: Settings, *, force: bool, as_json: bool) -> int:
    from novaberg.cli.texts import TEXTS
    from novaberg.memory.servers import stop_services

    stopped = await stop_services(settings, force=force)
    texts = TEXTS[settings.language]
    if as_json:
        emit_json({"stopped": stopped})
    else:
        emit(texts.stopped if stopped else texts.none_ran)
    return 0
