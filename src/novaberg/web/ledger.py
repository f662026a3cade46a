"""Which question an answer belongs to, and what was shown already (spec 07 §3.2). Pure bookkeeping of one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeVar

Assignment = Literal["passt", "fremd", "unbeobachtet", "impuls"]
"""``fremd``: something is open, but not this. ``unbeobachtet``: nothing is open, the question came from elsewhere."""


@dataclass(eq=False)
class Exchange:
    """What was said in one turn and its answer; before the turn begins, one message that waits."""

    turn_id: str | None = None
    moment: datetime | None = None
    """When it began."""
    ids: list[str] = field(default_factory=list)
    """``nachrichten_id`` of the messages, in order."""
    steps: int | None = 0
    """Stages so far; ``None`` = the page was opened in between and does not know."""
    answered: bool = False
    ended: bool = False
    failed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether an answer is to come."""
        return not (self.answered or self.failed)


E = TypeVar("E", bound=Exchange)


class Ledger(Generic[E]):
    """All exchanges that a page shows, in their order."""

    def __init__(self) -> None:
        self._exchanges: list[E] = []

    def __iter__(self) -> Iterator[E]:
        return iter(self._exchanges)

    def __len__(self) -> int:
        return len(self._exchanges)

    @property
    def is_waiting(self) -> bool:
        """Whether anything is to come: an answer, or the end of a turn."""
        return any(not (exchange.ended or exchange.failed) for exchange in self._exchanges)

    def before(self, exchange: E) -> E | None:
        """The exchange above."""
        place = self._exchanges.index(exchange)
        return self._exchanges[place - 1] if place else None

    def after(self, exchange: E) -> E | None:
        """The exchange below."""
        place = self._exchanges.index(exchange) + 1
        return self._exchanges[place] if place < len(self._exchanges) else None

    def has_open_before(self, exchange: E) -> bool:
        """Whether an earlier question has no answer yet."""
        return any(other.is_open for other in self._exchanges[: self._exchanges.index(exchange)])

    def place_for(self, turn_id: str | None) -> int:
        """Where something new belongs: a turn before the messages that still wait for theirs, those at the end."""
        if turn_id is not None:
            for place, other in enumerate(self._exchanges):
                if other.turn_id is None:
                    return place
        return len(self._exchanges)

    def insert(self, exchange: E, place: int) -> None:
        """Take an exchange in."""
        self._exchanges.insert(place, exchange)

    def find(self, turn_id: str | None, ids: Iterable[str]) -> E | None:
        """The exchange of a turn, or of the first of these messages that is known."""
        for exchange in self._exchanges:
            if turn_id is not None and exchange.turn_id == turn_id:
                return exchange
        known = {identifier: exchange for exchange in self._exchanges for identifier in exchange.ids}
        return next((known[identifier] for identifier in ids if identifier in known), None)

    def bind(self, exchange: E, turn_id: str, ids: Sequence[str]) -> list[E]:
        """A turn took these messages: ``exchange`` becomes the turn's. Gives the others that merge into it."""
        exchange.turn_id = turn_id
        taken = set(ids)
        merged = [other for other in self._exchanges if other is not exchange and taken & set(other.ids)]
        self._exchanges = [other for other in self._exchanges if other not in merged]
        for other in merged:
            exchange.ids += other.ids
        return merged

    def assign(self, ids: Iterable[str], *, is_impulse: bool) -> Assignment:
        """What an answer that names these messages is to this page."""
        if is_impulse:
            return "impuls"
        still_open = {
            identifier for exchange in self._exchanges if exchange.is_open for identifier in exchange.ids
        }
        if not still_open:
            return "unbeobachtet"
        return "passt" if still_open & set(ids) else "fremd"
