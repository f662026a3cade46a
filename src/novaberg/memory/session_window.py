"""What a session turn is, and the numbers and pure rules of the session window (spec 03 §2.2, §3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novaberg.ei.records import TurnRecord


class SessionTurn(TurnRecord, total=False):
    """One turn as its JSON stands in the session (spec 03 §2.2). Any key may be missing in older records."""

    turn_id: str
    zeit: float
    """Unix time, set by the writer."""
    intentionen: list[str]
    modus: str
    emotions_vektor: str
    sprach_stil: str
    beziehungs_dynamik: str
    tone: str
    kern: str
    herkunft: str
    """``nutzer_turn`` or ``eigener_impuls``; empty = unknown, never read as "by the person"."""
    themen: list[str]
    """Only turns of the person."""
    embedding: list[float]
    """Only turns of the person."""
    aktion_erledigt: bool
    aktion_erfolgreich: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCalibration:
    """Tunable numbers of the session (spec 03 §3.1)."""

    ttl_s: int = 14_400
    """Seconds after the last write at which the session is gone (``SESSION_TTL``); at least the zero point of Nova's
    decay (10,800 s), otherwise the history dies before her state has come to rest."""
    summarise_at: int = 25
    """Turns that stay verbatim; one more makes a summary due (``SESSION_SUMMARIZE_AT``)."""
    max_turns: int = 20
    """Turns that are left when a summary failed (``SESSION_MAX_TURNS``)."""
    summary_batch: int = 10
    """Oldest turns that one summary replaces."""
    window_exchanges: int = 5
    """Exchanges that a prompt shows (seed: node-perzeption §4.2)."""
    window_max_chars: int = 12_000
    """Longest rendered window, characters (``SESSION_FENSTER_MAX_ZEICHEN``)."""


DEFAULT_SESSION = SessionCalibration()


def summary_due(length: int, calibration: SessionCalibration = DEFAULT_SESSION) -> bool:
    """Whether a session of ``length`` turns has outgrown its window (spec 03 §3.1.2)."""
    return length > calibration.summarise_at


def turns_left(length: int, *, summarised: bool, calibration: SessionCalibration = DEFAULT_SESSION) -> int:
    """How many turns remain after the check.

    Args:
        length: turns after the store.
        summarised: whether the oldest turns were summarised; if not, the window is only cut.
    """
    if not summary_due(length, calibration):
        return length
    if summarised:
        return length - calibration.summary_batch
    return min(length, calibration.max_turns)


def last_user_index(turns: Sequence[SessionTurn | None]) -> int | None:
    """Position of the person's latest turn, ``None`` if there is none. ``None`` elements stand for unreadable turns."""
    for index in range(len(turns) - 1, -1, -1):
        turn = turns[index]
        if turn is not None and turn.get("rolle") == "user":
            return index
    return None
