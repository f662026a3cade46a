"""``novaberg chat``: talk in the terminal, or say things and get the replies."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from novaberg.cli.options import Character, Json, User
from novaberg.cli.output import emit, emit_json, is_terminal, printable, tell
from novaberg.cli.running import execute, run

if TYPE_CHECKING:
    from novaberg.cli.dialogue import TurnReport
    from novaberg.pair import Pair
    from novaberg.settings import Settings
    from novaberg.turns.program import Program

_CLEAR_LINE = "\r\x1b[2K"


def chat(
    context: typer.Context,
    say: Annotated[
        list[str] | None,
        typer.Option("--say", metavar="TEXT", help="Say this instead of asking for input; one turn each."),
    ] = None,
    user: User = "",
    character: Character = "",
    as_json: Json = False,
) -> None:
    """Talk with Nova.

    Without --say the chat is interactive; input that is no terminal is taken line by line, one turn each.
    """

    def command(settings: Settings) -> int:
        from novaberg.turns.program import pair_of

        pair = pair_of(settings, user, character)
        if say is not None:
            return run(lambda: _say_all(settings, pair, say, as_json=as_json))
        from novaberg.cli.interactive import converse, read_lines

        if as_json or not sys.stdin.isatty():
            return read_lines(settings, pair, as_json=as_json)
        return converse(settings, pair)

    execute(context, command)


async def _say_all(settings: Settings, pair: Pair, texts: list[str], *, as_json: bool) -> int:
    from novaberg.cli.logs import keep_log_out_of_the_talk
    from novaberg.turns.program import open_program

    failed = False
    async with open_program(settings) as program:
        keep_log_out_of_the_talk(settings)
        for text in texts:
            report = await one_turn(program, pair, text, as_json=as_json)
            failed = failed or report.error is not None
    return int(failed)


async def one_turn(program: Program, pair: Pair, text: str, *, as_json: bool) -> TurnReport:
    """Say one thing and print what came out, the reply as soon as it is there."""
    from novaberg.cli.dialogue import TurnReport, take_turn
    from novaberg.cli.texts import stage_line

    report = TurnReport()
    watched = is_terminal(stderr=True)
    async for message in take_turn(program, pair, text):
        report.note(message)
        if message["typ"] == "character_stage" and watched:
            line = printable(stage_line(message, program.settings.language))
            typer.echo(f"{_CLEAR_LINE}{line}", err=True, nl=False)
        elif message["typ"] == "character_response" and not as_json:
            _clear(watched)
            emit(printable(report.reply or ""))
    _clear(watched)
    if as_json:
        emit_json(report.as_json())
    elif report.error is not None:
        tell(printable(report.error))
    return report


def _clear(watched: bool) -> None:
    if watched:
        typer.echo(_CLEAR_LINE, err=True, nl=False)
