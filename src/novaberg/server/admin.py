"""Looking into a turn and mending it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field, JsonValue

from novaberg.server.messages import CharacterId, Done, UserId
from novaberg.server.problems import responses
from novaberg.turns.program import Program, pair_of

_QUEUED = {
    "de": "Der Turn ist wieder eingereiht und wird vor neuen Nachrichten beantwortet.",
    "en": "The turn is queued again and will be answered before new messages.",
}


class Requeue(BaseModel):
    """Names a failed turn."""

    turn_id: Annotated[str, Field(min_length=1, max_length=100)]
    user_id: UserId = ""
    character_id: CharacterId = ""


class Trace(BaseModel):
    """The log rows of a turn in order; none if the turn is unknown."""

    turn_id: str
    zeilen: list[dict[str, JsonValue]]
    anzahl: int


def admin_router(program: Program) -> APIRouter:
    """The routes for whoever runs the program."""
    router = APIRouter(tags=["admin"])

    @router.post("/admin/events/requeue", responses=responses(404, 409, 503, 507))
    async def requeue(body: Requeue) -> Done:
        """Let a failed turn run again under its id."""
        await program.requeue(pair_of(program.settings, body.user_id, body.character_id), body.turn_id)
        return Done(nachricht=_QUEUED[program.settings.language])

    @router.get("/pipeline/{turn_id}", responses=responses(503))
    async def trace(turn_id: str) -> Trace:
        """Every decision of a turn, as ``novaberg trace`` shows it."""
        rows = await program.trace(turn_id)
        return Trace(turn_id=turn_id, zeilen=[row.as_json() for row in rows], anzahl=len(rows))

    return router
