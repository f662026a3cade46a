"""Whole turns through both compiled graphs on real stores (spec 01 §8 T27: run one real turn)."""

from __future__ import annotations

from itertools import groupby

import pytest

from novaberg.clock import unix_time
from novaberg.ei.nova_state import NOVA_STATE_FIELDS
from novaberg.errors import DatabaseUnavailableError, RedisUnavailableError
from novaberg.personality import Emotion
from tests.support.exchange import exchange, impulse, perceive
from tests.support.house import PAIR, House, perceived, rated, stores_on
from tests.support.scripted_model import ScriptedChatModel

OWN_WORDS = perceived(
    emotion="hoffnung",
    arousal=0.6,
    modus="beratend",
    sprach_stil="locker",
    beziehungs_dynamik="vertrauen",
    tone="empathisch",
    intent="personal",
    thema="Trost für Bruno",
)
"""How Nova's answer reads; the person's words read as in `perceived`."""


def conversing(house: House) -> House:
    """The same house with a model that reads the person and Nova differently, in turns."""
    model = ScriptedChatModel(
        {
            "perzeption": [perceived(), OWN_WORDS] * 20,
            "salienz": [rated(0.8, "hilferuf"), rated(0.4, "reflexion")] * 20,
            "responder": "Oh je. Was hat Bruno denn?",
        }
    )
    return House(house.stores, model, house.clock)


async def arts(house: House, turn_id: str, node: str) -> list[str]:
    return [art for art, _ in await house.rows(turn_id, node=node)]


# ── one turn ─────────────────────────────────────────────────────────────────


async def test_one_real_turn_perceives_answers_persists_and_stores(house: House) -> None:
    """T27, A-149, B-009: what every part left behind."""
    house = conversing(house)
    state = await exchange(house, "Mein Hund Bruno ist krank.", turn_id="t1")
    assert state["response"] == "Oh je. Was hat Bruno denn?"
    assert state["external_herkunft"] == state["internal_herkunft"] == "gelesen"
    assert (state["salienz_human"], state["user_intentionen"]) == (0.8, ("hilferuf",))
    person, nova = await house.stores.sessions.retrieve(PAIR)
    assert (person["emotion"], person["modus"], person["intentionen"]) == (
        "unsicherheit",
        "emotional",
        ["hilferuf"],
    )
    assert (nova["emotion"], nova["modus"], nova["intentionen"]) == ("hoffnung", "beratend", ["hilferuf"])
    stored = await house.hash()
    assert tuple(stored) == NOVA_STATE_FIELDS
    assert (stored["emotion"], stored["prompt_topic"]) == ("hoffnung", "Trost für Bruno")
    (raw,) = [content for art, content in await house.rows() if art == "turn_roh"]
    assert raw["user_emotion"] == state["external"].emotion.to_dict()
    assert raw["nova_emotion"] == state["internal"].emotion.to_dict()


async def test_the_tail_stores_what_was_consolidated_and_not_what_was_perceived(house: House) -> None:
    """A-081, A-149: a calm Nova cannot speak emotionally; session, raw turn and hash carry the corrected register."""
    calm = perceived(emotion="neutral", modus="emotional", tone="sachlich")
    model = ScriptedChatModel(
        {"perzeption": [perceived(), calm], "salienz": rated(), "responder": "Das ist so."}
    )
    state = await exchange(House(house.stores, model, house.clock), "Und nun?", turn_id="t1")
    _, nova = await house.stores.sessions.retrieve(PAIR)
    (raw,) = [content for art, content in await house.rows() if art == "turn_roh"]
    modes = (state["internal"].emotion.mode, nova["modus"], raw["nova_emotion"]["mode"])  # type: ignore[call-overload, index]
    assert modes == ("alltag",) * 3
    assert (await house.hash())["mode"] == "alltag"


async def test_the_rows_of_a_turn_read_like_its_course(house: House) -> None:
    """A-045, B-073: one turn_id, the nodes in running order, four decisions of perception."""
    house = conversing(house)
    await exchange(house, "Mein Hund Bruno ist krank.", turn_id="t1")
    rows = await house.stores.pipeline_log.rows("t1")
    assert [node for node, _ in groupby(row.node for row in rows)] == [
        *("perzeption", "enricher", "salienz", "dispatcher"),
        *("db_zugriff", "enricher", "responder", "perzeption", "ei_calc_persist", "salienz", "dispatcher"),
    ]
    assert len([row for row in rows if "entscheidung" in row.inhalt]) == 4
    assert all((row.user_id, row.character_id) == ("meister", "nova") for row in rows)


async def test_each_node_with_a_span_closes_it(house: House) -> None:
    """Spec 01 §6."""
    await exchange(conversing(house), "Hallo", turn_id="t1")
    for node in ("db_zugriff", "ei_calc_persist"):
        found = await arts(house, "t1", node)
        assert (found[0], found[-1], found.count("span_start")) == ("span_start", "span_end", 1)
    for node in ("enricher", "salienz"):
        assert (await arts(house, "t1", node)).count("span_end") == 2


# ── two turns ────────────────────────────────────────────────────────────────


async def test_after_a_cold_start_she_wakes_as_she_fell_asleep(house: House) -> None:
    """A-030, A-082, A-087, B-088: ``exists`` false, then true, and the second run starts from the first's values."""
    house = conversing(house)
    first = await exchange(house, "Hallo", turn_id="t1")
    stored = await house.hash()
    await exchange(house, "Noch da?", turn_id="t2")
    reads = [
        [c["exists"] for _, c in await house.rows(turn_id, node="db_zugriff") if "exists" in c]
        for turn_id in ("t1", "t2")
    ]
    assert reads == [[False], [True]]
    assert stored["mode"] == first["internal"].emotion.mode == "beratend"
    # The second answer is worded with the mood of the first: its history is in the course.
    material = house.model.asked("responder")[1].material
    assert material.nova_course[0] == "hoffnung"  # type: ignore[union-attr]
    assert material.internal.emotion.relationship_dynamic == "vertrauen"  # type: ignore[union-attr]


