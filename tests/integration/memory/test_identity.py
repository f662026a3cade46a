"""Characters, identities and directives (seed: node-db-zugriff §3 steps 3 and 4, §6, §9)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import LiteralString, Protocol

import pytest

from novaberg.errors import DatabaseUnavailableError, StoreError
from novaberg.memory.characters import HASH_COLUMNS, CharacterStore
from novaberg.memory.database import Database
from novaberg.memory.identity import IdentityStore
from novaberg.memory.instructions import InstructionStore
from novaberg.personality import Character, Directive
from tests.integration.memory.outage import IMPATIENT, database_away, kill_backends, name_of
from tests.support.stores import admin


class Reads(Protocol):
    """What the two stores and the reader of one turn have in common."""

    async def load(self, user_id: str, character_id: str) -> Character | None: ...
    async def load_nova(self, user_id: str) -> Character | None: ...
    async def identities(self, user_id: str) -> tuple[str, ...]: ...
    async def directives(self, user_id: str) -> tuple[Directive, ...]: ...


class Separately(CharacterStore, InstructionStore):
    """Each read with a connection of its own."""


@asynccontextmanager
async def separately(database: Database) -> AsyncIterator[Reads]:
    yield Separately(database)


@asynccontextmanager
async def together(database: Database) -> AsyncIterator[Reads]:
    async with IdentityStore(database, CharacterStore(database)).open() as reader:
        yield reader


WAYS = {"separately": separately, "together": together}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def execute(database: Database, statement: LiteralString, *values: object) -> None:
    async with database.connection() as connection:
        await connection.execute(statement, values)


async def test_no_row_is_told_from_an_empty_row(database: Database, way: str) -> None:
    """``hat_treffer`` of the log row: missing → None; there, but nothing distilled yet → empty layers."""
    await execute(database, "INSERT INTO charakter_hash (user_id, character_id) VALUES ('meister', 'nova')")
    async with WAYS[way](database) as reads:
        assert await reads.load("meister", "nova") == Character()
        assert await reads.load("gast", "nova") is None
        assert await reads.load("", "") is None


async def test_each_layer_comes_from_its_own_column(database: Database, way: str) -> None:
    """Seed: the map field → column stands once; a slip would feed relationship text to the emotions."""
    await execute(
        database,
        "INSERT INTO charakter_hash (user_id, character_id, kern_hash, adaptive_hash, beziehungsprofil, "
        "intentions_profil, emotions_profil) VALUES ('meister', 'nova', 'k', 'a', 'b', 'i', 'e')",
    )
    async with WAYS[way](database) as reads:
        assert await reads.load("meister", "nova") == Character("k", "a", "b", "i", "e")
    assert list(HASH_COLUMNS) == list(Character.__slots__)


async def test_a_null_column_is_an_empty_layer(database: Database, way: str) -> None:
    """Spec 01 §3.6.5: a database of one's own may allow NULL."""
    await execute(database, "ALTER TABLE charakter_hash ALTER COLUMN kern_hash DROP NOT NULL")
    try:
        await execute(
            database,
            "INSERT INTO charakter_hash (user_id, character_id, kern_hash) VALUES ('meister', 'nova', NULL)",
        )
        async with WAYS[way](database) as reads:
            assert await reads.load("meister", "nova") == Character()
    finally:
        await execute(database, "DELETE FROM charakter_hash")
        await execute(database, "ALTER TABLE charakter_hash ALTER COLUMN kern_hash SET NOT NULL")


async def test_novas_own_row_stands_under_her_name_first(database: Database, way: str) -> None:
    """Seed node-db-zugriff §6: the swap of arguments was a source of errors; only the store knows it."""
    insert: LiteralString = (
        "INSERT INTO charakter_hash (user_id, character_id, kern_hash) VALUES (%s, %s, %s)"
    )
    await execute(database, insert, "nova", "meister", "Nova zu meister")
    await execute(database, insert, "nova", "gast", "Nova zu gast")
    await execute(database, insert, "meister", "nova", "der Mensch")
    async with WAYS[way](database) as reads:
        assert await reads.load_nova("meister") == Character(core="Nova zu meister")
        assert await reads.load("meister", "nova") == Character(core="der Mensch")
        assert await reads.load_nova("niemand") is None
    assert CharacterStore(database).nova_row("meister") == ("nova", "meister")


