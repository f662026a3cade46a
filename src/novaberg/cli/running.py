"""Runs a command: settings, logging, signals, and errors as exit codes with one message, never a traceback."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import typer

from novaberg.cli.output import printable, tell

if TYPE_CHECKING:
    from novaberg.settings import Settings

log = logging.getLogger(__name__)

BAD_INPUT: Final = 2
FAILED: Final = 1
_PRESSES_UNTIL_HARD: Final = 3

Command = Callable[["Settings"], int]
Async = Callable[[], Coroutine[None, None, int]]
Serving = Callable[[asyncio.Event], Coroutine[None, None, int]]


def execute(context: typer.Context, command: Command, **overrides: object) -> NoReturn:
    """Run a command with the settings of the environment and leave with its exit code.

    Args:
        command: gives the exit code.
        overrides: settings from options; ``None`` = not given.
    """
    try:
        code = command(_prepare(overrides))
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except Exception as error:  # noqa: BLE001  # nobody above: it becomes a message and an exit code
        code = _report(error, debug=bool(context.obj))
    raise typer.Exit(code)


def run(main: Async) -> int:
    """Run to the end; the first signal cancels."""

    async def cancelled_by_signals() -> int:
        with _signals(stop=None) as ended_by:
            try:
                return await main()
            except asyncio.CancelledError:
                if not ended_by:
                    raise
                return 128 + ended_by[0]

    return asyncio.run(cancelled_by_signals())


def run_until_stopped(main: Serving) -> int:
    """Run until a signal asks to stop; the second one cancels, so that running work is not waited for."""

    async def stopped_by_signals() -> int:
        stop = asyncio.Event()
        with _signals(stop=stop) as ended_by:
            try:
                return await main(stop)
            except asyncio.CancelledError:
                if not ended_by:
                    raise
                return 128 + ended_by[0]

    return asyncio.run(stopped_by_signals())


@contextmanager
def _signals(*, stop: asyncio.Event | None) -> Iterator[list[int]]:
    """Gives the signals that came so far."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None, "entered in a task"
    seen: list[int] = []

    def ask(number: int) -> None:
        seen.append(number)
        if len(seen) > _PRESSES_UNTIL_HARD:
            os._exit(128 + number)
        if stop is not None and len(seen) == 1:
            stop.set()
        else:
            task.cancel()

    handled = (signal.SIGINT, signal.SIGTERM)
    for number in handled:
        loop.add_signal_handler(number, ask, number)
    try:
        yield seen
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def _prepare(overrides: dict[str, object]) -> Settings:
    from novaberg.settings import load_settings

    settings = load_settings(**{name: value for name, value in overrides.items() if value is not None})
    logging.basicConfig(
        stream=sys.stderr,
        level=settings.log_level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    return settings


def _report(error: Exception, *, debug: bool) -> int:
    """One message on stderr; gives the exit code."""
    from novaberg.errors import InputError, NovabergError, SettingsError
    from novaberg.turns.refusals import refusal

    if debug:
        traceback.print_exception(error)
    known = _leading(error)
    if isinstance(known, NovabergError):
        tell(f"novaberg: {printable(refusal(known, settings_for_errors()))}")
        return BAD_INPUT if isinstance(known, InputError | SettingsError) else FAILED
    log.debug("unexpected error", exc_info=error)
    tell(
        f"novaberg: unexpected error: {type(error).__name__}: {printable(str(error))}\n"
        "Please report it; `novaberg --debug …` shows where it happened."
    )
    return FAILED


def _leading(error: BaseException) -> BaseException:
    """The error that tells most, out of the groups in which concurrent tasks fail."""
    from novaberg.errors import NovabergError

    if not isinstance(error, BaseExceptionGroup):
        return error
    leaves = [_leading(inner) for inner in error.exceptions]
    return next((leaf for leaf in leaves if isinstance(leaf, NovabergError)), leaves[0])


def settings_for_errors() -> Settings:
    """Settings good enough to word an error, also when they are what is wrong."""
    from novaberg.errors import SettingsError
    from novaberg.language import LANGUAGES
    from novaberg.settings import Settings, load_settings

    try:
        return load_settings()
    except SettingsError:
        language = os.environ.get("NOVABERG_LANGUAGE", "")
        known = {"language": language} if language in LANGUAGES else {}
        return Settings.model_construct(None, **known)
