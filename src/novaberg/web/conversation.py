"""The conversation as it stands on the page: what the tables know and what is announced become one list."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from nicegui.element import Element

from novaberg.clock import Clock
from novaberg.memory.turn_store import HistoryTurn, InboxMessage, StoredAnswer
from novaberg.settings import Settings
from novaberg.turns.messages import Message
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE
from novaberg.web.exchange import Actions, ShownExchange
from novaberg.web.formats import moment_title, needs_mark, time_mark
from novaberg.web.ledger import Assignment, Ledger
from novaberg.web.markdown import Branch, parse_markdown
from novaberg.web.stages import origins_of, stage_line, strip_text, strip_title
from novaberg.web.texts import Texts

log = logging.getLogger(__name__)

PAGE_CLIENTS: Final = "web-"
"""Beginning of the ``client_id`` of every page."""


_CLASS_NAME: Final = re.compile(r"^[A-Za-z]+: ")
"""What kind of error it was for programs; the text behind it is for people."""


class Conversation:
    """All exchanges of a page. Nothing here reads or writes a store."""

    def __init__(
        self, talk: Element, settings: Settings, texts: Texts, clock: Clock, *, actions: Actions
    ) -> None:
        self._talk = talk
        self._settings = settings
        self._texts = texts
        self._clock = clock
        self._actions = actions
        self._ledger: Ledger[ShownExchange] = Ledger()
        self._oldest: int | None = None

    def __len__(self) -> int:
        return len(self._ledger)

    @property
    def oldest(self) -> int | None:
        """Cursor for the page of the history before."""
        return self._oldest

    @property
    def is_waiting(self) -> bool:
        """Whether anything is to come."""
        return self._ledger.is_waiting

    def find(self, message: Message) -> ShownExchange | None:
        """The exchange that an announced message is about, bound to its turn from now on."""
        turn_id, ids = _turn_id(message), _ids(message)
        exchange = self._ledger.find(turn_id, ids)
        if exchange is not None and turn_id is not None:
            self._bind(exchange, turn_id, ids)
        return exchange

    # ── from the tables ──────────────────────────────────────────────────────

    def take_page(
        self, turns: Sequence[HistoryTurn], endings: Mapping[str, Message], *, older: bool = False
    ) -> None:
        """Merge a page of the history: what is shown already is completed, the rest joins its place."""
        numbers = [turn.number for turn in turns if turn.number is not None]
        if numbers and (self._oldest is None or older):
            self._oldest = min(numbers)
        place = 0
        for turn in turns:
            if turn.turn_id is None:
                for message in turn.messages:
                    self._waiting(message)
                continue
            exchange = self._ledger.find(turn.turn_id, [message.nachrichten_id for message in turn.messages])
            if exchange is None:
                exchange = self._begin(turn.turn_id, _moment(turn), place if older else None)
                exchange.steps = None
            place += 1
            self._complete(exchange, turn, endings.get(turn.turn_id, {}))

    def _complete(self, exchange: ShownExchange, turn: HistoryTurn, ending: Message) -> None:
        assert turn.turn_id is not None
        self._bind(exchange, turn.turn_id, [message.nachrichten_id for message in turn.messages])
        for message in turn.messages:
            self._show_said(exchange, message)
        if turn.answer is not None and not exchange.answered:
            exchange.show_answer(parse_markdown(turn.answer.text), _assignment(turn.answer))
        match turn.state:
            case "gescheitert":
                self.fail(exchange, self._failure(exchange, turn.error))
            case "erledigt":
                self._end(exchange, ending, answer_seconds=_answer_seconds(turn))
            case "wartend" if not exchange.answered:
                self._resume(exchange, self._texts.requeued)
            case "offen" if not exchange.answered and (exchange.steps is None or exchange.failed):
                self._resume(exchange, self._texts.answering)

    def _waiting(self, message: InboxMessage) -> None:
        if self._ledger.find(None, [message.nachrichten_id]) is None:
            self.show_own(message)

    def _failure(self, exchange: ShownExchange, error: str | None) -> str:
        texts = self._texts
        parts = [texts.failed_after_answer] if exchange.answered else [texts.failed, texts.failed_safe]
        if error:
            parts.append(texts.failed_cause.format(error=_CLASS_NAME.sub("", error)))
        return " ".join(parts)

    # ── as it happens ────────────────────────────────────────────────────────

    def show_own(self, message: InboxMessage) -> None:
        """A message that is stored and waits for its turn."""
        exchange = self._begin(None, message.empfangen_am, None)
        self._show_said(exchange, message)
        queued = self._ledger.has_open_before(exchange)
        exchange.show_stage(self._texts.queued if queued else self._texts.received)

    def show_stage(self, exchange: ShownExchange, message: Message) -> None:
        """One node of its turn is done."""
        if exchange.steps is not None:
            exchange.steps += 1
        if exchange.failed:
            self._resume(exchange, "")
        if exchange.answered:
            return
        exchange.show_stage(stage_line(message, self._texts))

    def show_answer(self, exchange: ShownExchange, message: Message, blocks: Sequence[Branch]) -> bool:
        """Nova's words; False if they stand already (an answer may be announced twice)."""
        if exchange.answered:
            return False
        exchange.show_answer(blocks, self._assign(exchange, message))
        seconds = (self._clock.now() - exchange.moment).total_seconds() if exchange.moment else None
        exchange.show_strip(strip_text(exchange.steps, {}, seconds, self._texts))
        return True

    def begin_unknown(self, message: Message) -> ShownExchange:
        """A place for an answer whose question nobody knows: an impulse, or one that is told elsewhere."""
        return self._begin(_turn_id(message), self._clock.now(), None)

    def end(self, exchange: ShownExchange, message: Message) -> None:
        """The turn is over."""
        self._end(exchange, message, answer_seconds=None)

    def fail(self, exchange: ShownExchange, text: str) -> None:
        """The turn was given up."""
        exchange.failed = True
        exchange.show_trouble(text)
        exchange.show_strip(strip_text(exchange.steps, {}, None, self._texts))

    def tried_again(self, exchange: ShownExchange) -> None:
        """The turn is queued once more."""
        self._resume(exchange, self._texts.requeued)

    def mind_the_time(self, patience_s: float) -> None:
        """Say of each question that has waited too long that it is not forgotten (spec 07 §11)."""
        now = self._clock.now()
        for exchange in self._ledger:
            if exchange.is_open and exchange.moment and (now - exchange.moment).total_seconds() > patience_s:
                exchange.show_stage(self._texts.no_answer_yet)

    # ── inside ───────────────────────────────────────────────────────────────

    def _begin(self, turn_id: str | None, moment: datetime | None, place: int | None) -> ShownExchange:
        with self._talk:
            exchange = ShownExchange(self._texts, self._actions, name=self._settings.character_name)
        exchange.turn_id, exchange.moment = turn_id, moment
        place = self._ledger.place_for(turn_id) if place is None else place
        if place < len(self._ledger):
            exchange.root.move(self._talk, place)
        self._ledger.insert(exchange, place)
        self._tell_time(exchange)
        if (after := self._ledger.after(exchange)) is not None:
            self._tell_time(after)
        return exchange

    def _tell_time(self, exchange: ShownExchange) -> None:
        moment, timezone = exchange.moment, self._settings.timezone
        before = self._ledger.before(exchange)
        if moment is None or not needs_mark(before.moment if before else None, moment, timezone):
            exchange.show_mark("", "")
            return
        mark = time_mark(moment, now=self._clock.now(), timezone=timezone, texts=self._texts)
        exchange.show_mark(mark, moment_title(moment, timezone))

    def _bind(self, exchange: ShownExchange, turn_id: str, ids: Sequence[str]) -> None:
        for other in self._ledger.bind(exchange, turn_id, ids):
            exchange.absorb(other)

    def _show_said(self, exchange: ShownExchange, message: InboxMessage) -> None:
        client = message.client_id
        via = (
            ""
            if not client or client.startswith(PAGE_CLIENTS)
            else self._texts.via_client.format(client=client)
        )
        title = moment_title(message.empfangen_am, self._settings.timezone)
        exchange.show_said(message.nachrichten_id, message.prompt, title=title, via=via)

    def _resume(self, exchange: ShownExchange, line: str) -> None:
        exchange.failed = exchange.ended = False
        exchange.clear_trouble()
        if line and not exchange.answered:
            exchange.show_stage(line)

    def _end(self, exchange: ShownExchange, ending: Message, *, answer_seconds: float | None) -> None:
        if exchange.ended:
            return
        exchange.ended, exchange.failed = True, False
        exchange.clear_trouble()
        exchange.show_strip(
            strip_text(exchange.steps, ending, answer_seconds, self._texts),
            title=strip_title(ending, self._texts),
            origins=origins_of(ending, self._texts),
        )

    def _assign(self, exchange: ShownExchange, message: Message) -> Assignment:
        is_impulse = message.get("reiz_herkunft") == ORIGIN_OWN_IMPULSE
        assignment = self._ledger.assign(_ids(message), is_impulse=is_impulse)
        if assignment in ("fremd", "unbeobachtet"):
            log.warning("the answer of turn %s to %s is %s here", exchange.turn_id, _ids(message), assignment)
        # A question that stands above its answer leaves no doubt, whoever asked it.
        return "passt" if assignment == "fremd" and exchange.ids else assignment


def _turn_id(message: Message) -> str | None:
    turn_id = message.get("turn_id")
    return turn_id if isinstance(turn_id, str) and turn_id else None


def _ids(message: Message) -> list[str]:
    ids = message.get("nachrichten_ids")
    return [identifier for identifier in ids if isinstance(identifier, str)] if isinstance(ids, list) else []


def _moment(turn: HistoryTurn) -> datetime | None:
    if turn.messages:
        return turn.messages[0].empfangen_am
    return turn.answer.created_at if turn.answer else None


def _assignment(answer: StoredAnswer) -> Assignment:
    return "impuls" if answer.payload.get("reiz_herkunft") == ORIGIN_OWN_IMPULSE else "passt"


def _answer_seconds(turn: HistoryTurn) -> float | None:
    if turn.answer is None or not turn.messages:
        return None
    return (turn.answer.created_at - turn.messages[0].empfangen_am).total_seconds()
