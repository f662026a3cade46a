"""One turn from the command line: say something, follow it to its end, tell what came out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

if TYPE_CHECKING:
    from novaberg.pair import Pair
    from novaberg.turns.messages import Message
    from novaberg.turns.program import Program

CLIENT_ID: Final = "cli"


@dataclass(slots=True)
class TurnReport:
    """What is known of a turn so far."""

    turn_id: str = ""
    reply: str | None = None
    error: str | None = None
    external: dict[str, JsonValue] = field(default_factory=dict)
    internal: dict[str, JsonValue] = field(default_factory=dict)
    timings: dict[str, JsonValue] = field(default_factory=dict)

    def note(self, message: Message) -> None:
        """Take what a message of the turn tells."""
        self.turn_id = str(message.get("turn_id") or self.turn_id)
        match message:
            case {"typ": "character_response", "nachricht": str(text)}:
                self.reply = text
            case {
                "typ": "turn_complete",
                "external": dict(external),
                "internal": dict(internal),
                "timings": dict(timings),
            }:
                self.external, self.internal, self.timings = external, internal, timings
            case {"typ": "error", "fehler": str(text)}:
                self.error = text

    def as_json(self) -> dict[str, JsonValue]:
        """The line of ``chat --json``; a failed turn has ``error`` instead of what was perceived."""
        if self.error is not None:
            return {"turn_id": self.turn_id, "reply": self.reply, "error": self.error}
        return {
            "turn_id": self.turn_id,
            "reply": self.reply,
            "external": self.external,
            "internal": self.internal,
            "timings": self.timings,
        }


async def take_turn(program: Program, pair: Pair, prompt: str) -> AsyncIterator[Message]:
    """Say ``prompt`` and give the messages of its turn, the last one being ``turn_complete`` or ``error``.

    Raises:
        InputError: it cannot be said; nothing was stored.
        StoreError: it could not be stored.
    """
    received_at = program.clock.now()
    async with program.follow(pair) as ear:
        accepted = await program.say(pair, prompt, received_at=received_at, client_id=CLIENT_ID)
        async for message in ear.until_end(accepted.nachrichten_id):
            yield message
