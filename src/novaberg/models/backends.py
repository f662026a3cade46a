"""What an adapter offers: one raw try against a model server, with neither retries nor repairs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import JsonValue

from novaberg.models.protocol import ChatRequest, Message, ModelHealth

JsonSchema = Mapping[str, JsonValue]

Finish = Literal["stop", "length", "other"]
"""Why the model stopped: on its own, at the token limit, or for another reason of the server."""

THINKING_ALLOWANCE = 2048
"""Tokens added to the limit of a request that may think (own choice; servers count reasoning as output)."""

OPENING = "…"
"""Stands in for the person where a conversation would begin with the assistant; many chat templates refuse that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """What a server sent, reasoning still inside ``text`` if it does not separate it."""

    text: str
    thinking: str = ""
    """The server's own reasoning channel."""
    model: str = ""
    """The model that the server says answered; ``""`` = it did not say."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: Finish = "stop"


class ChatBackend(Protocol):
    """One model on one server. Safe to share between tasks."""

    @property
    def name(self) -> str:
        """``provider:name``, as in NOVABERG_MODEL."""
        ...

    @property
    def address(self) -> str:
        """Which server it is; calls to one address share a gate."""
        ...

    async def generate(self, request: ChatRequest, *, schema: JsonSchema | None) -> RawReply:
        """One try. Cancelling it ends the HTTP request.

        Args:
            schema: demanded form of the reply; sent as far as the server can use it.

        Raises:
            ModelUnreachableError, ModelServerError, ModelNotFoundError, ModelCredentialsError: the server failed.
        """
        ...

    def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """One try for free text, piece by piece. Errors as in `generate`; a stream that breaks off is an error."""
        ...

    def form_was_ignored(self) -> None:
        """Told that a demanded form came back as prose: the next try demands it in another way, if there is one."""
        ...

    async def check(self) -> ModelHealth:
        """Whether the model could answer now; never raises."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


def conversation(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Wire messages that strictly alternate and begin with the person, as many chat templates demand.

    Neighbours of one role become one message, separated by a blank line.
    """
    turns: list[dict[str, str]] = []
    for message in messages:
        if turns and turns[-1]["role"] == message.role:
            turns[-1]["content"] += f"\n\n{message.content}"
        else:
            turns.append({"role": message.role, "content": message.content})
    if turns and turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": OPENING})
    return turns


def token_limit(request: ChatRequest, *, thinking: bool) -> int:
    """Tokens that the server may produce, reasoning included."""
    return request.max_output_tokens + (THINKING_ALLOWANCE if thinking else 0)
