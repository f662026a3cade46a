"""Every fault of a model server ends in a completed turn with a visible origin, or in an honest word (promise P5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from bench.fake_model_faults import FAULTS

from tests.support.fake_model import FakeModel
from tests.support.server import RunningServer

ORIGINS = {"gelesen", "standardwerte", "nicht_wahrgenommen"}


@pytest.fixture(scope="module", params=["ollama", "openai"])
def server(request: pytest.FixtureRequest, home: Path, model: FakeModel) -> Iterator[RunningServer]:
    settings = {"model": f"{request.param}:fake", "model_url": model.url}
    with RunningServer(home, model_timeout="2", classify_timeout="1", **settings) as running:
        yield running


@pytest.fixture(autouse=True)
def healed(model: FakeModel) -> Iterator[None]:
    yield
    model.heal()


def _exchange(server: RunningServer, text: str) -> tuple[dict, list[dict]]:
    """The end of the turn and all events of its stream."""
    events = []
    with (
        server.client(timeout=60) as client,
        client.stream("POST", "/chat/stream", json={"prompt": text}) as reply,
    ):
        assert reply.status_code == httpx.codes.OK
        name = ""
        for line in reply.iter_lines():
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            elif line.startswith("data:"):
                events.append({"event": name, **json.loads(line.removeprefix("data:"))})
    return events[-1], events


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_in_the_perception_never_looks_like_a_calm_person(
    server: RunningServer, model: FakeModel, fault: str
) -> None:
    """Cases F1, F5, F7: the turn completes; its origin says what became of the reading."""
    model.fail(fault, kind="perzeption")
    end, events = _exchange(server, "Ich bin so traurig, mein Hund ist weg.")
    assert end["event"] == "complete", events
    external = end["external"]
    assert external["herkunft"] in ORIGINS
    if external["herkunft"] == "gelesen":
        assert external["emotion"] == "traurigkeit"
    else:
        assert external["emotion"] == "neutral"
    _assert_no_reasoning_anywhere(server, events)


@pytest.mark.parametrize("server", ["ollama"], indirect=True)
@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_in_the_answer_is_an_answer_or_an_honest_word(
    server: RunningServer, model: FakeModel, fault: str
) -> None:
    """Cases F1, F7, F10: never a hanging client, never an empty answer, never reasoning."""
    model.fail(fault, kind="text")
    end, events = _exchange(server, "Was meinst du dazu?")
    answers = [event for event in events if event["event"] == "answer"]
    if end["event"] == "complete":
        assert len(answers) == 1
        assert answers[0]["nachricht"].strip()
    else:
        assert end["event"] == "error"
        assert "novaberg turns requeue" in end["fehler"]
        assert not answers
    _assert_no_reasoning_anywhere(server, events)


def _assert_no_reasoning_anywhere(server: RunningServer, events: list[dict]) -> None:
    """Case F7: nothing of a ``<think>`` is shown or stored."""
    turn_id = events[-1]["turn_id"]
    with server.client() as client:
        rows = client.get(f"/pipeline/{turn_id}").json()["zeilen"]
        session = client.get("/session/kontext/meister").json()
    for told in (events, [row for row in rows if row["art"] != "prompt"], session["turns"]):
        text = json.dumps(told, ensure_ascii=False).lower()
        assert "<think" not in text
        assert "</think" not in text


@pytest.mark.parametrize("server", ["ollama"], indirect=True)
def test_a_failed_turn_is_kept_and_can_be_answered_later(server: RunningServer, model: FakeModel) -> None:
    """Case F10: the turn is kept and can be resumed."""
    model.fail("timeout", kind="text")
    end, _ = _exchange(server, "Bleibst du dran?")
    assert end["event"] == "error"
    model.heal()
    with server.client(timeout=60) as client:
        reply = client.post("/admin/events/requeue", json={"turn_id": end["turn_id"]})
        assert reply.status_code == httpx.codes.OK, reply.text
        _exchange(server, "Und weiter geht es.")
        history = client.get("/verlauf/meister").json()["verlauf"]
    requeued = next(turn for turn in history if turn["turn_id"] == end["turn_id"])
    assert requeued["zustand"] == "erledigt"
    assert requeued["antwort"]["text"].strip()
