"""Session memory: the verbatim turns of the running conversation and a rolling summary (spec 03 §3.1).

Whether a session is over is decided by stored moments and the clock; the EXPIRE of Redis only cleans up later. The
moments stand in ``session:{u}:{c}:zeiten`` beside the two keys that they date.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from redis.asyncio import Redis
from redis.client import NEVER_DECODE

from novaberg.clock import Clock, unix_time
from novaberg.memory.json_text import clean_text, dump_json
from novaberg.memory.redis import translate_redis_errors
from novaberg.memory.session_scripts import READ_TURNS, REPLACE_ELEMENT, STORE_SUMMARY, STORE_TURN
from novaberg.memory.session_window import (
    DEFAULT_SESSION,
    SessionCalibration,
    SessionTurn,
    last_user_index,
    summary_due,
)
from novaberg.pair import Pair

__all__ = ["DEFAULT_SESSION", "SessionCalibration", "SessionStore", "SessionTurn", "SummaryOutcome"]

log = logging.getLogger(__name__)

Summarise = Callable[[str, Sequence[SessionTurn]], Awaitable[str]]
"""Previous summary (``""`` = none) and the turns to condense → the new summary."""

_SUFFIXES = ("turns", "summary", "zeiten", "stack", "pending")
_MARK_TRIES = 5
"""Another writer may move the list while a turn is marked; more than a few times in a row is a defect."""


@dataclass(frozen=True, slots=True)
class SummaryOutcome:
    """What became of a due summary."""

    result: Literal["nicht_faellig", "zusammengefasst", "gekuerzt", "unlesbar", "ueberholt"]
    """``gekuerzt``: no summary came, the window was cut; ``unlesbar``: none of the oldest turns can be read, nothing
    was changed; ``ueberholt``: the session was changed meanwhile, nothing was written."""
    left: int
    """Turns that remain."""

    @property
    def due(self) -> bool:
        """Whether the session had outgrown its window."""
        return self.result != "nicht_faellig"


class SessionStore:
    """The sessions of all pairs. Every method raises `RedisUnavailableError` when Redis does not answer.

    Args:
        redis: decoding client.
        clock: decides what is over.
    """

    def __init__(self, redis: Redis, clock: Clock, calibration: SessionCalibration = DEFAULT_SESSION) -> None:
        self._redis = redis
        self._clock = clock
        self._calibration = calibration
        self._store_turn = redis.register_script(STORE_TURN)
        self._store_summary = redis.register_script(STORE_SUMMARY)
        self._replace_element = redis.register_script(REPLACE_ELEMENT)

    async def store_turn(self, pair: Pair, turn: SessionTurn) -> bool:
        """Append a complete turn and renew the session's life.

        Returns:
            ``False`` if nothing was written: a turn with this ``turn_id`` and ``rolle`` is there already, or the turn
            has no text (warning). A turn without ``turn_id`` cannot be recognised again and is always written.
        """
        if not str(turn.get("inhalt") or "").strip():
            log.warning("session %s: a turn of %r without text is not stored", pair, turn.get("rolle"))
            return False
        turn_id = turn.get("turn_id", "")
        if not turn_id:
            log.warning("session %s: a turn without turn_id could be stored twice", pair)
        with translate_redis_errors():
            stored, length = await self._store_turn(
                keys=[pair.key("session", "turns"), pair.key("session", "zeiten")],
                args=[
                    dump_json(turn),
                    dump_json(turn_id) if turn_id else "",
                    clean_text(turn_id),
                    turn.get("rolle", ""),
                    *self._life(),
                ],
            )
        log.info("session %s: turn %s, %d turns", pair, "stored" if stored else "was there already", length)
        return bool(stored)

    async def retrieve(self, pair: Pair) -> tuple[SessionTurn, ...]:
        """All turns, oldest first; unreadable ones are skipped with a warning. Empty if the session is over."""
        _, elements = await self._read(pair)
        return tuple(turn for turn in _read_all(elements, pair) if turn is not None)

    async def summary(self, pair: Pair) -> str | None:
        """The rolling summary, ``None`` if there is none (any more)."""
        with translate_redis_errors():
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.get(pair.key("session", "summary"))
                pipe.hget(pair.key("session", "zeiten"), "summary")
                text, written = await pipe.execute()
        return None if text is None or self._is_over(written) else str(text)

    async def summarise_if_needed(self, pair: Pair, summarise: Summarise) -> SummaryOutcome:
        """Replace the oldest turns by a summary when the session has outgrown its window (spec 03 §3.1.2).

        If ``summarise`` fails in any way, or gives no text, the window is cut and the old summary stays. What happened
        to the session during the call wins: then nothing is written.
        """
        length, oldest = await self._read(pair, self._calibration.summary_batch - 1)
        if not summary_due(length, self._calibration):
            return SummaryOutcome("nicht_faellig", length)
        turns = [turn for turn in _read_all(oldest, pair) if turn is not None]
        if not turns:
            log.warning("session %s: none of the oldest %d turns can be read; no summary", pair, len(oldest))
            return SummaryOutcome("unlesbar", length)
        previous = await self.summary(pair) or ""
        summary = await _condensed(pair, summarise, previous, turns)
        if not summary:
            return SummaryOutcome("gekuerzt", await self._cut(pair))
        return await self._replace_by_summary(pair, oldest[0], summary)

    async def mark_last_user_turn(self, pair: Pair, *, done: bool = True, success: bool = False) -> bool:
        """Note at the person's latest turn how the service that it asked for ended (spec 03 §3.1.4).

        Returns:
            ``False`` if the session holds no turn of the person.
        """
        for _ in range(_MARK_TRIES):
            _, elements = await self._read(pair)
            turns = _read_all(elements, pair)
            index = last_user_index(turns)
            if index is None:
                return False
            marked = {**(turns[index] or {}), "aktion_erledigt": done, "aktion_erfolgreich": success}
            with translate_redis_errors():
                replaced = await self._replace_element(
                    keys=[pair.key("session", "turns")], args=[index, elements[index], dump_json(marked)]
                )
            if replaced:
                return True
        log.error("session %s: the turn could not be marked, the list kept moving", pair)
        return False

    async def reset(self, pair: Pair) -> None:
        """Forget the session of the pair."""
        with translate_redis_errors():
            await self._redis.delete(*(pair.key("session", suffix) for suffix in _SUFFIXES))

    def _life(self) -> list[str]:
        return [repr(unix_time(self._clock.now())), str(self._calibration.ttl_s)]

    def _is_over(self, written: str | bytes | None) -> bool:
        if written is None:
            return False
        return unix_time(self._clock.now()) - float(written) >= self._calibration.ttl_s

    async def _read(self, pair: Pair, last: int = -1) -> tuple[int, list[bytes]]:
        """Number of turns and the elements up to ``last``; undecoded, so that one broken element costs only itself."""
        keys = (pair.key("session", "turns"), pair.key("session", "zeiten"))
        with translate_redis_errors():
            length, written, elements = await self._redis.execute_command(  # type: ignore[no-untyped-call]
                "EVAL", READ_TURNS, len(keys), *keys, last, **{NEVER_DECODE: True}
            )
        return (0, []) if self._is_over(written) else (length, elements)

    async def _cut(self, pair: Pair) -> int:
        key = pair.key("session", "turns")
        with translate_redis_errors():
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.ltrim(key, -self._calibration.max_turns, -1)
                pipe.llen(key)
                _, length = await pipe.execute()
        return int(length)

    async def _replace_by_summary(self, pair: Pair, first: bytes, summary: str) -> SummaryOutcome:
        with translate_redis_errors():
            replaced, left = await self._store_summary(
                keys=[pair.key("session", suffix) for suffix in ("turns", "summary", "zeiten")],
                args=[first, summary, self._calibration.summary_batch, *self._life()],
            )
        if not replaced:
            log.warning("session %s: changed while it was summarised; the summary is dropped", pair)
            return SummaryOutcome("ueberholt", left)
        log.info("session %s: oldest %d turns summarised", pair, self._calibration.summary_batch)
        return SummaryOutcome("zusammengefasst", left)


async def _condensed(pair: Pair, summarise: Summarise, previous: str, turns: Sequence[SessionTurn]) -> str:
    """The new summary, ``""`` if there is none for whatever reason: a session must not stop for a model."""
    try:
        summary = clean_text(await summarise(previous, turns)).strip()
    except Exception:
        log.exception("session %s: the oldest turns could not be summarised and are cut", pair)
        return ""
    if not summary:
        log.error("session %s: the summary of the oldest turns is empty; they are cut", pair)
    return summary


def _read_all(elements: Sequence[bytes], pair: Pair) -> list[SessionTurn | None]:
    return [_turn(element, pair) for element in elements]


def _turn(element: bytes, pair: Pair) -> SessionTurn | None:
    try:
        turn = json.loads(element)
    except (ValueError, RecursionError):
        log.warning("session %s: a turn is no JSON and is skipped", pair, exc_info=True)
        return None
    if not isinstance(turn, dict):
        log.warning("session %s: a turn is no JSON object and is skipped", pair)
        return None
    return cast(SessionTurn, turn)
