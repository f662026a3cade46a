"""The commands and what can be said wrongly to them (issue 2, "Bad input")."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from novaberg import __version__
from novaberg.cli.app import app

COMMANDS = ("chat", "serve", "worker", "doctor", "services", "trace", "state", "turns")


@pytest.fixture
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("NOVABERG_HOME", str(home))
    return home


@pytest.mark.parametrize(
    ("arguments", "settings", "word"),
    [
        (("chat", "--say", "Hallo"), {"model": "ollama:"}, "ollama:NAME"),
        (("worker",), {"model": "ollma:qwen"}, "NOVABERG_MODEL"),
        (("serve", "--port", "70000"), {}, "NOVABERG_PORT"),
        (("serve",), {"timezone": "Mars/Olympus"}, "NOVABERG_TIMEZONE"),
        (("serve",), {"language": "fr"}, "NOVABERG_LANGUAGE"),
        (("serve",), {"user": "a:b"}, "NOVABERG_USER"),
        (("state",), {"database_url": "mysql://x"}, "NOVABERG_DATABASE_URL"),
        (("state",), {"redis_url": "http://x"}, "NOVABERG_REDIS_URL"),
        (("serve",), {"host": "0.0.0.0"}, "NOVABERG_TOKEN"),
        (("serve", "--host", "localhost.example.org"), {}, "NOVABERG_TOKEN"),
        (("serve", "--host", "203.0.113.9"), {"token": "x"}, "--host"),
        (("chat", "--say", "Hallo", "--user", "a:b"), {}, "a:b"),
        (("state", "--user", "x" * 51), {}, "51"),
        (("trace", "--character", "x" * 51), {}, "51"),
        (("services", "--force"), {}, "--stop"),
        (("serve", "--port", "http"), {}, "port"),
        (("chat", "--saz"), {}, "--saz"),
        (("plaudern",), {}, "plaudern"),
        (("turns", "requeue"), {}, "turn_id"),
    ],
)
def test_what_was_said_wrongly_is_exit_code_2_and_changes_nothing(
    _home: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    settings: dict[str, str],
    word: str,
) -> None:
    """Design §6.5: a clear error on stderr, nothing on stdout, nothing stored."""
    for name, value in settings.items():
        monkeypatch.setenv(f"NOVABERG_{name.upper()}", value)
    ended = CliRunner().invoke(app, arguments)
    assert ended.exit_code == 2
    assert word in ended.stderr
    assert ended.stdout == ""
    assert not _home.exists()


def test_every_command_has_help() -> None:
    """Design §7."""
    for command in COMMANDS:
        shown = CliRunner().invoke(app, [command, "--help"])
        assert shown.exit_code == 0
        assert "Usage" in shown.stdout
    assert CliRunner().invoke(app, ["--version"]).stdout.strip() == f"novaberg {__version__}"
    assert CliRunner().invoke(app, []).exit_code == 2
