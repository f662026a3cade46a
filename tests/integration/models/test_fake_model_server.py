"""The fake model server itself: benches and acceptance tests steer and watch it from outside."""

import asyncio
import sys
from pathlib import Path

import httpx
import pytest
from bench.fake_model_answers import echo
from bench.fake_model_server import FakeModelServer

from novaberg.models.replies import PerceptionReply, SalienceReply

ROOT = Path(__file__).parents[3]


async def _ask(
    client: httpx.AsyncClient, text: str, form: type[PerceptionReply] | None = None
) -> httpx.Response:
    body: dict[str, object] = {
        "model": "fake",
        "messages": [{"role": "user", "content": text}],
        "stream": False,
    }
    if form is not None:
        body["format"] = form.model_json_schema()
    return await client.post("/api/chat", json=body)


async def test_faults_are_switched_while_it_runs() -> None:
    """A fault hits the callers and as many calls as it was told to."""
    async with FakeModelServer() as server, httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        added = await client.post("/faults", json={"name": "error500", "caller": "perzeption", "times": 1})
        assert added.json()[0]["kind"] == "perzeption"
        assert (await _ask(client, "Hallo")).status_code == 200
        assert (await _ask(client, "Hallo", PerceptionReply)).status_code == 500
        assert (await _ask(client, "Hallo", PerceptionReply)).status_code == 200
        await client.post("/faults", json={"name": "error500", "contains": "Garten"})
        assert (await _ask(client, "Der Garten")).status_code == 500
        await client.delete("/faults")
        assert (await _ask(client, "Der Garten")).status_code == 200
        assert (await client.post("/faults", json={"name": "nonsense"})).status_code == 422


async def test_calls_are_listed_with_kind_and_times() -> None:
    """Benches compute chain and count from this list."""
    async with (
        FakeModelServer(latency=0.05) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False) as client,
    ):
        await asyncio.gather(_ask(client, "Hallo"), _ask(client, "Hallo", PerceptionReply))
        calls = (await client.get("/calls")).json()
        assert sorted(call["kind"] for call in calls) == ["perzeption", "text"]
        for call in calls:
            assert call["outcome"] == "answered"
            assert 0.05 <= call["end"] - call["start"] < 1
        assert "body" not in calls[0]
        assert (await client.get("/calls?bodies=1")).json()[0]["body"]["model"] == "fake"
        await client.delete("/calls")
        assert (await client.get("/calls")).json() == []


@pytest.mark.parametrize("text", ["Ich bin so traurig", "Wie spät ist es?"])
@pytest.mark.parametrize("form", [PerceptionReply, SalienceReply])
async def test_a_demanded_form_is_filled_with_canon_values(text: str, form: type[PerceptionReply]) -> None:
    """The answer satisfies the schema that the client sent."""
    async with FakeModelServer() as server, httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        content = (await _ask(client, text, form)).json()["message"]["content"]
    filled = form.model_validate_json(content)
    assert filled.model_dump().keys() >= form.demanded["properties"].keys()


async def test_it_runs_as_a_program_and_says_where() -> None:
    """`python -m bench.fake_model_server --port 0` prints its address first."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.fake_model_server", "--port", "0", "--latency", "0",
        "--fault", "prose", "--fault-caller", "perzeption",
        stdout=asyncio.subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        url = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
        async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
            assert echo("Hallo") in (await _ask(client, "Hallo")).json()["message"]["content"]
            prose = (await _ask(client, "Hallo", PerceptionReply)).json()["message"]["content"]
            assert "{" not in prose
    finally:
        process.terminate()
        await process.wait()
