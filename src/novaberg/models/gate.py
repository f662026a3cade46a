"""The gate before a model server: few calls at a time, the answer path first (design §3, §5).

One gate per server address and process. A waiting call goes by priority, then by arrival. A call of the answer path
that finds every place taken sends a running background call back into the queue, where it keeps its turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from novaberg.errors import ModelTimeoutError
from novaberg.models.protocol import Priority

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCalibration:
    """How long and how many may wait."""

    longest_wait_s: Mapping[Priority, float] = field(
        default_factory=lambda: MappingProxyType(
            {Priority.ANSWER: 120.0, Priority.TAIL: 300.0, Priority.BACKGROUND: 1800.0}
        )
    )
    """Seconds in the queue (own choice: an answer within the turn deadline of 180 s, nobody waits for the rest)."""
    most_waiting: int = 256
    """Calls in the queue; the next one is refused at once (own choice)."""
    most_preemptions: int = 3
    """Times that one background call is sent back; then it runs to its end (own choice, against starvation)."""


DEFAULT_GATE: Final = GateCalibration()


@dataclass(slots=True, eq=False)
class _Ticket:
    """One call at the gate, across its returns to the queue."""

    priority: Priority
    number: int
    admission: asyncio.Future[None] | None = None
    task: asyncio.Task[object] | None = None
    """The running call, while it may be sent back."""
    preempted: bool = False
    preemptions: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        return (self.priority, self.number)


class ModelGate:
    """Bounds the calls to one server.

    Args:
        concurrency: calls that may run at the same time, at least 1.
        address: for messages only.
    """

    def __init__(
        self, *, concurrency: int, address: str = "", calibration: GateCalibration = DEFAULT_GATE
    ) -> None:
        self._places = concurrency
        self._address = address
        self._calibration = calibration
        self._numbers = itertools.count()
        self._waiting: list[_Ticket] = []
        self._running: list[_Ticket] = []

    @property
    def waiting(self) -> int:
        """Calls in the queue."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """Calls under way."""
        return len(self._running)

    async def run(self, call: Callable[[], Coroutine[Any, Any, T]], *, priority: Priority) -> T:
        """Await ``call()`` when its turn comes. It may be cancelled and started anew if the priority is BACKGROUND.

        Raises:
            ModelTimeoutError: the queue is full, or no place became free in time.
        """
        ticket = _Ticket(priority, next(self._numbers))
        while True:
            async with self._place(ticket):
                if not self._may_be_sent_back(ticket):
                    return await call()
                task = asyncio.ensure_future(call())
                ticket.task = task
                await _until_done(task)
                if not (ticket.preempted and task.cancelled()):
                    return task.result()
            ticket.preempted = False
            ticket.preemptions += 1

    @contextlib.asynccontextmanager
    async def place(self, priority: Priority) -> AsyncIterator[None]:
        """A place for as long as the block runs (streams); it is never taken away. Raises as `run`."""
        async with self._place(_Ticket(priority, next(self._numbers))):
            yield

    @contextlib.asynccontextmanager
    async def _place(self, ticket: _Ticket) -> AsyncIterator[None]:
        await self._admit(ticket)
        try:
            yield
        finally:
            ticket.task = None
            self._running.remove(ticket)
            self._fill()

    def _may_be_sent_back(self, ticket: _Ticket) -> bool:
        often_enough = ticket.preemptions >= self._calibration.most_preemptions
        return ticket.priority is Priority.BACKGROUND and not often_enough

    async def _admit(self, ticket: _Ticket) -> None:
        if len(self._waiting) >= self._calibration.most_waiting:
            raise ModelTimeoutError(
                f"Too many calls ({len(self._waiting)}) already wait for the model server{self._at}; try again"
                " later or raise NOVABERG_MODEL_CONCURRENCY."
            )
        admission = asyncio.get_running_loop().create_future()
        ticket.admission = admission
        self._waiting.append(ticket)
        self._fill()
        longest = self._calibration.longest_wait_s[ticket.priority]
        try:
            async with asyncio.timeout(longest):
                await admission
        except BaseException as error:
            self._withdraw(ticket)
            if isinstance(error, TimeoutError):
                raise ModelTimeoutError(
                    f"The model server{self._at} was busy for {longest:.0f} s and this call found no place;"
                    " try again when it is free or raise NOVABERG_MODEL_CONCURRENCY."
                ) from error
            raise

    def _withdraw(self, ticket: _Ticket) -> None:
        """Leave the queue, or give back the place that was granted in the same moment."""
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        else:
            self._running.remove(ticket)
        self._fill()

    def _fill(self) -> None:
        self._waiting.sort(key=lambda ticket: ticket.rank)
        while self._waiting and len(self._running) < self._places:
            ticket = self._waiting.pop(0)
            self._running.append(ticket)
            if ticket.admission is not None and not ticket.admission.done():
                ticket.admission.set_result(None)
        self._preempt()

    def _preempt(self) -> None:
        """Send back as many background calls as answers wait, the youngest first: least work is lost."""
        answers = sum(ticket.priority is Priority.ANSWER for ticket in self._waiting)
        leaving = sum(ticket.preempted for ticket in self._running)
        candidates = [ticket for ticket in self._running if ticket.task is not None and not ticket.preempted]
        candidates.sort(key=lambda ticket: ticket.rank, reverse=True)
        for ticket in candidates[: max(0, answers - leaving)]:
            log.info("a background call makes room for the answer path%s", self._at)
            ticket.preempted = True
            if ticket.task is not None:
                ticket.task.cancel()

    @property
    def _at(self) -> str:
        return f" at {self._address}" if self._address else ""


async def _until_done(task: asyncio.Future[T]) -> None:
    """Wait for the end of a task without taking its outcome over; a cancelled waiter takes the task along."""
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.exception()
        raise


_gates: WeakValueDictionary[str, ModelGate] = WeakValueDictionary()


def gate_for(address: str, *, concurrency: int) -> ModelGate:
    """The gate of this process for a server; models of one address share it (the first concurrency holds)."""
    gate = _gates.get(address)
    if gate is None:
        gate = ModelGate(concurrency=concurrency, address=address)
        _gates[address] = gate
    return gate
