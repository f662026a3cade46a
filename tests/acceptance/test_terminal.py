"""The chat as a person uses it: in a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from tests.support.fake_model import FakeModel
from tests.support.server import environment, novaberg

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()=>][A-Z0-9]?|[\r\x07]")
LIMIT_S = 60.0


class Terminal:
    """A command in a pseudo terminal."""

    def __init__(self, *arguments: str, env: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "novaberg", *arguments],
            env={**env, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509  # one call to the kernel, no locks
        )
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str, *, after: int = 0) -> int:
        """Wait until the screen shows ``text`` behind position ``after``; gives the position behind it."""
        end = time.monotonic() + LIMIT_S
        while text not in self.shown[after:]:
            assert time.monotonic() < end, f"{text!r} did not come:\n{self.shown}"
            self._read(0.2)
        return self.shown.index(text, after) + len(text)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait(self) -> int:
        end = time.monotonic() + LIMIT_S
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end:\n{self.shown}"
            self._read(0.1)
        return self.process.returncode

    def _read(self, timeout: float) -> None:
        if select.select([self._master], [], [], timeout)[0]:
            try:
                self.shown += _CONTROL.sub("", os.read(self._master, 65_536).decode("utf-8", "replace"))
            except OSError:  # the other side is closed
                time.sleep(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)


def _take_terminal() -> None:
    """Make the pseudo terminal the one whose Ctrl-C the process hears."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def chatting(home: Path, model: FakeModel, person: str, **settings: str) -> Iterator[Terminal]:
    """An interactive chat that has greeted."""
    env = environment(home, **model.settings, **settings)
    with Terminal("chat", "--user", person, env=env) as terminal:
        terminal.wait_for("/help" if settings.get("language") == "en" else "/hilfe")
        yield terminal


def _prompts(home: Path, person: str) -> list[str]:
    state = json.loads(novaberg("state", "--json", "--user", person, env=environment(home)).stdout)
    return [turn["inhalt"] for turn in state["session"] if turn["rolle"] == "user"]


def test_a_person_talks_and_leaves(kept_home: Path, model: FakeModel) -> None:
    """Issue 2: interactive chat with live stages; ``/quit`` ends it."""
    with chatting(kept_home, model, "anna") as terminal:
        terminal.wait_for("Du: ")
        terminal.type("Hallo Nova!\n")
        place = terminal.wait_for("Nova: Ich habe gehört: „Hallo Nova!“")
        assert re.search("Perzeption|Responder|denkt nach", terminal.shown)
        place = terminal.wait_for("Du: ", after=place)
        terminal.type("/hilfe\n")
        place = terminal.wait_for("Strg-D", after=place)
        terminal.type("/wasistdas\n")
        place = terminal.wait_for("/wasistdas kenne ich nicht", after=place)
        terminal.type("/quit\n")
        terminal.wait_for("Bis bald.", after=place)
        assert terminal.wait() == 0
    assert "Traceback" not in terminal.shown
    assert _prompts(kept_home, "anna") == ["Hallo Nova!"]


def test_english_is_spoken_when_it_is_set(kept_home: Path, model: FakeModel) -> None:
    """Brief: German or English by settings; Ctrl-D ends."""
    with chatting(kept_home, model, "amy", language="en") as terminal:
        terminal.wait_for("You: ")
        terminal.type("Hello\n")
        place = terminal.wait_for("Nova: ")
        terminal.wait_for("You: ", after=place)
        terminal.type("\x04")
        terminal.wait_for("See you.")
        assert terminal.wait() == 0


def test_ctrl_c_ends_politely(kept_home: Path, model: FakeModel) -> None:
    """Brief: no traceback, and the stores are left."""
    with chatting(kept_home, model, "carl") as terminal:
        terminal.wait_for("Du: ")
        time.sleep(0.5)  # the prompt stands before the input line listens
        terminal.type("\x03")
        terminal.wait_for("Bis bald.")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.shown


def test_sigterm_ends_politely(kept_home: Path, model: FakeModel) -> None:
    """The terminal window was closed, the machine goes down."""
    with chatting(kept_home, model, "tina") as terminal:
        terminal.wait_for("Du: ")
        time.sleep(0.5)  # the prompt stands before the input line listens
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.shown


