"""The session as it stood when the turn began: both graphs of a turn read this, never the live one (design §3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from novaberg.memory.session import SessionStore, SessionTurn
from novaberg.pair import Pair


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """What the session held before the current utterance."""

    turns: tuple[SessionTurn, ...]
    """Oldest first; none of the current turn."""
    summary: str
    """Rolling summary of what is older; ``""`` = there is none."""


class TurnSession:
    """Reads the session of one turn once and hands out the same snapshot to everyone.

    A failed read is not remembered: the next reader tries again and sees the failure itself. Contributions of the
    current turn are left out, so that a turn which is taken up again after a kill reads what it read the first time.
    """

    def __init__(self, store: SessionStore, pair: Pair, turn_id: str) -> None:
        self._store = store
        self._pair = pair
        self._turn_id = turn_id
        self._snapshot: SessionSnapshot | None = None
        self._reading = asyncio.Lock()

    async def snapshot(self) -> SessionSnapshot:
        """The snapshot.

        Raises:
            RedisUnavailableError: the session cannot be read now.
        """
        async with self._reading:
            if self._snapshot is None:
                turns = await self._store.retrieve(self._pair)
                summary = await self._store.summary(self._pair)
                self._snapshot = SessionSnapshot(
                    turns=tuple(turn for turn in turns if turn.get("turn_id") != self._turn_id),
                    summary=summary or "",
                )
            return self._snapshot
