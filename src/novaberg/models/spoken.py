"""The text of a model as it may be shown: in time, without reasoning, stripped, storable."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator

from novaberg.errors import ModelTimeoutError
from novaberg.models.backends import ChatBackend
from novaberg.models.protocol import ChatRequest
from novaberg.models.thinking import ThinkingFilter

_LAST_MOMENT_S = 0.001
"""What is left of a deadline that other pieces have used up."""


@contextlib.asynccontextmanager
async def deadline(seconds: float, backend: ChatBackend, *, left: float | None = None) -> AsyncIterator[None]:
    """Ends the block after ``seconds``, or after what is ``left`` of them.

    Raises:
        ModelTimeoutError: it was not done by then.
    """
    try:
        async with asyncio.timeout(seconds if left is None else left):
            yield
    except TimeoutError as error:
        raise ModelTimeoutError(
            f"{backend.name} at {backend.address} did not answer within {seconds:g} s; try again when the server"
            " is free, or raise NOVABERG_MODEL_TIMEOUT or NOVABERG_CLASSIFY_TIMEOUT."
        ) from error


async def timed(backend: ChatBackend, request: ChatRequest, timeout_s: float) -> AsyncGenerator[str, None]:
    """The raw pieces of a backend; only time spent waiting for the server counts, not that of whoever listens."""
    left = timeout_s
    async with contextlib.aclosing(backend.stream_text(request)) as pieces:
        while True:
            asked = time.monotonic()
            async with deadline(timeout_s, backend, left=left):
                try:
                    piece = await anext(pieces)
                except StopAsyncIteration:
                    return
            left = max(_LAST_MOMENT_S, left - (time.monotonic() - asked))
            yield piece


class SpokenStream:
    """One stream without its reasoning, stripped at both ends.

    Args:
        hold: see `ThinkingFilter`.
    """

    def __init__(self, *, hold: bool) -> None:
        self._thinking = ThinkingFilter(hold=hold)
        self._waiting = ""
        self._begun = False

    @property
    def thinking_chars(self) -> int:
        """Characters of reasoning so far."""
        return self._thinking.removed_chars

    @property
    def began_in_reasoning(self) -> bool:
        """Only a closing marker came."""
        return self._thinking.lone_closer

    @property
    def leaked(self) -> bool:
        """Reasoning was handed out."""
        return self._thinking.leaked

    async def pieces(self, raw: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
        """The pieces that may be shown; joined they are the stripped text."""
        async with contextlib.aclosing(raw):
            async for piece in raw:
                shown = self._trim(self._thinking.feed(storable(piece)))
                if shown:
                    yield shown
        rest = self._trim(self._thinking.finish())
        if rest:
            yield rest

    def _trim(self, piece: str) -> str:
        """What is certain to stay: white space waits until something follows it."""
        text = self._waiting + piece if self._begun else piece.lstrip()
        solid = text.rstrip()
        self._waiting = text[len(solid) :]
        self._begun = self._begun or bool(solid)
        return solid


def storable(text: str) -> str:
    """Without what no store takes: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
