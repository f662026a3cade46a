"""Anthropic's models; needs the extra ``novaberg[anthropic]``. A form is demanded as the input of a tool."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from novaberg.errors import SettingsError
from novaberg.models.addresses import is_loopback
from novaberg.models.backends import Finish, JsonSchema, RawReply, conversation, token_limit
from novaberg.models.concessions import REFUSALS, Concessions, Parts, RefusedRequestError
from novaberg.models.protocol import ChatRequest, ModelHealth
from novaberg.models.trouble import ModelServer, Trouble, connection_cause

if TYPE_CHECKING:
    import anthropic

DEFAULT_ADDRESS: Final = "https://api.anthropic.com"
KEY_VARIABLE: Final = "ANTHROPIC_API_KEY"
CONNECT_TIMEOUT_S: Final = 5.0
CHECK_TIMEOUT_S: Final = 10.0
TOOL_NAME: Final = "reply"

NO_THINKING: Final = "thinking disabled"
TOOL: Final = "tool_choice"
SCHEMA: Final = "output_config"
TOP_P: Final = "top_p"
TEMPERATURE: Final = "temperature"
_PARTS: Final = {
    NO_THINKING: ("thinking",),
    TOP_P: ("top_p",),
    TEMPERATURE: ("temperature",),
    TOOL: ("tool",),
    SCHEMA: ("output_config", "output_format", "schema"),
}
_FINISH: Final[Mapping[str, Finish]] = {
    "end_turn": "stop",
    "tool_use": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
}
_READING_ERRORS: Final = (ValueError, TypeError, AttributeError)
"""What an answer of another API raises."""

_OTHER_FORM: Final = "its answer has another form"

T = TypeVar("T")


class AnthropicBackend:
    """One model.

    Args:
        model: its name.
        address: base URL, without ``/v1``.

    Raises:
        SettingsError: the client library is not installed.
    """

    def __init__(self, model: str, *, address: str = DEFAULT_ADDRESS) -> None:
        try:
            import anthropic
        except ImportError as error:
            raise SettingsError(
                f"NOVABERG_MODEL=anthropic:{model} needs a package that is not installed;"
                " run pip install 'novaberg[anthropic]'."
            ) from error
        self._library = anthropic
        self._lacks_key = not (os.environ.get(KEY_VARIABLE) or os.environ.get("ANTHROPIC_AUTH_TOKEN"))
        timeout = anthropic.Timeout(None, connect=CONNECT_TIMEOUT_S)
        self._client = anthropic.AsyncAnthropic(
            api_key="none" if self._lacks_key else None,
            base_url=address,
            max_retries=0,
            timeout=timeout,
            http_client=anthropic.DefaultAsyncHttpxClient(
                timeout=timeout, trust_env=not is_loopback(address), follow_redirects=False
            ),
        )
        self._client_errors = (anthropic.AnthropicError, *_READING_ERRORS)
        self._concessions = Concessions(f"anthropic:{model}", _PARTS)
        self._server = ModelServer(
            title="Anthropic",
            model=model,
            address=address,
            key_variable=KEY_VARIABLE,
            start_hint="check the connection of this machine",
            load_hint="take a model of your account",
        )

    @property
    def name(self) -> str:
        """``anthropic:MODEL``."""
        return f"anthropic:{self._server.model}"

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
                message: anthropic.types.Message = await self._client.messages.create(
                    **arguments, stream=False
                )
                return _raw_reply(message)
            except self._client_errors as error:
                raise self._refusal(error, parts) or self._trouble(error).error() from error

        return await self._negotiate(call)

    async def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """One try, piece by piece (see `ChatBackend.stream_text`)."""
        self._demand_key()

        async def open_stream(without: Parts) -> anthropic.AsyncStream[anthropic.types.RawMessageStreamEvent]:
            arguments, parts = self._arguments(request, None, without)
            try:
                stream: anthropic.AsyncStream[
                    anthropic.types.RawMessageStreamEvent
                ] = await self._client.messages.create(**arguments, stream=True)
            except self._client_errors as error:
                raise self._refusal(error, parts) or self._trouble(error).error() from error
            return stream

        received = finished = False
        async with await self._negotiate(open_stream) as stream:
            try:
                async for event in stream:
                    received = True
                    finished = finished or event.type == "message_stop"
                    if event.type == "content_block_delta" and event.delta.type == "text_delta":
                        yield event.delta.text
            except self._client_errors as error:
                raise self._trouble(error).error() from error
        if not finished:
            raise (self._server.broken_off() if received else self._server.unreadable(_OTHER_FORM)).error()

    def form_was_ignored(self) -> None:
        """There is no other way to demand a form: what the server refuses has been given up already."""

    async def check(self) -> ModelHealth:
        """Whether the key is accepted and the model exists."""
        if self._lacks_key:
            return self._no_key().health()
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                model = await self._client.models.retrieve(self._server.model)
                detail = f"Anthropic accepts the key and has {model.id}."
        except (*self._client_errors, TimeoutError) as error:
            return self._trouble(error).health()
        return ModelHealth(True, detail)

    async def close(self) -> None:
        """Release connections."""
        await self._client.close()

    # ── requests ──────────────────────────────────────────────────────────

    def _arguments(
        self, request: ChatRequest, schema: JsonSchema | None, without: Parts
    ) -> tuple[dict[str, Any], Parts]:
        """The client's arguments, and which optional parts are among them."""
        arguments: dict[str, Any] = {
            "model": self._server.model,
            "messages": conversation(request.messages),
            "max_tokens": token_limit(request, thinking=request.think or NO_THINKING in without),
        }
        if request.system:
            arguments["system"] = request.system
        # Sampling goes into the body: newer clients have no argument for it, older models still want it.
        body: dict[str, Any] = {}
        parts = {part for part in self._wanted(request, schema) if part not in without}
        if NO_THINKING in parts:
            body["thinking"] = {"type": "disabled"}
        if TEMPERATURE in parts:
            body["temperature"] = min(request.temperature, 1.0)
        if TOP_P in parts:
            body["top_p"] = request.top_p
        if TOOL in parts and schema is not None:
            parts.discard(SCHEMA)
            arguments["tools"] = [
                {"name": TOOL_NAME, "description": "The reply.", "input_schema": dict(schema)}
            ]
            arguments["tool_choice"] = {"type": "tool", "name": TOOL_NAME}
        if SCHEMA in parts and schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(schema)}}
        return arguments | {"extra_body": body}, frozenset(parts)

    def _wanted(self, request: ChatRequest, schema: JsonSchema | None) -> set[str]:
        """Optional parts that this request could carry; temperature and top_p exclude each other."""
        parts = {TEMPERATURE if request.top_p is None else TOP_P}
        if not request.think:
            parts.add(NO_THINKING)
        return parts | ({TOOL, SCHEMA} if schema is not None else set())

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
        return self._server.credentials(f"Anthropic at {self.address} wants a key and there is none")

    def _refusal(self, error: Exception, parts: Parts) -> RefusedRequestError | None:
        if isinstance(error, self._library.APIStatusError) and error.status_code in REFUSALS:
            return RefusedRequestError(error.response.text, parts, error)
        return None

    def _trouble(self, error: BaseException) -> Trouble:
        library = self._library
        if isinstance(error, library.APIStatusError):
            return self._server.status(error.status_code, error.response.text)
        if isinstance(error, library.APITimeoutError | TimeoutError):
            return self._server.unreachable("no answer in time")
        if isinstance(error, library.APIConnectionError):
            return self._server.unreachable(connection_cause(error))
        if isinstance(error, library.APIError) and not isinstance(error, library.APIResponseValidationError):
            return self._server.status(500, error.message)
        return self._server.unreadable(_OTHER_FORM)


def _raw_reply(message: anthropic.types.Message) -> RawReply:
    texts = [block.text for block in message.content if block.type == "text"]
    thoughts = [block.thinking for block in message.content if block.type == "thinking"]
    forms = [
        json.dumps(block.input, ensure_ascii=False) for block in message.content if block.type == "tool_use"
    ]
    return RawReply(
        text=forms[0] if forms else "".join(texts),
        thinking="".join(thoughts),
        model=message.model,
        tokens_in=message.usage.input_tokens,
        tokens_out=message.usage.output_tokens,
        finish=_FINISH.get(message.stop_reason or "", "other"),
    )
