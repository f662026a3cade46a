"""Nova's state between turns: a Redis hash per pair, mirrored in PostgreSQL (seed: node-ei-calc-persist §2, design §4).

The hash is the truth while Redis has it. The mirror is a copy of the whole hash, from which start-up refills what
Redis lost.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime

import psycopg
from redis.asyncio import Redis
from redis.typing import EncodableT

from novaberg.clock import Clock
from novaberg.errors import InvalidPairError, StoreError
from novaberg.memory.database import Database
from novaberg.memory.failures import statement_errors
from novaberg.memory.json_text import clean_text, dump_json
from novaberg.memory.redis import translate_redis_errors
from novaberg.pair import Pair

log = logging.getLogger(__name__)

# Without waiting for the disk: a mirror that is younger than its last half second of writes is still the state of the
# last turn or the one before, and the hash itself has its own append-only file. Saves a third of the node's time.
_MIRROR = """
    INSERT INTO nova_state_spiegel (user_id, character_id, felder, geschrieben_am)
    SELECT %s, %s, %s::jsonb, %s FROM (SELECT set_config('synchronous_commit', 'off', TRUE)) AS setting
    ON CONFLICT (user_id, character_id)
    DO UPDATE SET felder = EXCLUDED.felder, geschrieben_am = EXCLUDED.geschrieben_am
"""
_MIRRORED = "SELECT user_id, character_id, felder, geschrieben_am FROM nova_state_spiegel ORDER BY user_id, character_id"

_REFILL = """
-- KEYS: the hash. ARGV: field, value, … Only a hash that is gone is filled; a living one is newer than any mirror.
if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""


class NovaStateStore:
    """The states of all pairs.

    Args:
        redis: decoding client.
        database: holds the mirror.
        clock: dates the mirror rows.
    """

    def __init__(self, redis: Redis, database: Database, clock: Clock) -> None:
        self._redis = redis
        self._database = database
        self._clock = clock
        self._refill = redis.register_script(_REFILL)

    async def load(self, pair: Pair) -> dict[str, str]:
        """All fields as they stand; empty = Nova never spoke to this person (cold start).

        Raises:
            RedisUnavailableError: Redis does not answer; that is no cold start.
        """
        with translate_redis_errors():
            fields = await self._redis.hgetall(pair.key("nova_state"))
        return {str(field): str(value) for field, value in fields.items()}

    async def save(self, pair: Pair, mapping: Mapping[str, str]) -> None:
        """Write the fields at once; a field that is not given keeps its value. The whole hash goes to the mirror.

        A failing mirror is logged as an ERROR and costs the mirror only.

        Raises:
            RedisUnavailableError: Redis does not answer; nothing was written.
        """
        key = pair.key("nova_state")
        cleaned: dict[EncodableT, EncodableT] = {field: clean_text(value) for field, value in mapping.items()}
        with translate_redis_errors():
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.hset(key, mapping=cleaned)
                pipe.hgetall(key)
                _, whole = await pipe.execute()
        try:
            await self._mirror(pair, whole)
        except (StoreError, psycopg.Error):
            log.exception("nova_state of %s is stored, but its mirror could not be written", pair)

    async def restore_lost(self) -> list[Pair]:
        """Refill every hash that Redis has lost from its mirror, with a WARNING each; for the start of a process.

        Returns:
            The pairs whose state was refilled.

        Raises:
            RedisUnavailableError, DatabaseUnavailableError: a store does not answer.
        """
        with statement_errors("The mirror of nova_state"):
            async with self._database.connection() as connection:
                rows = await (await connection.execute(_MIRRORED)).fetchall()
        restored = []
        for user_id, character_id, fields, written in rows:
            pair = _pair_of(user_id, character_id)
            if pair is not None and await self._restored(pair, fields, written):
                restored.append(pair)
        return restored

    async def _mirror(self, pair: Pair, fields: Mapping[str, str]) -> None:
        async with self._database.connection() as connection:
            await connection.execute(
                _MIRROR, [pair.user_id, pair.character_id, dump_json(fields), self._clock.now()]
            )

    async def _restored(self, pair: Pair, fields: object, written: datetime) -> bool:
        if not isinstance(fields, dict) or not fields:
            log.error("the mirror of nova_state for %s is unreadable and cannot refill anything", pair)
            return False
        flat = [str(part) for item in fields.items() for part in item]
        with translate_redis_errors():
            refilled = await self._refill(keys=[pair.key("nova_state")], args=flat)
        if refilled:
            log.warning(
                "Redis had lost nova_state of %s; refilled with the state of %s", pair, written.isoformat()
            )
        return bool(refilled)


def _pair_of(user_id: str, character_id: str) -> Pair | None:
    try:
        return Pair(user_id, character_id)
    except InvalidPairError:
        log.exception("a mirror row of nova_state names no usable pair and is skipped")
        return None
