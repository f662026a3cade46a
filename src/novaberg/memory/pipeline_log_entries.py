"""What a log row is made of: header, entry, and how an entry is built so that nothing can refuse it later.

An entry is serialised when it is put: it shows the values of that moment, and a value without a JSON form costs its
own row only (spec 01 §4.4).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from novaberg.memory.json_text import clean_text, dump_json

log = logging.getLogger(__name__)

Art = Literal[
    "eingang", "prompt", "berechnung", "switch", "db_read", "db_write", "ausgabe", "fehler", "bemerkung", "token",
    "span_start", "span_end", "turn_roh",
]  # fmt: skip
"""The thirteen kinds of row; the table has no CHECK, this type is the guard."""

DECISIONS: Mapping[str, frozenset[str]] = {
    "perzeption.kontext": frozenset({"geladen", "leer", "ohne_nutzer", "ausgefallen"}),
    "perzeption.wahrnehmung": frozenset({"gelesen", "standardwerte"}),
}
"""The closed set of outcomes of each decision (seed: node-perzeption §5a)."""

NODE_OF_THE_LOG = "pipeline_log"
"""Node name of rows that the log writes about itself."""

_WIDTHS = {"turn_id": 100, "quelle": 50, "node": 50, "user_id": 50, "character_id": 50}
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What all rows of one span share; handed to every helper that logs (seed name ``Protokollkopf``)."""

    turn_id: str
    quelle: str
    """Who acts: ``user``, ``character``, ``agent``; a single row may name another source."""
    span_id: str | None
    user_id: str
    """Empty = no pair; stored as NULL."""
    character_id: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of ``pipeline_log`` as it will be written; every value fits its column."""

    erstellt_am: datetime
    turn_id: str
    span_id: str | None
    quelle: str
    node: str
    art: Art
    inhalt: str
    """JSON text."""
    user_id: str | None
    character_id: str | None


def make_entry(
    head: LogHeader,
    node: str,
    art: Art,
    inhalt: Mapping[str, JsonValue],
    *,
    quelle: str | None,
    now: datetime,
) -> LogEntry:
    """The entry of one log call; content without a JSON form becomes a ``fehler`` entry that says so."""
    try:
        text = dump_json(dict(inhalt))
    except (TypeError, ValueError, RecursionError) as error:
        log.exception(
            "log entry %s of node %s cannot be serialised; a fehler row stands in its place", art, node
        )
        text = dump_json(_unserialisable(node, art, inhalt, error))
        art = "fehler"
    return entry_of_text(head, node, art, text, quelle=quelle, now=now)


def entry_of_text(
    head: LogHeader, node: str, art: Art, text: str, *, quelle: str | None, now: datetime
) -> LogEntry:
    """The entry for content that is JSON text already; identifiers are cut to their columns."""
    if not head.turn_id:
        log.warning("log entry %s of node %s has no turn_id; it is written without one", art, node)
    return LogEntry(
        erstellt_am=now,
        turn_id=_fit("turn_id", head.turn_id),
        span_id=_usable_span(head.span_id, node),
        quelle=_fit("quelle", head.quelle if quelle is None else quelle),
        node=_fit("node", node),
        art=art,
        inhalt=text,
        user_id=_fit("user_id", head.user_id) or None,
        character_id=_fit("character_id", head.character_id) or None,
    )


def refused_entry(entry: LogEntry, error: Exception) -> LogEntry:
    """What is written in place of an entry that the database refused."""
    content = {"grund": "zeile_abgewiesen", "node": entry.node, "art": entry.art, "fehler": describe(error)}
    head = LogHeader(entry.turn_id, entry.quelle, None, entry.user_id or "", entry.character_id or "")
    return entry_of_text(
        head, NODE_OF_THE_LOG, "fehler", dump_json(content), quelle=None, now=entry.erstellt_am
    )


def dropped_entry(count: int, now: datetime) -> LogEntry:
    """What tells the reader of the table that entries are missing."""
    head = LogHeader(NODE_OF_THE_LOG, NODE_OF_THE_LOG, None, "", "")
    text = dump_json({"grund": "eintraege_verworfen", "anzahl": count})
    return entry_of_text(head, NODE_OF_THE_LOG, "fehler", text, quelle=None, now=now)


def describe(error: BaseException) -> str:
    """Type and text of an error in one line; the type stands there because some texts are empty."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _unserialisable(
    node: str, art: Art, inhalt: Mapping[str, JsonValue], error: Exception
) -> dict[str, JsonValue]:
    return {
        "grund": "nicht_serialisierbar",
        "node": node,
        "art": art,
        "felder": [str(key) for key in inhalt],
        "fehler": describe(error),
    }


def _fit(column: str, value: str) -> str:
    width = _WIDTHS[column]
    value = clean_text(value)
    if len(value) <= width:
        return value
    log.warning("%s %r of a log entry is longer than %d characters and is cut", column, value, width)
    return value[: width - 1] + "…"


def _usable_span(span_id: str | None, node: str) -> str | None:
    if span_id is None or _UUID.fullmatch(span_id):
        return span_id
    log.warning("span id %r of node %s is no UUID; the row is written without it", span_id, node)
    return None
