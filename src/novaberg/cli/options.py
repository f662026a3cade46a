"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

User = Annotated[str, typer.Option("--user", metavar="ID", help="The person; else NOVABERG_USER.")]
Character = Annotated[str, typer.Option("--character", metavar="ID", help="The figure; else nova.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
