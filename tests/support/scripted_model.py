"""A chat model that says what a test tells it to say, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from novaberg.errors import ModelReplyError
from novaberg.models.json_reply import Unreadable, read_form
from novaberg.models.protocol import ChatReply, ChatRequest, ModelHealth


@dataclass(frozen=True, slots=True)
class Delayed:
    """A reply that takes its time (seconds), or waits for an event of the test."""

    reply: str | Mapping[str, JsonValue] | Exception
    until: float | asyncio.Event


Scripted = str | Mapping[str, JsonValue] | Exception | Delayed


class ScriptedChatModel:
    """Per caller a queue of replies; the last one of a queue is repeated.

    A text or an object is what the model says (an object where a form is demanded, read as the real adapters read
    it); an exception is raised; `Delayed` comes later. A caller without a queue gets ``default``; without that the
    call fails the test, so that no call happens unseen.

    Args:
        replies: caller → reply or list of replies.
        default: for every other caller.
    """

    def __init__(
        self,
        replies: Mapping[str, Scripted | list[Scripted]] | None = None,
        *,
        default: Scripted | None = None,
        name: str = "skript:test",
    ) -> None:
        self._name = name
        self._default = default
        self._queues: dict[str, deque[Scripted]] = {}
        self.requests: list[ChatRequest] = []
        """Everything that was asked, in order."""
        self.closed = False
        for caller, said in (replies or {}).items():
            self.say(caller, *(said if isinstance(said, list) else [said]))

    def say(self, caller: str, *replies: Scripted) -> None:
        """Append replies for a caller."""
        self._queues.setdefault(caller, deque()).extend(replies)

    def asked(self, caller: str) -> list[ChatRequest]:
        """The requests of one caller."""
        return [request for request in self.requests if request.caller == caller]

    @property
    def name(self) -> str:
        """``provider:name``."""
        return self._name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The next reply for ``request.caller``."""
        self.requests.append(request)
        reply = self._next(request.caller)
        if isinstance(reply, Delayed):
            if isinstance(reply.until, asyncio.Event):
                await reply.until.wait()
            else:
                await asyncio.sleep(reply.until)
            reply = reply.reply
        if isinstance(reply, Exception):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return self._read(text, request)

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The next reply, word by word."""
        reply = await self.complete(request)
        for number, word in enumerate(reply.text.split(" ")):
            yield word if number == 0 else f" {word}"

    async def check(self) -> ModelHealth:
        """Always well."""
        return ModelHealth(True, "scripted")

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _next(self, caller: str) -> Scripted:
        queue = self._queues.get(caller)
        if queue:
            return queue[0] if len(queue) == 1 else queue.popleft()
        if self._default is None:
            raise AssertionError(f"nobody told the model what to say to {caller!r}")
        return self._default

    def _read(self, text: str, request: ChatRequest) -> ChatReply:
        reply = ChatReply(
            text=text.strip(),
            model=self._name,
            tokens_in=len(request.system) // 4 + 1,
            tokens_out=len(text) // 4 + 1,
        )
        if request.output is None:
            return reply
        reading = read_form(text, request.output)
        if isinstance(reading, Unreadable):
            raise ModelReplyError(f"{self._name} did not answer {request.caller} in the demanded form.")
        return replace(
            reply, text=reading.text, data=reading.data, parsed=reading.parsed, origin=reading.origin
        )
