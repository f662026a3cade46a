"""Errors and signals as exit codes."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
import typer

from novaberg import errors
from novaberg.cli.running import BAD_INPUT, FAILED, execute, run, run_until_stopped
from novaberg.settings import Settings


class Context:
    """What `execute` needs of a typer context."""

    def __init__(self, *, debug: bool = False) -> None:
        self.obj = debug


def _execute(command: object, *, debug: bool = False, **overrides: object) -> int:
    with pytest.raises(typer.Exit) as left:
        execute(Context(debug=debug), command, **overrides)  # type: ignore[arg-type]
    return int(left.value.exit_code)


def _raises(error: BaseException) -> object:
    def command(_: Settings) -> int:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.EmptyPromptError(), BAD_INPUT),
        (errors.SettingsError("NOVABERG_X: no."), BAD_INPUT),
        (errors.UnknownModelError(), BAD_INPUT),
        (errors.UnsafeBindError(), BAD_INPUT),
        (errors.DatabaseUnavailableError(), FAILED),
        (errors.HomeVersionError(), FAILED),
        (ExceptionGroup("", [ValueError("x"), errors.DiskFullError()]), FAILED),
        (ExceptionGroup("", [ExceptionGroup("", [errors.InvalidPairError()])]), BAD_INPUT),
        (ValueError("a defect"), FAILED),
        (KeyboardInterrupt(), 130),
    ],
)
def test_an_error_is_one_message_and_an_exit_code(
    error: BaseException, code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Brief: bad input 2, everything else 1, never a traceback, nothing on stdout."""
    assert _execute(_raises(error)) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert "Traceback" not in err
    if not isinstance(error, KeyboardInterrupt):
        assert err.startswith("novaberg: ")


def test_a_defect_shows_its_place_on_demand(capfd: pytest.CaptureFixture[str]) -> None:
    """Brief: ``--debug``."""
    assert _execute(_raises(ValueError("a defect")), debug=True) == FAILED
    assert "Traceback" in capfd.readouterr().err


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """``serve --port``."""
    monkeypatch.setenv("NOVABERG_PORT", "1")
    seen: list[int] = []

    def command(settings: Settings) -> int:
        seen.append(settings.port)
        return 0

    assert _execute(command, port=2, host=None) == 0
    assert _execute(command, port=None) == 0
    assert seen == [2, 1]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_first_signal_ends_a_short_command(number: int, code: int) -> None:
    """What was opened is closed on the way out."""
    closed = []

    async def main() -> int:
        try:
            os.kill(os.getpid(), number)
            await asyncio.sleep(5)
        finally:
            closed.append(True)
        return 0

    assert run(main) == code
    assert closed


def test_the_first_signal_asks_a_server_and_the_second_hurries_it() -> None:
    """Brief: running turns get their grace; a second signal ends at once."""

    async def polite(stop: asyncio.Event) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        await asyncio.sleep(0.01)
        return 0

    async def busy(stop: asyncio.Event) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(5)
        return 0

    assert run_until_stopped(polite) == 0
    assert run_until_stopped(busy) == 143
