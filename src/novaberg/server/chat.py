"""``POST /chat`` and ``POST /chat/stream``: a message comes in (spec 01 §5.1)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import datetime
from http import HTTPStatus

from fastapi import APIRouter

from novaberg.memory.turn_store import Accepted
from novaberg.server.event_stream import EventStream, turn_events
from novaberg.server.messages import Acknowledgement, ChatRequest, acknowledgement
from novaberg.server.problems import responses
from novaberg.turns.program import Program, pair_of

_REFUSALS = (413, 429, 503, 507)


def chat_router(program: Program) -> APIRouter:
    """The routes of the conversation."""
    router = APIRouter(tags=["chat"])

    @router.post("/chat", status_code=HTTPStatus.ACCEPTED, responses=responses(*_REFUSALS))
    async def chat(body: ChatRequest) -> Acknowledgement:
        """Accept a message; the answer comes over the WebSocket. The message is committed when this returns."""
        received_at = program.clock.now()
        return acknowledgement(await _accept(program, body, received_at), program.settings)

    @router.post(
        "/chat/stream",
        status_code=HTTPStatus.OK,
        response_class=EventStream,
        responses={
            **responses(*_REFUSALS),
            200: {
                "description": "`processing`, `stage`*, `answer`, `complete` | `error`",
                "content": {EventStream.media_type: {"schema": {"type": "string"}}},
            },
        },
    )
    async def chat_stream(body: ChatRequest) -> EventStream:
        """Accept a message and follow its turn. A client that leaves does not harm the turn."""
        received_at = program.clock.now()
        async with AsyncExitStack() as stack:
            pair = pair_of(program.settings, body.user_id, body.character_id)
            ear = await stack.enter_async_context(program.follow(pair))
            accepted = await _accept(program, body, received_at)
            greeting = acknowledgement(accepted, program.settings)
            return EventStream(turn_events(ear, greeting, program.settings), stack.pop_all())

    return router


async def _accept(program: Program, body: ChatRequest, received_at: datetime) -> Accepted:
    return await program.say(
        pair_of(program.settings, body.user_id, body.character_id),
        body.prompt,
        received_at=received_at,
        client_id=body.client_id,
        message_id=body.message_id,
    )
