"""The command line. Heavy libraries are imported by the command that needs them, so that help comes at once."""

from __future__ import annotations


def main() -> None:
    """Entry point of ``novaberg`` and ``python -m novaberg``."""
    from novaberg.cli.app import app

    app(prog_name="novaberg")
