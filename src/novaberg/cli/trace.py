"""``novaberg trace``: every decision of a turn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

from novaberg.cli.options import Character, Json, User
from novaberg.cli.output import console, emit_json, printable
from novaberg.cli.running import execute, run

if TYPE_CHECKING:
    from novaberg.memory.pipeline_log import LogRow
    from novaberg.pair import Pair
    from novaberg.settings import Settings
    from novaberg.turns.program import Program

LAST: Final = "last"
_STYLES: Final = {"fehler": "red", "db_write": "blue", "turn_roh": "blue", "berechnung": "dim"}
"""Colours by ``art`` (spec 07 §4.12)."""
_SHOWN_CHARS: Final = 300
"""Characters of a content that are shown to people; ``--json`` gives all."""


def trace(
    context: typer.Context,
    turn_id: Annotated[str, typer.Argument(help="A turn, or: last.")] = LAST,
    user: User = "",
    character: Character = "",
    as_json: Json = False,
) -> None:
    """Show the log rows of a turn in order."""

    def command(settings: Settings) -> int:
        from novaberg.turns.program import pair_of

        pair = pair_of(settings, user, character)
        return run(lambda: _trace(settings, pair, turn_id, as_json=as_json))

    execute(context, command)


async def _trace(settings: Settings, pair: Pair, turn_id: str, *, as_json: bool) -> int:
    from novaberg.errors import UnknownTurnError
    from novaberg.turns.program import open_program

    async with open_program(settings, work=False) as program:
        if turn_id == LAST:
            turn_id = await _last(program, pair)
        rows = await program.trace(turn_id)
    if not rows:
        raise UnknownTurnError(
            f"No log rows of a turn {turn_id!r}; `novaberg trace last` shows the newest one."
        )
    if as_json:
        for row in rows:
            emit_json(row.as_json())
    else:
        _show(rows)
    return 0


async def _last(program: Program, pair: Pair) -> str:
    from novaberg.errors import NoTurnYetError

    found = await program.last_turn_id(pair)
    if found is None:
        raise NoTurnYetError
    return found


def _show(rows: list[LogRow]) -> None:
    from rich.table import Table
    from rich.text import Text

    start = next((row.erstellt_am for row in rows if row.erstellt_am), None)
    table = Table(title=f"Turn {rows[0].turn_id}", title_justify="left", box=None, pad_edge=False)
    for column in ("ms", "quelle", "node", "art", "inhalt"):
        table.add_column(
            column, justify="right" if column == "ms" else "left", overflow="fold", no_wrap=column == "ms"
        )
    for row in rows:
        offset = (row.erstellt_am - start).total_seconds() * 1000 if row.erstellt_am and start else None
        cells = (
            f"{offset:.0f}" if offset is not None else "–",
            row.quelle,
            row.node,
            row.art,
            _shortened(json.dumps(row.inhalt, ensure_ascii=False)),
        )
        style = _STYLES.get(row.art, "")
        table.add_row(*(Text(printable(cell), style=style) for cell in cells))
    console().print(table)


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} … ({len(text)})"
