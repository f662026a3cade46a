"""One turn from the command line."""

from __future__ import annotations

from novaberg.cli.dialogue import TurnReport, take_turn
from novaberg.cli.texts import ENGLISH_STAGES, TEXTS, stage_line
from novaberg.graph.stages import LABELS
from novaberg.pair import Pair
from tests.support.program import START, StubEar, StubProgram, turn_messages


async def test_a_turn_is_followed_to_its_end() -> None:
    """Design §7: ``chat --json`` waits for ``turn_complete``."""
    program = StubProgram()
    report = TurnReport()
    async for message in take_turn(program, Pair("meister"), "Hallo"):
        report.note(message)
    assert report.as_json() == {
        "turn_id": "t1",
        "reply": "Ja.",
        "external": {"emotion": "freude"},
        "internal": {},
        "timings": {"answer_ms": 1.0, "total_ms": 2.0},
    }
    assert program.inbox.messages[0]["client_id"] == "cli"
    assert program.inbox.messages[0]["empfangen_am"] == START


async def test_a_failed_turn_says_why() -> None:
    """Brief: ``{"turn_id", "reply": null, "error"}``."""
    program = StubProgram()
    program.ear = StubEar(turn_messages("id-1", error="Kein Modell."))
    report = TurnReport()
    async for message in take_turn(program, Pair("meister"), "Hallo"):
        report.note(message)
    assert report.as_json() == {"turn_id": "t1", "reply": None, "error": "Kein Modell."}


def test_an_answer_that_was_given_is_not_denied_by_a_later_failure() -> None:
    """P5: what the person saw stays visible beside the error."""
    report = TurnReport()
    report.note({"typ": "character_response", "turn_id": "t", "nachricht": "Ja."})
    report.note({"typ": "error", "turn_id": "t", "fehler": "tail"})
    assert report.as_json() == {"turn_id": "t", "reply": "Ja.", "error": "tail"}


def test_stage_lines_follow_the_language() -> None:
    """Spec 07 §3.3: "{label} · {detail}"; a dash is no detail."""
    stage = {"node": "perzeption", "label": "Perzeption — Wahrnehmung", "detail": "freude (ruhig)"}
    assert stage_line(stage, "de") == "Perzeption — Wahrnehmung · freude (ruhig)"
    assert stage_line({**stage, "detail": "—"}, "de") == "Perzeption — Wahrnehmung"
    assert stage_line(stage, "en") == "Perception — listening"
    assert stage_line({**stage, "node": "neu"}, "en") == "neu"


def test_every_stage_has_an_english_label() -> None:
    """Brief: German or English by settings; a new node needs both."""
    assert set(ENGLISH_STAGES) == set(LABELS)
    assert set(TEXTS) == {"de", "en"}
