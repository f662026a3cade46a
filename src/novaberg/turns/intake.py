"""The door: what a client sends becomes a stored message or a clear error, and nothing in between."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from novaberg.errors import EmptyPromptError, InputError, PromptTooLongError
from novaberg.memory.turn_store import Accepted, TurnStore
from novaberg.pair import Pair
from novaberg.settings import Settings

MAX_CLIENT_TEXT: Final = 200
"""Characters of a ``client_id`` or ``message_id``."""


class Intake:
    """Accepts messages for all surfaces (spec 01 §3.1.1)."""

    def __init__(self, store: TurnStore, settings: Settings) -> None:
        self._store = store
        self._max_chars = settings.max_prompt_chars
        self._max_waiting = settings.max_waiting_messages

    async def accept(
        self,
        pair: Pair,
        prompt: str,
        *,
        empfangen_am: datetime,
        client_id: str = "",
        message_id: str | None = None,
    ) -> Accepted:
        """Store the message as it is and ring for its pair; committed when this returns.

        Args:
            empfangen_am: aware; the caller's very first statement took it, before any other work.
            client_id: who sent it, so that the other clients of the person can be told; ``""`` = unknown.
            message_id: the client's own id; sending it again never makes a second turn. ``None`` = none.

        Raises:
            EmptyPromptError, PromptTooLongError, InputError, QueueFullError: nothing was stored.
            DatabaseUnavailableError, DiskFullError: nothing was acknowledged.
        """
        self._check_prompt(prompt)
        _check_client_text("client_id", client_id)
        if message_id is not None:
            _check_client_text("message_id", message_id)
            if not message_id:
                raise InputError("message_id is empty. Leave it out or send an id; nothing was stored.")
        return await self._store.accept(
            pair,
            prompt=prompt,
            client_id=client_id,
            message_id=message_id,
            empfangen_am=empfangen_am,
            max_waiting=self._max_waiting,
        )

    def _check_prompt(self, prompt: str) -> None:
        if not prompt.strip():
            raise EmptyPromptError
        if len(prompt) > self._max_chars:
            raise PromptTooLongError(
                f"The message has {len(prompt)} characters, {self._max_chars} are allowed. "
                "Shorten it or send it in parts; nothing was stored."
            )
        _check_storable("The message", prompt)


def _check_client_text(name: str, value: str) -> None:
    if len(value) > MAX_CLIENT_TEXT:
        raise InputError(f"{name} may have {MAX_CLIENT_TEXT} characters; nothing was stored.")
    _check_storable(name, value)


def _check_storable(name: str, text: str) -> None:
    """Text that PostgreSQL cannot hold: the NUL character, and halves of surrogate pairs."""
    if "\x00" in text:
        raise InputError(f"{name} contains a NUL character. Remove it and send again; nothing was stored.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} contains half a character (a lone surrogate at position {error.start}). "
            "Send valid Unicode; nothing was stored."
        ) from error
