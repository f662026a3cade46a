"""The in-process engine without an engine: paths, requests, reading of its stream, errors, cancelling."""

import asyncio
import sys
import threading
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from novaberg.errors import ModelServerError, UnknownModelError
from novaberg.models.gguf import GgufBackend, GgufCalibration
from novaberg.models.replies import PerceptionReply
from tests.support.model_requests import perception_request, text_request

Chunk = Mapping[str, Any]


class Engine:
    """Stands for `xllamacpp.Server`: says what it is told, in its caller's thread."""

    said: list[Chunk]
    bodies: list[Mapping[str, Any]]
    parameters: Any
    broken = False
    endless = False
    stopped = threading.Event()

    def __init__(self, parameters: Any) -> None:
        if self.broken:
            raise RuntimeError("Failed to init server")
        type(self).parameters = parameters

    def handle_chat_completions(self, body: Mapping[str, Any], take: Callable[[Chunk], bool]) -> None:
        self.bodies.append(body)
        for chunk in self.said:
            if take(chunk):
                return
        while self.endless:
            if take({"choices": [{"delta": {"content": "…"}}]}):
                self.stopped.set()
                return
            threading.Event().wait(0.001)


def piece(text: str, channel: str = "content") -> Chunk:
    return {"choices": [{"delta": {channel: text}, "finish_reason": None}]}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[Engine]:
    played = type("Played", (Engine,), {"said": [], "bodies": [], "stopped": threading.Event()})
    library = types.ModuleType("xllamacpp")
    library.Server = played  # type: ignore[attr-defined]
    library.CommonParams = lambda: types.SimpleNamespace(  # type: ignore[attr-defined]
        model=types.SimpleNamespace(),
        cpuparams=types.SimpleNamespace(),
        cpuparams_batch=types.SimpleNamespace(),
    )
    monkeypatch.setitem(sys.modules, "xllamacpp", library)
    return played


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "klein.gguf"
    path.write_bytes(b"GGUF\x03\x00")
    return path


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04"])
def test_a_path_without_a_model_is_refused_with_the_path(tmp_path: Path, content: bytes | None) -> None:
    """Design §7: gguf:PATH; the message names the path."""
    path = tmp_path / "x.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnknownModelError, match=str(path)):
        GgufBackend(path)


async def test_the_stream_of_the_engine_becomes_a_reply(engine: type[Engine], file: Path) -> None:
    """Text, reasoning, tokens and the reason of the end; the schema is demanded as a grammar."""
    engine.said = [
        piece("GEHEIM", "reasoning_content"),
        piece("Hal"),
        piece("lo"),
        {"choices": [{"delta": {}, "finish_reason": "length"}]},
        {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
    ]
    backend = GgufBackend(file, calibration=GgufCalibration(threads=1))
    reply = await backend.generate(perception_request(), schema=PerceptionReply.model_json_schema())
    await backend.close()
    assert (reply.text, reply.thinking, reply.finish) == ("Hallo", "GEHEIM", "length")
    assert (reply.tokens_in, reply.tokens_out, reply.model) == (7, 3, "klein.gguf")
    body = engine.bodies[0]
    assert body["response_format"]["json_schema"]["schema"] == PerceptionReply.model_json_schema()
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert "top_p" not in body


async def test_the_engine_is_silent_closed_to_others_and_bounded_in_threads(
    engine: type[Engine], file: Path
) -> None:
    """P14: its port wants a key that nobody knows; verbosity −1, one setting for all threads."""
    engine.said = [piece("a")]
    backend = GgufBackend(file, context_window=4096, calibration=GgufCalibration(threads=1))
    await backend.generate(text_request(), schema=None)
    await backend.close()
    parameters = engine.parameters
    assert parameters.verbosity == -1
    assert (parameters.cpuparams.n_threads, parameters.cpuparams_batch.n_threads) == (1, 1)
    assert (parameters.n_ctx, parameters.n_parallel, parameters.model.path) == (4096, 1, str(file))
    assert len(parameters.api_keys[0]) > 20


async def test_the_model_is_loaded_once(engine: type[Engine], file: Path) -> None:
    """Loading takes seconds and memory."""
    engine.said = [piece("a")]
    backend = GgufBackend(file)
    await asyncio.gather(*(backend.generate(text_request(), schema=None) for _ in range(3)))
    first = engine.parameters
    assert "".join([text async for text in backend.stream_text(text_request())]) == "a"
    await backend.close()
    assert engine.parameters is first
    assert len(engine.bodies) == 4


async def test_an_error_of_the_engine_is_a_server_error(engine: type[Engine], file: Path) -> None:
    """The message of the engine reaches the person."""
    engine.said = [{"error": {"code": 400, "message": "request exceeds the available context size"}}]
    backend = GgufBackend(file)
    with pytest.raises(ModelServerError, match="exceeds the available context size"):
        await backend.generate(text_request(), schema=None)
    await backend.close()


async def test_a_file_that_cannot_be_loaded_is_told(engine: type[Engine], file: Path) -> None:
    """J1: the check loads it once."""
    engine.broken = True
    backend = GgufBackend(file)
    with pytest.raises(ModelServerError, match="Failed to init"):
        await backend.generate(text_request(), schema=None)
    health = await backend.check()
    await backend.close()
    assert not health.ok
    assert "GGUF file" in health.remedy


async def test_a_cancelled_call_stops_the_engine(engine: type[Engine], file: Path) -> None:
    """F10: whoever gives up also stops the work."""
    engine.endless = True
    backend = GgufBackend(file)
    call = asyncio.create_task(backend.generate(text_request(), schema=None))
    while not engine.bodies:  # noqa: ASYNC110  # watches a thread
        await asyncio.sleep(0.001)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(engine.stopped.wait, 2)
    await backend.close()
