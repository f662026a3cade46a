"""Follows one message from its acceptance to the end of its turn, for clients that wait for the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from novaberg.language import Language
from novaberg.memory.bulletin import Bulletin, Subscription
from novaberg.memory.turn_store import Turn, TurnStore
from novaberg.pair import Pair
from novaberg.turns.apologies import kept_apology
from novaberg.turns.messages import Message, error_message
from novaberg.turns.steps import COMPLETION_STEP

LOOK_AFTER_S: Final = 10.0
"""Seconds of silence after which the tables are asked whether something was missed. A net, not the way."""
ENDINGS: Final = frozenset({"turn_complete", "error"})
"""``typ`` of the messages after which nothing more comes for a turn."""


class Following:
    """An open ear for one person's turns."""

    def __init__(self, store: TurnStore, heard: Subscription, pair: Pair, language: Language) -> None:
        self._store = store
        self._heard = heard
        self._pair = pair
        self._language = language

    async def until_end(
        self, nachrichten_id: str, *, accepted_before: bool = False
    ) -> AsyncGenerator[Message, None]:
        """Stages, answer and end of the turn that took up the message; each ``typ`` but stages at most once.

        What the live channel lost is read from the tables.

        Args:
            accepted_before: the message is older than this ear, so the tables are read first.
        """
        answered = False
        missed = await self._missed(nachrichten_id) if accepted_before else []
        while True:
            for message in missed:
                is_answer = message["typ"] == "character_response"
                if is_answer and answered:
                    continue
                answered = answered or is_answer
                yield message
                if message["typ"] in ENDINGS:
                    return
            try:
                async with asyncio.timeout(LOOK_AFTER_S):
                    missed = [await self._next(nachrichten_id)]
            except TimeoutError:
                missed = await self._missed(nachrichten_id)

    async def _next(self, nachrichten_id: str) -> Message:
        async for heard in self._heard:
            ids = heard.message.get("nachrichten_ids")
            if (
                heard.character_id == self._pair.character_id
                and isinstance(ids, list)
                and nachrichten_id in ids
            ):
                return heard.message
        raise AssertionError("a subscription has no end of its own")

    async def _missed(self, nachrichten_id: str) -> list[Message]:
        fate = (await self._store.fates(self._pair, [nachrichten_id])).get(nachrichten_id)
        if fate is None or fate.turn_id is None:
            return []
        turn = await self._store.load(self._pair, fate.turn_id)
        answer = [dict(turn.answer.payload)] if turn.answer else []
        return [*answer, *self._ending(turn)]

    def _ending(self, turn: Turn) -> list[Message]:
        if turn.state == "gescheitert":
            return [error_message(turn, kept_apology(turn, fallback=self._language))]
        step = turn.steps.get(COMPLETION_STEP) if turn.state == "erledigt" else None
        return [dict(step.result)] if step and isinstance(step.result, dict) else []


@asynccontextmanager
async def following(
    store: TurnStore, bulletin: Bulletin, pair: Pair, *, language: Language
) -> AsyncIterator[Following]:
    """``async with following(…) as ear:`` listens from here on; accept the message inside, so that nothing is missed.

    Args:
        language: of the settings, for words about a failed turn if the person's own do not decide.

    Raises:
        RedisUnavailableError: the live channel cannot be opened.
    """
    async with bulletin.subscribe(pair.user_id) as heard:
        yield Following(store, heard, pair, language)
