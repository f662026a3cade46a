"""Which waiting messages become one turn (spec 01 §3.1.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

INTAKE_WINDOW_S: Final = 30.0
"""Seconds within which a message joins its predecessor (seed name ``EINGANG_FENSTER``)."""


@dataclass(frozen=True, slots=True)
class Block:
    """The messages of one turn, in order of arrival."""

    ids: tuple[str, ...]
    """``nachrichten_id`` of every message, also of those without text."""
    prompt: str
    """The non-empty texts, one a line."""


def cut_block(messages: Sequence[Mapping[str, object]], *, window: float = INTAKE_WINDOW_S) -> Block:
    """The longest prefix in which each message came at most ``window`` seconds after its immediate predecessor.

    Args:
        messages: waiting messages in order, with ``nachrichten_id``, ``prompt``, ``empfangen_am`` (Unix time).
        window: seconds; equal belongs to the block, so does a negative gap.

    Returns:
        The block; without messages an empty one. A first message without a usable time stands alone; a later one
        ends the block before it.
    """
    taken = list(messages[:1])
    for message in messages[1:]:
        before, now = _usable_time(taken[-1]), _usable_time(message)
        if before is None or now is None or now - before > window:
            break
        taken.append(message)
    texts = [str(message.get("prompt") or "") for message in taken]
    return Block(
        ids=tuple(str(message["nachrichten_id"]) for message in taken),
        prompt="\n".join(text for text in texts if text),
    )


def _usable_time(message: Mapping[str, object]) -> float | None:
    moment = message.get("empfangen_am")
    if isinstance(moment, bool) or not isinstance(moment, int | float) or math.isnan(moment):
        return None
    return float(moment)
