"""``novaberg doctor``: each part ok, or cause and remedy in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from novaberg.cli.options import Json
from novaberg.cli.output import console, emit_json, printable
from novaberg.cli.running import execute, run, settings_for_errors

if TYPE_CHECKING:
    from novaberg.cli.examination import Finding


def doctor(context: typer.Context, as_json: Json = False) -> None:
    """Check every part. The stores are started for it if need be, a model is not. Exit code 1 if something is broken."""
    from novaberg.cli.examination import examine
    from novaberg.errors import SettingsError
    from novaberg.settings import load_settings

    try:
        load_settings()
    except SettingsError as error:
        from novaberg.cli.examination import unusable_settings

        raise typer.Exit(_show([unusable_settings(error)], as_json=as_json)) from error

    async def examined() -> int:
        return _show(await examine(load_settings()), as_json=as_json)

    execute(context, lambda _: run(examined))


def _show(findings: list[Finding], *, as_json: bool) -> int:
    broken = any(not finding.ok for finding in findings)
    if as_json:
        emit_json({"ok": not broken, "parts": [finding.as_json() for finding in findings]})
    else:
        _print(findings, broken=broken)
    return int(broken)


def _print(findings: list[Finding], *, broken: bool) -> None:
    from rich.text import Text

    from novaberg.cli.texts import TEXTS

    texts = TEXTS[settings_for_errors().language]
    screen = console()
    for finding in findings:
        mark, style = (
            ("✗", "red") if not finding.ok else ("!", "yellow") if finding.remedy else ("✓", "green")
        )
        line = " → ".join(part for part in (finding.detail, finding.remedy) if part)
        screen.print(
            Text.assemble((mark, style), f" {finding.part:<11}", printable(line).replace("\n", " ")),
            soft_wrap=True,
        )
    warned = any(finding.remedy for finding in findings)
    screen.print(texts.broken if broken else texts.warned if warned else texts.all_well)
