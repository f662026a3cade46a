"""The program from outside: real processes with a home of their own, for acceptance, chaos and browser tests."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

import httpx

from tests.support.stores import temporary_home

START_LIMIT_S = 90.0
"""Seconds for a first start with both stores on a busy machine."""
STOP_LIMIT_S = 60.0
_URL = re.compile(r"http://\S+")


def environment(home: Path, **settings: str) -> dict[str, str]:
    """Environment of a Novaberg process: this home, no settings of the machine, and ``settings``.

    ``environment(home, model="ollama:fake")`` sets NOVABERG_MODEL.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NOVABERG_", "EIGENZEIT_")) and "proxy" not in name.lower()
    }
    chosen = {f"NOVABERG_{name.upper()}": value for name, value in settings.items()}
    return {**inherited, "PYTHONUNBUFFERED": "1", "NOVABERG_HOME": str(home), **chosen}


def novaberg(
    *arguments: str, env: Mapping[str, str], stdin: str = "", timeout: float = START_LIMIT_S
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "novaberg", *arguments],
        env=dict(env),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


class RunningServer:
    """``novaberg serve`` as a process of its own.

    The home and its stores outlive `kill`, so that `start` afterwards finds everything as it was left.

    Args:
        home: for NOVABERG_HOME; see `tests.support.stores.temporary_home`.
        command: another long-running command with the same behaviour, ``worker`` for instance (has no `url`).
        settings: NOVABERG_* variables in lower case, ``token="…"`` for instance.
    """

    def __init__(self, home: Path, *, command: tuple[str, ...] = ("serve",), **settings: str) -> None:
        self.home = home
        self.settings = {"port": "0", "log_level": "INFO", **settings}
        self.url = ""
        """``http://127.0.0.1:PORT``; a new port after each start unless ``port`` is set."""
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._output = tempfile.NamedTemporaryFile("w+", prefix="novaberg-", suffix=".log")  # noqa: SIM115

    @property
    def env(self) -> dict[str, str]:
        """Environment for further processes on the same home."""
        return environment(self.home, **self.settings)

    @property
    def process(self) -> subprocess.Popen[str]:
        """The living process."""
        assert self._process is not None, "the server was not started"
        return self._process

    @property
    def pid(self) -> int:
        """Its id."""
        return self.process.pid

    @property
    def ws_url(self) -> str:
        """``ws://127.0.0.1:PORT``."""
        return self.url.replace("http", "ws", 1)

    @property
    def log(self) -> str:
        """What all starts wrote to stderr so far."""
        return Path(self._output.name).read_text(encoding="utf-8", errors="replace")

    @property
    def headers(self) -> dict[str, str]:
        """Headers that show the token, if one is set."""
        token = self.settings.get("token")
        return {"Authorization": f"Bearer {token}"} if token else {}

    def client(self, **options: object) -> httpx.Client:
        """A client with the token; close it."""
        return httpx.Client(
            base_url=self.url,
            trust_env=False,
            **{"timeout": 30.0, "headers": self.headers, **options},  # type: ignore[arg-type]
        )

    def start(self, *, wait: bool = True) -> Self:
        """Start the process; with ``wait`` until it says that it is ready."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "novaberg", *self._command],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
        )
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self) -> None:
        """Wait for the first line on stdout; the limit is enforced by ending the process."""
        import threading

        watchdog = threading.Timer(START_LIMIT_S, self.process.kill)
        watchdog.start()
        try:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line:
            code = self.process.wait(STOP_LIMIT_S)
            raise AssertionError(f"the server ended with code {code} before it was ready:\n{self.log}")
        found = _URL.search(line)
        self.url = found[0] if found else ""

    def signal(self, number: int) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def wait(self, timeout: float = STOP_LIMIT_S) -> int:
        """Wait for the end; gives the exit code."""
        try:
            return self.process.wait(timeout)
        finally:
            if self.process.stdout is not None and self.process.poll() is not None:
                self.process.stdout.close()

    def stop(self, timeout: float = STOP_LIMIT_S) -> int:
        """End it politely; gives the exit code."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait(timeout)

    def kill(self) -> None:
        """kill -9. The stores go on."""
        self.process.kill()
        self.wait()

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        try:
            if self._process is not None and self._process.poll() is None:
                self.stop()
        finally:
            if self._process is not None and self._process.poll() is None:
                self.kill()
            if self._process is not None and self._process.stdout is not None:
                self._process.stdout.close()
            self._output.close()


@contextlib.contextmanager
def fresh_home() -> Iterator[Path]:
    """A home for processes; its stores are stopped at the end, whoever was killed in between."""
    with temporary_home() as home:
        try:
            yield home
        finally:
            novaberg("services", "--stop", "--force", env=environment(home))


@contextlib.contextmanager
def running_server(home: Path | None = None, **settings: str) -> Iterator[RunningServer]:
    """A started server, on a fresh home unless one is given."""
    with contextlib.ExitStack() as stack:
        place = home or stack.enter_context(fresh_home())
        yield stack.enter_context(RunningServer(place, **settings))


def eventually(check, limit: float = 20.0, pause: float = 0.05):  # type: ignore[no-untyped-def]
    """The first truthy value of ``check()``; fails when it does not come in time."""
    end = time.monotonic() + limit
    while not (value := check()):
        assert time.monotonic() < end, f"nothing within {limit:g} s"
        time.sleep(pause)
    return value
