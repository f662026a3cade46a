"""The one way to ask a language model (design: `ChatModel.complete(ChatRequest) -> ChatReply`).

A request carries two descriptions of the same question: prompt blocks for language models, and `material`, the
structured input from which they were rendered. The built-in model reads the material; servers read the blocks.
"""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel, JsonValue

from novaberg.models.material import Material


class Priority(enum.IntEnum):
    """Who goes first at the gate; a smaller value pre-empts a larger one."""

    ANSWER = 0
    """The person is waiting for this call."""
    TAIL = 1
    """Belongs to a turn whose answer is already there."""
    BACKGROUND = 2
    """Nobody waits."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation part of a request."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Block:
    """A named block of the system prompt, rendered as ``[NAME]`` and text (spec 05 §3.19)."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One question to a model. ``None`` parameters are not sent; the server's default holds."""

    caller: str
    """Who asks: ``perzeption``, ``salienz``, ``responder``, ``session/summary`` …"""
    blocks: tuple[Block, ...]
    """The system prompt, in order."""
    messages: tuple[Message, ...]
    """At least one; the last one is the user's."""
    material: Material
    """The structured input behind the prompt."""
    output: type[BaseModel] | None = None
    """Demanded form of the reply; ``None`` = free text. Its JSON schema is sent where the server can use it."""
    retry_invalid: bool = True
    """Ask once more when the reply cannot be read as ``output`` (perception forbids it: seed node-perzeption §4.4)."""
    temperature: float = 0.3
    """0 to 2."""
    max_output_tokens: int = 1024
    top_p: float | None = None
    repeat_penalty: float | None = None
    presence_penalty: float | None = None
    think: bool = False
    """Whether the model may reason first; its reasoning never leaves the adapter."""
    priority: Priority = Priority.ANSWER
    timeout_s: float | None = None
    """Seconds for one try; ``None`` = the setting for texts or classifications."""

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role != "user":
            raise ValueError("a request ends with a message of the user")

    @property
    def system(self) -> str:
        """The blocks as one text, separated by blank lines."""
        return "\n\n".join(f"[{block.name}]\n{block.text}" for block in self.blocks)


ReplyOrigin = Literal["direkt", "repariert", "nachgefragt"]
"""How the form was reached: as sent, after JSON repair, or only on the second asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a model answered. Reasoning is removed; only its length is told."""

    text: str
    """Free text, or the JSON text of a demanded form; stripped."""
    data: JsonValue = None
    """The decoded JSON, only with a demanded form."""
    parsed: BaseModel | None = None
    """`data` read as the demanded ``output`` class."""
    model: str
    """The model that really answered, as ``provider:name``."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    """``None`` = the server did not tell."""
    thinking_chars: int = 0
    origin: ReplyOrigin = "direkt"
    tries: int = 1
    duration_s: float = 0.0

    @property
    def token_total(self) -> int:
        """Tokens in and out as far as they are known."""
        return (self.tokens_in or 0) + (self.tokens_out or 0)


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """Outcome of a check: ``ok``, or what is wrong and what to do, one line each."""

    ok: bool
    detail: str
    remedy: str = ""


class ChatModel(Protocol):
    """A model that can be asked. Implementations are safe to share between tasks."""

    @property
    def name(self) -> str:
        """``provider:name``, as in NOVABERG_MODEL."""
        ...

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask and wait for the whole reply.

        Raises:
            ModelUnreachableError, ModelTimeoutError, ModelServerError, ModelNotFoundError, ModelCredentialsError:
                the server failed.
            ModelReplyError: the reply cannot be read as ``request.output``.
            EmptyReplyError: there is no text, also after asking again.
        """
        ...

    def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """Ask and yield the free text piece by piece, without reasoning. Errors as in `complete`."""
        ...

    async def check(self) -> ModelHealth:
        """Whether the model could answer now; never raises."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...
