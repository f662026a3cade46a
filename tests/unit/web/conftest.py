"""An open page without a browser: the elements as the server knows them, over a program without stores."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime

import pytest
import pytest_asyncio
from nicegui import Client
from nicegui.element import Element
from nicegui.events import GenericEventArguments
from nicegui.page import page

from novaberg.memory.turn_store import HistoryTurn, InboxMessage, StoredAnswer, TurnState
from novaberg.pair import Pair
from novaberg.turns.messages import Message
from novaberg.web.chat import Chat
from novaberg.web.elements import Prose, TraceList
from tests.support.program import START, StubProgram


class PageProgram(StubProgram):
    """A program whose tables the test writes."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self.endings: dict[str, Message] = {}
        self.asked_before: list[int | None] = []

    async def history(
        self, pair: Pair, *, limit: int = 50, before: int | None = None
    ) -> tuple[HistoryTurn, ...]:
        self._fail()
        self.asked_before.append(before)
        older = [
            turn
            for turn in self.turns
            if turn.number is not None and (before is None or turn.number < before)
        ]
        waiting = [turn for turn in self.turns if turn.number is None and before is None]
        return (*older[-limit:], *waiting)

    async def completions(self, pair: Pair, turn_ids: Collection[str]) -> Mapping[str, Message]:
        return {turn_id: self.endings[turn_id] for turn_id in turn_ids if turn_id in self.endings}


def inbox_message(
    identifier: str, prompt: str, *, client_id: str = "web-x", at: datetime = START
) -> InboxMessage:
    return InboxMessage(
        nachrichten_id=identifier,
        prompt=prompt,
        empfangen_am=at,
        client_id=client_id,
        message_id=f"m-{identifier}",
    )


def past_turn(
    number: int | None,
    *messages: InboxMessage,
    answer: str | None = None,
    state: TurnState = "erledigt",
    error: str | None = None,
    payload: Message | None = None,
) -> HistoryTurn:
    turn_id = None if number is None else f"t{number}"
    stored = None
    if answer is not None:
        assert number is not None
        assert turn_id is not None
        stored = StoredAnswer(
            number=number, turn_id=turn_id, text=answer, payload=payload or {}, resume=None, created_at=START
        )
    return HistoryTurn(
        number=number,
        turn_id=turn_id,
        state=None if number is None else state,
        messages=messages,
        answer=stored,
        error=error,
    )


class OpenPage:
    """One tab: what it shows, and what one can do on it."""

    def __init__(self, program: PageProgram, client: Client, chat: Chat) -> None:
        self.program = program
        self.client = client
        self.chat = chat

    @property
    def shown(self) -> list[str]:
        """Visible texts from top to bottom, without what only a screen reader gets."""
        return [text for text in _texts(self.client.content) if text]

    def css(self, name: str) -> list[Element]:
        """Visible elements with a class."""
        return [element for element in _visible(self.client.content) if name in element.classes]

    async def hear(self, *messages: Message, character_id: str = "nova") -> None:
        """Announce something and wait until the page took it."""
        for message in messages:
            self.program.announce(message, character_id)
        await self.settle()

    async def settle(self) -> None:
        """Let everything happen that can happen now."""
        for _ in range(50):
            await asyncio.sleep(0)

    async def say(self, text: str, identifier: str = "m-1") -> None:
        """What the field emits."""
        await self.act(self.chat._on_say, {"id": identifier, "text": text})

    async def act(
        self, handler: Callable[[GenericEventArguments], Awaitable[None]], args: object = None
    ) -> None:
        """An event of the browser."""
        element = self.chat._frame.composer
        await handler(GenericEventArguments(sender=element, client=self.client, args=args))
        await self.settle()

    async def click(self, text: str) -> None:
        """Press the visible button with this text."""
        (button,) = [e for e in _visible(self.client.content) if e.tag == "button" and _own_text(e) == text]
        (listener,) = button._event_listeners.values()
        assert listener.handler is not None
        await listener.handler(None)
        await self.settle()

    @property
    def verdicts(self) -> dict[str, str]:
        """What the field was told about its messages."""
        return {verdict["id"]: verdict["reason"] for verdict in self.chat._frame.composer.props["verdicts"]}


def _visible(element: Element) -> Iterator[Element]:
    if element.props.get("hidden") or "nb-hidden" in element.classes:
        return
    yield element
    for child in element.default_slot.children:
        yield from _visible(child)


def _own_text(element: Element) -> str:
    return element._text or ""


def _texts(root: Element) -> Iterator[str]:
    for element in _visible(root):
        if "nb-faded" in element.classes:
            continue
        if isinstance(element, Prose):
            yield "Nova: " + "|".join(_words(node) for node in element.props["tree"])
        elif isinstance(element, TraceList):
            yield from (" ".join(line[:4]) for line in element.props["lines"])
        else:
            yield _own_text(element)


def _words(node: object) -> str:
    return node if isinstance(node, str) else "".join(_words(child) for child in node[2])  # type: ignore[index]


@pytest.fixture
def program() -> PageProgram:
    return PageProgram()


@pytest_asyncio.fixture
async def open_page(program: PageProgram) -> AsyncIterator[Callable[[], Awaitable[OpenPage]]]:
    """Opens pages on the program; call it after the tables are written."""
    opened: list[tuple[Client, asyncio.Task[None]]] = []

    async def open_one() -> OpenPage:
        client = Client(page(""))
        with client:
            chat = Chat(program)
        task = asyncio.get_running_loop().create_task(chat.live())
        opened.append((client, task))
        shown = OpenPage(program, client, chat)
        await shown.settle()
        return shown

    yield open_one
    for client, task in opened:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        client.delete()