async def test_the_space_walks_over_several_turns(house: House) -> None:
    """A-078: an intermediate value is carried to the next turn; 0.3 → 0.44 → … towards 0.7."""
    house = conversing(house)
    depths = []
    for number in range(3):
        await exchange(house, "Mein Hund Bruno ist krank.", turn_id=f"t{number}")
        depths.append(float((await house.hash())["raum_tiefe"]))
    assert depths == [0.44, 0.53, 0.59]


async def test_the_second_prompt_knows_what_both_said(house: House) -> None:
    """Case F12 through the whole graph; perception sees the exchange too."""
    house = conversing(house)
    await exchange(house, "Mein Hund heißt Bruno.", turn_id="t1")
    await exchange(house, "Wie heißt mein Hund?", turn_id="t2")
    messages = house.model.asked("responder")[1].messages
    assert [(message.role, message.content) for message in messages] == [
        ("user", "Mein Hund heißt Bruno."),
        ("assistant", "Oh je. Was hat Bruno denn?"),
        ("user", "Wie heißt mein Hund?"),
    ]
    assert "[1] USER (unsicherheit): Mein Hund heißt Bruno." in house.model.asked("perzeption")[2].system


async def test_after_a_restart_the_mood_goes_on_with_the_same_decay(house: House) -> None:
    """Case E6: neither frozen nor accelerated."""
    house = conversing(house)
    await exchange(house, "Hallo", turn_id="t1")
    house.clock.move(7200)
    again = House(stores_on(house.stores.database, house.stores.redis, house.clock), house.model, house.clock)
    await exchange(again, "Da bin ich wieder.", turn_id="t2")
    (decay,) = [c for _, c in await again.rows("t2") if c.get("schritt") == "eigenzeit_verfall"]
    assert (decay["pause_sekunden"], decay["faktor"], decay["kategorien"]) == (7200.0, 0.45, "gehalten")
    assert decay["arousal_vorher"] == 0.6


# ── impulses ─────────────────────────────────────────────────────────────────


async def test_a_night_with_hourly_impulses_is_a_whole_pause(house: House) -> None:
    """C8, A-021, A-083, A-088: each impulse leaves its trace and none sets the person's clock."""
    house = conversing(house)
    await exchange(house, "Gute Nacht", turn_id="abend")
    evening = (await house.hash())["nutzer_zeit"]
    house = House(
        house.stores,
        ScriptedChatModel({"perzeption": OWN_WORDS, "salienz": rated(), "responder": "Hm, Bruno."}),
        house.clock,
    )
    for hour in range(8):
        house.clock.move(3600)
        state = await impulse(house, "Ob Bruno schläft?", turn_id=f"nacht-{hour}", level=0.7)
        assert state["external"].emotion != Emotion()
        stored = await house.hash()
        assert stored["nutzer_zeit"] == evening
        assert float(stored["turn_zeit"]) == unix_time(house.clock.now())
    house.clock.move(30)
    await exchange(conversing(house), "Guten Morgen", turn_id="morgen")
    (decay,) = [c for _, c in await house.rows("morgen") if c.get("schritt") == "eigenzeit_verfall"]
    assert (decay["pause_sekunden"], decay["faktor"]) == (8 * 3600 + 30, 0.0)


async def test_an_impulse_leaves_the_same_rows_as_a_turn_in_persist(house: House) -> None:
    """A-088: this node changes nothing in its work."""
    house = conversing(house)
    await exchange(house, "Hallo", turn_id="t1")
    house.model.say("perzeption", OWN_WORDS)
    await impulse(house, "Ob Bruno schläft?", turn_id="i1")
    shapes = [
        [(art, sorted(content)) for art, content in await house.rows(turn_id, node="ei_calc_persist")]
        for turn_id in ("t1", "i1")
    ]
    assert shapes[0] == shapes[1]
    (raw,) = [content for art, content in await house.rows("i1") if art == "turn_roh"]
    assert (raw["user_prompt"], raw["herkunft"]) == ("Ob Bruno schläft?", "eigener_impuls")


# ── failures ─────────────────────────────────────────────────────────────────


async def test_a_failed_salience_still_leaves_the_raw_turn(house: House) -> None:
    """A-102, trap T19: 14 of 15 lost raw turns followed a failed salience JSON."""
    model = ScriptedChatModel({"perzeption": perceived(), "salienz": "kein JSON", "responder": "Oh je."})
    house = House(house.stores, model, house.clock)
    state = await exchange(house, "Hallo", turn_id="t1")
    assert state["salienz_human"] is None
    assert [art for art, _ in await house.rows()].count("turn_roh") == 1
    assert len(await house.stores.sessions.retrieve(PAIR)) == 2


async def test_failing_stores_end_a_run_and_are_not_talked_over(
    without_redis: House, without_database: House
) -> None:
    """Spec 01 §7."""
    with pytest.raises(RedisUnavailableError):
        await perceive(without_redis, "Hallo", "t1")
    with pytest.raises(RedisUnavailableError):
        await impulse(without_redis, "Hm", turn_id="t1")
    with pytest.raises(DatabaseUnavailableError):
        await impulse(without_database, "Hm", turn_id="t1")
