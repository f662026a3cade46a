"""Enricher and snapshot: both graphs of a turn see the session as it stood before it (design §3, spec 05 §3.1)."""

from __future__ import annotations

import asyncio

import pytest

from novaberg.conversation.entries import ContextEntry
from novaberg.conversation.snapshot import TurnSession
from novaberg.errors import RedisUnavailableError
from novaberg.graph.nodes.enricher import enricher
from novaberg.graph.nodes.reducer import reducer
from novaberg.memory.session import SessionTurn
from novaberg.personality import Character, Personality
from tests.support.house import PAIR, House, heard, spoken_to

OLD: SessionTurn = {
    "rolle": "user",
    "inhalt": "Na?",
    "turn_id": "t0",
    "modus": "alltag",
    "intentionen": ["humor"],
}
CURRENT: SessionTurn = {"rolle": "user", "inhalt": "Mein Hund Bruno ist krank.", "turn_id": "t1"}


async def test_everybody_in_a_turn_gets_the_same_snapshot_without_the_turn_itself(house: House) -> None:
    """Design §3: so a turn is replayable and its halves may overlap."""
    sessions = house.stores.sessions
    await sessions.store_turn(PAIR, OLD)
    session = TurnSession(sessions, PAIR, "t1")
    first = await session.snapshot()
    await sessions.store_turn(PAIR, CURRENT)
    await sessions.store_turn(PAIR, {"rolle": "assistant", "inhalt": "Spät.", "turn_id": "t9"})
    assert await session.snapshot() is first
    assert first.turns == (OLD,)
    assert first.summary == ""


async def test_a_turn_that_is_taken_up_again_reads_what_it_read_the_first_time(house: House) -> None:
    """Design §3: contributions of the current turn are left out."""
    await house.stores.sessions.store_turn(PAIR, OLD)
    before = await TurnSession(house.stores.sessions, PAIR, "t1").snapshot()
    await house.stores.sessions.store_turn(PAIR, CURRENT)
    await house.stores.sessions.store_turn(PAIR, {**CURRENT, "rolle": "assistant", "inhalt": "Oh je."})
    assert await TurnSession(house.stores.sessions, PAIR, "t1").snapshot() == before


async def test_two_readers_at_once_read_once(house: House) -> None:
    """Both graphs may ask at the same moment."""
    session = TurnSession(house.stores.sessions, PAIR, "t1")
    await house.stores.redis.config_resetstat()
    first, second = await asyncio.gather(session.snapshot(), session.snapshot())
    assert first is second
    assert (await house.stores.redis.info("commandstats"))["cmdstat_lrange"]["calls"] == 1


async def test_a_failed_read_is_seen_by_every_reader_and_not_remembered(
    house: House, without_redis: House
) -> None:
    """Nobody takes an outage for an empty session."""
    session = TurnSession(without_redis.stores.sessions, PAIR, "t1")
    for _ in range(2):
        with pytest.raises(RedisUnavailableError):
            await session.snapshot()
    session._store = house.stores.sessions
    assert (await session.snapshot()).turns == ()


async def test_the_human_graph_gets_turns_and_last_intentions(house: House) -> None:
    """Spec 05 §3.1.1; no memory, no entries."""
    await house.stores.sessions.store_turn(PAIR, OLD)
    after = await house.node(enricher, heard())
    assert set(after) - set(heard()) == {"raw_turns", "user_intentionen"}
    assert after["raw_turns"] == (OLD,)
    assert after["user_intentionen"] == ("humor",)
    assert [(row.quelle, row.art) for row in await house.stores.pipeline_log.rows("t1")] == [
        ("user", "span_start"),
        ("session", "eingang"),
        ("state", "ausgabe"),
        ("user", "span_end"),
    ]


async def test_the_character_graph_gets_turns_summary_and_the_persons_character(house: House) -> None:
    """A-049, spec 05 §3.1.2: ``external.character`` becomes an entry; core and adaptive, one a line."""
    await house.stores.sessions.store_turn(PAIR, OLD)
    await house.stores.redis.set(PAIR.key("session", "summary"), "Es ging um Moos.")
    character = Character(core="mag Hunde", adaptive="sorgt sich", intentions="fragt viel")
    state = await house.node(enricher, {**spoken_to(), "external": Personality(character)})
    assert state["raw_turns"] == state["session_turns"] == (OLD,)
    assert state["session_summary"] == "Es ging um Moos."
    assert state["memory_entries"] == (
        ContextEntry("summary", "Es ging um Moos."),
        ContextEntry("charakter", "mag Hunde\nsorgt sich"),
    )
    state = await house.node(reducer, state)
    assert state["memory_context"] == (
        "═══ BISHERIGER GESPRÄCHSVERLAUF ═══\nEs ging um Moos.\n[Charakter] mag Hunde\nsorgt sich"
    )
    assert state["memory_entries_raw"] == state["memory_entries"]


async def test_nothing_known_is_an_empty_context_and_all_keys_are_there(house: House) -> None:
    """Spec 05 §3.2: all three output keys on every path."""
    state = await house.node(enricher, {**spoken_to(), "external": Personality()})
    state = await house.node(reducer, state)
    assert (state["memory_entries"], state["memory_entries_raw"], state["memory_context"]) == ((), (), "")


@pytest.mark.parametrize("state", [heard(), spoken_to()])
async def test_a_session_that_cannot_be_read_ends_the_run(without_redis: House, state: object) -> None:
    """Spec 01 §7: Redis down propagates."""
    with pytest.raises(RedisUnavailableError):
        await without_redis.node(enricher, state)  # type: ignore[arg-type]
