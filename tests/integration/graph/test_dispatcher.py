"""``dispatcher``: entry row, session turn, raw turn, and what a repetition does (seed: node-dispatcher)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest
from langgraph.runtime import Runtime
from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.conversation.late import HumanSalience, HumanTail
from novaberg.conversation.state import ConversationState
from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError
from novaberg.graph.nodes.dispatcher import dispatcher, session_turn
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.support.house import PAIR, House, heard, spoken_to, thinking

PERSON = Emotion(
    "wut", 0.8, "spirale", "emotional", "locker", "angriff", "direkt", "personal", "Bruno", "gemessen"
)
NOVA = Emotion("hoffnung", 0.4, "plateau", "beratend", "formell", "vertrauen", "empathisch", "task", "Trost")


def answered(start: ConversationState | None = None) -> ConversationState:
    return {
        **(start or spoken_to()),
        "response": "Das tut mir leid.",
        "external": Personality(emotion=PERSON),
        "internal": InternalPersonality(emotion=NOVA),
    }


def perceived_person() -> ConversationState:
    return {**heard(), "external": Personality(emotion=PERSON), "user_intentionen": ("hilferuf",)}


def without(state: ConversationState, *keys: str) -> ConversationState:
    return {key: value for key, value in state.items() if key not in keys}  # type: ignore[return-value]


async def raw_turns(house: House, turn_id: str = "t1") -> list[dict[str, JsonValue]]:
    return [content for art, content in await house.rows(turn_id) if art == "turn_roh"]


# ── entry row ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (answered(), {"response": True, "external": True, "internal": True, "paar": True}),
        (perceived_person(), {"response": False, "external": True, "internal": False, "paar": True}),
        (heard(), {"response": False, "external": False, "internal": False, "paar": True}),
        (
            {**answered(), "character_id": ""},
            {"response": True, "external": True, "internal": True, "paar": False},
        ),
    ],
)
async def test_the_entry_row_stands_first_whatever_becomes_of_the_run(
    mute_house: House, state: ConversationState, line: dict[str, bool]
) -> None:
    """A-099, A-100, trap T20: "not run" can be told from "ran without success"."""
    await mute_house.node(dispatcher, state)
    rows = await mute_house.rows()
    assert rows[0] == ("eingang", {"schritt": "eingang", "writes": 0, **line})
    assert [content.get("schritt") for _, content in rows].count("eingang") == 1


async def test_the_entry_row_counts_the_writes_and_the_list_is_empty_afterwards(mute_house: House) -> None:
    """A-098, A-099, A-136."""
    state = answered()
    state["pending_writes"] = ({"ziel": "kzg", "aktion": "create", "daten": {}, "beschreibung": ""},)
    after = await mute_house.node(dispatcher, state)
    assert (await mute_house.rows())[0][1]["writes"] == 1
    assert after["pending_writes"] == ()


async def test_the_entry_row_stands_also_when_a_store_fails(without_redis: House) -> None:
    """A-100: it is written before any branch."""
    with pytest.raises(RedisUnavailableError):
        await without_redis.node(dispatcher, answered())
    assert [art for art, _ in await without_redis.rows()] == ["eingang"]


# ── session turn ─────────────────────────────────────────────────────────────


async def test_both_halves_of_an_exchange_stand_in_the_session_with_their_own_values(
    mute_house: House,
) -> None:
    """A-143, A-145, B-009: each in one go, complete."""
    await mute_house.node(dispatcher, perceived_person())
    mute_house.clock.move(5)
    tail = HumanTail()
    tail.rated(HumanSalience(0.7, ("hilferuf",)))
    tail.finish()
    context = mute_house.context(tail=tail)
    await dispatcher(answered(), Runtime(context=context))
    now = unix_time(mute_house.clock.now())
    assert await mute_house.stores.sessions.retrieve(PAIR) == (
        session_turn(perceived_person(), zeit=now - 5),
        session_turn({**answered(), "user_intentionen": ("hilferuf",)}, zeit=now),
    )


async def test_an_impulse_stands_in_the_session_as_novas_own(mute_house: House) -> None:
    """A-151, A-153: one derivation for session turn and raw turn; the thought becomes nobody's words."""
    await mute_house.node(dispatcher, answered(thinking("Ob Bruno wieder gesund ist?")))
    (turn,) = await mute_house.stores.sessions.retrieve(PAIR)
    assert (turn["rolle"], turn["herkunft"]) == ("assistant", "eigener_impuls")
    (raw,) = await raw_turns(mute_house)
    assert raw["herkunft"] == "eigener_impuls"
    assert raw["user_prompt"] == "Ob Bruno wieder gesund ist?"


