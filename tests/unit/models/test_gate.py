import asyncio
import gc
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novaberg.errors import ModelServerError, ModelTimeoutError
from novaberg.models.gate import GateCalibration, ModelGate, gate_for
from novaberg.models.protocol import Priority

ANSWER, TAIL, BACKGROUND = Priority.ANSWER, Priority.TAIL, Priority.BACKGROUND
IMPATIENT = GateCalibration(longest_wait_s=MappingProxyType(dict.fromkeys(Priority, 0.01)))


class Calls:
    """Calls that run until they are let go; nothing here depends on time."""

    def __init__(self, gate: ModelGate) -> None:
        self.gate = gate
        self.log: list[str] = []
        self.peak = 0
        self._doors: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[str]] = {}

    async def start(self, name: str, priority: Priority) -> None:
        self._doors[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self.gate.run(lambda: self._call(name), priority=priority))
        await settle()

    async def finish(self, name: str) -> str:
        self._doors[name].set()
        return await self.tasks[name]

    async def _call(self, name: str) -> str:
        self.log.append(f"+{name}")
        self.peak = max(self.peak, self.gate.running)
        try:
            await self._doors[name].wait()
        except asyncio.CancelledError:
            self.log.append(f"x{name}")
            raise
        self.log.append(f"-{name}")
        return name

    async def close(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)


async def settle() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


async def test_no_more_calls_run_than_there_are_places() -> None:
    """Design §5: bounded concurrency."""
    calls = Calls(ModelGate(concurrency=2))
    for name in "abc":
        await calls.start(name, ANSWER)
    assert calls.log == ["+a", "+b"]
    assert (calls.gate.running, calls.gate.waiting) == (2, 1)
    assert await calls.finish("a") == "a"
    await settle()
    assert calls.log == ["+a", "+b", "-a", "+c"]
    await calls.close()
    assert (calls.gate.running, calls.gate.waiting) == (0, 0)


async def test_waiting_calls_go_by_priority_and_then_by_arrival() -> None:
    """Design §5: the answer path first."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("first", TAIL)
    for name, priority in [
        ("b1", BACKGROUND),
        ("t1", TAIL),
        ("a1", ANSWER),
        ("b2", BACKGROUND),
        ("a2", ANSWER),
    ]:
        await calls.start(name, priority)
    for name in ("first", "a1", "a2", "t1", "b1", "b2"):
        await calls.finish(name)
        await settle()
    assert [entry for entry in calls.log if entry[0] == "+"] == ["+first", "+a1", "+a2", "+t1", "+b1", "+b2"]


async def test_an_answer_sends_a_running_background_call_back_into_the_queue() -> None:
    """Design §3: model calls of the answer path pre-empt background calls in the model gate."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("b", BACKGROUND)
    await calls.start("a", ANSWER)
    assert calls.log == ["+b", "xb", "+a"]
    await calls.finish("a")
    await settle()
    assert calls.log == ["+b", "xb", "+a", "-a", "+b"]
    assert await calls.finish("b") == "b"


async def test_a_call_that_was_sent_back_keeps_its_place_in_line() -> None:
    """A pre-empted call goes before background calls that came later."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("b1", BACKGROUND)
    await calls.start("b2", BACKGROUND)
    await calls.start("a", ANSWER)
    await calls.finish("a")
    await settle()
    assert calls.log == ["+b1", "xb1", "+a", "-a", "+b1"]
    await calls.close()


async def test_each_answer_sends_back_one_background_call_the_youngest_first() -> None:
    """As few as needed; the youngest has lost the least work."""
    calls = Calls(ModelGate(concurrency=3))
    for name in ("b1", "b2", "b3"):
        await calls.start(name, BACKGROUND)
    await calls.start("a", ANSWER)
    assert [entry for entry in calls.log if entry[0] == "x"] == ["xb3"]
    await calls.close()


@pytest.mark.parametrize("running", [ANSWER, TAIL])
async def test_what_belongs_to_a_turn_is_never_sent_back(running: Priority) -> None:
    """Only background calls give way."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("r", running)
    await calls.start("a", ANSWER)
    assert calls.log == ["+r"]
    await calls.close()


