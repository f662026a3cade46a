"""``novaberg state``: what is stored for a pair between turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from novaberg.cli.options import Character, Json, User
from novaberg.cli.output import console, emit, emit_json, printable
from novaberg.cli.running import execute, run

if TYPE_CHECKING:
    from novaberg.pair import Pair
    from novaberg.settings import Settings
    from novaberg.turns.program import StateView


def state(context: typer.Context, user: User = "", character: Character = "", as_json: Json = False) -> None:
    """Show Nova's state and the running session."""

    def command(settings: Settings) -> int:
        from novaberg.turns.program import pair_of

        pair = pair_of(settings, user, character)
        return run(lambda: _state(settings, pair, as_json=as_json))

    execute(context, command)


async def _state(settings: Settings, pair: Pair, *, as_json: bool) -> int:
    from novaberg.cli.texts import TEXTS
    from novaberg.turns.program import open_program

    async with open_program(settings, work=False) as program:
        view = await program.state(pair)
        variety = await program.variety(pair) if as_json else {}
    if as_json:
        # The conversation vector leaves its details here as soon as there is one.
        told = {"nova_state": view.nova_state, "session": list(view.session), "gv_detail": {}}
        # Absent while there are too few turns: that is no statement, not an empty one.
        fields = {name: field.as_json() for name, field in variety.items()}
        emit_json(told | {"wertevorrat": fields} if fields else told)
    elif not view.nova_state and not view.session:
        emit(TEXTS[settings.language].no_state_yet)
    else:
        _show(view, pair)
    return 0


def _show(view: StateView, pair: Pair) -> None:
    from rich.table import Table
    from rich.text import Text

    screen = console()
    fields = Table(
        title=f"nova_state:{pair}", title_justify="left", box=None, pad_edge=False, show_header=False
    )
    for name, value in view.nova_state.items():
        fields.add_row(Text(name, style="dim"), Text(printable(value)))
    screen.print(fields)
    if view.summary:
        screen.print(Text(f"\n{printable(view.summary)}", style="italic"))
    turns = Table(title="session", title_justify="left", box=None, pad_edge=False, show_header=False)
    for turn in view.session:
        turns.add_row(
            Text(str(turn.get("rolle", "")), style="dim"), Text(printable(str(turn.get("inhalt", ""))))
        )
    screen.print()
    screen.print(turns)
