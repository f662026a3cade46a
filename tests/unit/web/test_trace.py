from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from novaberg.memory.pipeline_log import LogRow
from novaberg.web.texts import ENGLISH, GERMAN
from novaberg.web.trace import LONGEST_LINE, one_line, trace_lines

START = datetime(2026, 8, 30, 12, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


def row(seconds: float | None = 0.0, **content: JsonValue) -> LogRow:
    return LogRow(
        id=1,
        erstellt_am=None if seconds is None else START + timedelta(seconds=seconds),
        turn_id="t1",
        span_id=None,
        quelle="pfad",
        node="perzeption",
        art="ausgabe",
        inhalt=dict(content),
        user_id="meister",
        character_id="nova",
    )


def test_a_row_is_time_node_kind_and_content_with_all_of_it_as_json() -> None:
    """Spec 07 §4.12: time offset, node, art, one-line content; click unfolds the JSON."""
    first, second = trace_lines(
        [row(emotion="freude", arousal=0.35), row(0.0121, liste=[1, 2], leer="")], GERMAN
    )
    assert first[:4] == ("+0,000 s", "perzeption", "ausgabe", "emotion: freude · arousal: 0,35")
    assert json.loads(first[4]) == {"emotion": "freude", "arousal": 0.35}
    assert first[5] == "pfad"
    assert second[0] == "+0,012 s"
    assert second[3] == 'liste: [2] · leer: ""'


def test_a_row_without_a_readable_time_has_a_dash() -> None:
    assert [line[0] for line in trace_lines([row(None), row(1)], ENGLISH)] == ["—", "+0.000 s"]


def test_nothing_in_it_is_told_by_a_dash() -> None:
    assert one_line({}, GERMAN) == "—"


@given(st.dictionaries(st.text(max_size=9), JSON, max_size=6))
def test_whatever_a_row_holds_it_fits_in_one_line(content: dict[str, JsonValue]) -> None:
    line = one_line(content, ENGLISH)
    assert 0 < len(line) <= LONGEST_LINE
