"""The server from outside: HTTP, server-sent events, WebSocket, a second process (issue 2, spec 01 §5)."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.fake_model import FakeModel
from tests.support.server import RunningServer, eventually, novaberg
from tests.unit.server.test_event_stream import events

WAIT_S = 20.0


async def _hear(socket: ClientConnection, *until: str) -> list[dict[str, Any]]:
    """Messages up to and with the first of one of these kinds."""
    heard: list[dict[str, Any]] = []
    async with asyncio.timeout(WAIT_S):
        while not heard or heard[-1]["typ"] not in until:
            heard.append(json.loads(await socket.recv()))
    return heard


async def _greeted(server: RunningServer, path: str) -> ClientConnection:
    socket = await connect(server.ws_url + path, proxy=None)
    await _hear(socket, "verbindung")
    return socket


def _history(server: RunningServer, user: str) -> list[dict[str, Any]]:
    with server.client() as client:
        return list(client.get(f"/verlauf/{user}").json()["verlauf"])


def _finished(server: RunningServer, user: str, messages: int) -> list[dict[str, Any]]:
    """The history once that many messages of the person are answered."""

    def done() -> list[dict[str, Any]]:
        turns = _history(server, user)
        answered = [turn for turn in turns if turn["zustand"] == "erledigt"]
        return turns if sum(len(turn["nachrichten"]) for turn in answered) == messages else []

    return eventually(done)  # type: ignore[no-any-return]


def test_health_shows_all_lamps(server: RunningServer) -> None:
    """Spec 01 §5.2; health checks leave no line in the access log."""
    with server.client() as client:
        body = client.get("/health").json()
        client.get("/openapi.json")
    assert {body[lamp] for lamp in ("server", "postgres", "redis", "modell")} == {"ok"}
    eventually(lambda: "/openapi.json" in server.log)
    assert "/health" not in server.log


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nirgends", 404), ("POST", "/nirgends", 404), ("GET", "/chat", 405), ("POST", "/health", 405)],
)
def test_unknown_routes_and_methods_are_problems(
    server: RunningServer, method: str, path: str, status: int
) -> None:
    """Issue 2, "Bad input": also where the page is mounted behind the routes; people get a page of their own."""
    with server.client() as client:
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
        assert answer.json()["fehler"]
        if status == 405:
            assert answer.headers["Allow"]
        else:
            page = client.request(method, path, headers={"Accept": "text/html"})
            assert (page.status_code, page.headers["Content-Type"][:9]) == (404, "text/html")


def test_a_turn_streams_its_stages_and_its_answer(server: RunningServer) -> None:
    """Design §7: ``POST /chat/stream`` → ``stage*``, ``answer``, ``complete``."""
    with server.client() as client:
        answer = client.post("/chat/stream", json={"prompt": "Ich freue mich so!", "user_id": "sse"})
    told = events(answer.text)
    names = [name for name, _ in told]
    assert names[0] == "processing"
    assert names[-1] == "complete"
    assert names.count("answer") == 1
    nodes = [data["node"] for name, data in told if name == "stage"]
    assert {"perzeption", "ei_calc", "db_zugriff", "responder", "ei_calc_persist"} <= set(nodes)
    by_name = dict(told)
    assert "Ich freue mich so!" in by_name["answer"]["nachricht"]
    assert by_name["complete"]["external"]["herkunft"] == "gelesen"
    assert by_name["complete"]["timings"]["answer_ms"] < by_name["complete"]["timings"]["total_ms"]


async def test_clients_hear_the_conversation_and_not_their_own_words(server: RunningServer) -> None:
    """Spec 01 §5.3, 07 §13.2: the answer reaches all clients of the figure, ``user_message`` only the others."""
    async with (
        await _greeted(server, "/ws/wsa?client_id=tab-1&character_id=nova") as sender,
        await _greeted(server, "/ws/wsa?client_id=tab-2") as other,
        await _greeted(server, "/ws/wsa?client_id=tab-3&character_id=iris") as another_figure,
        await _greeted(server, "/ws/wsb?client_id=tab-1") as another_person,
    ):
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            accepted = await client.post(
                "/chat", json={"prompt": "Hallo", "user_id": "wsa", "client_id": "tab-1"}
            )
        identity = accepted.json()["nachrichten_id"]
        told = await _hear(sender, "turn_complete")
        overheard = await _hear(other, "turn_complete")
        kinds = [message["typ"] for message in told]
        assert "user_message" not in kinds
        assert kinds.count("character_response") == 1
        assert [m["nachricht"] for m in overheard if m["typ"] == "user_message"] == ["Hallo"]
        answer = next(message for message in told if message["typ"] == "character_response")
        assert answer["nachrichten_ids"] == [identity]
        assert {"turn_id", "reiz_herkunft", "modell", "emotion", "nova_emotion"} <= set(answer)
        for stranger in (another_figure, another_person):
            await stranger.send("da?")
            assert [m["typ"] for m in await _hear(stranger, "echo")] == ["echo"]


async def test_the_same_client_replaces_its_older_connection(server: RunningServer) -> None:
    """Spec 07 §3.4 [fix]."""
    old = await _greeted(server, "/ws/wsc?client_id=tab")
    async with await _greeted(server, "/ws/wsc?client_id=tab") as new:
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(old.recv(), WAIT_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
        await new.send("da?")
        assert (await _hear(new, "echo"))[-1]["nachricht"] == "da?"


async def test_a_foreign_page_cannot_open_the_live_channel(server: RunningServer) -> None:
    """I4: browsers send the Origin with every WebSocket."""
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.ws_url + "/ws/meister", origin="http://evil.example", proxy=None)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403


def test_a_client_that_drops_does_not_harm_the_turn(server: RunningServer) -> None:
    """P2: client drops in mid-stream; what it missed can be fetched."""
    with (
        server.client() as client,
        client.stream("POST", "/chat/stream", json={"prompt": "Ich gehe.", "user_id": "drop"}) as stream,
    ):
        next(stream.iter_lines())
    (turn,) = _finished(server, "drop", 1)
    assert turn["antwort"]["text"]
    with server.client() as client:
        missed = client.get("/verlauf/drop", params={"seit": 0}).json()
        assert [answer["turn_id"] for answer in missed["antworten"]] == [turn["turn_id"]]
        number = missed["antworten"][0]["nummer"]
        assert client.get("/verlauf/drop", params={"seit": number}).json()["anzahl"] == 0


def test_the_same_message_id_makes_one_turn(server: RunningServer) -> None:
    """Issue 2: the same ``message_id`` twice makes one turn; a late repeat gets the answer told again."""
    body = {"prompt": "Nur einmal.", "user_id": "einmal", "message_id": "m-1"}
    with ThreadPoolExecutor(8) as pool, server.client() as client:
        ids = {
            answer.json()["nachrichten_id"]
            for answer in pool.map(lambda _: client.post("/chat", json=body), range(8))
        }
    assert len(ids) == 1
    _finished(server, "einmal", 1)
    with server.client() as client:
        start = time.monotonic()
        told = events(client.post("/chat/stream", json=body).text)
    assert time.monotonic() - start < 5
    assert [name for name, _ in told] == ["processing", "answer", "complete"]
    assert told[0][1]["wiederholt"] is True
    assert len(_history(server, "einmal")) == 1


def test_two_messages_within_50_ms_never_interleave(server: RunningServer) -> None:
    """Issue 2, P3: one turn or two in order."""
    people = [f"paar-{number}" for number in range(6)]
    with server.client() as client:
        for person in people:
            for text in ("eins", "zwei"):
                assert client.post("/chat", json={"prompt": text, "user_id": person}).status_code == 202
    for person in people:
        turns = _finished(server, person, 2)
        assert len(turns) in (1, 2)
        assert [message["text"] for turn in turns for message in turn["nachrichten"]] == ["eins", "zwei"]
        assert all(turn["antwort"] for turn in turns)


def test_a_turn_that_the_model_fails_is_told_and_can_be_queued_again(
    server: RunningServer, model: FakeModel
) -> None:
    """Case F10, P5: an honest error, the turn is kept, and after the cause is mended it is answered."""
    model.fail("not_found")
    try:
        with server.client() as client:
            told = events(client.post("/chat/stream", json={"prompt": "Hm?", "user_id": "fehl"}).text)
    finally:
        model.heal()
    name, error = told[-1]
    assert name == "error"
    assert error["turn_id"] in error["fehler"]
    assert _history(server, "fehl")[-1]["zustand"] == "gescheitert"
    with server.client() as client:
        again = {"turn_id": error["turn_id"], "user_id": "fehl"}
        assert client.post("/admin/events/requeue", json=again).status_code == 200
        _finished(server, "fehl", 1)
        assert client.post("/admin/events/requeue", json=again).status_code == 409
        assert (
            client.post("/admin/events/requeue", json={"turn_id": "nie", "user_id": "fehl"}).status_code
            == 404
        )


def test_the_session_is_seen_and_reset_and_the_history_stays(server: RunningServer) -> None:
    """Spec 01 §5.1."""
    with server.client() as client:
        client.post("/chat/stream", json={"prompt": "Hallo", "user_id": "sitzung"})
        context = client.get("/session/kontext/sitzung").json()
        assert [turn["rolle"] for turn in context["turns"]] == ["user", "assistant"]
        assert client.post("/session/reset/sitzung").json()["status"] == "ok"
        assert client.get("/session/kontext/sitzung").json()["anzahl_turns"] == 0
    assert len(_history(server, "sitzung")) == 1


def test_another_process_sees_the_same_home(server: RunningServer) -> None:
    """Issue 2: a second process shows the thirteen fields; the next turn's trace says ``exists: true``."""
    with server.client() as client:
        for text in ("Hallo", "Und nun?"):
            told = events(client.post("/chat/stream", json={"prompt": text, "user_id": "zweit"}).text)
        turn_id = told[-1][1]["turn_id"]
        rows = client.get(f"/pipeline/{turn_id}").json()["zeilen"]
    state = novaberg("state", "--json", "--user", "zweit", env=server.env)
    assert state.returncode == 0, state.stderr
    assert len(json.loads(state.stdout)["nova_state"]) == 13
    reads = [
        row["inhalt"]["exists"] for row in rows if row["node"] == "db_zugriff" and "exists" in row["inhalt"]
    ]
    assert reads == [True]


def test_a_command_may_talk_while_the_server_runs(server: RunningServer) -> None:
    """Brief: another process's worker may take the turn; both are fine."""
    said = novaberg("chat", "--say", "Hallo", "--user", "beide", "--json", env=server.env)
    assert said.returncode == 0, said.stderr
    (line,) = said.stdout.splitlines()
    assert json.loads(line)["reply"]
    assert _history(server, "beide")[0]["antwort"]["text"] == json.loads(line)["reply"]


def test_a_burst_is_accepted_quickly_and_answered_completely(server: RunningServer) -> None:
    """P1, P13: every acknowledged message is answered; acknowledging stays quick."""
    took = []
    with server.client() as client:
        for number in range(40):
            start = time.perf_counter()
            assert (
                client.post("/chat", json={"prompt": f"Nummer {number}", "user_id": "flut"}).status_code
                == 202
            )
            took.append(time.perf_counter() - start)
    assert sorted(took)[len(took) // 2] < 0.25
    turns = _finished(server, "flut", 40)
    texts = [message["text"] for turn in turns for message in turn["nachrichten"]]
    assert texts == [f"Nummer {number}" for number in range(40)]
