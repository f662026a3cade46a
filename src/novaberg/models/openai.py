"""Any server with OpenAI's chat API: LM Studio, llama.cpp, vLLM, OpenRouter, OpenAI itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessage

from novaberg.models.addresses import host_of, is_loopback
from novaberg.models.backends import Finish, JsonSchema, RawReply, conversation, token_limit
from novaberg.models.concessions import REFUSALS, Concessions, Parts, RefusedRequestError
from novaberg.models.protocol import ChatRequest, ModelHealth
from novaberg.models.trouble import ModelServer, Trouble, connection_cause

DEFAULT_ADDRESS: Final = "https://api.openai.com/v1"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
CONNECT_TIMEOUT_S: Final = 5.0
CHECK_TIMEOUT_S: Final = 20.0
"""Seconds; the check may have to ask the model for one token, which loads it."""

SCHEMA: Final = "response_format json_schema"
JSON: Final = "response_format json_object"
TEMPLATE: Final = "chat_template_kwargs"
NO_EFFORT: Final = "reasoning_effort none"
LOW_EFFORT: Final = "reasoning_effort low"
REPEAT: Final = "repeat_penalty"
PRESENCE: Final = "presence_penalty"
TOP_P: Final = "top_p"
TEMPERATURE: Final = "temperature"
LIMIT: Final = "max_tokens"
"""OpenAI's newer models refuse this name, other servers often ignore the newer one."""
NEW_LIMIT: Final = "max_completion_tokens"
_PARTS: Final = {
    NO_EFFORT: ("reasoning_effort", "reasoning"),
    LOW_EFFORT: ("reasoning_effort", "reasoning"),
    TEMPLATE: ("chat_template_kwargs", "enable_thinking"),
    REPEAT: ("repeat_penalty",),
    SCHEMA: ("json_schema", "response_format", "schema", "grammar", "structured"),
    JSON: ("json_object", "response_format", "json"),
    PRESENCE: ("presence_penalty",),
    TOP_P: ("top_p",),
    TEMPERATURE: ("temperature",),
    LIMIT: ("max_tokens",),
}
_FINISH: Final[Mapping[str, Finish]] = {"stop": "stop", "length": "length"}
_CLIENT_ERRORS: Final = (openai.OpenAIError, ValueError, TypeError, AttributeError, IndexError)
"""All that the client and the reading of its answer raise; the last four stand for an answer of another API."""

_OTHER_FORM: Final = "its answer has another form"

T = TypeVar("T")


