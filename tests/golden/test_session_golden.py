"""Golden rows of the session (spec 03 §9): formatter, summary, service mark."""

import json
from pathlib import Path
from typing import Any

import pytest

from novaberg.memory.session_format import format_session_turns_numbered
from novaberg.memory.session_window import last_user_index, summary_due, turns_left

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "memory_session.json").read_text("utf-8")
)


def session_format(given: dict[str, Any]) -> object:
    return format_session_turns_numbered(
        given["turns"], max_turns=given["max_turns"], max_window_chars=given["max_window_chars"]
    )


def session_summarise(given: dict[str, Any]) -> object:
    length = given["length"]
    return {"due": summary_due(length), "left": turns_left(length, summarised=given["llm_ok"])}


def session_mark_action(given: dict[str, Any]) -> object:
    return last_user_index(given["turns"])


FUNCTIONS = {
    "session_format": session_format,
    "session_summarise": session_summarise,
    "session_mark_action": session_mark_action,
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['fn']}-{number}" for number, row in enumerate(ROWS)])
def test_golden_row(row: dict[str, Any]) -> None:
    """Spec 03 §9."""
    assert FUNCTIONS[row["fn"]](row["in"]) == row["out"]
