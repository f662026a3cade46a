"""Log entries fit their table before they are buffered (spec 01 §4.4)."""

import json
from dataclasses import FrozenInstanceError, fields
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.memory.pipeline_log_entries import (
    DECISIONS,
    Art,
    LogEntry,
    LogHeader,
    describe,
    dropped_entry,
    make_entry,
    refused_entry,
)
from novaberg.memory.pipeline_log_writer import LogBuffer

NOW = datetime(2026, 8, 30, 12, tzinfo=UTC)
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=120)


def entry(number: int) -> LogEntry:
    head = LogHeader("t", "user", None, "meister", "nova")
    return make_entry(head, "ei_calc", "berechnung", {"n": number}, quelle=None, now=NOW)


@given(st.builds(LogHeader, ANY_TEXT, ANY_TEXT, st.none() | ANY_TEXT, ANY_TEXT, ANY_TEXT), ANY_TEXT, ANY_TEXT)
def test_whatever_a_caller_hands_in_fits_the_columns(head: LogHeader, node: str, content: str) -> None:
    """No entry may be refused for its width or its characters once it is in a batch."""
    made = make_entry(head, node, "berechnung", {content: content}, quelle=None, now=NOW)
    columns = {
        made.turn_id: 100,
        made.quelle: 50,
        made.node: 50,
        made.art: 30,
        made.user_id or "": 50,
        made.character_id or "": 50,
    }
    for text, width in columns.items():
        assert len(text) <= width
        assert "\x00" not in text
        text.encode()
    assert isinstance(json.loads(made.inhalt), dict)
    assert made.erstellt_am == NOW


def test_there_are_thirteen_kinds_of_row() -> None:
    """Spec 01 §4.4: the writing API enforces the vocabulary, the table has no CHECK."""
    assert set(get_args(Art)) == {
        "eingang", "prompt", "berechnung", "switch", "db_read", "db_write", "ausgabe", "fehler", "bemerkung",
        "token", "span_start", "span_end", "turn_roh",
    }  # fmt: skip
    assert all(len(art) <= 30 for art in get_args(Art))


def test_the_decisions_of_perception_are_registered() -> None:
    """Seed node-perzeption §5a."""
    assert DECISIONS["perzeption.kontext"] == {"geladen", "leer", "ohne_nutzer", "ausgefallen"}
    assert DECISIONS["perzeption.wahrnehmung"] == {"gelesen", "standardwerte"}


def test_a_row_may_name_its_own_source() -> None:
    """Spec 01 §6: the enricher's rows carry ``session``, ``embedding``, ``memory``."""
    head = LogHeader("t", "character", None, "meister", "nova")
    assert make_entry(head, "enricher", "eingang", {}, quelle="session", now=NOW).quelle == "session"
    assert make_entry(head, "enricher", "eingang", {}, quelle=None, now=NOW).quelle == "character"


def test_substitutes_say_what_they_stand_for() -> None:
    refused = refused_entry(entry(1), ValueError("zu tief"))
    assert (refused.art, refused.turn_id, refused.user_id) == ("fehler", "t", "meister")
    assert json.loads(refused.inhalt) == {
        "grund": "zeile_abgewiesen",
        "node": "ei_calc",
        "art": "berechnung",
        "fehler": "ValueError: zu tief",
    }
    assert json.loads(dropped_entry(7, NOW).inhalt) == {"grund": "eintraege_verworfen", "anzahl": 7}
    assert describe(TimeoutError()) == "TimeoutError"


@given(st.integers(1, 20), st.lists(st.integers(-5, 30), max_size=30))
def test_the_buffer_keeps_the_newest_and_counts_the_rest(capacity: int, steps: list[int]) -> None:
    """Bounded: what does not fit is the oldest, and is counted once."""
    buffer, model, lost, put = LogBuffer(capacity), [], 0, 0
    for step in steps:
        if step < 0:
            taken = [json.loads(taken.inhalt)["n"] for taken in buffer.take(-step)]
            assert taken == model[:-step]
            model = model[-step:]
            continue
        for _ in range(step):
            buffer.append(entry(put))
            model.append(put)
            put += 1
        lost += max(len(model) - capacity, 0)
        model = model[-capacity:]
        assert len(buffer) == len(model)
    assert buffer.take_dropped() == lost
    assert buffer.take_dropped() == 0


def test_an_unserialisable_entry_names_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 01 §4.4; the row says node, kind and reason, so that the writer of the node can be found."""
    head = LogHeader("t", "user", None, "meister", "nova")
    made = make_entry(head, "ei_calc", "berechnung", {"menge": {1}}, quelle=None, now=NOW)  # type: ignore[dict-item]
    assert made.art == "fehler"
    assert json.loads(made.inhalt) == {
        "grund": "nicht_serialisierbar",
        "node": "ei_calc",
        "art": "berechnung",
        "felder": ["menge"],
        "fehler": "TypeError: Object of type set is not JSON serializable",
    }
    assert caplog.records[0].exc_info


def test_one_frozen_header_carries_what_all_rows_of_a_span_share() -> None:
    """A-007: five fields, one parameter of every helper that logs."""
    assert [field.name for field in fields(LogHeader)] == [
        "turn_id",
        "quelle",
        "span_id",
        "user_id",
        "character_id",
    ]
    head = LogHeader("t", "user", None, "meister", "nova")
    with pytest.raises(FrozenInstanceError):
        head.quelle = "agent"  # type: ignore[misc]
