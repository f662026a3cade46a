"""What was said, and the running session (spec 01 §5.1, 07 §7)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from novaberg.server.messages import (
    CharacterId,
    Done,
    History,
    MissedAnswers,
    SessionContext,
    answer_of,
    entry_of,
)
from novaberg.server.problems import responses
from novaberg.turns.program import Program, pair_of

Observer = Literal["", "user", "assistant"]

MAX_NUMBER = 2**63 - 1
"""Largest number that a turn or an answer can have."""
_FORGOTTEN = {
    "de": "Die Sitzung ist vergessen; Novas Zustand, der Verlauf und das Protokoll bleiben.",
    "en": "The session is forgotten; Nova's state, the history and the log stay.",
}


def session_router(program: Program) -> APIRouter:
    """The routes of history and session."""
    router = APIRouter(tags=["session"], responses=responses(503))

    @router.get("/verlauf/{user_id}")
    async def history(
        user_id: str,
        character_id: CharacterId = "",
        seit: Annotated[
            int | None, Query(ge=0, le=MAX_NUMBER, description="Number of the last answer the client has")
        ] = None,
        vor: Annotated[
            int | None, Query(ge=0, le=MAX_NUMBER, description="Number of the oldest turn the client has")
        ] = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
    ) -> History | MissedAnswers:
        """What was said, oldest first. With ``seit``: the answers that a client missed while it was away.

        At most ``limit`` at once; a full page means: ask again with its last number.
        """
        pair = pair_of(program.settings, user_id, character_id)
        if seit is not None:
            missed = await program.answers_since(pair, seit, limit=limit)
            return MissedAnswers(antworten=[answer_of(answer) for answer in missed], anzahl=len(missed))
        turns = await program.history(pair, limit=limit, before=vor)
        return History(verlauf=[entry_of(turn) for turn in turns], anzahl=len(turns))

    @router.get("/session/kontext/{user_id}")
    async def context(
        user_id: str,
        character_id: CharacterId = "",
        beobachter: Annotated[Observer, Query(description="Whose entries; empty = all")] = "",
    ) -> SessionContext:
        """The running session: summary of its older part and the turns that are kept."""
        state = await program.state(pair_of(program.settings, user_id, character_id))
        turns = [dict(turn) for turn in state.session if not beobachter or turn.get("rolle") == beobachter]
        return SessionContext(zusammenfassung=state.summary, turns=turns, anzahl_turns=len(turns))

    @router.post("/session/reset/{user_id}")
    async def reset(user_id: str, character_id: CharacterId = "") -> Done:
        """Forget the running session."""
        await program.reset_session(pair_of(program.settings, user_id, character_id))
        return Done(nachricht=_FORGOTTEN[program.settings.language])

    return router
