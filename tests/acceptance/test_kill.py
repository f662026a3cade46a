"""kill -9 of the serving process in mid-turn, with a model server that takes its time (promises P1–P3)."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from bench.fake_model_answers import echo

from tests.support.fake_model import FakeModel, fake_model
from tests.support.server import RunningServer, fresh_home, novaberg

LATENCY_S = 0.5
MOMENTS_S = (0.05, 0.2, 0.45, 0.55, 0.8, 1.05, 1.3, 1.55, 1.9, 2.4)
"""After the acknowledgement. A turn takes about 2.5 s here: perception, answer and two tails, half a second a call."""
FINISHED_WITHIN_S = 60.0


@pytest.fixture
def slow_model() -> Iterator[FakeModel]:
    with fake_model(latency=LATENCY_S) as fake:
        yield fake


@pytest.fixture
def home() -> Iterator[Path]:
    with fresh_home() as home:
        yield home


@pytest.mark.slow
@pytest.mark.timeout(420)
def test_a_kill_at_any_moment_loses_nothing_and_says_nothing_twice(home: Path, slow_model: FakeModel) -> None:
    """Issue: ten kills; every acknowledged message has exactly one answer and one turn_roh, in order, also when a
    second message waits."""
    acknowledged: list[tuple[str, str]] = []
    server = RunningServer(home, **slow_model.settings)
    for round_number, moment in enumerate(MOMENTS_S):
        server.start()
        with server.client() as client:
            acknowledged.append(_say(client, f"Nachricht {round_number} erste"))
            time.sleep(moment / 2)
            acknowledged.append(_say(client, f"Nachricht {round_number} zweite"))
            time.sleep(moment / 2)
        server.kill()
    with server as running, running.client() as client:
        history = _finished_history(client, len(acknowledged))
        _assert_each_message_answered_once_in_order(history, acknowledged)
        _assert_answers_belong_to_their_questions(history)
        for turn in history:
            _assert_one_raw_turn(client, turn["turn_id"])
    assert _session_follows(home, slow_model, history)


def _say(client: httpx.Client, text: str) -> tuple[str, str]:
    reply = client.post("/chat", json={"prompt": text})
    assert reply.status_code == httpx.codes.ACCEPTED
    return reply.json()["nachrichten_id"], text


def _finished_history(client: httpx.Client, messages: int) -> list[dict]:
    deadline = time.monotonic() + FINISHED_WITHIN_S
    while True:
        history = client.get("/verlauf/meister", params={"limit": 200}).json()["verlauf"]
        done = [turn for turn in history if turn["zustand"] == "erledigt"]
        if sum(len(turn["nachrichten"]) for turn in done) == messages and len(done) == len(history):
            return history
        assert time.monotonic() < deadline, f"not all turns were finished: {history}"
        time.sleep(0.2)


def _assert_each_message_answered_once_in_order(
    history: list[dict], acknowledged: list[tuple[str, str]]
) -> None:
    told = [
        (message["nachrichten_id"], message["text"]) for turn in history for message in turn["nachrichten"]
    ]
    assert told == acknowledged
    assert all(turn["antwort"] is not None for turn in history)
    numbers = [turn["antwort"]["nummer"] for turn in history]
    assert numbers == sorted(set(numbers))


def _assert_answers_belong_to_their_questions(history: list[dict]) -> None:
    for turn in history:
        question = "\n".join(message["text"] for message in turn["nachrichten"])
        assert f"[echo:{echo(question)}]" in turn["antwort"]["text"]


def _assert_one_raw_turn(client: httpx.Client, turn_id: str) -> None:
    rows = client.get(f"/pipeline/{turn_id}").json()["zeilen"]
    assert Counter(row["art"] for row in rows)["turn_roh"] == 1


def _session_follows(home: Path, model: FakeModel, history: list[dict]) -> bool:
    """The session holds every turn once: the person's words, then Nova's."""
    server = RunningServer(home, **model.settings)
    state = json.loads(novaberg("state", "--json", env=server.env).stdout)
    seen = [(turn["turn_id"], turn["rolle"]) for turn in state["session"]]
    expected = [(turn["turn_id"], role) for turn in history for role in ("user", "assistant")]
    return seen == expected[-len(seen) :] and len(set(seen)) == len(seen)


@pytest.mark.slow
def test_two_messages_within_fifty_milliseconds_never_interleave(home: Path, slow_model: FakeModel) -> None:
    """Promise P3: one turn or two in order."""
    with RunningServer(home, **slow_model.settings) as server, server.client() as client:
        sent = [_say(client, text) for text in ("Erstens.", "Zweitens.")]
        history = _finished_history(client, 2)
    assert [m["nachrichten_id"] for turn in history for m in turn["nachrichten"]] == [i for i, _ in sent]
    assert len(history) in {1, 2}


def test_the_same_message_id_makes_one_turn_even_when_it_storms(home: Path, slow_model: FakeModel) -> None:
    """Promise P2: a client that repeats itself, also at the same moment."""

    async def storm(url: str) -> set[str]:
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=60) as client:
            body = {"prompt": "Nur einmal, bitte.", "message_id": "m-1"}
            replies = await asyncio.gather(*(client.post("/chat", json=body) for _ in range(20)))
        assert {reply.status_code for reply in replies} == {httpx.codes.ACCEPTED}
        return {reply.json()["nachrichten_id"] for reply in replies}

    with RunningServer(home, **slow_model.settings) as server, server.client() as client:
        ids = asyncio.run(storm(server.url))
        assert len(ids) == 1
        assert len(_finished_history(client, 1)) == 1
