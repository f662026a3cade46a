"""The program from outside: start-up, the way from the request to the first node, and memory."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import httpx
import psutil

from bench.measure import Limit, Result, median, temporary_home

START_LIMIT_S = 30.0
TURNS = 30
PAUSE_S = 0.3
"""Between two measured turns, so that each finds an idle program."""


async def bench_startup() -> Result:
    """From the start of the command to its first answer, on an empty and on an existing home."""
    with temporary_home() as home:
        empty = _first_answer_s(home)
        existing = median([_first_answer_s(home) for _ in range(3)])
    limits = (Limit("empty_home_s", empty, 15.0), Limit("existing_home_s", existing, 5.0))
    return Result("startup", {"empty_home_s": round(empty, 2), "existing_home_s": round(existing, 2)}, limits)


def _first_answer_s(home: Path) -> float:
    """Until the line with the answer is printed; what comes after it is not waited for by a person."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "novaberg", "chat", "--say", "Hallo Nova!"]
    with subprocess.Popen(command, env=_environment(home), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        answer = process.stdout.readline()
        seconds = time.perf_counter() - start
        process.wait(START_LIMIT_S)
    if not answer.strip():
        raise RuntimeError("the command printed no answer")
    return seconds


async def bench_first_node() -> Result:
    """From sending ``POST /chat`` to the first log row of its turn."""
    delays = []
    with (
        temporary_home() as home,
        _served(home) as url,
        httpx.Client(base_url=url, trust_env=False) as client,
    ):
        for _ in range(TURNS):
            sent = time.time()
            nachrichten_id = client.post("/chat", json={"prompt": "Hallo Nova!"}).json()["nachrichten_id"]
            delays.append((_first_row_at(client, nachrichten_id) - sent) * 1000)
            time.sleep(PAUSE_S)  # nothing else runs in this process
    figure = median(delays[2:])
    return Result("first_node", {"median_ms": round(figure, 2)}, (Limit("median_ms", figure, 30.0),))


def _first_row_at(client: httpx.Client, nachrichten_id: str) -> float:
    turn_id = _finished_turn(client, nachrichten_id)
    rows = client.get(f"/pipeline/{turn_id}").json()["zeilen"]
    return min(datetime.fromisoformat(row["zeit"]).timestamp() for row in rows)


def _finished_turn(client: httpx.Client, nachrichten_id: str) -> str:
    for _ in range(200):
        for turn in reversed(client.get("/verlauf/meister").json()["verlauf"]):
            ids = [message["nachrichten_id"] for message in turn["nachrichten"]]
            if nachrichten_id in ids and turn["zustand"] == "erledigt":
                return str(turn["turn_id"])
        time.sleep(0.05)
    raise RuntimeError("the turn did not end")


async def bench_memory() -> Result:
    """PSS of the server and both stores after a few turns, summed over all processes."""
    with temporary_home() as home, _served(home) as url:
        with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
            for text in ("Hallo Nova!", "Mein Hund Bruno ist krank.", "Wie heißt mein Hund?"):
                _finished_turn(client, client.post("/chat", json={"prompt": text}).json()["nachrichten_id"])
            client.get("/")
        total = sum(_pss_mb(process) for process in _processes_of(home))
    return Result("memory", {"pss_mb": round(total, 1)}, (Limit("pss_mb", total, 600.0),))


def _processes_of(home: Path) -> Iterator[psutil.Process]:
    """Everything that names the home on its command line or in its environment, with all descendants."""
    found: dict[int, psutil.Process] = {}
    for process in psutil.process_iter():
        try:
            named = str(home) in " ".join(process.cmdline()) or process.environ().get("NOVABERG_HOME") == str(
                home
            )
        except (psutil.AccessDenied, psutil.NoSuchProcess):
            continue
        if named and process.pid != os.getpid():
            found[process.pid] = process
            found |= {child.pid: child for child in process.children(recursive=True)}
    return iter(found.values())


def _pss_mb(process: psutil.Process) -> float:
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    match = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(match.group(1)) / 1024 if match else 0.0


@contextmanager
def _served(home: Path) -> Iterator[str]:
    """A real server process on a free port; gives its address."""
    port = _free_port()
    command = [sys.executable, "-m", "novaberg", "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=_environment(home), stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, process)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(START_LIMIT_S)


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/health", trust_env=False).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def _environment(home: Path) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NOVABERG_")}
    return {**kept, "NOVABERG_HOME": str(home)}


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
