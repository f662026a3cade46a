"""A model file in this process through xllamacpp; needs the extra ``novaberg[gguf]``."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from novaberg.errors import ModelServerError, SettingsError, UnknownModelError
from novaberg.models.backends import Finish, JsonSchema, RawReply, conversation, token_limit
from novaberg.models.protocol import ChatRequest, ModelHealth
from novaberg.models.trouble import server_message

if TYPE_CHECKING:
    import xllamacpp


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufCalibration:
    """How the engine runs."""

    threads: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    """CPU threads, half of the cores. They spin while they wait: more threads than idle cores make a call many
    times slower (measured: two on two busy cores turned 0.7 s into 30 s)."""
    context_window: int = 8192
    """Tokens, when NOVABERG_CONTEXT_WINDOW is not set (own choice: prompts of one turn and some history)."""
    first_bytes: bytes = b"GGUF"
    """What such a file begins with."""


DEFAULT_GGUF: Final = GgufCalibration()
_SILENT: Final = -1
_FINISH: Final[Mapping[str, Finish]] = {"stop": "stop", "length": "length"}
_PARALLEL_CALLS: Final = 4
"""Threads that wait for the engine; it works on one call at a time."""

Chunk = Mapping[str, Any]


class GgufBackend:
    """One model file. It is loaded at the first call and stays in memory.

    Args:
        path: the file.
        context_window: tokens; None = the calibration's.

    Raises:
        UnknownModelError: there is no such file, or it is none of this kind.
        SettingsError: the engine is not installed.
    """

    def __init__(
        self, path: Path, *, context_window: int | None = None, calibration: GgufCalibration = DEFAULT_GGUF
    ) -> None:
        self._path = path
        self._context_window = context_window or calibration.context_window
        self._calibration = calibration
        _demand_model_file(path, calibration.first_bytes)
        try:
            import xllamacpp
        except ImportError as error:
            raise SettingsError(
                f"NOVABERG_MODEL=gguf:{path} needs a package that is not installed; run pip install 'novaberg[gguf]'."
            ) from error
        self._library = xllamacpp
        self._engine: xllamacpp.Server | None = None
        self._loading = threading.Lock()
        self._threads = ThreadPoolExecutor(_PARALLEL_CALLS, thread_name_prefix="gguf")

    @property
    def name(self) -> str:
        """``gguf:PATH``."""
        return f"gguf:{self._path}"

    @property
    def address(self) -> str:
        """The file, as a URL."""
        return self._path.as_uri()

    async def generate(self, request: ChatRequest, *, schema: JsonSchema | None) -> RawReply:
        """One try (see `ChatBackend.generate`)."""
        chunks = [chunk async for chunk in self._chunks(_body(request, schema))]
        usage: Chunk = next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), {})
        finish = next((reason for chunk in reversed(chunks) if (reason := _finish_of(chunk))), "")
        return RawReply(
            text="".join(_delta(chunk, "content") for chunk in chunks),
            thinking="".join(_delta(chunk, "reasoning_content") for chunk in chunks),
            model=self._path.name,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            finish=_FINISH.get(finish, "other"),
        )

    async def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """One try, piece by piece (see `ChatBackend.stream_text`)."""
        async with contextlib.aclosing(self._chunks(_body(request, None))) as chunks:
            async for chunk in chunks:
                yield _delta(chunk, "content")

    def form_was_ignored(self) -> None:
        """Cannot happen: the grammar is enforced in this process."""

    async def check(self) -> ModelHealth:
        """Whether the file can be loaded."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._load)
        except ModelServerError as error:
            return ModelHealth(False, error.message, "Use a GGUF file of a chat model that fits into memory.")
        return ModelHealth(True, f"{self._path.name} is loaded ({self._context_window} tokens).")

    async def close(self) -> None:
        """Free the model once running calls have ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._engine = None

    async def _chunks(self, body: Mapping[str, object]) -> AsyncGenerator[Chunk, None]:
        """The engine's stream, from its thread into this loop; leaving early stops the engine at its next token."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Chunk | BaseException | None] = asyncio.Queue()
        stopped = threading.Event()

        def put(item: Chunk | BaseException | None) -> None:
            if not stopped.is_set():
                loop.call_soon_threadsafe(queue.put_nowait, item)

        def take(chunk: Chunk) -> bool:
            put(chunk)
            return stopped.is_set()

        self._threads.submit(self._work, body, take, put)
        try:
            while (item := await queue.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                if "error" in item:
                    raise _engine_error(self.name, server_message(json.dumps(item)))
                yield item
        finally:
            stopped.set()

    def _work(
        self,
        body: Mapping[str, object],
        take: Callable[[Chunk], bool],
        put: Callable[[Chunk | BaseException | None], None],
    ) -> None:
        try:
            self._load().handle_chat_completions(dict(body), take)
        except Exception as error:  # noqa: BLE001  # crosses the thread and is raised in the caller
            put(error if isinstance(error, ModelServerError) else _engine_error(self.name, str(error)))
        finally:
            put(None)

    def _load(self) -> xllamacpp.Server:
        with self._loading:
            if self._engine is None:
                try:
                    self._engine = self._library.Server(self._parameters())
                except RuntimeError as error:
                    raise _engine_error(self.name, str(error)) from error
            return self._engine

    def _parameters(self) -> xllamacpp.CommonParams:
        parameters = self._library.CommonParams()
        parameters.model.path = str(self._path)
        parameters.n_ctx = self._context_window
        parameters.n_parallel = 1
        parameters.verbosity = _SILENT
        parameters.cpuparams.n_threads = self._calibration.threads
        parameters.cpuparams_batch.n_threads = self._calibration.threads
        # The engine also opens a port on this machine; without the key nobody can use it.
        parameters.api_keys = [secrets.token_urlsafe(32)]
        return parameters


def _demand_model_file(path: Path, first_bytes: bytes) -> None:
    if not path.is_file():
        raise UnknownModelError(
            f"NOVABERG_MODEL=gguf:{path}: there is no such file; give the path of a GGUF file."
        )
    try:
        with path.open("rb") as file:
            found = file.read(len(first_bytes))
    except OSError as error:
        raise UnknownModelError(
            f"NOVABERG_MODEL=gguf:{path}: the file cannot be read ({error.strerror})."
        ) from error
    if found != first_bytes:
        raise UnknownModelError(f"NOVABERG_MODEL=gguf:{path}: this is no GGUF file; give the path of one.")


def _body(request: ChatRequest, schema: JsonSchema | None) -> dict[str, object]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    body: dict[str, object | None] = {
        "messages": [*system, *conversation(request.messages)],
        "max_tokens": token_limit(request, thinking=request.think),
        "temperature": request.temperature,
        "top_p": request.top_p,
        "repeat_penalty": request.repeat_penalty,
        "presence_penalty": request.presence_penalty,
        "chat_template_kwargs": {"enable_thinking": request.think},
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if schema is not None:
        form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
        body["response_format"] = form
    return {key: value for key, value in body.items() if value is not None}


def _delta(chunk: Chunk, channel: str) -> str:
    choices = chunk.get("choices") or [{}]
    return choices[0].get("delta", {}).get(channel) or ""


def _finish_of(chunk: Chunk) -> str:
    choices = chunk.get("choices") or [{}]
    return choices[0].get("finish_reason") or ""


def _engine_error(name: str, cause: str) -> ModelServerError:
    too_long = "context size" in cause
    remedy = (
        "raise NOVABERG_CONTEXT_WINDOW"
        if too_long
        else "`novaberg doctor` loads the file once and tells more"
    )
    return ModelServerError(f"The engine cannot answer as {name} ({cause}); {remedy}.")
