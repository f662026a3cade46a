"""``novaberg turns``: turns that are under way or failed, and queueing them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from novaberg.cli.options import Character, Json, User
from novaberg.cli.output import console, emit, emit_json, printable
from novaberg.cli.running import execute, run

if TYPE_CHECKING:
    from pydantic import JsonValue

    from novaberg.memory.turn_store import Turn
    from novaberg.pair import Pair
    from novaberg.settings import Settings

app = typer.Typer(help="Show turns that are open or failed; queue a failed one again.")


@app.callback(invoke_without_command=True)
def turns(context: typer.Context, user: User = "", character: Character = "", as_json: Json = False) -> None:
    """Show turns that are open or failed; queue a failed one again."""
    if context.invoked_subcommand is not None:
        return

    def command(settings: Settings) -> int:
        from novaberg.turns.program import pair_of

        pair = pair_of(settings, user, character)
        return run(lambda: _list(settings, pair, as_json=as_json))

    execute(context, command)


@app.command("requeue")
def requeue(
    context: typer.Context,
    turn_id: Annotated[str, typer.Argument(help="The failed turn.")],
    user: User = "",
    character: Character = "",
    as_json: Json = False,
) -> None:
    """Let a failed turn run again under its id, before newer messages."""

    def command(settings: Settings) -> int:
        from novaberg.turns.program import pair_of

        pair = pair_of(settings, user, character)
        return run(lambda: _requeue(settings, pair, turn_id, as_json=as_json))

    execute(context, command)


async def _list(settings: Settings, pair: Pair, *, as_json: bool) -> int:
    from novaberg.cli.texts import TEXTS
    from novaberg.turns.program import open_program

    async with open_program(settings, work=False) as program:
        found = await program.turns_in_trouble(pair)
    if as_json:
        for turn in found:
            emit_json(_row(turn))
    elif not found:
        emit(TEXTS[settings.language].no_trouble)
    else:
        _show(found)
    return 0


async def _requeue(settings: Settings, pair: Pair, turn_id: str, *, as_json: bool) -> int:
    from novaberg.cli.texts import TEXTS
    from novaberg.turns.program import open_program

    async with open_program(settings, work=False) as program:
        await program.requeue(pair, turn_id)
    if as_json:
        emit_json({"turn_id": turn_id, "status": "ok"})
    else:
        emit(TEXTS[settings.language].queued.format(turn_id=turn_id))
    return 0


def _row(turn: Turn) -> dict[str, JsonValue]:
    return {
        "turn_id": turn.turn_id,
        "nummer": turn.number,
        "zustand": turn.state,
        "prompt": turn.prompt,
        "antwort": turn.answer.text if turn.answer else None,
        "versuche": turn.failures,
        "starts": turn.starts,
        "fehler": turn.error,
        "erstellt_am": turn.created_at.isoformat(),
    }


def _show(found: tuple[Turn, ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in ("turn_id", "zustand", "prompt", "fehler"):
        table.add_column(column, overflow="fold", no_wrap=column == "turn_id")
    for turn in found:
        cells = (turn.turn_id, turn.state, turn.prompt, turn.error or "")
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console().print(table)
