"""All commands and the options that belong to none of them."""

from __future__ import annotations

from typing import Annotated

import typer

from novaberg import __version__
from novaberg.cli import chat, doctor, perceive, serve, services, state, trace, turns, worker

app = typer.Typer(
    name="novaberg",
    help="A companion that lives on your machine. Settings come from NOVABERG_* variables.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"novaberg {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Options before the command."""
    context.obj = debug


app.command("chat")(chat.chat)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("doctor")(doctor.doctor)
app.command("services")(services.services)
app.command("trace")(trace.trace)
app.command("state")(state.state)
app.command("perceive")(perceive.perceive)
app.add_typer(turns.app, name="turns")