class OpenAIBackend:
    """One model of one server.

    Args:
        model: its name there.
        address: base URL of the API, usually ending in ``/v1``.
        api_key: empty = none; servers on this machine usually want none.
    """

    def __init__(self, model: str, *, address: str = DEFAULT_ADDRESS, api_key: str | None = None) -> None:
        key = os.environ.get(KEY_VARIABLE, "") if api_key is None else api_key
        self._is_openai = host_of(address).endswith("openai.com")
        self._lacks_key = self._is_openai and not key
        timeout = openai.Timeout(None, connect=CONNECT_TIMEOUT_S)
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=address,
            max_retries=0,
            timeout=timeout,
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=timeout, trust_env=not is_loopback(address), follow_redirects=False
            ),
        )
        self._concessions = Concessions(f"openai:{model}", _PARTS)
        self._server = ModelServer(
            title="OpenAI" if self._is_openai else "the OpenAI-compatible server",
            model=model,
            address=address,
            key_variable=KEY_VARIABLE,
            start_hint="start the model server there",
            load_hint=f"load {model} there",
        )

    @property
    def name(self) -> str:
        """``openai:MODEL``."""
        return f"openai:{self._server.model}"

    @property
    def address(self) -> str:
        """The server."""
        return self._server.address

    async def generate(self, request: ChatRequest, *, schema: JsonSchema | None) -> RawReply:
        """One try (see `ChatBackend.generate`)."""
        self._demand_key()

        async def call(without: Parts) -> RawReply:
            arguments, parts = self._arguments(request, schema, without)
            try:
                completion: ChatCompletion = await self._client.chat.completions.create(
                    **arguments, stream=False
                )
                return _raw_reply(completion)
            except _CLIENT_ERRORS as error:
                raise _refusal(error, parts) or self._trouble(error).error() from error

        return await self._negotiate(call)

    async def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """One try, piece by piece (see `ChatBackend.stream_text`)."""
        self._demand_key()

        async def open_stream(without: Parts) -> openai.AsyncStream[ChatCompletionChunk]:
            arguments, parts = self._arguments(request, None, without)
            try:
                stream: openai.AsyncStream[ChatCompletionChunk] = await self._client.chat.completions.create(
                    **arguments, stream=True
                )
            except _CLIENT_ERRORS as error:
                raise _refusal(error, parts) or self._trouble(error).error() from error
            return stream

        received = finished = False
        async with await self._negotiate(open_stream) as stream:
            try:
                async for chunk in stream:
                    received = True
                    for choice in chunk.choices:
                        finished = finished or choice.finish_reason is not None
                        yield choice.delta.content or ""
            except _CLIENT_ERRORS as error:
                raise self._trouble(error).error() from error
        if not finished:
            raise (self._server.broken_off() if received else self._server.unreadable(_OTHER_FORM)).error()

    def form_was_ignored(self) -> None:
        """There is no other way to demand a form: what the server refuses has been given up already."""

    async def check(self) -> ModelHealth:
        """Whether the server runs and has the model; a model that it does not list is asked for one token."""
        if self._lacks_key:
            return self._no_key().health()
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                listed = await self._listed_models()
                if self._server.model not in listed:
                    await self._ask_for_one_token()
        except (*_CLIENT_ERRORS, TimeoutError) as error:
            return self._trouble(error).health()
        return ModelHealth(
            True, f"{self._server.title} at {self.address} runs and answers as {self._server.model}."
        )

    async def close(self) -> None:
        """Release connections."""
        await self._client.close()

    # ── requests ──────────────────────────────────────────────────────────

    def _arguments(
        self, request: ChatRequest, schema: JsonSchema | None, without: Parts
    ) -> tuple[dict[str, Any], Parts]:
        """The client's arguments, and which optional parts are among them."""
        system = [{"role": "system", "content": request.system}] if request.system else []
        limit = token_limit(request, thinking=request.think or self._is_openai)
        optional = {LIMIT: (LIMIT, limit), **self._optional(request, schema)}
        optional = {part: value for part, value in optional.items() if part not in without}
        if SCHEMA in optional:
            optional.pop(JSON, None)
        if NO_EFFORT in optional:
            optional.pop(LOW_EFFORT, None)
        arguments: dict[str, Any] = {
            "model": self._server.model,
            "messages": [*system, *conversation(request.messages)],
        }
        if self._is_openai or LIMIT in without:
            optional.pop(LIMIT, None)
            arguments[NEW_LIMIT] = limit
        extra_body: dict[str, Any] = {}
        for part, (key, value) in optional.items():
            (extra_body if part in (TEMPLATE, REPEAT) else arguments)[key] = value
        if extra_body:
            arguments["extra_body"] = extra_body
        return arguments, frozenset(optional)

    def _optional(self, request: ChatRequest, schema: JsonSchema | None) -> dict[str, tuple[str, object]]:
        """Part → argument name and value, for all parts that this request could carry."""
        wanted: dict[str, tuple[str, object | None]] = {
            TEMPERATURE: ("temperature", request.temperature),
            TOP_P: ("top_p", request.top_p),
            PRESENCE: ("presence_penalty", request.presence_penalty),
        }
        if schema is not None:
            form = {"name": "reply", "schema": dict(schema), "strict": True}
            wanted[SCHEMA] = ("response_format", {"type": "json_schema", "json_schema": form})
            wanted[JSON] = ("response_format", {"type": "json_object"})
        if self._is_openai and not request.think:
            wanted[NO_EFFORT] = ("reasoning_effort", "none")
            wanted[LOW_EFFORT] = ("reasoning_effort", "low")
        if not self._is_openai:
            wanted[TEMPLATE] = ("chat_template_kwargs", {"enable_thinking": request.think})
            wanted[REPEAT] = ("repeat_penalty", request.repeat_penalty)
        return {part: (key, value) for part, (key, value) in wanted.items() if value is not None}

    async def _listed_models(self) -> list[str]:
        try:
            page = await self._client.models.list()
        except openai.NotFoundError:
            return []
        return [model.id for model in page.data]

    async def _ask_for_one_token(self) -> None:
        completion = await self._client.chat.completions.create(
            model=self._server.model, messages=[{"role": "user", "content": "1"}], max_completion_tokens=16
        )
        _raw_reply(completion)

    async def _negotiate(self, call: Callable[[Parts], Awaitable[T]]) -> T:
        try:
            return await self._concessions.negotiate(call)
        except RefusedRequestError as refusal:
            raise self._trouble(refusal.original).error() from refusal.original

    # ── errors ────────────────────────────────────────────────────────────

    def _demand_key(self) -> None:
        if self._lacks_key:
            raise self._no_key().error()

    def _no_key(self) -> Trouble:
        return self._server.credentials(
            f"{self._server.title} at {self.address} wants a key and there is none"
        )

    def _trouble(self, error: BaseException) -> Trouble:
        match error:
            case openai.APIStatusError():
                return self._server.status(error.status_code, error.response.text)
            case openai.APITimeoutError() | TimeoutError():
                return self._server.unreachable("no answer in time")
            case openai.APIConnectionError():
                return self._server.unreachable(connection_cause(error))
            case openai.APIResponseValidationError():
                return self._server.unreadable(_OTHER_FORM)
            case openai.APIError():
                return self._server.status(500, error.message)
            case _:
                return self._server.unreadable(_OTHER_FORM)


def _refusal(error: Exception, parts: Parts) -> RefusedRequestError | None:
    if isinstance(error, openai.APIStatusError) and error.status_code in REFUSALS:
        return RefusedRequestError(error.response.text, parts, error)
    return None


def _raw_reply(completion: ChatCompletion) -> RawReply:
    choice = completion.choices[0]
    usage = completion.usage
    return RawReply(
        text=choice.message.content or "",
        thinking=_reasoning(choice.message),
        model=completion.model or "",
        tokens_in=usage.prompt_tokens if usage else None,
        tokens_out=usage.completion_tokens if usage else None,
        finish=_FINISH.get(choice.finish_reason, "other"),
    )


def _reasoning(message: ChatCompletionMessage) -> str:
    """The reasoning channel, for which servers use two names beside the official fields."""
    extra = message.model_extra or {}
    channel = extra.get("reasoning_content") or extra.get("reasoning")
    return channel if isinstance(channel, str) else ""