async def test_a_turn_without_content_is_told_and_not_stored(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §3.14."""
    await mute_house.node(dispatcher, {**perceived_person(), "user_prompt": ""})
    assert await mute_house.stores.sessions.retrieve(PAIR) == ()
    assert "no content" in caplog.text


# ── raw turn ─────────────────────────────────────────────────────────────────


async def test_the_raw_turn_keeps_the_pair_of_stimulus_and_reaction_uncut(mute_house: House) -> None:
    """A-148, A-149, A-150, A-151, A-152: exactly these keys; no ``antwort_inhalt`` because there is none."""
    long = "Ach, Bruno. " * 2000
    await mute_house.node(dispatcher, {**answered(), "response": long})
    rows = await mute_house.stores.pipeline_log.rows("t1")
    (raw,) = [row for row in rows if row.art == "turn_roh"]
    assert (raw.node, raw.quelle) == ("dispatcher", "character")
    assert raw.inhalt == {
        "user_prompt": "Mein Hund Bruno ist krank.",
        "response": long,
        "user_emotion": PERSON.to_dict(),
        "nova_emotion": NOVA.to_dict(),
        "herkunft": "nutzer_turn",
    }


@pytest.mark.parametrize(
    ("state", "reason", "level"),
    [
        ({**answered(), "user_id": ""}, "paar_unvollstaendig", logging.WARNING),
        (without(answered(), "external"), "personality_fehlt", logging.WARNING),
        (without(answered(), "internal"), "personality_fehlt", logging.WARNING),
        (without(answered(), "response"), "response_leer", logging.WARNING),
        (perceived_person(), "kein_antwortpfad", logging.INFO),
    ],
)
async def test_every_exit_without_a_raw_turn_leaves_its_reason(
    mute_house: House, caplog: pytest.LogCaptureFixture, state: ConversationState, reason: str, level: int
) -> None:
    """A-137, A-154, A-155: three warn; the HumanGraph has no answer by construction, which is no outage."""
    with caplog.at_level(logging.INFO):
        await mute_house.node(dispatcher, state)
    assert await raw_turns(mute_house) == []
    skipped = [c for _, c in await mute_house.rows() if c.get("schritt") == "turn_roh_uebersprungen"]
    assert skipped == [{"schritt": "turn_roh_uebersprungen", "grund": reason}]
    assert [r.levelno for r in caplog.records if "no raw turn" in r.getMessage()] == [level]


async def test_the_short_path_still_writes_session_turn_and_raw_turn(mute_house: House) -> None:
    """A-096, A-101, A-102, trap T19: without writes nothing but reinforcement may be left out."""
    state = answered()
    state["pending_writes"] = ()
    await mute_house.node(dispatcher, state)
    assert len(await raw_turns(mute_house)) == 1
    assert len(await mute_house.stores.sessions.retrieve(PAIR)) == 1


async def test_a_raw_turn_without_json_form_is_said_aloud_and_the_turn_ends_well(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-156: ERROR line, ``fehler`` row, no exception; the session turn stands."""
    state = answered()
    state["external"] = Personality(emotion=replace(PERSON, arousal=float("nan")))
    await mute_house.node(dispatcher, state)
    assert await raw_turns(mute_house) == []
    failures = [content for art, content in await mute_house.rows() if art == "fehler"]
    assert [row["grund"] for row in failures] == ["turn_roh_write_failed"]
    assert any(record.levelno == logging.ERROR and record.exc_info for record in caplog.records)
    assert len(await mute_house.stores.sessions.retrieve(PAIR)) == 1


# ── repetition and failure ───────────────────────────────────────────────────


async def test_a_tail_that_runs_twice_stores_once(mute_house: House) -> None:
    """Design §3: each step is idempotent by (turn_id, step)."""
    for _ in range(2):
        await mute_house.node(dispatcher, perceived_person())
        await mute_house.node(dispatcher, answered())
    turns = await mute_house.stores.sessions.retrieve(PAIR)
    assert [turn["rolle"] for turn in turns] == ["user", "assistant"]
    assert len(await raw_turns(mute_house)) == 1


async def test_a_lost_working_memory_and_a_lost_database_are_never_skipped(
    without_redis: House, without_database: House
) -> None:
    """Whoever runs the tail tries it again; nothing is lost silently."""
    with pytest.raises(RedisUnavailableError):
        await without_redis.node(dispatcher, answered())
    with pytest.raises(DatabaseUnavailableError):
        await without_database.node(dispatcher, answered())


async def test_the_persons_words_stand_before_novas_however_long_path_1_takes(mute_house: House) -> None:
    """Design §3: the CharacterGraph's dispatcher waits for the HumanGraph's."""
    tail = HumanTail()
    context = mute_house.context(tail=tail)
    nova = asyncio.create_task(dispatcher(answered(), Runtime(context=context)))
    await asyncio.sleep(0.05)
    assert not nova.done()
    await mute_house.node(dispatcher, perceived_person())
    tail.rated(HumanSalience(0.7, ("hilferuf",)))
    tail.finish()
    update = await nova
    assert (update["salienz_human"], update["user_intentionen"]) == (0.7, ("hilferuf",))
    turns = await mute_house.stores.sessions.retrieve(PAIR)
    assert [turn["rolle"] for turn in turns] == ["user", "assistant"]


async def test_a_path_1_that_failed_fails_the_waiting_dispatcher(mute_house: House) -> None:
    """The tail is run again as a whole, so the order stays."""
    tail = HumanTail()
    tail.fail(RedisUnavailableError())
    with pytest.raises(RedisUnavailableError):
        await dispatcher(answered(), Runtime(context=mute_house.context(tail=tail)))
    assert await mute_house.stores.sessions.retrieve(PAIR) == ()


# ── summary ──────────────────────────────────────────────────────────────────


async def test_the_twenty_sixth_turn_lets_the_oldest_ten_become_a_summary(house: House) -> None:
    """A-147: asked by the dispatcher, as its own rows."""
    for number in range(26):
        await house.node(dispatcher, {**answered(), "turn_id": f"s{number}"})
    turns = await house.stores.sessions.retrieve(PAIR)
    assert [turn["turn_id"] for turn in turns] == [f"s{number}" for number in range(10, 26)]
    assert await house.stores.sessions.summary(PAIR) == "Bruno ist krank."
    (request,) = house.model.asked("session/summary")
    assert request.messages[0].content.count("Nova: Das tut mir leid.") == 10
    assert tuple(
        art for art, _ in await house.rows("s25", node="dispatcher") if art in ("prompt", "ausgabe")
    ) == ("prompt", "ausgabe")


async def test_a_night_of_impulses_cuts_the_session_but_not_the_persons_clock(house: House) -> None:
    """A-076, trap T17: as a count a time stamp does not survive; in the hash it does."""
    await house.stores.nova_states.save(PAIR, {"nutzer_zeit": "1786792535.8"})
    await house.node(dispatcher, perceived_person())
    for number in range(26):
        house.clock.move(600)
        await house.node(dispatcher, {**answered(thinking(turn_id=f"i{number}"))})
    turns = await house.stores.sessions.retrieve(PAIR)
    assert "user" not in [turn["rolle"] for turn in turns]
    assert (await house.hash())["nutzer_zeit"] == "1786792535.8"
