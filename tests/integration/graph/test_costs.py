"""What a run asks of the stores, and who may ask (seed: node-db-zugriff §1, §7, §10; node-ei-calc-persist §6, §9)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

import novaberg
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.memory.database import Database
from tests.support.exchange import exchange
from tests.support.house import PAIR, House, spoken_to, stores_on

SOURCES = Path(novaberg.__file__).parent
TABLES = ("charakter_hash", "charakter_anweisungen", "direktiven")


class ListeningConnection:
    """A real connection whose statements are written down."""

    def __init__(self, connection: AsyncConnection[TupleRow], heard: list[str]) -> None:
        self._connection = connection
        self._heard = heard

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    async def execute(self, statement: object, *values: object) -> object:
        self._heard.append(str(statement))
        return await self._connection.execute(statement, *values)  # type: ignore[call-overload]


class ListeningDatabase:
    """A real database that tells how often it was visited and what was asked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.statements: list[str] = []
        self.visits = 0

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[ListeningConnection]:
        self.visits += 1
        async with self._database.connection() as connection:
            yield ListeningConnection(connection, self.statements)

    def reads(self) -> Counter[str]:
        """How often each of the identity tables was read."""
        return Counter(
            table
            for statement in self.statements
            for table in TABLES
            if re.search(rf"FROM {table}\b", statement)
        )


def listening(house: House) -> tuple[House, ListeningDatabase]:
    database = ListeningDatabase(house.stores.database)
    stores = stores_on(database, house.stores.redis, house.clock)  # type: ignore[arg-type]
    return House(stores, house.model, house.clock), database


async def test_four_selects_on_one_connection_and_one_read_of_the_hash(house: House) -> None:
    """A-005, A-055: 1 HGETALL, two selects on charakter_hash, one on each list."""
    house, database = listening(house)
    await house.stores.redis.config_resetstat()
    await house.node(db_zugriff, spoken_to())
    assert database.visits == 1
    assert database.reads() == {"charakter_hash": 2, "charakter_anweisungen": 1, "direktiven": 1}
    assert len(database.statements) == 4
    statistics = await house.stores.redis.info("commandstats")
    assert statistics["cmdstat_hgetall"]["calls"] == 1
    assert "cmdstat_lrange" not in statistics


async def test_no_later_node_reads_an_identity_again(house: House) -> None:
    """A-004: identity is loaded in exactly one place."""
    house, database = listening(house)
    await exchange(house, "Hallo", turn_id="t1")
    assert database.reads() == {"charakter_hash": 2, "charakter_anweisungen": 1, "direktiven": 1}


async def test_db_zugriff_loads_nothing_but_identity_and_state(mute_house: House) -> None:
    """A-046: no model, no session, no goals; only the two slots and the origin come of it."""
    await mute_house.stores.redis.set(PAIR.key("session", "turns"), "kein Verlauf")
    before = spoken_to()
    after = await mute_house.node(db_zugriff, before)
    assert set(after) - set(before) == {"external", "internal", "external_herkunft"}
    assert mute_house.model.requests == []


async def test_another_person_s_rows_never_arrive(house: House) -> None:
    """Promise P16: structural, through the pair in every read."""
    for table in ("charakter_anweisungen", "direktiven"):
        await house.execute(f"INSERT INTO {table} (user_id, anweisung) VALUES ('ida', 'GEHEIM')")
    await house.execute(
        "INSERT INTO charakter_hash (user_id, character_id, kern_hash) "
        "VALUES ('ida', 'nova', 'GEHEIM'), ('nova', 'ida', 'GEHEIM')"
    )
    ida = replace(PAIR, user_id="ida")
    await house.stores.sessions.store_turn(ida, {"rolle": "user", "inhalt": "GEHEIM", "turn_id": "x"})
    await house.stores.nova_states.save(ida, {"emotion": "GEHEIM"})
    await exchange(house, "Hallo", turn_id="t1")
    for request in house.model.requests:
        assert "GEHEIM" not in request.system + "".join(message.content for message in request.messages)
    assert "GEHEIM" not in (await house.hash()).values()


def test_nobody_else_writes_novas_state() -> None:
    """A-020, A-084: one caller of the one writing method; no schedule, no second path."""
    callers = [
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if "nova_states.save(" in path.read_text("utf-8")
    ]
    assert callers == ["graph/nodes/ei_calc_persist.py"]
    keepers = [
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if re.search(r"""key\(\s*["']nova_state["']""", path.read_text("utf-8"))
    ]
    assert sorted(keepers) == [
        "graph/nodes/db_zugriff.py",
        "graph/nodes/ei_calc_persist.py",
        "memory/nova_state.py",
    ]
