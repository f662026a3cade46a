"""The job of one pair: take its turns one after another until nothing is left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from novaberg.errors import LostFenceError, TurnDeadlineError, TurnError
from novaberg.memory.turn_store import Cut, OpenTurn, Turn, TurnStore
from novaberg.pair import Pair
from novaberg.turns.failures import (
    DEFAULT_CALIBRATION,
    FailureCalibration,
    describe,
    gives_up,
    leading_error,
    pause_s,
)

log = logging.getLogger(__name__)

Handle = Callable[[OpenTurn], Awaitable[None]]
"""Runs a turn from wherever it stands to its last step. Called again after a failure or a kill, with what is
committed by then; what it finds done it must not do again. It may close the turn itself (`TurnStore.finish`)."""

OnFailed = Callable[[Turn, Exception], Awaitable[None]]
"""Told once a turn is given up; says so to the person. The turn may have an answer already."""

_STEPPED_BACK: Final = "turn %s of %s was taken over by another worker; stopping here"


class PairJob:
    """Claims, runs and closes the turns of a pair; decides what happens when one fails (design §3).

    Args:
        deadline_s: seconds that a start of a turn may take, with all its tries and pauses.
    """

    def __init__(
        self,
        *,
        store: TurnStore,
        handle: Handle,
        on_failed: OnFailed,
        cut: Cut,
        deadline_s: float,
        calibration: FailureCalibration = DEFAULT_CALIBRATION,
    ) -> None:
        self._store = store
        self._handle = handle
        self._on_failed = on_failed
        self._cut = cut
        self._deadline_s = deadline_s
        self._calibration = calibration
        self._stopping = False

    def stop(self) -> None:
        """Begin no further turn; those under way go on."""
        self._stopping = True

    async def __call__(self, pair: Pair) -> None:
        """Serve the pair until no message and no unfinished turn is left.

        Raises:
            StoreError: the store failed where no turn can be told about it; the sweep rings again.
        """
        while not self._stopping:
            turn = await self._store.claim_block(pair, cut=self._cut, deadline_s=self._deadline_s)
            if turn is None:
                return
            try:
                await self._complete(turn)
            except LostFenceError:
                log.warning(_STEPPED_BACK, turn.turn_id, pair)
                return

    async def _complete(self, turn: OpenTurn) -> None:
        try:
            async with asyncio.timeout(self._deadline_s) as limit:
                error = await self._try_repeatedly(turn, limit)
        except TimeoutError:
            error = self._deadline_error()
        if error is not None:
            await self._give_up(turn, error)

    async def _try_repeatedly(self, turn: OpenTurn, limit: asyncio.Timeout) -> Exception | None:
        """Returns the error with which the turn is given up, ``None`` when it is done."""
        while True:
            try:
                await self._run_handle(turn)
                await self._store.finish(turn)
            except Exception as error:
                failure = leading_error(error)
                if isinstance(failure, LostFenceError):
                    raise failure from error
                if limit.expired():
                    return self._deadline_error()
                if _is_cancelled():
                    # A task group in the handler can turn a cancellation into an error group.
                    raise asyncio.CancelledError from error
                failures = await self._store.record_failure(turn, error=describe(failure))
                if gives_up(failure, failures, self._calibration):
                    return failure
                log.warning("turn %s failed, try %d; trying again", turn.turn_id, failures, exc_info=error)
                await asyncio.sleep(pause_s(failures, self._calibration))
                turn = await self._store.refresh(turn)
            else:
                return None

    async def _run_handle(self, turn: OpenTurn) -> None:
        # A task of its own: a failed task group leaves its task counted as cancelled (Python 3.11), and neither the
        # deadline nor a shutdown could then be told from that.
        running = asyncio.create_task(self._handled(turn), name=f"turn {turn.turn_id}")
        try:
            await running
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            # Nobody cancelled the job: some part of the turn cancelled itself, and would do so again for ever.
            raise TurnError(
                "A part of the turn cancelled itself; it is kept and can be queued again."
            ) from error

    async def _handled(self, turn: OpenTurn) -> None:
        await self._handle(turn)

    async def _give_up(self, turn: OpenTurn, error: Exception) -> None:
        log.error("turn %s of %s is given up", turn.turn_id, turn.pair, exc_info=error)
        await self._store.fail(turn, error=describe(error))
        failed = await self._store.load(turn.pair, turn.turn_id)
        try:
            await self._on_failed(failed, error)
        except Exception:
            log.exception("nobody could be told that turn %s failed; its state says so", turn.turn_id)

    def _deadline_error(self) -> TurnDeadlineError:
        return TurnDeadlineError(
            f"The turn took longer than {self._deadline_s:g} s and was stopped; "
            "it is kept and can be queued again."
        )


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
