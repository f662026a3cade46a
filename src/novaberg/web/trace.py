"""The log rows of a turn as a list that a person can read. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from novaberg.memory.pipeline_log import LogRow
from novaberg.web.texts import Texts

LONGEST_LINE: Final = 140
"""Characters of the line that stands for a row's content."""
LONGEST_VALUE: Final = 60
"""Characters of one value in it."""
_NOTHING: Final = "—"

Line = tuple[str, str, str, str, str, str]
"""Time since the first row, node, kind, content in one line, content as JSON, path (``quelle``)."""


def trace_lines(rows: Sequence[LogRow], texts: Texts) -> tuple[Line, ...]:
    """One line a row, in their order."""
    start = next((row.erstellt_am for row in rows if row.erstellt_am), None)
    return tuple(
        (
            _offset(row.erstellt_am, start, texts),
            row.node,
            row.art,
            one_line(row.inhalt, texts),
            json.dumps(row.inhalt, ensure_ascii=False, indent=2),
            row.quelle,
        )
        for row in rows
    )


def one_line(content: Mapping[str, JsonValue], texts: Texts) -> str:
    """The content of a row in short: its keys with their values, long ones cut."""
    parts = [f"{key}: {_short(value, texts)}" for key, value in content.items()]
    return _cut(" · ".join(parts), LONGEST_LINE) or _NOTHING


def _offset(moment: datetime | None, start: datetime | None, texts: Texts) -> str:
    if moment is None or start is None:
        return _NOTHING
    return f"{(moment - start).total_seconds():+.3f} s".replace(".", texts.decimal_mark)


def _short(value: JsonValue, texts: Texts) -> str:
    match value:
        case str():
            short = _cut(" ".join(value.split()), LONGEST_VALUE) or '""'
        case float():
            short = f"{value:.4g}".replace(".", texts.decimal_mark)
        case dict():
            short = f"{{{len(value)}}}"
        case list():
            words = ", ".join(item for item in value if isinstance(item, str))
            are_words = all(isinstance(item, str) for item in value)
            short = _cut(words, LONGEST_VALUE) if words and are_words else f"[{len(value)}]"
        case _:
            short = json.dumps(value)
    return short


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
