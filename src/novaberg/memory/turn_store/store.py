"""The turn store: everything about messages, turns, events and answers that outlives a process."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from pydantic import JsonValue

from novaberg.clock import Clock
from novaberg.memory.database import Database
from novaberg.memory.turn_store import claims, inbox, views, writes
from novaberg.memory.turn_store.records import (
    Accepted,
    Cut,
    HistoryTurn,
    MessageFate,
    NewEvent,
    OpenTurn,
    StepResult,
    StoredAnswer,
    StoredEvent,
    Turn,
)
from novaberg.pair import Pair


class TurnStore:
    """Inbox, turns, events, answers and done steps of all pairs (design §3).

    Methods that take an `OpenTurn` belong to the worker that claimed it; they raise `LostFenceError` and
    write nothing when another worker has taken the turn over or the turn is closed. Every method may raise
    `DatabaseUnavailableError`; every writing one `DiskFullError`.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # ── intake ───────────────────────────────────────────────────────────────

    async def accept(
        self,
        pair: Pair,
        *,
        prompt: str,
        client_id: str,
        message_id: str | None,
        empfangen_am: datetime,
        max_waiting: int,
    ) -> Accepted:
        """Store a message and ring for its pair. Committed when it returns (promise P1).

        Args:
            message_id: the client's own id, ``None`` = none. If this pair has it already, the first
                ``nachrichten_id`` comes back and nothing is stored.
            max_waiting: messages of the pair that may wait.

        Raises:
            QueueFullError: as many messages wait already.
        """
        return await inbox.accept(
            self._database,
            pair,
            prompt=prompt,
            client_id=client_id,
            message_id=message_id,
            empfangen_am=empfangen_am,
            max_waiting=max_waiting,
        )

    async def waiting_count(self, pair: Pair) -> int:
        """Messages of the pair that belong to no turn yet."""
        return await inbox.waiting_count(self._database, pair)

    # ── one turn, under its fence ────────────────────────────────────────────

    async def claim_block(self, pair: Pair, *, cut: Cut, deadline_s: float) -> OpenTurn | None:
        """Take the pair's next turn: the open one, else one that was queued again, else a new block.

        Whoever held the turn before loses its fence. Only a job that holds the pair's queue lock calls this.

        Args:
            cut: the block rule, applied to all messages that wait.
            deadline_s: seconds that this start may take; kept in the row, enforced by the worker.

        Returns:
            The turn with what is committed of it, or ``None`` when nothing is left to do.
        """
        return await claims.claim_block(
            self._database, pair, cut=cut, now=self._clock.now(), deadline_s=deadline_s
        )

    async def refresh(self, turn: OpenTurn) -> OpenTurn:
        """The same turn with what was committed since it was claimed."""
        return await writes.refresh(self._database, turn)

    async def publish_event(
        self, turn: OpenTurn, event: NewEvent, *, resume: JsonValue = None
    ) -> StoredEvent:
        """Commit the event that hands path 1 over to path 2. A second call for a turn returns the first row.

        Args:
            resume: anything that a later process needs to go on from here; ``None`` = nothing.
        """
        return await writes.publish_event(self._database, turn, event, resume=resume, now=self._clock.now())

    async def save_answer(
        self,
        turn: OpenTurn,
        *,
        text: str,
        payload: Mapping[str, JsonValue],
        resume: JsonValue = None,
    ) -> StoredAnswer:
        """Commit the answer before it is sent. One that exists is never replaced: send what comes back.

        Args:
            payload: what clients get (``character_response``).
            resume: anything that the steps after the answer need if another process runs them.
        """
        return await writes.save_answer(
            self._database, turn, text=text, payload=payload, resume=resume, now=self._clock.now()
        )

    async def step_done(self, turn: OpenTurn, schritt: str, result: JsonValue = None) -> bool:
        """Mark a step as done; False = it was already, and its first result stays."""
        return await writes.step_done(self._database, turn, schritt, result=result, now=self._clock.now())

    async def step_result(self, turn: OpenTurn, schritt: str) -> StepResult | None:
        """The mark of a step as it stands now, ``None`` if the step is not done."""
        return (await self.refresh(turn)).steps.get(schritt)

    async def mark_human_done(self, turn: OpenTurn) -> None:
        """The HumanGraph's tail is finished and will not be run again."""
        await writes.mark_human_done(self._database, turn)

    async def finish(self, turn: OpenTurn) -> None:
        """Close the turn. Closing it twice with the same fence is allowed.

        Raises:
            TurnError: there is no answer, or the human half is not done.
        """
        await writes.finish(self._database, turn, now=self._clock.now())

    async def record_failure(self, turn: OpenTurn, *, error: str) -> int:
        """Count a real failure (never a kill or a cancellation), keep its text, return the count."""
        return await writes.record_failure(self._database, turn, error=error)

    async def fail(self, turn: OpenTurn, *, error: str) -> None:
        """Give the turn up: it keeps its messages and all that is committed, and can be queued again."""
        await writes.fail(self._database, turn, error=error, now=self._clock.now())

    # ── people, clients, operators ───────────────────────────────────────────

    async def requeue(self, pair: Pair, turn_id: str) -> None:
        """Let a failed turn run once more under its id, with its messages and whatever is committed of it.

        It comes after the open turn of its pair and before messages that wait.

        Raises:
            UnknownTurnError, TurnNotFailedError: nothing changed.
        """
        await claims.requeue(self._database, pair, turn_id)

    async def load(self, pair: Pair, turn_id: str) -> Turn:
        """One turn with everything that is stored of it.

        Raises:
            UnknownTurnError: this pair has no such turn.
        """
        return await views.load(self._database, pair, turn_id)

    async def open_turns(self, pair: Pair) -> tuple[Turn, ...]:
        """Turns under way or queued again, in the order in which they will be taken."""
        under_way = await views.in_state(self._database, pair, "offen")
        return under_way + await views.in_state(self._database, pair, "wartend")

    async def failed_turns(self, pair: Pair) -> tuple[Turn, ...]:
        """Turns that were given up, oldest first."""
        return await views.in_state(self._database, pair, "gescheitert")

    async def history(
        self, pair: Pair, *, limit: int = 50, before: int | None = None
    ) -> tuple[HistoryTurn, ...]:
        """What people see, oldest first: each turn with its messages and answer, last the messages that wait.

        Args:
            limit: number of turns.
            before: `HistoryTurn.number` of the oldest turn that is shown; ``None`` = the newest turns.
        """
        return await views.history(self._database, pair, limit=limit, before=before)

    async def answers_since(self, pair: Pair, *, after: int, limit: int = 50) -> tuple[StoredAnswer, ...]:
        """Answers that a client missed, oldest first.

        Args:
            after: `StoredAnswer.number` of the last one that it has, 0 = none.
        """
        return await views.answers_since(self._database, pair, after=after, limit=limit)

    async def last_answer_number(self, pair: Pair) -> int:
        """Number of the pair's newest answer, 0 = there is none; where a client that just came starts."""
        return await views.last_answer_number(self._database, pair)

    async def fates(self, pair: Pair, nachrichten_ids: Collection[str]) -> Mapping[str, MessageFate]:
        """What became of messages, by ``nachrichten_id``; ids that this pair does not have are left out."""
        return await views.fates(self._database, pair, nachrichten_ids)

    async def step_results(
        self, pair: Pair, turn_ids: Collection[str], *, schritt: str
    ) -> Mapping[str, JsonValue]:
        """What a step left in each of these turns, by ``turn_id``; turns of others or without it are left out."""
        return await views.step_results(self._database, pair, turn_ids, schritt=schritt)
