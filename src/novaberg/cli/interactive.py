"""The chat in a terminal: input line, live stages, replies."""

from __future__ import annotations

import contextlib
import select
import signal
import sys
from collections.abc import Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from novaberg.cli.background import Background, background
from novaberg.cli.chat import one_turn
from novaberg.cli.dialogue import take_turn
from novaberg.cli.logs import keep_log_out_of_the_talk
from novaberg.cli.output import console, printable
from novaberg.cli.running import FAILED
from novaberg.cli.texts import TEXTS, Texts, stage_line
from novaberg.errors import NovabergError
from novaberg.turns.refusals import refusal

if TYPE_CHECKING:
    from rich.console import Console

    from novaberg.pair import Pair
    from novaberg.settings import Settings
    from novaberg.turns.messages import Message

HELP: Final = frozenset({"/help", "/hilfe", "/?"})
QUIT: Final = frozenset({"/quit", "/ende", "/exit", "/q"})
PASTE_GAP_S: Final = 0.05
"""Lines that follow within this many seconds were pasted and belong to the same message."""


def converse(settings: Settings, pair: Pair) -> int:
    """Talk until the person ends it."""
    texts = TEXTS[settings.language]
    screen = console()
    _read_comfortably()
    with _sigterm_interrupts(), contextlib.ExitStack() as stack:
        with screen.status(texts.opening):
            house = stack.enter_context(background(settings))
        keep_log_out_of_the_talk(settings)
        screen.print(texts.greeting.format(name=settings.character_name))
        _talk(house, pair, screen, texts)
        screen.print(texts.goodbye)
    return 0


def read_lines(settings: Settings, pair: Pair, *, as_json: bool) -> int:
    """One turn for each line of input, until it ends."""
    failed = False
    with _sigterm_interrupts(), background(settings) as house:
        for line in sys.stdin:
            text = line.rstrip("\r\n")
            if not text.strip():
                continue
            report = house.start(one_turn(house.program, pair, text, as_json=as_json)).result()
            failed = failed or report.error is not None
    return FAILED if failed else 0


def _talk(house: Background, pair: Pair, screen: Console, texts: Texts) -> None:
    while True:
        try:
            text = _read_message(texts.person)
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return
        match text.strip():
            case "":
                continue
            case command if command.lower() in QUIT:
                return
            case command if command.lower() in HELP:
                screen.print(texts.help)
            case command if command.startswith("/") and len(command.split()) == 1:
                screen.print(texts.unknown_command.format(command=command))
            case _:
                try:
                    _turn(house, pair, text, screen, texts)
                except KeyboardInterrupt:
                    screen.print(texts.interrupted)
                    return


def _turn(house: Background, pair: Pair, text: str, screen: Console, texts: Texts) -> None:
    """Say it, show one replaced line of progress, print the reply."""
    settings = house.program.settings
    coming: SimpleQueue[Message | None] = SimpleQueue()
    turn = house.start(_listen(house, pair, text, coming))
    with screen.status(f"{settings.character_name} {texts.waiting}") as line:
        while (message := coming.get()) is not None:
            if message["typ"] == "character_stage":
                line.update(printable(stage_line(message, settings.language)))
            elif message["typ"] == "character_response":
                screen.print(f"\n{settings.character_name}: {printable(str(message['nachricht']))}\n")
            elif message["typ"] == "error":
                screen.print(printable(str(message["fehler"])))
    try:
        turn.result()
    except NovabergError as error:
        screen.print(printable(refusal(error, settings)))


async def _listen(house: Background, pair: Pair, text: str, coming: SimpleQueue[Message | None]) -> None:
    try:
        async for message in take_turn(house.program, pair, text):
            coming.put(message)
    finally:
        coming.put(None)


def _read_message(prompt: str) -> str:
    """A line, and whatever was pasted along with it."""
    lines = [input(prompt)]
    while select.select([sys.stdin], [], [], PASTE_GAP_S)[0]:
        try:
            lines.append(input())
        except EOFError:
            break
    return "\n".join(lines)


def _read_comfortably() -> None:
    """Arrow keys and history, where the platform has them."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401


@contextlib.contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM end the chat as Ctrl-C does, so that the stores are left properly."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
