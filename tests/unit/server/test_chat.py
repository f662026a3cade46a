"""``POST /chat`` (spec 01 §5.1) and everything that can be wrong with a message."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from novaberg import errors
from novaberg.pair import Pair
from novaberg.server.limits import body_limit
from tests.support.program import START, StubProgram
from tests.unit.server.conftest import Talk

PROBLEM = "application/problem+json"


async def test_a_message_is_acknowledged_with_its_id(talk: Talk) -> None:
    """Design §7: 202 with the id of a committed message."""
    program = StubProgram()
    answer = await talk(program).post(
        "/chat", json={"prompt": " Hallo ", "client_id": "tab", "message_id": "m1"}
    )
    assert answer.status_code == 202
    assert answer.json() == {
        "status": "processing",
        "nachricht": "Nachricht angenommen, die Antwort folgt.",
        "nachrichten_id": "id-1",
        "wiederholt": False,
    }
    assert program.inbox.messages == [
        {
            "pair": Pair("meister", "nova"),
            "prompt": " Hallo ",
            "client_id": "tab",
            "message_id": "m1",
            "empfangen_am": START,
            "max_waiting": 100,
        }
    ]


async def test_the_same_message_id_is_accepted_once(talk: Talk) -> None:
    """P2: a client that repeats itself gets the first id."""
    program = StubProgram()
    client = talk(program)
    first = await client.post("/chat", json={"prompt": "a", "message_id": "m"})
    second = await client.post("/chat", json={"prompt": "a", "message_id": "m"})
    assert second.json()["nachrichten_id"] == first.json()["nachrichten_id"]
    assert second.json()["wiederholt"] is True
    assert len(program.inbox.messages) == 1


async def test_the_moment_of_receipt_is_taken_before_anything_else(talk: Talk) -> None:
    """Spec 01 §3.1.1: ``empfangen_am`` is the very first statement."""
    program = StubProgram()
    program.clock.move(5)
    await talk(program).post("/chat", json={"prompt": "a"})
    assert program.inbox.messages[0]["empfangen_am"] == datetime(2026, 8, 30, 12, 0, 5, tzinfo=UTC)


async def test_fields_of_the_original_are_accepted_and_ignored(talk: Talk) -> None:
    """Spec 01 §5.1: ``system`` and ``temperatur``."""
    body = {"prompt": "a", "user_id": "", "system": "Du bist Pirat.", "temperatur": 1.2, "unbekannt": [1]}
    assert (await talk(StubProgram()).post("/chat", json=body)).status_code == 202


@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (b'{"prompt": ""}', 400, "prompt"),
        (b'{"prompt": "  \\n "}', 400, "leer"),
        (b"{}", 400, "prompt"),
        (b'{"prompt": 5}', 400, "prompt"),
        (b'{"prompt": null}', 400, "prompt"),
        (b'{"prompt": ["a"]}', 400, "prompt"),
        (b'{"prompt": "a", "temperatur": 3}', 400, "temperatur"),
        (b'{"prompt": "a", "user_id": "a:b"}', 400, "Kennung"),
        (b'{"prompt": "a", "character_id": "' + b"x" * 51 + b'"}', 400, "Kennung"),
        (b'{"prompt": "a", "client_id": "' + b"x" * 201 + b'"}', 400, "client_id"),
        (b'{"prompt": "a", "message_id": ""}', 400, "message_id"),
        (b'{"prompt": "a\\u0000b"}', 400, "NUL"),
        (b'{"prompt": "\\ud800"}', 400, "prompt"),
        (b'{"prompt": "a"', 400, "JSON"),
        (b"", 400, "Fields"),
        (b"\xff\xfe", 400, "JSON"),
        (b"[" * 50_000, 400, "JSON"),
        (b'"prompt"', 400, ""),
        (b"[]", 400, ""),
        (b"null", 400, ""),
        (b'{"prompt": "a", "temperatur": NaN}', 400, ""),
        (json.dumps({"prompt": "ä" * 16_001}).encode(), 413, "16000"),
    ],
)
async def test_bad_input_is_a_clear_problem_and_changes_nothing(
    talk: Talk, path: str, body: bytes, status: int, word: str
) -> None:
    """Issue "Bad input": empty or over-long text, invalid JSON: a clear error, nothing half written."""
    program = StubProgram()
    answer = await talk(program).post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == PROBLEM
    problem = answer.json()
    assert problem["status"] == status
    assert word in problem["fehler"]
    assert set(problem) == {"type", "title", "status", "detail", "fehler"}
    assert program.inbox.messages == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_only_json_is_read(talk: Talk, kind: str) -> None:
    """I4: what a foreign page may send without asking first (simple requests) is never taken for a message."""
    program = StubProgram()
    answer = await talk(program).post("/chat", content=b'{"prompt": "a"}', headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert program.inbox.messages == []


async def test_a_body_beyond_all_messages_is_not_read(talk: Talk) -> None:
    """P13: refused by its announced length, or as soon as it grows too long."""
    program = StubProgram()
    client = talk(program)
    size = body_limit(program.settings) + 1
    announced = await client.post("/chat", content=b" " * size)
    assert announced.status_code == 413
    assert announced.json()["type"].endswith("request-too-large")

    async def chunks():  # type: ignore[no-untyped-def]
        for _ in range(size // 1000 + 2):
            yield b" " * 1000

    chunked = await client.post("/chat", content=chunks(), headers={"Content-Type": "application/json"})
    assert chunked.status_code == 413
    assert chunked.headers["Content-Type"] == PROBLEM


async def test_the_longest_message_passes_in_its_longest_form(talk: Talk) -> None:
    """P13: the limit of the body never refuses a message that is short enough."""
    program = StubProgram()
    answer = await talk(program).post("/chat", json={"prompt": "😀" * 16_000})
    assert answer.status_code == 202


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.QueueFullError(), 429),
        (errors.DatabaseUnavailableError("PostgreSQL does not answer: gone."), 503),
        (errors.DiskFullError(), 507),
    ],
)
async def test_what_cannot_be_stored_is_not_acknowledged(
    talk: Talk, error: errors.NovabergError, status: int
) -> None:
    """P1: no acknowledgement without a commit; a client is told when to come back."""
    program = StubProgram()
    program.inbox.fails_with = error
    answer = await talk(program).post("/chat", json={"prompt": "a"})
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == PROBLEM
    assert (status in (429, 503)) == ("Retry-After" in answer.headers)


async def test_errors_speak_the_language_of_the_settings(talk: Talk) -> None:
    """Brief: ``fehler`` German or English by settings; ``detail`` is English always."""
    for language, word in (("de", "leer"), ("en", "empty")):
        answer = await talk(StubProgram(language=language)).post("/chat", json={"prompt": " "})
        assert word in answer.json()["fehler"]
        assert "empty" in answer.json()["detail"]


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nirgends", 404), ("GET", "/chat", 405)])
async def test_unknown_routes_and_methods_are_problems(
    talk: Talk, method: str, path: str, status: int
) -> None:
    """Issue "Bad input": unknown routes."""
    answer = await talk(StubProgram()).request(method, path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == PROBLEM
    assert answer.json()["fehler"]
    if status == 405:
        assert answer.headers["Allow"] == "POST"


async def test_a_defect_is_a_problem_without_its_inner_text(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    """P5 and P9: visible, and nothing of the inside goes out."""
    program = StubProgram()
    program.inbox.fails_with = ValueError("inner secret")
    answer = await talk(program).post("/chat", json={"prompt": "a"})
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == PROBLEM
    assert "secret" not in answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
