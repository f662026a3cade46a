"""Optional parts of a request that a server may refuse; what it refused once is not sent to it again (case F5)."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
Parts = frozenset[str]
REFUSALS: Final = (400, 422)
"""HTTP status codes of a request that is called invalid."""
NOTHING: Final[Parts] = frozenset()
_TOO_LONG: Final = re.compile(
    r"context.{0,40}(length|size|window)|(exceed|too long|too large).{0,60}context|prompt is too long"
)
"""A prompt that does not fit is no matter of optional parts."""


class RefusedRequestError(Exception):
    """A server called the request itself invalid (HTTP 400 or 422). Stays inside of an adapter.

    Args:
        message: what the server said.
        parts: the optional parts that the refused request carried.
        original: the client's exception.
    """

    def __init__(self, message: str, parts: Parts, original: Exception) -> None:
        super().__init__(message)
        self.parts = parts
        self.original = original


class Concessions:
    """What one server cannot take.

    Args:
        parts: name of each optional part → words by which a refusal names it, in the order in which parts are given
            up when a refusal names none.
    """

    def __init__(self, owner: str, parts: Mapping[str, tuple[str, ...]]) -> None:
        self._owner = owner
        self._words = parts
        self._given_up: Parts = NOTHING

    @property
    def given_up(self) -> Parts:
        """Parts that are not sent any more."""
        return self._given_up

    def give_up(self, part: str) -> None:
        """Stop sending a part."""
        if part not in self._given_up:
            log.warning("%s cannot use %r; it is not sent any more", self._owner, part)
            self._given_up |= {part}

    async def negotiate(self, call: Callable[[Parts], Awaitable[T]]) -> T:
        """``await call(without)`` with fewer and fewer parts until the server takes the request.

        Raises:
            RefusedRequestError: the first refusal, when giving up parts did not help; then nothing is remembered.
        """
        without = self._given_up
        first: RefusedRequestError | None = None
        while True:
            try:
                result = await call(without)
            except RefusedRequestError as refusal:
                first = first or refusal
                part = self._named_in(str(refusal), refusal.parts - without)
                if part is None:
                    raise first from None
                without |= {part}
                continue
            for part in sorted(without - self._given_up):
                self.give_up(part)
            return result

    def _named_in(self, message: str, sent: Parts) -> str | None:
        lowered = message.lower()
        if _TOO_LONG.search(lowered):
            return None
        candidates = [part for part in self._words if part in sent]
        named = [part for part in candidates if any(word in lowered for word in self._words[part])]
        return next(iter(named or candidates), None)
