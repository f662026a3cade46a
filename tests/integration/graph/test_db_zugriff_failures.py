"""What a failing store costs ``db_zugriff`` (seed: node-db-zugriff §7, §9, §10)."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError, StoreError
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.personality import Directive
from tests.support.house import House, spoken_to


@asynccontextmanager
async def table_away(house: House, table: str) -> AsyncIterator[None]:
    """A schema that drifted: the table has another name."""
    await house.execute(f"ALTER TABLE {table} RENAME TO {table}_weg")
    try:
        yield
    finally:
        await house.execute(f"ALTER TABLE {table}_weg RENAME TO {table}")


async def test_a_lost_working_memory_is_no_cold_start(without_redis: House) -> None:
    """A-051: the exception propagates."""
    with pytest.raises(RedisUnavailableError):
        await without_redis.node(db_zugriff, spoken_to())


async def test_a_lost_database_ends_the_run_at_the_characters(without_database: House) -> None:
    """A-052: without them the run makes no sense."""
    with pytest.raises(DatabaseUnavailableError):
        await without_database.node(db_zugriff, spoken_to())


async def test_a_character_table_that_drifted_ends_the_run_too(mute_house: House) -> None:
    """A-052."""
    async with table_away(mute_house, "charakter_hash"):
        with pytest.raises(StoreError):
            await mute_house.node(db_zugriff, spoken_to())


@pytest.mark.parametrize("broken", ["charakter_anweisungen", "direktiven"])
async def test_a_list_that_cannot_be_read_costs_itself_and_nothing_else(
    mute_house: House, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    """A-053: WARNING, empty list, all rows, and the other list as it stands."""
    await mute_house.execute(
        "INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES ('meister', 'sei')"
    )
    await mute_house.execute("INSERT INTO direktiven (user_id, anweisung) VALUES ('meister', 'tu')")
    async with table_away(mute_house, broken):
        internal = (await mute_house.node(db_zugriff, spoken_to()))["internal"]
    whole = {"charakter_anweisungen": ("sei",), "direktiven": (Directive("tu"),)}
    assert {"charakter_anweisungen": internal.identities, "direktiven": internal.directives} == {
        **whole,
        broken: (),
    }
    (warning,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert warning.levelno == logging.WARNING
    assert broken in warning.getMessage()
    assert warning.exc_info
    counts = {
        content["tabelle"]: content["count"] for _, content in await mute_house.rows() if "count" in content
    }
    assert counts == {"charakter_anweisungen": 1, "direktiven": 1, broken: 0}


async def test_both_lists_may_fail(mute_house: House) -> None:
    """A-053: a conversation is possible without."""
    async with table_away(mute_house, "charakter_anweisungen"), table_away(mute_house, "direktiven"):
        internal = (await mute_house.node(db_zugriff, spoken_to()))["internal"]
    assert (internal.identities, internal.directives) == ((), ())
    assert len(await mute_house.rows()) == 8