async def test_the_tail_waits_for_a_background_call() -> None:
    """Only the answer path pre-empts."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("b", BACKGROUND)
    await calls.start("t", TAIL)
    assert calls.log == ["+b"]
    await calls.close()


async def test_a_background_call_is_not_sent_back_for_ever() -> None:
    """After the set number of returns it runs to its end; answers then wait for it."""
    calls = Calls(ModelGate(concurrency=1, calibration=GateCalibration(most_preemptions=2)))
    await calls.start("b", BACKGROUND)
    for name in ("a1", "a2"):
        await calls.start(name, ANSWER)
        await calls.finish(name)
        await settle()
    await calls.start("a3", ANSWER)
    assert calls.log[-1] == "+b"
    assert await calls.finish("b") == "b"
    await calls.finish("a3")


async def test_a_call_that_finishes_while_it_is_sent_back_keeps_its_result() -> None:
    """Nothing that is already there is asked for again."""
    gate = ModelGate(concurrency=1)
    started = asyncio.Event()

    async def stubborn() -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "fertig"
        return ""

    background = asyncio.create_task(gate.run(stubborn, priority=BACKGROUND))
    await started.wait()
    answer = asyncio.create_task(gate.run(lambda: asyncio.sleep(0, "antwort"), priority=ANSWER))
    assert await background == "fertig"
    assert await answer == "antwort"


async def test_waiting_is_bounded_and_the_error_says_what_to_do() -> None:
    """P13: bounded waiting with a visible reason."""
    calls = Calls(ModelGate(concurrency=1, address="http://x", calibration=IMPATIENT))
    await calls.start("a", ANSWER)
    with pytest.raises(ModelTimeoutError, match=r"http://x was busy .* NOVABERG_MODEL_CONCURRENCY"):
        await calls.gate.run(lambda: asyncio.sleep(0), priority=ANSWER)
    assert calls.gate.waiting == 0
    await calls.finish("a")
    assert calls.gate.running == 0


async def test_a_full_queue_refuses_at_once() -> None:
    """P13: bounded queue."""
    calls = Calls(ModelGate(concurrency=1, calibration=GateCalibration(most_waiting=1)))
    await calls.start("a", ANSWER)
    await calls.start("b", ANSWER)
    with pytest.raises(ModelTimeoutError, match="already wait"):
        await calls.gate.run(lambda: asyncio.sleep(0), priority=ANSWER)
    await calls.close()


@pytest.mark.parametrize("priority", [ANSWER, BACKGROUND])
async def test_a_failing_call_frees_its_place(priority: Priority) -> None:
    """Timeouts and server errors never block the gate."""
    gate = ModelGate(concurrency=1)

    async def fail() -> None:
        raise ModelServerError

    with pytest.raises(ModelServerError):
        await gate.run(fail, priority=priority)
    assert await gate.run(lambda: asyncio.sleep(0, "weiter"), priority=priority) == "weiter"


@pytest.mark.parametrize("priority", [ANSWER, BACKGROUND])
async def test_a_cancelled_caller_takes_its_call_along(priority: Priority) -> None:
    """Cancellation reaches the running call, and the place is free again."""
    calls = Calls(ModelGate(concurrency=1))
    await calls.start("c", priority)
    calls.tasks["c"].cancel()
    with pytest.raises(asyncio.CancelledError):
        await calls.tasks["c"]
    assert calls.log == ["+c", "xc"]
    assert calls.gate.running == 0


async def test_a_place_for_a_stream_is_held_and_given_back() -> None:
    """Streams are not repeatable, so they are never sent back."""
    calls = Calls(ModelGate(concurrency=1))
    async with calls.gate.place(BACKGROUND):
        await calls.start("a", ANSWER)
        assert calls.log == []
    await settle()
    assert calls.log == ["+a"]
    await calls.close()


actions = st.lists(
    st.tuples(
        st.sampled_from(["start", "finish", "cancel"]), st.sampled_from(list(Priority)), st.integers(0, 30)
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(actions, st.integers(1, 3))
def test_whatever_happens_places_are_bounded_and_all_come_back(
    steps: list[tuple[str, Priority, int]], places: int
) -> None:
    """Design §5: bounded, cancellation safe, nobody is forgotten."""

    async def play() -> None:
        calls = Calls(ModelGate(concurrency=places))
        for number, (action, priority, index) in enumerate(steps):
            open_names = [name for name, task in calls.tasks.items() if not task.done()]
            if action == "start":
                await calls.start(f"{number}", priority)
            elif open_names and action == "cancel":
                calls.tasks[open_names[index % len(open_names)]].cancel()
            elif open_names:
                calls._doors[open_names[index % len(open_names)]].set()
            await settle()
            assert calls.gate.running <= places
            still_open = sum(not task.done() for task in calls.tasks.values())
            assert calls.gate.running + calls.gate.waiting == still_open
            assert calls.gate.running == min(places, still_open)
        for name, task in calls.tasks.items():
            if not task.done():
                calls._doors[name].set()
        done = await asyncio.gather(*calls.tasks.values(), return_exceptions=True)
        assert all(isinstance(outcome, str | asyncio.CancelledError) for outcome in done)
        assert calls.peak <= places
        assert (calls.gate.running, calls.gate.waiting) == (0, 0)

    asyncio.run(play())


def test_models_of_one_server_share_a_gate() -> None:
    """Design §5: one gate per model server; it goes with the last model that uses it."""
    gate = gate_for("http://one", concurrency=2)
    assert gate_for("http://one", concurrency=5) is gate
    assert gate_for("http://two", concurrency=2) is not gate
    del gate
    gc.collect()
    assert gate_for("http://one", concurrency=1)._places == 1
