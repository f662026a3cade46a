"""A model on a server as a `ChatModel`: gate, tries, reasoning removed, forms read, asked again once, logged."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from pydantic import BaseModel, JsonValue

from novaberg.errors import EmptyReplyError, ModelError, ModelReplyError, ModelTimeoutError
from novaberg.models.backends import THINKING_ALLOWANCE, ChatBackend, JsonSchema, RawReply
from novaberg.models.gate import ModelGate
from novaberg.models.json_reply import Unreadable, read_form
from novaberg.models.protocol import Block, ChatReply, ChatRequest, ModelHealth, ReplyOrigin
from novaberg.models.spoken import SpokenStream, deadline, storable, timed
from novaberg.models.thinking import remove_thinking

log = logging.getLogger(__name__)

TIMEOUT_TRIES: Final = 2
"""How often a demanded form is tried when the server does not answer in time (spec 01 §3.11)."""
ONCE_MORE: Final = Block(
    "FORM",
    "Reply = exactly one JSON value of the demanded form. No prose, no Markdown, no schema, no comments.",
)
"""Added to the system prompt when a reply could not be read. Plain words, the same for every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedLimits:
    """Bounds of a try, from the settings."""

    text_timeout_s: float
    form_timeout_s: float
    context_window: int | None = None
    """Tokens of the window that the server was told, for warnings only."""

    def timeout_for(self, request: ChatRequest) -> float:
        """Seconds for one try."""
        usual = self.text_timeout_s if request.output is None else self.form_timeout_s
        return usual if request.timeout_s is None else request.timeout_s


