"""Real worker processes, killed at random moments."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from novaberg.clock import SystemClock
from novaberg.memory.database import Database
from novaberg.memory.turn_store import HistoryTurn, Turn, TurnStore
from novaberg.pair import Pair
from tests.support.toy_life import TAIL_STEPS, Diary, Entry
from tests.support.waiting import until

log = logging.getLogger(__name__)

PAIRS = tuple(Pair(f"person{number}") for number in range(3))
NODE_S = (0.02, 0.15)


@dataclass
class Process:
    """One worker process."""

    running: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        return self.running.pid

    async def ready(self) -> None:
        assert self.running.stdout is not None
        async with asyncio.timeout(30):
            while (line := await self.running.stdout.readline()) != b"ready\n":
                assert line, "the worker ended before it was ready"

    async def kill(self) -> None:
        """kill -9."""
        self.running.kill()
        await self.running.wait()

    async def terminate(self) -> int:
        """SIGTERM; returns the exit code."""
        self.running.send_signal(signal.SIGTERM)
        return await self.running.wait()


@dataclass
class Site:
    """A database that worker processes share, and the messages that were acknowledged."""

    database: Database
    store: TurnStore
    diary: Diary
    acknowledged: defaultdict[Pair, list[str]] = field(default_factory=lambda: defaultdict(list))
    clock: SystemClock = field(default_factory=SystemClock)

    @asynccontextmanager
    async def worker(
        self, *, grace_s: float = 10.0, node_s: tuple[float, float] = NODE_S
    ) -> AsyncIterator[Process]:
        arguments = [self.database.url, *map(str, node_s), str(grace_s)]
        process = Process(
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.support.turn_worker", *arguments, stdout=asyncio.subprocess.PIPE
            )
        )
        try:
            yield process
        finally:
            if process.running.returncode is None:
                await process.kill()

    async def say(self, pair: Pair) -> None:
        prompt = f"{len(self.acknowledged[pair])}"
        accepted = await self.store.accept(
            pair,
            prompt=prompt,
            client_id="",
            message_id=None,
            empfangen_am=self.clock.now(),
            max_waiting=1000,
        )
        self.acknowledged[pair].append(accepted.nachrichten_id)

    async def keep_talking(self) -> None:
        """Messages at irregular intervals, until cancelled."""
        while True:
            await self.say(random.choice(PAIRS))
            await asyncio.sleep(random.uniform(0.02, 0.3))

    async def is_quiet(self) -> bool:
        for pair in PAIRS:
            if await self.store.waiting_count(pair) or await self.store.open_turns(pair):
                return False
        return True

    async def all_turns(self) -> list[Turn]:
        return [
            await self.store.load(pair, turn.turn_id)
            for pair in PAIRS
            for turn in await self.store.history(pair, limit=10_000)
            if turn.turn_id
        ]

    async def check_promises(self) -> None:
        """Every acknowledged message in one turn with one answer, in order; nothing done twice over a resume point."""
        entries = _by_turn(await self.diary.read())
        for pair in PAIRS:
            history = await self.store.history(pair, limit=10_000)
            _check_order(history, self.acknowledged[pair])
            for seen in history:
                assert seen.turn_id
                turn = await self.store.load(pair, seen.turn_id)
                assert (turn.state, turn.failures) == ("erledigt", 0)
                assert set(turn.steps) == set(TAIL_STEPS)
                _check_resume_points(turn, entries[turn.turn_id])


def _check_order(history: Sequence[HistoryTurn], acknowledged: Sequence[str]) -> None:
    assert [message.nachrichten_id for turn in history for message in turn.messages] == list(acknowledged)
    answers = [turn.answer for turn in history]
    assert None not in answers
    numbers = [answer.number for answer in answers if answer]
    assert numbers == sorted(numbers)
    for turn in history:
        assert turn.answer
        assert turn.answer.text == "auf: " + "\n".join(message.prompt for message in turn.messages)


def _check_resume_points(turn: Turn, entries: Sequence[Entry]) -> None:
    """A node is never run again after the row that keeps its result was written."""
    assert turn.event
    assert turn.answer
    kept = {"perzeption": turn.event.created_at, "responder": turn.answer.created_at}
    kept |= {name: step.created_at for name, step in turn.steps.items()}
    for entry in entries:
        if entry.what in kept:
            assert entry.at <= kept[entry.what], f"{entry.what} ran again after its result was committed"


def _by_turn(entries: Sequence[Entry]) -> defaultdict[str, list[Entry]]:
    grouped: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        grouped[entry.turn_id].append(entry)
    return grouped


@pytest_asyncio.fixture
async def site(database: Database) -> Site:
    diary = Diary(database)
    await diary.open()
    return Site(database, TurnStore(database, SystemClock()), diary)


@asynccontextmanager
async def talking(site: Site) -> AsyncIterator[None]:
    task = asyncio.create_task(site.keep_talking())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.slow
async def test_ten_kills_of_the_only_worker_lose_and_repeat_nothing(
    site: Site,
) -> None:
    """Promises P1 to P3, case H1: kill -9 at random moments; every acknowledged message has exactly one answer."""
    async with talking(site):
        for _ in range(10):
            async with site.worker() as process:
                await process.ready()
                await asyncio.sleep(random.uniform(0.0, 0.6))
                await process.kill()
    async with site.worker() as process:
        await process.ready()
        await until(site.is_quiet, timeout_s=30, every_s=0.05)
    await site.check_promises()
    turns = await site.all_turns()
    assert sum(turn.starts - 1 for turn in turns) >= 3, "the kills hit no turn; the test proved nothing"
    log.info("%d turns, resumed %d times", len(turns), sum(turn.starts - 1 for turn in turns))


@pytest.mark.slow
async def test_a_killed_worker_is_taken_over_at_once_and_nothing_is_taken_from_the_living_one(
    site: Site,
) -> None:
    """Design §3: recovery within a second elsewhere, never from a living worker."""
    killed: set[int] = set()
    waits: list[float] = []
    async with site.worker() as living:
        await living.ready()
        async with talking(site):
            for _ in range(4):
                async with site.worker() as victim:
                    await victim.ready()
                    orphans = await _turns_in_hand(site, victim)
                    await asyncio.sleep(random.uniform(0.0, 0.05))
                    await victim.kill()
                    at = datetime.now(UTC)
                    killed.add(victim.pid)
                waits += [await _taken_over(site, turn_id, at) for turn_id in orphans]
        await until(site.is_quiet, timeout_s=30, every_s=0.05)
        await site.check_promises()
    for entries in _by_turn(await site.diary.read()).values():
        pids = [entry.pid for entry in entries if entry.what == "start"]
        assert set(pids) <= killed | {living.pid}
        assert living.pid not in pids[:-1], "another process took a turn from the living worker"
    log.info("taken over after s: %s", [round(wait, 2) for wait in waits])
    assert max(waits) < 3.0


async def _turns_in_hand(site: Site, process: Process) -> list[str]:
    """Waits until the process works on at least one turn."""
    found: list[str] = []

    async def some() -> bool:
        starts = {entry.turn_id: entry.pid for entry in await site.diary.read() if entry.what == "start"}
        turns = [turn for pair in PAIRS for turn in await site.store.open_turns(pair)]
        found[:] = [turn.turn_id for turn in turns if starts.get(turn.turn_id) == process.pid]
        return bool(found)

    await until(some, timeout_s=20)
    return found


async def _taken_over(site: Site, turn_id: str, killed_at: datetime) -> float:
    """Seconds from the kill to the next start of the turn; 0 if it was finished just before the kill."""
    next_start: list[datetime] = []

    async def resumed_or_done() -> bool:
        entries = _by_turn(await site.diary.read())[turn_id]
        next_start[:] = [entry.at for entry in entries if entry.what == "start" and entry.at > killed_at]
        if next_start:
            return True
        turns = [turn for pair in PAIRS for turn in await site.store.history(pair, limit=10_000)]
        return any(turn.turn_id == turn_id and turn.state == "erledigt" for turn in turns)

    await until(resumed_or_done)
    return (next_start[0] - killed_at).total_seconds() if next_start else 0.0


@pytest.mark.slow
async def test_sigterm_lets_turns_end_within_the_grace(site: Site) -> None:
    """Measured, "Durable turns", shutdown: exit code 0, nothing left behind."""
    async with site.worker(node_s=(0.1, 0.2)) as process:
        await process.ready()
        await site.say(PAIRS[0])
        await until(lambda: _under_way(site))
        assert await process.terminate() == 0
    (turn,) = await site.all_turns()
    assert (turn.state, turn.starts) == ("erledigt", 1)


@pytest.mark.slow
async def test_a_turn_longer_than_the_grace_is_resumed_by_the_next_process(site: Site) -> None:
    """Measured, "Durable turns", shutdown with a grace of 0.1 s."""
    async with site.worker(grace_s=0.1, node_s=(0.5, 0.6)) as process:
        await process.ready()
        await site.say(PAIRS[0])
        await until(lambda: _under_way(site))
        begun = time.monotonic()
        assert await process.terminate() == 0
        assert time.monotonic() - begun < 3.0
    (turn,) = await site.all_turns()
    assert (turn.state, turn.failures) == ("offen", 0)
    async with site.worker() as process:
        await process.ready()
        await until(site.is_quiet, timeout_s=15)
    await site.check_promises()


async def _under_way(site: Site) -> bool:
    return bool(await site.store.open_turns(PAIRS[0]))


@pytest.mark.slow
async def test_a_stopped_process_keeps_its_turn(site: Site) -> None:
    """Design §3: who is alive is told by a session lock, not by heartbeats; a blocked process is not dead."""
    async with site.worker(node_s=(0.2, 0.3)) as blocked, site.worker() as other:
        await blocked.ready()
        await site.say(PAIRS[0])
        await until(lambda: _under_way(site))
        os.kill(blocked.pid, signal.SIGSTOP)
        await other.ready()
        await asyncio.sleep(2.0)
        os.kill(blocked.pid, signal.SIGCONT)
        await until(site.is_quiet, timeout_s=15)
    (turn,) = await site.all_turns()
    assert (turn.state, turn.starts) == ("erledigt", 1)
