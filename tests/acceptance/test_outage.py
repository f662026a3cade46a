"""The stores go away under a running server and come back (promises P1, P5; issue 2, "Bad input")."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.support.fake_model import FakeModel
from tests.support.server import RunningServer, eventually, fresh_home, novaberg


def test_an_outage_is_told_and_survived(model: FakeModel) -> None:
    """Nothing is acknowledged that is not stored; lamps, problems and live channel say so; afterwards all goes on."""
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(fresh_home())
        server = stack.enter_context(RunningServer(home, **model.settings))
        client = stack.enter_context(server.client())
        client.post("/chat/stream", json={"prompt": "Vorher."})
        live = stack.enter_context(connect(server.ws_url + "/ws/meister", proxy=None))
        live.recv(timeout=10)
        assert novaberg("services", "--stop", "--force", env=server.env).returncode == 0

        start = time.monotonic()
        lamps = client.get("/health").json()
        assert time.monotonic() - start < 3
        assert (lamps["server"], lamps["postgres"], lamps["redis"]) == ("ok", "fehler", "fehler")
        for path in ("/chat", "/chat/stream"):
            refused = client.post(path, json={"prompt": "Währenddessen."})
            assert refused.status_code == 503
            assert refused.headers["Content-Type"] == "application/problem+json"
            assert int(refused.headers["Retry-After"]) > 0
            assert "doctor" in refused.json()["fehler"]

        assert novaberg("services", env=server.env).returncode == 0
        with pytest.raises(ConnectionClosed):  # it may have missed something: it shall come back and look
            for _ in range(3):
                live.recv(timeout=30)
        eventually(lambda: client.get("/health").json()["redis"] == "ok")
        eventually(lambda: client.get("/health").json()["postgres"] == "ok")
        told = client.post("/chat/stream", json={"prompt": "Nachher."}).text
        assert "event: complete" in told
        said = [
            message["text"]
            for turn in client.get("/verlauf/meister").json()["verlauf"]
            for message in turn["nachrichten"]
        ]
        assert said == ["Vorher.", "Nachher."]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_reply_that_cannot_be_printed_is_told(home: Path, model: FakeModel) -> None:
    """Issue 2: full disk; the reply is safe in the home."""
    env = RunningServer(home, **model.settings).env
    with Path("/dev/full").open("w") as full:
        said = subprocess.run(
            [sys.executable, "-m", "novaberg", "chat", "--say", "Hallo", "--json"],
            env=env,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=90,
            check=False,
        )
    assert said.returncode != 0
    assert "No space left" in said.stderr
    assert "Traceback" not in said.stderr