@dataclass(slots=True)
class _Account:
    """What one call has used so far."""

    started: float
    tries: int = 0
    waited_s: float = 0.0
    thinking_chars: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    timeouts: int = 0

    def add(self, raw: RawReply, thinking_chars: int) -> None:
        self.thinking_chars += thinking_chars
        self.tokens_in = _sum(self.tokens_in, raw.tokens_in)
        self.tokens_out = _sum(self.tokens_out, raw.tokens_out)
        self.model = raw.model

    @property
    def duration_s(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class _Answer:
    """A usable reply of one asking."""

    text: str
    data: JsonValue = None
    parsed: BaseModel | None = None
    origin: ReplyOrigin = "direkt"


class ServedChatModel:
    """A `ChatModel` over one backend.

    Args:
        backend: the raw tries.
        gate: shared by all models of this server.
        limits: timeouts.
    """

    def __init__(self, backend: ChatBackend, gate: ModelGate, limits: ServedLimits) -> None:
        self._backend = backend
        self._gate = gate
        self._limits = limits
        self._thinks_anyway = False
        """A reply held reasoning although the request had switched it off."""
        self._begins_speaking: frozenset[bool] = frozenset()
        """Values of ``think`` with which a stream has shown that replies do not begin inside the reasoning."""

    @property
    def name(self) -> str:
        """``provider:name``."""
        return self._backend.name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """See `ChatModel.complete`."""
        account = _Account(time.monotonic())
        try:
            answer = await self._answer(request, account)
        except ModelError as error:
            self._log(request, account, outcome=type(error).__name__, chars=0)
            raise
        self._log(request, account, outcome=answer.origin, chars=len(answer.text))
        return ChatReply(
            text=answer.text,
            data=answer.data,
            parsed=answer.parsed,
            model=self._answering_model(account),
            tokens_in=account.tokens_in,
            tokens_out=account.tokens_out,
            thinking_chars=account.thinking_chars,
            origin=answer.origin,
            tries=account.tries,
            duration_s=account.duration_s,
        )

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """See `ChatModel.stream`. The pieces joined are the stripped text.

        Until a model has shown that its replies begin outside of its reasoning, its text comes in one piece.
        """
        if request.output is not None:
            raise ValueError("only free text can be streamed")
        account = _Account(time.monotonic())
        chars = 0
        try:
            async with self._gate.place(request.priority):
                account.waited_s = account.duration_s
                account.tries += 1
                async with contextlib.aclosing(self._spoken(request, account)) as pieces:
                    async for piece in pieces:
                        chars += len(piece)
                        yield piece
            if not chars:
                answer = await self._ask_again(request, account)
                chars = len(answer.text)
                yield answer.text
        except ModelError as error:
            self._log(request, account, outcome=type(error).__name__, chars=chars)
            raise
        self._log(request, account, outcome="direkt", chars=chars)

    async def check(self) -> ModelHealth:
        """Whether the model could answer now."""
        return await self._backend.check()

    async def close(self) -> None:
        """Release connections."""
        await self._backend.close()

    # ── asking ────────────────────────────────────────────────────────────

    async def _answer(self, request: ChatRequest, account: _Account) -> _Answer:
        try:
            return await self._ask(request, account)
        except ModelReplyError as error:
            if not request.retry_invalid:
                raise
            log.warning("%s of %s is asked again: %s", request.caller, self.name, error.message)
        return await self._ask_again(request, account)

    async def _ask_again(self, request: ChatRequest, account: _Account) -> _Answer:
        blocks = request.blocks if request.output is None else (*request.blocks, ONCE_MORE)
        answer = await self._ask(replace(request, think=False, blocks=blocks), account)
        return replace(answer, origin="nachgefragt")

    async def _ask(self, request: ChatRequest, account: _Account) -> _Answer:
        """One asking; a form is tried again when the server does not answer in time."""
        while True:
            tries = account.tries
            try:
                raw = await self._try(request, account)
            except ModelTimeoutError:
                reached_the_server = account.tries > tries
                account.timeouts += 1
                if request.output is None or account.timeouts >= TIMEOUT_TRIES or not reached_the_server:
                    raise
                log.warning("%s of %s is tried again: no answer in time", request.caller, self.name)
            else:
                return self._read(request, raw, account)

    async def _try(self, request: ChatRequest, account: _Account) -> RawReply:
        schema = None if request.output is None else _schema_of(request.output)
        timeout = self._limits.timeout_for(request)
        asked = time.monotonic()

        async def call() -> RawReply:
            account.waited_s += time.monotonic() - asked
            account.tries += 1
            async with deadline(timeout, self._backend):
                return await self._backend.generate(self._with_room(request), schema=schema)

        return await self._gate.run(call, priority=request.priority)

    def _with_room(self, request: ChatRequest) -> ChatRequest:
        """A model that thinks unasked needs tokens for it, else nothing is left for the answer."""
        if request.think or not self._thinks_anyway:
            return request
        return replace(request, max_output_tokens=request.max_output_tokens + THINKING_ALLOWANCE)

    def _read(self, request: ChatRequest, raw: RawReply, account: _Account) -> _Answer:
        spoken = remove_thinking(storable(raw.text))
        account.add(raw, spoken.thinking_chars + len(raw.thinking))
        if not request.think and account.thinking_chars and not self._thinks_anyway:
            log.info("%s thinks although it was told not to; its token limits are raised", self.name)
            self._thinks_anyway = True
        self._warn_of_full_window(request, raw)
        if not spoken.text:
            raise EmptyReplyError(self._empty_message(request, raw, account))
        if request.output is None:
            return _Answer(spoken.text)
        reading = read_form(spoken.text, request.output)
        if isinstance(reading, Unreadable):
            raise self._unreadable(request, reading)
        if reading.repetition_cut:
            log.warning("%s of %s: a run of repeated text was cut out of the form", request.caller, self.name)
        return _Answer(reading.text, reading.data, reading.parsed, reading.origin)

    def _unreadable(self, request: ChatRequest, reading: Unreadable) -> ModelReplyError:
        if reading.failure == "prosa":
            self._backend.form_was_ignored()
        return ModelReplyError(
            f"{self.name} did not answer {request.caller} in the demanded form: {reading.detail};"
            " use a model that follows JSON schemas."
        )

    def _empty_message(self, request: ChatRequest, raw: RawReply, account: _Account) -> str:
        reasoning = account.thinking_chars
        what = f"only {reasoning} characters of reasoning" if reasoning else "nothing at all"
        limit = ", stopped by the token limit" if raw.finish == "length" else ""
        return f"{self.name} answered {request.caller} with {what}{limit}; try again, or use another model."

    async def _spoken(self, request: ChatRequest, account: _Account) -> AsyncGenerator[str, None]:
        spoken = SpokenStream(hold=request.think not in self._begins_speaking)
        timeout = self._limits.timeout_for(request)
        async with contextlib.aclosing(
            spoken.pieces(timed(self._backend, self._with_room(request), timeout))
        ) as pieces:
            async for piece in pieces:
                yield piece
        account.thinking_chars += spoken.thinking_chars
        if spoken.began_in_reasoning:
            self._begins_speaking -= {request.think}
        else:
            self._begins_speaking |= {request.think}
        if spoken.leaked:
            raise ModelReplyError(
                f"{self.name} began its answer inside its reasoning; drop what was shown and ask again."
            )

    # ── log ───────────────────────────────────────────────────────────────

    def _answering_model(self, account: _Account) -> str:
        provider, _, asked_for = self.name.partition(":")
        return f"{provider}:{account.model or asked_for}"

    def _log(self, request: ChatRequest, account: _Account, *, outcome: str, chars: int) -> None:
        log.info(
            "model call caller=%s model=%s outcome=%s tries=%d seconds=%.2f waited=%.2f tokens_in=%s tokens_out=%s"
            " chars_in=%d chars_out=%d thinking_chars=%d",
            request.caller,
            self._answering_model(account),
            outcome,
            account.tries,
            account.duration_s,
            account.waited_s,
            account.tokens_in,
            account.tokens_out,
            len(request.system) + sum(len(message.content) for message in request.messages),
            chars,
            account.thinking_chars,
        )

    def _warn_of_full_window(self, request: ChatRequest, raw: RawReply) -> None:
        window = self._limits.context_window
        if window is None or raw.tokens_in is None or raw.tokens_in < 0.8 * window:
            return
        level = logging.ERROR if raw.tokens_in >= window else logging.WARNING
        log.log(level, "%s fills %d of %d tokens of %s", request.caller, raw.tokens_in, window, self.name)


@cache
def _schema_of(output: type[BaseModel]) -> JsonSchema:
    return output.model_json_schema()


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first + (second or 0)
