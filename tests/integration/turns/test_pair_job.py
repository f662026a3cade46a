"""What happens when turns succeed, fail, hang or are taken over; the job is called directly, without a queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import pytest
import pytest_asyncio

from novaberg.clock import MovableClock
from novaberg.conversation.intake import cut_block
from novaberg.errors import (
    ModelServerError,
    ModelTimeoutError,
    TurnDeadlineError,
    TurnError,
)
from novaberg.memory.database import Database
from novaberg.memory.turn_store import OpenTurn, Turn, TurnStore
from novaberg.pair import Pair
from novaberg.turns.failures import FailureCalibration
from novaberg.turns.pair_job import PairJob
from tests.support.toy_life import Diary, ToyLife

PAIR = Pair("meister")
CUT = partial(cut_block, window=30.0)
QUICK = FailureCalibration(backoff_s=(0.01, 0.02))

Handle = Callable[[OpenTurn], Awaitable[None]]


@dataclass
class Scene:
    """A pair, its store, and what became of its turns."""

    store: TurnStore
    clock: MovableClock
    life: ToyLife
    told: list[tuple[Turn, Exception]] = field(default_factory=list)

    async def say(self, prompt: str) -> str:
        accepted = await self.store.accept(
            PAIR, prompt=prompt, client_id="", message_id=None, empfangen_am=self.clock.now(), max_waiting=100
        )
        self.clock.move(31)
        return accepted.nachrichten_id

    def job(self, handle: Handle, *, deadline_s: float = 30.0) -> PairJob:
        return PairJob(
            store=self.store,
            handle=handle,
            on_failed=self.on_failed,
            cut=CUT,
            deadline_s=deadline_s,
            calibration=QUICK,
        )

    async def on_failed(self, turn: Turn, error: Exception) -> None:
        self.told.append((turn, error))

    async def states(self) -> list[str | None]:
        return [turn.state for turn in await self.store.history(PAIR)]


@pytest_asyncio.fixture
async def scene(database: Database, clock: MovableClock) -> Scene:
    diary = Diary(database)
    await diary.open()
    store = TurnStore(database, clock)
    return Scene(store, clock, ToyLife(store, diary))


class Failing:
    """Fails a number of times, then lives on."""

    def __init__(self, life: ToyLife, *errors: BaseException) -> None:
        self.life = life
        self.errors = list(errors)
        self.calls: list[OpenTurn] = []

    async def __call__(self, turn: OpenTurn) -> None:
        self.calls.append(turn)
        if self.errors:
            raise self.errors.pop(0)
        await self.life.handle(turn)


async def test_a_job_serves_all_blocks_of_its_pair(scene: Scene) -> None:
    """Design §3: loops until the inbox is empty; a block cut at 30 s leaves the rest for the next round."""
    for word in ("eins", "zwei", "drei"):
        await scene.say(word)
    await scene.job(scene.life.handle)(PAIR)
    assert [turn.answer.text for turn in await scene.store.history(PAIR) if turn.answer] == [
        "auf: eins",
        "auf: zwei",
        "auf: drei",
    ]
    assert await scene.states() == ["erledigt"] * 3


async def test_a_handler_that_leaves_closing_to_the_job_is_closed(scene: Scene) -> None:
    await scene.say("Hallo")

    async def without_finish(turn: OpenTurn) -> None:
        await scene.store.save_answer(turn, text="Ja.", payload={})
        await scene.store.mark_human_done(turn)

    await scene.job(without_finish)(PAIR)
    assert await scene.states() == ["erledigt"]


async def test_two_failures_are_outlived(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """Spec 01 §3.4 rule 3; each failure leaves its traceback."""
    await scene.say("Hallo")
    handle = Failing(scene.life, ModelServerError("503"), ValueError("x"))
    with caplog.at_level(logging.WARNING, logger="novaberg.turns.pair_job"):
        await scene.job(handle)(PAIR)
    assert [turn.failures for turn in handle.calls] == [0, 1, 2]
    assert await scene.states() == ["erledigt"]
    assert scene.told == []
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


async def test_three_failures_end_the_turn_the_person_is_told_and_the_next_message_runs(scene: Scene) -> None:
    """Design §3: three real failures put the turn in state failed, visible, requeueable; the person gets a message."""
    await scene.say("eins")
    await scene.say("zwei")
    handle = Failing(scene.life, *[ModelServerError(f"{n}") for n in range(3)])
    await scene.job(handle)(PAIR)
    assert await scene.states() == ["gescheitert", "erledigt"]
    ((turn, error),) = scene.told
    assert (turn.state, turn.failures, turn.error) == ("gescheitert", 3, "ModelServerError: 2")
    assert isinstance(error, ModelServerError)


async def test_a_requeued_turn_runs_to_its_end(scene: Scene) -> None:
    await scene.say("eins")
    handle = Failing(scene.life, *[ModelServerError("x")] * 3)
    await scene.job(handle)(PAIR)
    await scene.store.requeue(PAIR, scene.told[0][0].turn_id)
    await scene.job(handle)(PAIR)
    assert await scene.states() == ["erledigt"]
    assert handle.calls[-1].failures == 0


async def test_a_model_timeout_is_not_tried_again(scene: Scene) -> None:
    """Case F10: the person gets an honest message, the turn is kept and can be resumed."""
    await scene.say("Hallo")
    handle = Failing(scene.life, ModelTimeoutError())
    await scene.job(handle)(PAIR)
    assert len(handle.calls) == 1
    assert await scene.states() == ["gescheitert"]
    assert isinstance(scene.told[0][1], ModelTimeoutError)


async def test_what_was_committed_before_a_failure_is_not_done_again(
    scene: Scene, database: Database
) -> None:
    """Design §3: the next try starts at the last resume point."""
    await scene.say("Hallo")

    class FailsInTheTail(ToyLife):
        failed = False

        async def _node(self, turn: OpenTurn, name: str) -> None:
            if name == "ei_calc_persist" and not self.failed:
                self.failed = True
                raise RuntimeError("tail")
            await super()._node(turn, name)

    diary = Diary(database)
    await scene.job(FailsInTheTail(scene.store, diary).handle)(PAIR)
    entries = [entry.what for entry in await diary.read()]
    assert entries.count("perzeption") == 1
    assert entries.count("responder") == 1
    assert entries.count("session") == 1
    assert await scene.states() == ["erledigt"]


async def test_a_hanging_turn_ends_at_its_deadline_and_is_not_tried_again(scene: Scene) -> None:
    """Promise P13: turn deadline with a visible reason."""
    await scene.say("eins")
    await scene.say("zwei")
    calls = 0

    async def hangs_once(turn: OpenTurn) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.sleep(60)
        await scene.life.handle(turn)

    await scene.job(hangs_once, deadline_s=0.2)(PAIR)
    assert calls == 2
    assert await scene.states() == ["gescheitert", "erledigt"]
    ((turn, error),) = scene.told
    assert isinstance(error, TurnDeadlineError)
    assert turn.error == (
        "TurnDeadlineError: The turn took longer than 0.2 s and was stopped; it is kept and can be queued again."
    )


async def test_tries_and_pauses_together_stay_within_the_deadline(scene: Scene) -> None:
    await scene.say("Hallo")
    patient = FailureCalibration(backoff_s=(60.0,))
    job = PairJob(
        store=scene.store,
        handle=Failing(scene.life, ValueError("x")),
        on_failed=scene.on_failed,
        cut=CUT,
        deadline_s=0.2,
        calibration=patient,
    )
    await job(PAIR)
    assert isinstance(scene.told[0][1], TurnDeadlineError)


async def test_a_handler_that_answers_its_cancellation_with_errors_is_still_stopped(scene: Scene) -> None:
    """A task group whose children fail while they are cancelled raises an error group instead of a cancellation."""
    await scene.say("Hallo")

    async def stubborn(turn: OpenTurn) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise RuntimeError("cleaning up failed")

    async def halves(turn: OpenTurn) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(stubborn(turn))

    await scene.job(halves, deadline_s=0.2)(PAIR)
    assert isinstance(scene.told[0][1], TurnDeadlineError)

    await scene.store.requeue(PAIR, scene.told[0][0].turn_id)
    task = asyncio.create_task(scene.job(halves)(PAIR))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (turn,) = await scene.store.open_turns(PAIR)
    assert turn.failures == 0


async def test_a_cancelled_job_leaves_its_turn_open_and_uncounted(scene: Scene) -> None:
    """Design §3: kills (and aborts) do not count as failures."""
    await scene.say("Hallo")
    begun = asyncio.Event()

    async def hangs(turn: OpenTurn) -> None:
        begun.set()
        await asyncio.sleep(60)

    task = asyncio.create_task(scene.job(hangs)(PAIR))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (turn,) = await scene.store.open_turns(PAIR)
    assert (turn.state, turn.failures) == ("offen", 0)
    assert scene.told == []


async def test_a_handler_that_cancels_itself_has_failed(scene: Scene) -> None:
    """Otherwise nobody would ever stop ringing for it."""
    await scene.say("Hallo")
    handle = Failing(scene.life, *[asyncio.CancelledError()] * 3)
    await scene.job(handle)(PAIR)
    assert await scene.states() == ["gescheitert"]
    assert isinstance(scene.told[0][1], TurnError)


async def test_who_lost_the_turn_stops_silently_with_a_log_line(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """Design §3: each state change is fenced; the job ends, the turn is the other worker's."""
    await scene.say("Hallo")
    await scene.say("danach")

    async def loses(turn: OpenTurn) -> None:
        await scene.store.claim_block(PAIR, cut=CUT, deadline_s=30)
        await scene.life.handle(turn)

    with caplog.at_level(logging.WARNING, logger="novaberg.turns.pair_job"):
        await scene.job(loses)(PAIR)
    assert "taken over" in caplog.text
    assert await scene.states() == ["offen", None]
    (turn,) = await scene.store.open_turns(PAIR)
    assert (turn.failures, scene.told) == (0, [])


