"""The conversation of issue 2 on the built-in model, across processes, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from novaberg.language import Language, detect_language
from tests.support.server import environment, novaberg

GERMAN = ("Hallo Nova!", "Mein Hund Bruno ist krank, ich mache mir Sorgen.", "Wie heißt mein Hund?")
ENGLISH = ("Hello Nova!", "My dog Bruno is ill and I am worried.", "What is my dog's name?")


def _talk(home: Path, person: str, *texts: str) -> list[dict[str, Any]]:
    says = [part for text in texts for part in ("--say", text)]
    ended = novaberg("chat", *says, "--user", person, "--json", env=environment(home))
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.parametrize(
    ("texts", "person", "language"),
    [(GERMAN, "meister", "de"), (ENGLISH, "owner", "en")],
)
def test_three_turns_in_the_language_of_the_person(
    kept_home: Path, texts: tuple[str, ...], person: str, language: Language
) -> None:
    """Issue 2, Acceptance: sensible, different perceptions, replies in the person's language, the third names Bruno."""
    turns = _talk(kept_home, person, *texts)
    assert len(turns) == 3
    for turn in turns:
        assert set(turn) == {"turn_id", "reply", "external", "internal", "timings"}
        assert turn["external"]["herkunft"] == "gelesen"
        assert detect_language(turn["reply"], "de" if language == "en" else "en") == language
        assert 0 < turn["timings"]["answer_ms"] <= turn["timings"]["total_ms"]
    greeting, worry, question = (turn["external"] for turn in turns)
    assert worry["emotion"] in ("unsicherheit", "stress", "traurigkeit")
    assert worry["arousal"] > question["arousal"]
    assert greeting["emotion"] != worry["emotion"]
    assert greeting["intent"] == "smalltalk"
    topics = [side["prompt_topic"] for side in (greeting, worry, question)]
    assert len(set(topics)) == 3
    assert "Bruno" in turns[2]["reply"]


def test_the_next_process_finds_the_state_in_which_she_fell_asleep(kept_home: Path) -> None:
    """Issue 2, Acceptance: a second process shows the thirteen fields; the next turn's trace says ``exists: true``."""
    env = environment(kept_home)
    _talk(kept_home, "zweit", *GERMAN[:2])
    stored = json.loads(novaberg("state", "--json", "--user", "zweit", env=env).stdout)
    assert len(stored["nova_state"]) == 13
    assert [turn["rolle"] for turn in stored["session"]] == ["user", "assistant"] * 2
    (after,) = _talk(kept_home, "zweit", GERMAN[2])
    assert "Bruno" in after["reply"]
    trace = novaberg("trace", after["turn_id"], "--json", "--user", "zweit", env=env)
    rows = [json.loads(line) for line in trace.stdout.splitlines()]
    assert [row["inhalt"]["exists"] for row in rows if "exists" in row["inhalt"]] == [True]
    assert {"node", "quelle", "art", "inhalt", "zeit", "span_id", "turn_id"} <= set(rows[0])
    readable = novaberg("trace", "last", "--user", "zweit", env=env)
    assert after["turn_id"] in readable.stdout