def test_pasted_lines_are_one_message(kept_home: Path, model: FakeModel) -> None:
    """Brief: a multi-line paste does not make ten turns by accident."""
    with chatting(kept_home, model, "paula") as terminal:
        terminal.wait_for("Du: ")
        terminal.type("Erste Zeile\nzweite Zeile\ndritte Zeile\n")
        place = terminal.wait_for("Nova: ")
        terminal.wait_for("Du: ", after=place)
        terminal.type("\x04")
        assert terminal.wait() == 0
    assert _prompts(kept_home, "paula") == ["Erste Zeile\nzweite Zeile\ndritte Zeile"]


def test_a_message_that_cannot_be_said_does_not_end_the_chat(kept_home: Path, model: FakeModel) -> None:
    """Bad input: a clear word, and one can go on."""
    with chatting(kept_home, model, "lang", max_prompt_chars="10") as terminal:
        terminal.wait_for("Du: ")
        terminal.type("Das ist zu lang\n")
        place = terminal.wait_for("10 Zeichen")
        terminal.wait_for("Du: ", after=place)
        terminal.type("Kurz\n")
        place = terminal.wait_for("Nova: ", after=place)
        terminal.wait_for("Du: ", after=place)
        terminal.type("/ende\n")
        assert terminal.wait() == 0


def test_lines_of_a_pipe_are_one_turn_each(kept_home: Path, model: FakeModel) -> None:
    """``… | novaberg chat --json``: one JSON object a turn, nothing else on stdout."""
    env = environment(kept_home, **model.settings)
    said = novaberg("chat", "--json", "--user", "rohr", env=env, stdin="Eins.\n\nZwei.\n")
    assert said.returncode == 0, said.stderr
    replies = [json.loads(line)["reply"] for line in said.stdout.splitlines()]
    assert ["Eins." in replies[0], "Zwei." in replies[1], len(replies)] == [True, True, 2]


def test_said_things_are_answered_in_order_without_json(kept_home: Path, model: FakeModel) -> None:
    """Design §7: ``--say`` prints the replies and nothing else."""
    env = environment(kept_home, **model.settings)
    said = novaberg("chat", "--say", "Eins.", "--say", "Zwei.", "--user", "folge", env=env)
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert [line.startswith("Ich habe gehört: „") for line in lines] == [True, True]
    assert _prompts(kept_home, "folge") == ["Eins.", "Zwei."]


@pytest.mark.parametrize("as_json", [True, False])
def test_a_turn_that_fails_is_exit_code_1(kept_home: Path, model: FakeModel, as_json: bool) -> None:
    """Brief: ``reply: null`` and ``error``; the other turns are still taken."""
    model.fail("not_found", kind="text", times=3)
    try:
        env = environment(kept_home, **model.settings)
        json_option = ["--json"] if as_json else []
        said = novaberg(
            "chat", "--say", "Kaputt.", "--say", "Heil?", *json_option, "--user", f"aus-{as_json}", env=env
        )
    finally:
        model.heal()
    assert said.returncode == 1
    if as_json:
        failed, fine = map(json.loads, said.stdout.splitlines())
        assert set(failed) == {"turn_id", "reply", "error"}
        assert failed["reply"] is None
        assert failed["turn_id"] in failed["error"]
        assert fine["reply"]
    else:
        assert len(said.stdout.splitlines()) == 1
        assert "requeue" in said.stderr
    listed = novaberg("turns", "--json", "--user", f"aus-{as_json}", env=env)
    (row,) = map(json.loads, listed.stdout.splitlines())
    assert (row["zustand"], row["prompt"]) == ("gescheitert", "Kaputt.")


def test_a_failed_turn_is_answered_after_it_was_queued_again(kept_home: Path, model: FakeModel) -> None:
    """Case F10: the turn is kept and can be resumed."""
    env = environment(kept_home, **model.settings)
    model.fail("not_found", kind="text", times=3)
    try:
        said = novaberg("chat", "--say", "Später.", "--json", "--user", "spaet", env=env)
    finally:
        model.heal()
    turn_id = json.loads(said.stdout)["turn_id"]
    assert novaberg("turns", "requeue", turn_id, "--user", "spaet", env=env).returncode == 0
    assert novaberg("chat", "--say", "Und jetzt?", "--user", "spaet", env=env).returncode == 0
    assert _prompts(kept_home, "spaet") == ["Später.", "Und jetzt?"]
    assert novaberg("turns", "--json", "--user", "spaet", env=env).stdout == ""
