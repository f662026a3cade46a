"""What goes to stdout and stderr. With ``--json`` stdout carries the payload and nothing else."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

_KEPT = "\n\t"


def emit(text: str) -> None:
    """One text on stdout, at once."""
    typer.echo(text)


def emit_json(value: object) -> None:
    """One JSON value on one line of stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str))


def tell(text: str) -> None:
    """A word to the person, on stderr."""
    typer.echo(text, err=True)


def console(*, stderr: bool = False) -> Console:
    """A console for tables and live lines; markup in what it prints is never obeyed."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def printable(text: str) -> str:
    """Text without characters that command a terminal: whatever a model wrote, it stays text."""
    return "".join(char for char in text if char in _KEPT or unicodedata.category(char) not in ("Cc", "Cs"))


def is_terminal(*, stderr: bool = False) -> bool:
    """Whether a person looks at the stream."""
    return (sys.stderr if stderr else sys.stdout).isatty()
