"""Nova's state in Redis and its mirror in PostgreSQL (seed: node-ei-calc-persist §2, §6; design §4)."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError
from novaberg.memory.database import Database
from novaberg.memory.nova_state import NovaStateStore
from novaberg.memory.redis import connect_redis
from novaberg.pair import Pair
from tests.integration.memory.outage import IMPATIENT, database_away

PAIR = Pair("meister")
KEY = "nova_state:meister:nova"
IMPULSE = {
    "raum_tiefe": "0.51",
    "raum_naehe": "0.64",
    "emotion": "begeisterung",
    "arousal": "0.9",
    "emotions_vector": "plateau",
    "mode": "emotional",
    "language_style": "emotional",
    "relationship_dynamic": "vertrauen",
    "tone": "empathisch",
    "intent": "personal",
    "prompt_topic": "Gefühl des Einklangs",
    "turn_zeit": "1786792663.6",
}
HUMAN_TURN = {**IMPULSE, "nutzer_zeit": "1786792535.8"}


@pytest.fixture
def states(redis: Redis, database: Database, clock: MovableClock) -> NovaStateStore:
    return NovaStateStore(redis, database, clock)


@pytest_asyncio.fixture
async def impatient(database: Database, database_url: str) -> AsyncIterator[Database]:
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        yield impatient


async def mirrors(database: Database) -> dict[tuple[str, str], dict[str, Any]]:
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT user_id, character_id, felder FROM nova_state_spiegel")
        return {(user, character): fields for user, character, fields in await cursor.fetchall()}


async def test_a_pair_without_state_is_a_cold_start(states: NovaStateStore) -> None:
    """Seed: missing hash → empty, no error."""
    assert await states.load(PAIR) == {}


async def test_thirteen_fields_come_back_as_the_text_they_are(states: NovaStateStore, redis: Redis) -> None:
    """Seed: thirteen fields, all strings, no TTL."""
    await states.save(PAIR, HUMAN_TURN)
    assert await states.load(PAIR) == HUMAN_TURN
    assert await redis.ttl(KEY) == -1


async def test_an_impulse_keeps_the_persons_clock_in_hash_and_mirror(
    states: NovaStateStore, database: Database
) -> None:
    """Seed: on an impulse nutzer_zeit is not written and keeps its value (case C8)."""
    await states.save(PAIR, HUMAN_TURN)
    await states.save(PAIR, {**IMPULSE, "turn_zeit": "1786799999.0", "emotion": "neugierig"})
    expected = {**HUMAN_TURN, "turn_zeit": "1786799999.0", "emotion": "neugierig"}
    assert await states.load(PAIR) == expected
    assert await mirrors(database) == {("meister", "nova"): expected}


async def test_the_mirror_is_the_whole_present_hash_also_after_it_missed_a_turn(
    redis: Redis,
    impatient: Database,
    database_url: str,
    clock: MovableClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A failing mirror is a visible ERROR, does not undo the HSET, and is complete again after the next turn."""
    states = NovaStateStore(redis, impatient, clock)
    with database_away(database_url), caplog.at_level(logging.ERROR, "novaberg"):
        await states.save(PAIR, HUMAN_TURN)
    assert await states.load(PAIR) == HUMAN_TURN
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.exc_info
    await states.save(PAIR, IMPULSE)
    assert await mirrors(impatient) == {("meister", "nova"): HUMAN_TURN}


async def test_an_absent_redis_is_an_error_and_leaves_the_mirror_alone(
    database: Database, clock: MovableClock
) -> None:
    """Seed: connection errors propagate, no silent skip; a failed read is no cold start."""
    client = connect_redis("unix:///nowhere/valkey.sock")
    states = NovaStateStore(client, database, clock)
    try:
        with pytest.raises(RedisUnavailableError):
            await states.load(PAIR)
        with pytest.raises(RedisUnavailableError):
            await states.save(PAIR, HUMAN_TURN)
    finally:
        await client.aclose()
    assert await mirrors(database) == {}


async def test_a_flushed_redis_is_refilled_at_the_next_start(
    states: NovaStateStore, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Promise P4: losing Redis loses no state older than the last turn; each refill is a WARNING."""
    await states.save(PAIR, HUMAN_TURN)
    await states.save(Pair("gast"), IMPULSE)
    await redis.flushall()
    assert await states.load(PAIR) == {}
    assert await states.restore_lost() == [Pair("gast"), PAIR]
    assert await states.load(PAIR) == HUMAN_TURN
    assert await states.load(Pair("gast")) == IMPULSE
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert await states.restore_lost() == []


async def test_a_living_hash_is_never_overwritten_by_its_mirror(
    states: NovaStateStore, redis: Redis, database: Database
) -> None:
    """The hash is the truth while Redis has it."""
    await states.save(PAIR, HUMAN_TURN)
    await redis.hset(KEY, "emotion", "freude")
    assert await states.restore_lost() == []
    assert (await states.load(PAIR))["emotion"] == "freude"


async def test_a_broken_mirror_row_does_not_stop_the_others(
    states: NovaStateStore, database: Database, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Case H5: the start of the program must not hang on one row."""
    await states.save(Pair("zuletzt"), HUMAN_TURN)
    insert = (
        "INSERT INTO nova_state_spiegel (user_id, character_id, felder, geschrieben_am) "
        "VALUES (%s, 'nova', %s::jsonb, now())"
    )
    async with database.connection() as connection:
        await connection.execute(insert, ["a:b", json.dumps(HUMAN_TURN)])
        await connection.execute(insert, ["leer", "{}"])
        await connection.execute(insert, ["liste", "[1]"])
    await redis.flushdb()
    assert await states.restore_lost() == [Pair("zuletzt")]
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR", "ERROR", "WARNING"]


async def test_a_start_without_database_is_an_error(
    redis: Redis, impatient: Database, database_url: str, clock: MovableClock
) -> None:
    states = NovaStateStore(redis, impatient, clock)
    with database_away(database_url), pytest.raises(DatabaseUnavailableError):
        await states.restore_lost()


@pytest.mark.parametrize("topic", ["a\x00b", "a\ud83db"])
async def test_characters_without_a_stored_form_do_not_lose_the_state(
    states: NovaStateStore, database: Database, topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A model may name a topic in any characters."""
    await states.save(PAIR, {**HUMAN_TURN, "prompt_topic": topic})
    stored = await states.load(PAIR)
    assert stored["prompt_topic"] in ("a␀b", "a\ufffdb")
    assert (await mirrors(database))[("meister", "nova")] == stored
    assert not caplog.records
