"""The wire formats of the fake model server: Ollama, OpenAI, Anthropic. Parses requests, renders replies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from pydantic import JsonValue

from bench.fake_model_answers import Kind, Schema, kind_of, texts_of
from bench.fake_model_faults import Spoken

Body = Mapping[str, JsonValue]
ANSWER_TOKENS_PER_CHAR: Final = 0.25
NO_SCHEMA: Final[Schema] = {}
"""What a wire says when JSON is demanded without a schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One chat request as far as the server reads it."""

    model: str
    question: str
    prompt: str
    schema: Schema | None
    """Demanded schema; ``{}`` = any JSON; ``None`` = free text."""
    think: JsonValue
    """``think`` of the Ollama wire; ``None`` = not sent."""
    stream: bool

    @property
    def kind(self) -> Kind:
        """Which caller asks."""
        return kind_of(self.schema if self.schema else None, self.prompt)

    @property
    def tokens_in(self) -> int:
        """Length of the prompt at four characters a token."""
        return round(len(self.prompt) * ANSWER_TOKENS_PER_CHAR)


class Wire(Protocol):
    """One wire format."""

    name: str
    stream_type: str

    def parse(self, body: Body) -> Asked:
        """Read a request body."""
        ...

    def whole(self, asked: Asked, spoken: Spoken) -> Body:
        """The reply in one piece."""
        ...

    def pieces(self, asked: Asked, spoken: Spoken) -> Iterator[str]:
        """The reply as stream parts, each ready to be sent."""
        ...

    def error(self, message: str, status: int) -> Body:
        """The body of an error."""
        ...


def _messages(body: Body) -> list[Mapping[str, JsonValue]]:
    messages = body.get("messages")
    return (
        [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
    )


def _object(value: JsonValue | None) -> Body:
    return value if isinstance(value, dict) else {}


def _cut(text: str, size: int = 7) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def _tokens_out(spoken: Spoken) -> int:
    return max(1, round(len(spoken.content + spoken.thinking) * ANSWER_TOKENS_PER_CHAR))


class OllamaWire:
    """``/api/chat``."""

    name = "ollama"
    stream_type = "application/x-ndjson"

    def parse(self, body: Body) -> Asked:
        """Read ``/api/chat``; the server streams unless told otherwise, as Ollama does."""
        question, prompt = texts_of(_messages(body))
        demanded = body.get("format")
        schema = demanded if isinstance(demanded, dict) else NO_SCHEMA if demanded == "json" else None
        return Asked(
            model=str(body.get("model")),
            question=question,
            prompt=prompt,
            schema=schema,
            think=body.get("think"),
            stream=body.get("stream", True) is True,
        )

    def whole(self, asked: Asked, spoken: Spoken) -> Body:
        """One object."""
        return self._part(asked, spoken) | self._end(asked, spoken)

    def pieces(self, asked: Asked, spoken: Spoken) -> Iterator[str]:
        """Lines of JSON; the last one is ``done``."""
        for piece in _cut(spoken.thinking):
            yield json.dumps(self._part(asked, Spoken("", piece)) | {"done": False}) + "\n"
        for piece in _cut(spoken.content):
            yield json.dumps(self._part(asked, Spoken(piece)) | {"done": False}) + "\n"
        yield json.dumps(self._part(asked, Spoken("")) | self._end(asked, spoken)) + "\n"

    def error(self, message: str, status: int) -> Body:
        """``{"error": …}``."""
        return {"error": message}

    def _part(self, asked: Asked, spoken: Spoken) -> dict[str, JsonValue]:
        message: dict[str, JsonValue] = {"role": "assistant", "content": spoken.content}
        if spoken.thinking:
            message["thinking"] = spoken.thinking
        return {"model": asked.model, "created_at": "2026-01-01T00:00:00Z", "message": message}

    def _end(self, asked: Asked, spoken: Spoken) -> dict[str, JsonValue]:
        return {
            "done": True,
            "done_reason": "stop",
            "total_duration": 1,
            "load_duration": 0,
            "prompt_eval_count": asked.tokens_in,
            "eval_count": _tokens_out(spoken),
        }


class OpenAIWire:
    """``/v1/chat/completions``."""

    name = "openai"
    stream_type = "text/event-stream"

    def parse(self, body: Body) -> Asked:
        """Read a chat completion request."""
        question, prompt = texts_of(_messages(body))
        return Asked(
            model=str(body.get("model")),
            question=question,
            prompt=prompt,
            schema=self._schema(_object(body.get("response_format"))),
            think=None,
            stream=body.get("stream") is True,
        )

    def whole(self, asked: Asked, spoken: Spoken) -> Body:
        """A ``chat.completion``."""
        message: dict[str, JsonValue] = {"role": "assistant", "content": spoken.content}
        if spoken.thinking:
            message["reasoning_content"] = spoken.thinking
        choice: dict[str, JsonValue] = {"index": 0, "message": message, "finish_reason": "stop"}
        return self._frame(asked, "chat.completion", [choice]) | {"usage": self._usage(asked, spoken)}

    def pieces(self, asked: Asked, spoken: Spoken) -> Iterator[str]:
        """Server-sent events up to ``[DONE]``."""
        for piece in _cut(spoken.thinking):
            yield self._event(asked, {"reasoning_content": piece}, None)
        for piece in _cut(spoken.content):
            yield self._event(asked, {"content": piece}, None)
        yield self._event(asked, {}, "stop")
        usage = self._frame(asked, "chat.completion.chunk", []) | {"usage": self._usage(asked, spoken)}
        yield f"data: {json.dumps(usage)}\n\ndata: [DONE]\n\n"

    def error(self, message: str, status: int) -> Body:
        """``{"error": {"message": …}}``."""
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": status}}

    def _event(self, asked: Asked, delta: dict[str, JsonValue], finish: str | None) -> str:
        choice: dict[str, JsonValue] = {"index": 0, "delta": delta, "finish_reason": finish}
        return f"data: {json.dumps(self._frame(asked, 'chat.completion.chunk', [choice]))}\n\n"

    def _frame(self, asked: Asked, kind: str, choices: list[JsonValue]) -> dict[str, JsonValue]:
        return {
            "id": "chatcmpl-1",
            "object": kind,
            "created": 1_767_225_600,
            "model": asked.model,
            "choices": choices,
        }

    def _usage(self, asked: Asked, spoken: Spoken) -> dict[str, JsonValue]:
        tokens_out = _tokens_out(spoken)
        return {
            "prompt_tokens": asked.tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": asked.tokens_in + tokens_out,
        }

    def _schema(self, demanded: Body) -> Schema | None:
        match demanded.get("type"):
            case "json_schema":
                return _object(_object(demanded.get("json_schema")).get("schema"))
            case "json_object":
                return NO_SCHEMA
            case _:
                return None


class AnthropicWire:
    """``/v1/messages``; a demanded form arrives as a forced tool."""

    name = "anthropic"
    stream_type = "text/event-stream"

    def parse(self, body: Body) -> Asked:
        """Read a message request."""
        question, spoken = texts_of(_messages(body))
        _, system = texts_of([{"role": "system", "content": body.get("system")}])
        return Asked(
            model=str(body.get("model")),
            question=question,
            prompt=f"{system}\n\n{spoken}",
            schema=self._schema(body),
            think=None,
            stream=body.get("stream") is True,
        )

    def whole(self, asked: Asked, spoken: Spoken) -> Body:
        """A ``message``."""
        content: list[JsonValue] = []
        if spoken.thinking:
            content.append({"type": "thinking", "thinking": spoken.thinking, "signature": ""})
        if spoken.content:
            content.append(self._block(asked, spoken.content))
        return self._frame(asked, content) | {
            "stop_reason": "tool_use" if asked.schema is not None else "end_turn",
            "usage": {"input_tokens": asked.tokens_in, "output_tokens": _tokens_out(spoken)},
        }

    def pieces(self, asked: Asked, spoken: Spoken) -> Iterator[str]:
        """Events from ``message_start`` to ``message_stop``."""
        usage: dict[str, JsonValue] = {"input_tokens": asked.tokens_in, "output_tokens": 1}
        yield self._event(
            "message_start", {"message": self._frame(asked, []) | {"stop_reason": None, "usage": usage}}
        )
        yield self._event("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}})
        for piece in _cut(spoken.content):
            yield self._event(
                "content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": piece}}
            )
        yield self._event("content_block_stop", {"index": 0})
        end: dict[str, JsonValue] = {"stop_reason": "end_turn", "stop_sequence": None}
        yield self._event("message_delta", {"delta": end, "usage": {"output_tokens": _tokens_out(spoken)}})
        yield self._event("message_stop", {})

    def error(self, message: str, status: int) -> Body:
        """``{"type": "error", …}``."""
        kinds = {401: "authentication_error", 404: "not_found_error", 400: "invalid_request_error"}
        return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": message}}

    def _event(self, kind: str, data: dict[str, JsonValue]) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind} | data)}\n\n"

    def _frame(self, asked: Asked, content: list[JsonValue]) -> dict[str, JsonValue]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": content,
            "stop_sequence": None,
        }

    def _block(self, asked: Asked, content: str) -> JsonValue:
        if asked.schema is None:
            return {"type": "text", "text": content}
        try:
            decoded = json.loads(content)
        except ValueError:
            return {"type": "text", "text": content}
        if not isinstance(decoded, dict):
            return {"type": "text", "text": content}
        return {"type": "tool_use", "id": "toolu_1", "name": "reply", "input": decoded}

    def _schema(self, body: Body) -> Schema | None:
        tools = body.get("tools")
        first = tools[0] if isinstance(tools, list) and tools else None
        return _object(_object(first).get("input_schema")) if first is not None else None
