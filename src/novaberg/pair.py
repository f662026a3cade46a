"""The pair (human, figure): every stored thing belongs to exactly one."""

from __future__ import annotations

from dataclasses import dataclass

from novaberg.errors import InvalidPairError

MAX_ID_LENGTH = 50
"""Characters; the width of the id columns (spec 01 §4.4)."""

DEFAULT_CHARACTER = "nova"
"""The figure of an installation; seed name ``ASSISTANT_USER_ID``."""


def _check_id(name: str, value: str) -> None:
    if not value or len(value) > MAX_ID_LENGTH:
        raise InvalidPairError(
            f"{name} must have 1 to {MAX_ID_LENGTH} characters, this one has {len(value)}."
        )
    if ":" in value or value != value.strip() or not value.isprintable():
        raise InvalidPairError(
            f"{name} {value!r} must not contain colons, control characters or outer blanks."
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """A human and a figure, always in this order.

    Raises:
        InvalidPairError: an id is empty, longer than 50 characters, or contains a colon or control character
            (a colon would let one person's key name another person's data).
    """

    user_id: str
    character_id: str = DEFAULT_CHARACTER

    def __post_init__(self) -> None:
        _check_id("user_id", self.user_id)
        _check_id("character_id", self.character_id)

    def key(self, prefix: str, suffix: str = "") -> str:
        """A Redis key of this pair: ``prefix:user:character`` or ``prefix:user:character:suffix``."""
        key = f"{prefix}:{self.user_id}:{self.character_id}"
        return f"{key}:{suffix}" if suffix else key

    def __str__(self) -> str:
        return f"{self.user_id}:{self.character_id}"


def pair_or_none(user_id: str, character_id: str) -> Pair | None:
    """The pair, or ``None`` if one of the ids is empty (the nodes' "pair incomplete" case, spec 01 §3.6.1)."""
    if not user_id or not character_id:
        return None
    return Pair(user_id, character_id)
