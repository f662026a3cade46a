"""Leaving: what runs may finish, what is told is kept, and the second signal does not wait (promise P1)."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.fake_model import FakeModel, fake_model
from tests.support.server import RunningServer, eventually
from tests.unit.server.test_event_stream import events

LATENCY_S = 0.7


@pytest.fixture(scope="module")
def slow() -> Iterator[FakeModel]:
    """A model server that takes its time."""
    with fake_model(latency=LATENCY_S) as fake:
        yield fake


def _say(server: RunningServer, person: str) -> str:
    with server.client() as client:
        accepted = client.post("/chat", json={"prompt": "Hallo", "user_id": person})
    return str(accepted.json()["nachrichten_id"])


def _history(server: RunningServer, person: str) -> list[dict[str, Any]]:
    with server.client() as client:
        return list(client.get(f"/verlauf/{person}").json()["verlauf"])


def _busy(slow: FakeModel) -> bool:
    return any(call["outcome"] == "running" for call in slow.calls())


def test_a_running_turn_finishes_before_the_server_leaves(kept_home: Path, slow: FakeModel) -> None:
    """Brief: running turns get the worker's grace; exit code 0; no traceback."""
    person = "grace"
    with RunningServer(kept_home, **slow.settings) as server:
        _say(server, person)
        eventually(lambda: _busy(slow))
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert "Traceback" not in server.log
        server.start()
        (turn,) = _history(server, person)
        assert turn["zustand"] == "erledigt"
        with server.client() as client:
            rows = client.get(f"/pipeline/{turn['turn_id']}").json()["zeilen"]
    assert [row["node"] for row in rows if row["art"] == "turn_roh"] == ["dispatcher"]
    assert {"perzeption", "db_zugriff", "ei_calc_persist"} <= {row["node"] for row in rows}


def test_a_stream_is_told_to_its_end_while_the_server_leaves(kept_home: Path, slow: FakeModel) -> None:
    """Brief: open requests are served; nobody new is let in."""
    with RunningServer(kept_home, **slow.settings) as server, server.client() as client:
        body = {"prompt": "Hallo", "user_id": "strom"}
        with client.stream("POST", "/chat/stream", json=body) as stream:
            lines = stream.iter_lines()
            seen = [next(lines)]
            server.signal(signal.SIGTERM)
            seen.extend(lines)
        assert [name for name, _ in events("\n".join(seen))][-2:] != []
        assert "event: complete" in seen
        assert server.wait() == 0


def test_the_second_signal_does_not_wait_for_the_turn(kept_home: Path, slow: FakeModel) -> None:
    """Brief: a second signal ends at once; the message is answered after the next start."""
    with RunningServer(kept_home, **slow.settings) as server:
        _say(server, "eilig")
        eventually(lambda: _busy(slow))
        server.signal(signal.SIGTERM)
        time.sleep(0.3)
        start = time.monotonic()
        server.signal(signal.SIGTERM)
        assert server.wait() == 128 + signal.SIGTERM
        took = time.monotonic() - start
        assert took < 8, f"{took:.1f} s"
        server.start()
        turn = eventually(
            lambda: next((t for t in _history(server, "eilig") if t["zustand"] == "erledigt"), None)
        )
    assert len(turn["nachrichten"]) == 1
    assert turn["antwort"]["text"]


def test_clients_of_the_live_channel_are_told_to_come_back(kept_home: Path, slow: FakeModel) -> None:
    """Ctrl-C. Spec 07 §11: the footer shows "getrennt", then the client reconnects."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with RunningServer(kept_home, **slow.settings) as server:
        with connect(server.ws_url + "/ws/meister?client_id=tab", proxy=None) as socket:
            socket.recv(timeout=10)
            server.signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert server.wait() == 0


def test_a_worker_answers_what_another_process_accepted(kept_home: Path, slow: FakeModel) -> None:
    """Brief: ``novaberg worker`` serves the queue without any surface."""
    with (
        RunningServer(kept_home, **slow.settings) as server,
        RunningServer(kept_home, command=("worker",), **slow.settings) as worker,
    ):
        _say(server, "helfer")
        eventually(lambda: [t for t in _history(server, "helfer") if t["zustand"] == "erledigt"])
        assert worker.stop() == 0
        assert server.stop() == 0
