"""``POST /chat/stream``: a turn as server-sent events."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError
from novaberg.server.app import create_app
from novaberg.server.event_stream import turn_events
from novaberg.server.messages import Acknowledgement
from novaberg.settings import load_settings
from tests.support.program import StubEar, StubProgram, turn_messages
from tests.unit.server.conftest import Talk

GREETING = Acknowledgement(nachricht="ok", nachrichten_id="id-1", wiederholt=False)


def events(text: str) -> list[tuple[str, Any]]:
    """Name and data of each event."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


async def test_a_turn_is_told_from_acceptance_to_end(talk: Talk) -> None:
    """Design §7: ``stage*``, ``answer``, ``complete``; ``processing`` is the acknowledgement of ``/chat``."""
    answer = await talk(StubProgram()).post("/chat/stream", json={"prompt": "Hallo"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Accel-Buffering"] == "no"
    told = events(answer.text)
    assert [name for name, _ in told] == ["processing", "stage", "answer", "complete"]
    assert told[0][1]["nachrichten_id"] == "id-1"
    assert told[1][1]["label"] == "Perzeption — Wahrnehmung"
    assert told[2][1]["nachricht"] == "Ja."
    assert told[3][1]["external"] == {"emotion": "freude"}


async def test_a_failed_turn_ends_with_error(talk: Talk) -> None:
    """Design §7: ``complete`` | ``error``."""
    program = StubProgram()
    program.ear = StubEar(turn_messages("id-1", error="Das Sprachmodell ist nicht erreichbar."))
    answer = await talk(program).post("/chat/stream", json={"prompt": "Hallo"})
    name, data = events(answer.text)[-1]
    assert (name, data["fehler"]) == ("error", "Das Sprachmodell ist nicht erreichbar.")


async def test_a_store_that_fails_on_the_way_ends_the_stream_with_a_word(talk: Talk) -> None:
    """Design §7: ``complete`` | ``error``, never a stream that merely breaks off."""
    program = StubProgram()
    program.ear = StubEar(turn_messages("id-1")[:1], breaks_with=DatabaseUnavailableError())
    answer = await talk(program).post("/chat/stream", json={"prompt": "Hallo"})
    told = events(answer.text)
    assert [name for name, _ in told] == ["processing", "stage", "error"]
    assert told[-1][1]["nachrichten_ids"] == ["id-1"]
    assert "novaberg doctor" in told[-1][1]["fehler"]
    assert program.ear.closed


async def test_before_acceptance_an_error_is_an_ordinary_problem(talk: Talk) -> None:
    """Brief: a client may look at the status as everywhere else; what was opened is closed."""
    program = StubProgram()
    answer = await talk(program).post("/chat/stream", json={"prompt": " "})
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert program.leaving.is_set()
    program.fails_with = RedisUnavailableError()
    answer = await talk(program).post("/chat/stream", json={"prompt": "a"})
    assert answer.status_code == 503
    assert program.inbox.messages == []


async def test_silence_is_filled_with_comments() -> None:
    """Brief: keep-alive comments, so that no proxy gives up during a long thought."""
    ear = StubEar(turn_messages("id-1")[:1], waits=asyncio.Event())
    stream = turn_events(ear, GREETING, load_settings(), keep_alive_s=0.01)  # type: ignore[arg-type]
    got = [await anext(stream) for _ in range(4)]
    assert [part.split(":")[0] for part in got] == ["event", "event", "", ""]
    await stream.aclose()  # type: ignore[attr-defined]
    assert ear.closed


@pytest.mark.parametrize("leave_after", [0, 1])
async def test_a_client_that_leaves_frees_what_was_held(leave_after: int) -> None:
    """P2: client drops in mid-stream, also before the first byte: the turn lives on, the listening ends."""
    program = StubProgram()
    program.ear = StubEar(turn_messages("id-1")[:1], waits=asyncio.Event())
    app = create_app(program, page=False)
    sent: list[Any] = []
    body = json.dumps({"prompt": "Hallo"}).encode()
    incoming = [{"type": "http.request", "body": body, "more_body": False}]
    enough = asyncio.Event()

    async def receive() -> Any:
        if incoming:
            return incoming.pop(0)
        if leave_after:
            await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            enough.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/chat/stream",
        "raw_path": b"/chat/stream",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8642"), (b"content-type", b"application/json")],
    }
    async with asyncio.timeout(5):
        await app(scope, receive, send)
        await program.leaving.wait()
    assert len(program.inbox.messages) == 1
