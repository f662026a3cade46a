"""The life of one open page: it listens, sends, fetches what it missed, and tells what goes wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import datetime
from typing import Final
from uuid import uuid4

from nicegui.events import GenericEventArguments

from novaberg.errors import NovabergError, TurnNotFailedError
from novaberg.memory.bulletin import BulletinMessage
from novaberg.memory.turn_store import InboxMessage
from novaberg.turns.messages import Message
from novaberg.turns.program import Program, pair_of
from novaberg.turns.refusals import refusal
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE
from novaberg.web.conversation import PAGE_CLIENTS, Conversation
from novaberg.web.elements import show
from novaberg.web.exchange import Actions, ShownExchange
from novaberg.web.frame import Frame
from novaberg.web.markdown import parse_markdown, plain_text
from novaberg.web.net import Net
from novaberg.web.texts import TEXTS
from novaberg.web.trace import trace_lines

log = logging.getLogger(__name__)

PAGE_TURNS: Final = 30
"""Turns that are loaded at once."""
LISTEN_AGAIN_S: Final = 5.0
"""Seconds until the page listens anew after the live channel failed (spec 07 §3.4)."""
LOOK_AFTER_S: Final = 10.0
"""Seconds of silence after which the tables are asked whether something was missed. A net, not the way."""
PATIENCE_S: Final = 180.0
"""Seconds after which the page says that there is no answer yet (spec 07 §11)."""
LONGEST_ID: Final = 64
"""Characters of the id that the browser gives a message."""


class Chat:
    """One tab. Everything that changes what is shown happens one after the other."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._settings = program.settings
        self._texts = TEXTS[program.settings.language]
        self._pair = pair_of(program.settings)
        self._client_id = f"{PAGE_CLIENTS}{uuid4().hex[:12]}"
        self._frame = Frame(
            self._settings,
            self._texts,
            on_say=self._on_say,
            on_restored=self._on_restored,
            on_older=self._on_older,
            on_reload=self._on_reload,
        )
        self._conversation = Conversation(
            self._frame.talk,
            self._settings,
            self._texts,
            program.clock,
            actions=Actions(retry=self._retry, look_inside=self._look_inside),
        )
        self._in_turn = asyncio.Lock()
        self._is_loaded = False
        self._net = Net(self._look, after_s=LOOK_AFTER_S)

    # ── listening ────────────────────────────────────────────────────────────

    async def live(self) -> None:
        """Listen until cancelled. A live channel that fails is told and taken up again."""
        with closing(self._net):
            while True:
                reason = await self._attempt(self._listen)
                await self._attempt(self._refresh)  # what is stored can be shown all the same
                self._frame.note(self._texts.listening_failed.format(reason=reason))
                await asyncio.sleep(LISTEN_AGAIN_S)

    async def _listen(self) -> None:
        async with self._program.listen(self._pair.user_id, on_gap=self._net.look_soon) as heard:
            await self._refresh()
            async for message in heard:
                await self._hear(message)

    async def _hear(self, heard: BulletinMessage) -> None:
        if heard.character_id != self._pair.character_id:
            return
        async with self._in_turn:
            try:
                await self._take(heard.message)
            except NovabergError as error:
                self._say_trouble(error)
        self._cast_net()

    async def _take(self, message: Message) -> None:
        match message.get("typ"):
            case "user_message":
                await self._place_of(message)
            case "character_stage":
                if (exchange := await self._place_of(message)) is not None:
                    self._conversation.show_stage(exchange, message)
            case "character_response":
                await self._take_answer(message)
            case "turn_complete":
                await self._take_end(message)
            case "error":
                await self._take_failure(message)

    async def _place_of(self, message: Message) -> ShownExchange | None:
        """The exchange of a message; what this page has not seen yet is read from the tables."""
        found = self._conversation.find(message)
        if found is None:
            await self._load()
            found = self._conversation.find(message)
        return found

    async def _take_answer(self, message: Message) -> None:
        is_impulse = message.get("reiz_herkunft") == ORIGIN_OWN_IMPULSE
        exchange = self._conversation.find(message) if is_impulse else await self._place_of(message)
        exchange = exchange or self._conversation.begin_unknown(message)
        blocks = parse_markdown(str(message.get("nachricht", "")))
        if self._conversation.show_answer(exchange, message, blocks):
            self._frame.speak(f"{self._settings.character_name}: {plain_text(blocks)}")
            self._show_welcome()

    async def _take_end(self, message: Message) -> None:
        exchange = await self._place_of(message)
        if exchange is not None and not exchange.answered:
            await self._load()
        if exchange is not None:
            self._conversation.end(exchange, message)
        await self._show_state()

    async def _take_failure(self, message: Message) -> None:
        exchange = await self._place_of(message)
        if exchange is None:
            return
        text = str(message.get("fehler", ""))
        if exchange.answered:
            await self._load()
        else:
            self._conversation.fail(exchange, text)
        self._frame.speak(text)

    # ── reading ──────────────────────────────────────────────────────────────

    async def _refresh(self) -> None:
        """Bring the page up to what the tables know."""
        async with self._in_turn:
            try:
                await self._load()
                await self._show_state()
            except NovabergError as error:
                self._say_trouble(error)
            else:
                self._frame.note("")
        self._cast_net()

    async def _load(self, before: int | None = None) -> None:
        """One page of the history: the newest, or the one before what is shown."""
        turns = await self._program.history(self._pair, limit=PAGE_TURNS, before=before)
        known = [turn.turn_id for turn in turns if turn.turn_id is not None]
        endings = await self._program.completions(self._pair, known)
        if before is not None or not self._is_loaded:
            show(self._frame.older, len(known) == PAGE_TURNS)
        self._conversation.take_page(turns, endings, older=before is not None)
        self._is_loaded = True
        self._show_welcome()

    def _show_welcome(self) -> None:
        show(self._frame.welcome, self._is_loaded and not len(self._conversation))

    async def _show_state(self) -> None:
        try:
            state = await self._program.state(self._pair)
        except NovabergError as error:
            log.warning("the state cannot be shown: %s", error.message, exc_info=True)
            self._frame.header.show_missing()
        else:
            self._frame.header.show_state(state.nova_state)

    def _say_trouble(self, error: NovabergError) -> None:
        log.warning("the page cannot be brought up to date: %s", error.message, exc_info=True)
        self._frame.note(self._texts.loading_failed.format(reason=refusal(error, self._settings)))

    def _cast_net(self) -> None:
        self._net.cast(awaited=self._conversation.is_waiting)

    async def _look(self) -> None:
        """Whether something was missed, or is waited for too long."""
        await self._attempt(self._refresh)
        self._conversation.mind_the_time(PATIENCE_S)

    # ── what the person does ─────────────────────────────────────────────────

    async def _on_say(self, event: GenericEventArguments) -> None:
        received_at = self._program.clock.now()
        match event.args:
            case {"id": str(identifier), "text": str(text)} if 0 < len(identifier) <= LONGEST_ID:
                reason = await self._attempt(lambda: self._say(identifier, text, received_at))
                self._frame.composer.settle(identifier, reason)
            case _:
                log.error("the browser sent a message in a form of its own")

    async def _say(self, identifier: str, text: str, received_at: datetime) -> None:
        async with self._in_turn:
            accepted = await self._program.say(
                self._pair, text, received_at=received_at, client_id=self._client_id, message_id=identifier
            )
            if accepted.repeated:
                await self._load()
            else:
                self._conversation.show_own(
                    InboxMessage(
                        nachrichten_id=accepted.nachrichten_id,
                        prompt=text,
                        empfangen_am=received_at,
                        client_id=self._client_id,
                        message_id=identifier,
                    )
                )
            self._show_welcome()
        self._cast_net()

    async def _on_restored(self, event: GenericEventArguments) -> None:
        """The browser kept messages over a reload; those that had arrived are settled."""
        match event.args:
            case {"ids": list(identifiers)}:
                turns = await self._program.history(self._pair, limit=PAGE_TURNS)
                arrived = {message.message_id for turn in turns for message in turn.messages}
                for identifier in arrived.intersection(str(identifier) for identifier in identifiers):
                    self._frame.composer.settle(str(identifier))

    async def _on_older(self, _: GenericEventArguments) -> None:
        async def load() -> None:
            async with self._in_turn:
                await self._load(before=self._conversation.oldest)

        if reason := await self._attempt(load):
            self._frame.note(self._texts.loading_failed.format(reason=reason))

    async def _on_reload(self, _: GenericEventArguments) -> None:
        await self._refresh()

    async def _retry(self, exchange: ShownExchange) -> None:
        async def requeue() -> None:
            async with self._in_turn:
                try:
                    await self._program.requeue(self._pair, str(exchange.turn_id))
                except TurnNotFailedError:
                    await self._load()  # it runs again already, or is done
                else:
                    self._conversation.tried_again(exchange)

        if reason := await self._attempt(requeue):
            exchange.show_trouble(reason)
        self._cast_net()

    async def _look_inside(self, exchange: ShownExchange) -> None:
        async def unfold() -> None:
            rows = await self._program.trace(str(exchange.turn_id))
            if not exchange.is_unfolded:
                return
            if rows:
                exchange.show_trace(trace_lines(rows, self._texts))
            else:
                exchange.show_trace_note(
                    self._texts.trace_empty.format(days=self._settings.log_retention_days)
                )

        if exchange.is_unfolded:
            exchange.fold()
            return
        exchange.unfold()
        if reason := await self._attempt(unfold):
            exchange.show_trace_note(self._texts.trace_failed.format(reason=reason))

    async def _attempt(self, act: Callable[[], Awaitable[None]]) -> str:
        """Do something and give the reason why it failed; ``""`` = it did not."""
        try:
            await act()
        except NovabergError as error:
            log.warning("the page could not do something: %s", error.message, exc_info=True)
            return refusal(error, self._settings)
        except Exception:
            log.exception("an action on the page failed")
            return self._texts.unexpected
        return ""
