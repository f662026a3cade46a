"""Ollama through its own API: context window, thinking switch, schema, model kept in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import httpx
import ollama

from novaberg.models.addresses import is_loopback
from novaberg.models.backends import Finish, JsonSchema, RawReply, conversation, token_limit
from novaberg.models.concessions import REFUSALS, Concessions, Parts, RefusedRequestError
from novaberg.models.ollama_health import health_of_listed, health_of_unlisted
from novaberg.models.protocol import ChatRequest, ModelHealth
from novaberg.models.trouble import ModelServer, Trouble, connection_cause

DEFAULT_ADDRESS: Final = "http://127.0.0.1:11434"
KEEP_ALIVE: Final = "30m"
"""How long the server keeps the model in memory after a call (own choice: its usual 5 minutes make the first answer
after a pause slow)."""
CONNECT_TIMEOUT_S: Final = 5.0
CHECK_TIMEOUT_S: Final = 5.0

THINK: Final = "think"
SCHEMA: Final = "format with a schema"
JSON: Final = "format=json"
SILENCE_WITH_FORM: Final = "think=false beside a format"
"""Servers up to now ignore the format for some models when thinking is switched off; without the switch they heed it,
at the price of thinking."""
_PARTS: Final = {
    THINK: ("think",),
    SCHEMA: ("format", "schema", "grammar"),
    JSON: ("format", "json"),
}

_FINISH: Final[Mapping[str, Finish]] = {"stop": "stop", "length": "length"}
_CLIENT_ERRORS: Final = (
    ollama.ResponseError,
    httpx.HTTPError,
    OSError,
    ValueError,
    TypeError,
    AttributeError,
)
"""All that the client raises; the last three stand for an answer that is not Ollama's."""

T = TypeVar("T")