async def test_instructions_are_the_active_ones_of_the_person_oldest_first(
    database: Database, way: str
) -> None:
    """Seed step 4: user scope, ``aktiv = TRUE ORDER BY erstellt_am``; a NULL context is empty text."""
    identity: LiteralString = (
        "INSERT INTO charakter_anweisungen (user_id, anweisung, erstellt_am, aktiv) VALUES (%s, %s, %s, %s)"
    )
    directive: LiteralString = (
        "INSERT INTO direktiven (user_id, anweisung, kontext, erstellt_am) VALUES (%s, %s, %s, %s)"
    )
    await execute(database, identity, "meister", "zweite", "2026-02-01", True)
    await execute(database, identity, "meister", "erste", "2026-01-01", True)
    await execute(database, identity, "meister", "abgelegt", "2026-01-15", False)
    await execute(database, identity, "gast", "fremd", "2026-01-01", True)
    await execute(database, directive, "meister", "Sprich leise", None, "2026-02-01")
    await execute(database, directive, "meister", "Frag nach", "abends", "2026-01-01")
    await execute(database, directive, "gast", "fremd", None, "2026-01-01")
    async with WAYS[way](database) as reads:
        assert await reads.identities("meister") == ("erste", "zweite")
        assert await reads.directives("meister") == (
            Directive("Frag nach", "abends"),
            Directive("Sprich leise"),
        )
        assert await reads.identities("niemand") == ()
        assert await reads.directives("niemand") == ()


async def test_instructions_are_read_afresh_each_time(database: Database, way: str) -> None:
    """Seed §10: no caching; agents may change them at any moment."""
    async with WAYS[way](database) as reads:
        assert await reads.identities("meister") == ()
        await execute(
            database, "INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES ('meister', 'neu')"
        )
        assert await reads.identities("meister") == ("neu",)


async def test_a_refused_read_costs_only_itself(database: Database, way: str) -> None:
    """Seed §9: schema drift at one table must not poison the read of the other."""
    await execute(database, "ALTER TABLE charakter_anweisungen RENAME TO verlegt")
    try:
        async with WAYS[way](database) as reads:
            assert await reads.load("meister", "nova") is None
            with pytest.raises(StoreError, match="identities cannot be read"):
                await reads.identities("meister")
            assert await reads.directives("meister") == ()
            assert await reads.load("meister", "nova") is None
    finally:
        await execute(database, "ALTER TABLE verlegt RENAME TO charakter_anweisungen")


async def test_an_absent_database_is_an_error_of_each_read(
    database: Database, database_url: str, way: str
) -> None:
    """Seed §9: connection errors propagate; the node decides which of them end the run."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        with database_away(database_url):
            async with WAYS[way](impatient) as reads:
                for call in (
                    reads.load("meister", "nova"),
                    reads.load_nova("meister"),
                    reads.identities("meister"),
                    reads.directives("meister"),
                ):
                    with pytest.raises(DatabaseUnavailableError):
                        await call


async def test_a_killed_connection_costs_one_read_not_the_rest_of_the_turn(
    database: Database, database_url: str
) -> None:
    """The reader of a turn replaces a connection that broke between two reads."""
    async with together(database) as reads:
        assert await reads.load("meister", "nova") is None
        with admin(database_url) as executioner:
            assert kill_backends(executioner, name_of(database_url)) > 0
        with pytest.raises(DatabaseUnavailableError):
            await reads.identities("meister")
        assert await reads.directives("meister") == ()


async def test_a_reader_that_reads_nothing_needs_no_database(database: Database, database_url: str) -> None:
    """An incomplete pair reads nothing; the turn goes on with defaults also while the database is away."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        with database_away(database_url):
            async with together(impatient):
                pass
