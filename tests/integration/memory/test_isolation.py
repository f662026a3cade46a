"""Promise P16 as a property: no method of a store shows one pair another pair's data."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.memory.bulletin import Bulletin
from novaberg.memory.characters import CharacterStore
from novaberg.memory.database import Database
from novaberg.memory.identity import IdentityStore
from novaberg.memory.instructions import InstructionStore
from novaberg.memory.nova_state import NovaStateStore
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.memory.session import SessionStore, SessionTurn
from novaberg.pair import MAX_ID_LENGTH, Pair
from tests.support.stores import empty_tables

# Few letters, so that ids are often prefixes of each other, swapped, or look like patterns and wildcards.
IDS = st.one_of(
    st.sampled_from(["nova", "meister", "*", "%", "_", "a*", "?", "[a]", "a b", "ä", "Meister", "turns"]),
    st.text("ab*%_", min_size=1, max_size=MAX_ID_LENGTH),
)
PAIRS = st.lists(st.builds(Pair, IDS, IDS), min_size=2, max_size=4, unique=True)


class House:
    """All stores on the servers of the test."""

    def __init__(self, database: Database, redis: Redis, clock: MovableClock) -> None:
        self.database = database
        self.redis = redis
        self.sessions = SessionStore(redis, clock)
        self.states = NovaStateStore(redis, database, clock)
        self.characters = CharacterStore(database)
        self.instructions = InstructionStore(database)
        self.identity = IdentityStore(database, self.characters)
        self.log = PipelineLog(database, clock)
        self.bulletin = Bulletin(redis)

    async def write(self, pair: Pair, secret: str, turn_id: str) -> None:
        """Leave a pair's secret in every store."""
        for number in range(26):
            turn: SessionTurn = {
                "rolle": "user",
                "inhalt": f"{secret} {number}",
                "turn_id": f"{turn_id}{number}",
            }
            assert await self.sessions.store_turn(pair, turn)
        await self.sessions.summarise_if_needed(pair, _first_text)
        await self.states.save(pair, {"prompt_topic": secret})
        head = LogHeader(turn_id, "character", None, pair.user_id, pair.character_id)
        self.log.berechnung(head, "ei_calc", {"geheim": secret})
        assert await self.log.turn_roh(head, "dispatcher", {"response": secret})
        async with self.database.connection() as connection:
            await connection.execute(
                "INSERT INTO charakter_hash (user_id, character_id, kern_hash) VALUES (%s, %s, %s)",
                [pair.user_id, pair.character_id, secret],
            )
            await connection.execute(
                "INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES (%s, %s)",
                [pair.user_id, secret],
            )
            await connection.execute(
                "INSERT INTO direktiven (user_id, anweisung) VALUES (%s, %s)", [pair.user_id, secret]
            )

    async def read(self, pair: Pair) -> str:
        """Everything that any method shows to this pair, as one text."""
        turn_id = await self.log.last_turn_id(pair)
        shown: list[object] = [
            await self.sessions.retrieve(pair),
            await self.sessions.summary(pair),
            await self.states.load(pair),
            [row.as_json() for row in await self.log.rows(turn_id or "")],
            await self.characters.load(pair.user_id, pair.character_id),
        ]
        async with self.identity.open() as reader:
            shown.append(await reader.load(pair.user_id, pair.character_id))
        return "\n".join(map(str, shown))

    async def read_of_the_person(self, user_id: str) -> str:
        """What belongs to the person, whoever she speaks with."""
        shown: list[object] = [
            await self.instructions.identities(user_id),
            await self.instructions.directives(user_id),
        ]
        async with self.identity.open() as reader:
            shown += [await reader.identities(user_id), await reader.directives(user_id)]
        return "\n".join(map(str, shown))


async def _first_text(previous: str, turns: Sequence[SessionTurn]) -> str:
    return turns[0]["inhalt"]


def seen(text: str, secrets: dict[Pair, str]) -> set[Pair]:
    return {pair for pair, secret in secrets.items() if secret in text}


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pairs=PAIRS)
async def test_no_method_shows_one_pair_what_another_pair_said(
    database: Database, database_url: str, redis: Redis, clock: MovableClock, pairs: list[Pair]
) -> None:
    """Every pair sees its own secrets in every store and nobody else's."""
    empty_tables(database_url)
    await redis.flushdb()
    house = House(database, redis, clock)
    secrets = {pair: uuid.uuid4().hex for pair in pairs}
    try:
        for pair, secret in secrets.items():
            await house.write(pair, secret, uuid.uuid4().hex)
        for pair in pairs:
            assert seen(await house.read(pair), secrets) == {pair}
            assert seen(await house.read_of_the_person(pair.user_id), secrets) == {
                other for other in pairs if other.user_id == pair.user_id
            }
        stranger = Pair("niemand", "nova")
        assert seen(await house.read(stranger), secrets) == set()
        assert seen(await house.read_of_the_person("niemand"), secrets) == set()
    finally:
        await house.bulletin.close()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pairs=PAIRS)
async def test_what_one_pair_changes_leaves_the_others_as_they_were(
    database: Database, database_url: str, redis: Redis, clock: MovableClock, pairs: list[Pair]
) -> None:
    """Reset, mark, new state and refill of the first pair touch no byte of another one."""
    empty_tables(database_url)
    await redis.flushdb()
    house = House(database, redis, clock)
    try:
        for pair in pairs:
            await house.write(pair, uuid.uuid4().hex, uuid.uuid4().hex)
        first, *others = pairs
        before = {pair: await house.read(pair) for pair in others}
        await house.sessions.mark_last_user_turn(first, done=True, success=True)
        await house.states.save(first, {"emotion": "freude"})
        await redis.delete(first.key("nova_state"))
        assert await house.states.restore_lost() == [first]
        await house.sessions.reset(first)
        assert {pair: await house.read(pair) for pair in others} == before
    finally:
        await house.bulletin.close()


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pairs=PAIRS)
async def test_live_messages_reach_their_person_only(
    database: Database, redis: Redis, clock: MovableClock, pairs: list[Pair]
) -> None:
    """Wildcards in an id subscribe to nothing else."""
    house = House(database, redis, clock)
    try:
        for watcher in pairs:
            async with house.bulletin.subscribe(watcher.user_id) as subscription:
                for pair in pairs:
                    await house.bulletin.publish(pair, {"an": str(pair)})
                expected = [pair for pair in pairs if pair.user_id == watcher.user_id]
                received = [await anext(subscription) for _ in expected]
                assert [json.dumps(message.message) for message in received] == [
                    json.dumps({"an": str(pair)}) for pair in expected
                ]
                assert [message.character_id for message in received] == [
                    pair.character_id for pair in expected
                ]
    finally:
        await house.bulletin.close()
