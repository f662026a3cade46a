from __future__ import annotations

import json

from typer.testing import CliRunner

from novaberg.cli.app import app
from novaberg.vocabulary import EMOTION_CANON

_KEYS = [
    "emotion",
    "arousal",
    "intent",
    "tone",
    "thema",
    "modus",
    "sprach_stil",
    "beziehungs_dynamik",
    "scores",
    "confidence",
    "herkunft",
]


def test_each_line_gives_one_json_object_with_all_keys() -> None:
    """design §7: one text a line on stdin, one perception a line out, with scores of all 17 emotions."""
    result = CliRunner().invoke(
        app, ["perceive", "--json"], input="Ich freue mich so!\n\nHow tall is the Eiffel Tower?"
    )
    assert result.exit_code == 0
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(one) for one in told] == [_KEYS] * 3
    assert [one["herkunft"] for one in told] == ["gelernt", "leer", "gelernt"]
    assert told[0]["emotion"] == "freude"
    assert tuple(told[0]["scores"]) == EMOTION_CANON
    assert (told[2]["emotion"], told[2]["intent"]) == ("neutral", "knowledge")


def test_bytes_that_are_no_text_are_no_reason_to_fail() -> None:
    """issue 3, bad input."""
    result = CliRunner().invoke(app, ["perceive", "--json"], input=b"\xff\xfe\x00ja\r\n\x1b[31m\n")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2


def test_without_json_a_line_names_emotion_and_origin() -> None:
    """For people."""
    result = CliRunner().invoke(app, ["perceive"], input="Wann fährt der Bus?\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("neutral")
    assert "gelernt" in result.stdout


def test_no_input_gives_no_output() -> None:
    """An empty pipe is no error."""
    result = CliRunner().invoke(app, ["perceive", "--json"], input="")
    assert (result.exit_code, result.stdout) == (0, "")