async def test_a_failing_messenger_does_not_stop_the_pair(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    await scene.say("eins")
    await scene.say("zwei")

    async def cannot_tell(turn: Turn, error: Exception) -> None:
        raise ConnectionError("nobody there")

    job = PairJob(
        store=scene.store,
        handle=Failing(scene.life, ModelTimeoutError()),
        on_failed=cannot_tell,
        cut=CUT,
        deadline_s=30,
        calibration=QUICK,
    )
    await job(PAIR)
    assert await scene.states() == ["gescheitert", "erledigt"]
    assert "nobody there" in caplog.text


async def test_a_handler_that_forgets_the_answer_fails_visibly(scene: Scene) -> None:
    await scene.say("Hallo")

    async def forgets(turn: OpenTurn) -> None:
        await scene.store.mark_human_done(turn)

    await scene.job(forgets)(PAIR)
    assert await scene.states() == ["gescheitert"]
    assert "no answer" in (scene.told[0][0].error or "")


async def test_a_stopped_job_begins_no_further_turn(scene: Scene) -> None:
    await scene.say("eins")
    await scene.say("zwei")

    async def stops(turn: OpenTurn) -> None:
        job.stop()
        await scene.life.handle(turn)

    job = scene.job(stops)
    await job(PAIR)
    assert await scene.states() == ["erledigt", None]