class OllamaBackend:
    """One model of one Ollama server.

    Args:
        model: its name there, like ``gemma3:4b``.
        address: ``http://host:port``.
        context_window: ``num_ctx``; None = the server's own.
    """

    def __init__(
        self, model: str, *, address: str = DEFAULT_ADDRESS, context_window: int | None = None
    ) -> None:
        self._context_window = context_window
        self._client = ollama.AsyncClient(
            address,
            timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT_S),
            trust_env=not is_loopback(address),
            follow_redirects=False,
        )
        self._concessions = Concessions(f"ollama:{model}", _PARTS)
        self._server = ModelServer(
            title="Ollama",
            model=model,
            address=address,
            key_variable="OLLAMA_API_KEY",
            start_hint="start it with `ollama serve`",
            load_hint=f"run `ollama pull {model}`",
        )

    @property
    def name(self) -> str:
        """``ollama:MODEL``."""
        return f"ollama:{self._server.model}"

    @property
    def address(self) -> str:
        """The server."""
        return self._server.address

    async def generate(self, request: ChatRequest, *, schema: JsonSchema | None) -> RawReply:
        """One try (see `ChatBackend.generate`)."""

        async def call(without: Parts) -> RawReply:
            arguments = self._arguments(request, schema, without)
            try:
                response = await self._client.chat(**arguments, stream=False)
            except _CLIENT_ERRORS as error:
                raise _refusal(error, arguments) or self._trouble(error).error() from error
            return _raw_reply(response)

        return await self._negotiate(call)

    async def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """One try, piece by piece (see `ChatBackend.stream_text`)."""

        async def open_stream(
            without: Parts,
        ) -> tuple[AsyncIterator[ollama.ChatResponse], ollama.ChatResponse]:
            arguments = self._arguments(request, None, without)
            try:
                stream = await self._client.chat(**arguments, stream=True)
                return stream, await anext(stream)
            except StopAsyncIteration:
                raise self._server.broken_off().error() from None
            except _CLIENT_ERRORS as error:
                raise _refusal(error, arguments) or self._trouble(error).error() from error

        stream, part = await self._negotiate(open_stream)
        try:
            yield part.message.content or ""
            async for part in stream:
                yield part.message.content or ""
        except _CLIENT_ERRORS as error:
            raise self._trouble(error).error() from error
        finally:
            await stream.aclose()  # type: ignore[attr-defined]
        if not part.done:
            raise self._server.broken_off().error()

    def form_was_ignored(self) -> None:
        """From now on thinking is not switched off beside a form (case F5)."""
        if THINK not in self._concessions.given_up and not {SCHEMA, JSON} <= self._concessions.given_up:
            self._concessions.give_up(SILENCE_WITH_FORM)

    async def check(self) -> ModelHealth:
        """Whether the server runs and has the model."""
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                listed = await self._client.list()
        except _CLIENT_ERRORS as error:
            return health_of_unlisted(self._server, self._trouble(error))
        return health_of_listed(self._server, [entry.model or "" for entry in listed.models])

    async def close(self) -> None:
        """Release connections."""
        await self._client.close()  # type: ignore[no-untyped-call]

    # ── requests ──────────────────────────────────────────────────────────

    def _arguments(self, request: ChatRequest, schema: JsonSchema | None, without: Parts) -> dict[str, Any]:
        form = None if schema is None else _form(schema, without)
        silent = not request.think
        think = (
            None if THINK in without or (silent and form and SILENCE_WITH_FORM in without) else request.think
        )
        options = {
            "temperature": request.temperature,
            "num_predict": token_limit(
                request, thinking=request.think or (think is None and form is not None)
            ),
            "num_ctx": self._context_window,
            "top_p": request.top_p,
            "repeat_penalty": request.repeat_penalty,
            "presence_penalty": request.presence_penalty,
        }
        system = [{"role": "system", "content": request.system}] if request.system else []
        return {
            "model": self._server.model,
            "messages": [*system, *conversation(request.messages)],
            "options": {key: value for key, value in options.items() if value is not None},
            "format": form,
            "think": think,
            "keep_alive": KEEP_ALIVE,
        }

    async def _negotiate(self, call: Callable[[Parts], Awaitable[T]]) -> T:
        try:
            return await self._concessions.negotiate(call)
        except RefusedRequestError as refusal:
            raise self._trouble(refusal.original).error() from refusal.original

    def _trouble(self, error: Exception) -> Trouble:
        match error:
            case ollama.ResponseError() if error.status_code > 0:
                return self._server.status(error.status_code, _body_of(error))
            case ollama.ResponseError():
                return self._server.status(500, error.error)
            case httpx.TimeoutException() | TimeoutError():
                return self._server.unreachable("no connection in time")
            case httpx.HTTPError() | ConnectionError():
                return self._server.unreachable(connection_cause(error))
            case _:
                return self._server.unreadable("its answer is not Ollama's JSON")


def _form(schema: JsonSchema, without: Parts) -> JsonSchema | str | None:
    if SCHEMA not in without:
        return schema
    return "json" if JSON not in without else None


def _refusal(error: Exception, arguments: dict[str, Any]) -> RefusedRequestError | None:
    if not (isinstance(error, ollama.ResponseError) and error.status_code in REFUSALS):
        return None
    form = {SCHEMA} if isinstance(arguments["format"], Mapping) else {JSON} if arguments["format"] else set()
    think = {THINK} if arguments["think"] is not None else set()
    return RefusedRequestError(error.error, frozenset(form | think), error)


def _body_of(error: ollama.ResponseError) -> str:
    """The body as the server sent it; the client keeps only the message inside, which hides what kind it was."""
    cause = error.__context__
    return cause.response.text if isinstance(cause, httpx.HTTPStatusError) else error.error


def _raw_reply(response: ollama.ChatResponse) -> RawReply:
    return RawReply(
        text=response.message.content or "",
        thinking=response.message.thinking or "",
        model=response.model or "",
        tokens_in=response.prompt_eval_count,
        tokens_out=response.eval_count,
        finish=_FINISH.get(response.done_reason or "", "other"),
    )
