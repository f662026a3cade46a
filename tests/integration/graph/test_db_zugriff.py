"""``db_zugriff``: what it loads and the rows it leaves (seed: node-db-zugriff §3–§5)."""

from __future__ import annotations

import logging

import pytest
from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.personality import Character, Directive, Emotion, InternalPersonality, Personality
from tests.support.house import PAIR, SEED_EMOTION, SEED_SPACE, SEED_STATE, House, spoken_to, thinking

KEY = "nova_state:meister:nova"
LAYERS = ("kern_hash", "adaptive_hash", "beziehungsprofil", "intentions_profil", "emotions_profil")


async def store_character(house: House, user_id: str, character_id: str, prefix: str) -> None:
    columns = ", ".join(LAYERS)
    await house.execute(
        f"INSERT INTO charakter_hash (user_id, character_id, {columns}) VALUES (%s, %s, %s, %s, %s, %s, %s)",
        user_id,
        character_id,
        *(f"{prefix} {layer}" for layer in LAYERS),
    )


def layers(prefix: str) -> Character:
    core, adaptive, relationship, intentions, emotions = (f"{prefix} {layer}" for layer in LAYERS)
    return Character(core, adaptive, relationship, intentions, emotions)


async def loaded_sides(house: House, **payload: JsonValue) -> tuple[Personality, InternalPersonality]:
    state = await house.node(db_zugriff, spoken_to(**payload))
    return state["external"], state["internal"]


# ── rows ─────────────────────────────────────────────────────────────────────


async def test_the_rows_of_a_person_turn_with_an_old_state_stand_in_the_order_of_the_seed(
    mute_house: House,
) -> None:
    """A-009, A-042, A-044, spec 01 §9.2 case 22: exact order, exact content, one span."""
    clock = unix_time(mute_house.clock.now())
    await mute_house.stores.nova_states.save(PAIR, {**SEED_STATE, "nutzer_zeit": str(clock - 7200)})
    await store_character(mute_house, "meister", "nova", "Mensch")
    await mute_house.execute(
        "INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES ('meister', 'Sei frech.')"
    )
    await mute_house.node(db_zugriff, spoken_to())
    assert await mute_house.rows() == [
        ("span_start", {}),
        ("db_read", {"tabelle": "redis:nova_state", "key": KEY, "exists": True}),
        (
            "berechnung",
            {
                "schritt": "eigenzeit_verfall",
                "pause_sekunden": 7200.0,
                "faktor": 0.45,
                "arousal_vorher": 0.9,
                "arousal_nachher": 0.68,
                "kategorien": "gehalten",
                "modus_vorher": "emotional",
                "modus_nachher": "emotional",
            },
        ),
        ("db_read", hash_row("meister", "nova", "external", hit=True)),
        ("db_read", hash_row("nova", "meister", "internal", hit=False)),
        ("db_read", {"tabelle": "charakter_anweisungen", "user_id": "meister", "count": 1}),
        ("db_read", {"tabelle": "direktiven", "user_id": "meister", "count": 0}),
        (
            "switch",
            {
                "bedingung": "event_source",
                "wert": "user",
                "event_source": "user",
                "zweig": "user_pfad",
            },
        ),
        ("span_end", {}),
    ]
    rows = await mute_house.stores.pipeline_log.rows("t1")
    assert {(row.node, row.quelle, row.user_id, row.character_id) for row in rows} == {
        ("db_zugriff", "character", "meister", "nova")
    }
    assert len({row.span_id for row in rows}) == 1
    assert rows[0].span_id is not None


def hash_row(user_id: str, character_id: str, role: str, *, hit: bool) -> dict[str, JsonValue]:
    return {
        "tabelle": "charakter_hash",
        "user_id": user_id,
        "character_id": character_id,
        "rolle": role,
        "hat_treffer": hit,
    }


async def test_the_rows_of_an_impulse_carry_the_lift_in_place_of_the_decay_and_the_pixie_branch(
    mute_house: House,
) -> None:
    """A-028, A-043: ``pixie`` on the impulse, with the raw source beside it."""
    await mute_house.stores.nova_states.save(PAIR, {**SEED_STATE, "arousal": "0.3", "nutzer_zeit": "1.0"})
    await mute_house.node(db_zugriff, thinking(gedanke_arousal=0.85))
    rows = await mute_house.rows()
    assert [art for art, _ in rows] == [
        "span_start",
        "db_read",
        "berechnung",
        *["db_read"] * 4,
        "switch",
        "span_end",
    ]
    assert rows[2][1] == {
        "schritt": "gedanke_level",
        "hinterlegt": 0.85,
        "arousal_vorher": 0.3,
        "arousal_nachher": 0.85,
        "wirkung": "gehoben",
    }
    assert rows[-2][1] == {
        "bedingung": "event_source",
        "wert": "pixie",
        "event_source": "character",
        "zweig": "pixie_pfad_external_aus_internal",
    }


async def test_the_retry_of_a_person_turn_keeps_the_person_opposite(mute_house: House) -> None:
    """A-039, trap T12: declared deviation; the row shows both the branch and the raw source."""
    state = spoken_to(current_emotion="wut", thinker_unsicher_retry=True, reiz_herkunft="")
    state["event_source"] = "character"
    after = await mute_house.node(db_zugriff, state)
    assert after["external"].emotion.emotion == "wut"
    (switch,) = [content for art, content in await mute_house.rows() if art == "switch"]
    assert (switch["wert"], switch["event_source"], switch["zweig"]) == ("user", "character", "user_pfad")


async def test_the_retry_of_an_impulse_stays_an_impulse(mute_house: House) -> None:
    """Spec 01 §3.6.7: decided by the stimulus, not by the mark of the retry."""
    after = await mute_house.node(db_zugriff, thinking(thinker_unsicher_retry=True))
    assert after["external"].emotion == after["internal"].emotion
    (switch,) = [content for art, content in await mute_house.rows() if art == "switch"]
    assert switch["wert"] == "pixie"


async def test_a_cold_start_is_information(mute_house: House) -> None:
    """A-013: ``exists: false``, class defaults, no movement."""
    _, internal = await loaded_sides(mute_house)
    assert internal == InternalPersonality()
    rows = await mute_house.rows()
    assert rows[1] == ("db_read", {"tabelle": "redis:nova_state", "key": KEY, "exists": False})
    assert "berechnung" not in [art for art, _ in rows]


# ── step 1: the person's emotion ─────────────────────────────────────────────


async def test_the_person_stands_in_external_with_what_path_1_measured(mute_house: House) -> None:
    """A-003, A-010, A-031: emotion from the event, character from the own row."""
    await store_character(mute_house, "meister", "nova", "Mensch")
    external, _ = await loaded_sides(
        mute_house, current_emotion="wut", current_arousal=0.8, wahrnehmung_herkunft="gelesen"
    )
    assert external == Personality(layers("Mensch"), Emotion(emotion="wut", arousal=0.8))


async def test_a_broken_path_1_is_said_once_and_never_looks_measured(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §9.2 case 12: exactly one ERROR line; the origin travels with the defaults."""
    state = await mute_house.node(
        db_zugriff,
        spoken_to(pfad1_ausfall="ModelTimeoutError: zu spät", wahrnehmung_herkunft="nicht_wahrgenommen"),
    )
    assert state["external"].emotion == Emotion()
    assert state["external_herkunft"] == "nicht_wahrgenommen"
    (error,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "not a measurement" in error.getMessage()
    assert "ModelTimeoutError: zu spät" in error.getMessage()


@pytest.mark.parametrize("origin", ["gelesen", "standardwerte", "nicht_wahrgenommen"])
async def test_the_origin_of_the_perception_travels(mute_house: House, origin: str) -> None:
    """B-076, design §6.1."""
    state = await mute_house.node(db_zugriff, spoken_to(wahrnehmung_herkunft=origin))
    assert state["external_herkunft"] == origin


async def test_an_event_that_says_nothing_of_a_perception_has_none(mute_house: House) -> None:
    state = await mute_house.node(db_zugriff, spoken_to())
    assert state["external_herkunft"] == "nicht_wahrgenommen"


# ── step 2: Nova's state ─────────────────────────────────────────────────────


async def test_novas_stored_state_is_her_state(mute_house: House) -> None:
    """A-012, A-085: nine fields and two axes, as in the example of the seed."""
    await mute_house.stores.nova_states.save(PAIR, SEED_STATE)
    _, internal = await loaded_sides(mute_house)
    assert internal.emotion == SEED_EMOTION
    assert internal.space == SEED_SPACE


async def test_odd_values_in_the_hash_pass_unchanged(mute_house: House) -> None:
    """A-047: nothing is checked here."""
    await mute_house.stores.nova_states.save(
        PAIR, {**SEED_STATE, "mode": "quatsch", "arousal": "7.0", "tone": ""}
    )
    _, internal = await loaded_sides(mute_house)
    assert (internal.emotion.mode, internal.emotion.arousal, internal.emotion.tone) == ("quatsch", 7.0, "")


# ── steps 3 and 4: characters, identities, directives ────────────────────────


async def test_both_hashes_are_read_from_their_rows(mute_house: House) -> None:
    """A-031, A-032: the person under (human, nova), Nova under (nova, human)."""
    await store_character(mute_house, "meister", "nova", "Mensch")
    await store_character(mute_house, "nova", "meister", "Nova")
    await store_character(mute_house, "nova", "ida", "fremd")
    await store_character(mute_house, "ida", "nova", "fremd")
    external, internal = await loaded_sides(mute_house)
    assert external.character == layers("Mensch")
    assert internal.character == layers("Nova")


async def test_missing_rows_give_empty_layers(mute_house: House) -> None:
    """A-033."""
    external, internal = await loaded_sides(mute_house)
    assert external.character == internal.character == Character()


async def test_identities_and_directives_are_the_active_ones_of_the_person_in_their_order(
    mute_house: House,
) -> None:
    """A-034, A-035, A-036: by date, inactive and foreign ones left out, a NULL context is empty text."""
    for table, columns in (("charakter_anweisungen", "anweisung"), ("direktiven", "anweisung")):
        for owner, text, day, active in (
            ("meister", "zweite", 2, True),
            ("meister", "erste", 1, True),
            ("meister", "alte", 3, False),
            ("ida", "fremde", 1, True),
        ):
            await mute_house.execute(
                f"INSERT INTO {table} (user_id, {columns}, erstellt_am, aktiv) VALUES (%s, %s, %s::timestamptz, %s)",
                owner,
                text,
                f"2026-08-0{day}",
                active,
            )
    await mute_house.execute("UPDATE direktiven SET kontext = 'abends' WHERE anweisung = 'zweite'")
    _, internal = await loaded_sides(mute_house)
    assert internal.identities == ("erste", "zweite")
    assert internal.directives == (Directive("erste", ""), Directive("zweite", "abends"))


async def test_lists_are_read_afresh_every_turn(mute_house: House) -> None:
    """A-037: no caching; agents may change them at any time."""
    _, before = await loaded_sides(mute_house)
    await mute_house.execute(
        "INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES ('meister', 'neu')"
    )
    await store_character(mute_house, "nova", "meister", "Nova")
    _, after = await loaded_sides(mute_house)
    assert before.identities == ()
    assert after.identities == ("neu",)
    assert after.character == layers("Nova")


# ── step 5: assembly ─────────────────────────────────────────────────────────


async def test_on_an_impulse_external_is_a_copy_of_nova_and_no_alias(mute_house: House) -> None:
    """A-039, A-040, A-041, spec 01 §9.2 case 17, trap T18."""
    await mute_house.stores.nova_states.save(PAIR, SEED_STATE)
    await store_character(mute_house, "nova", "meister", "Nova")
    await store_character(mute_house, "meister", "nova", "Mensch")
    state = await mute_house.node(db_zugriff, thinking())
    external, internal = state["external"], state["internal"]
    assert external.character == internal.character == layers("Nova")
    assert external.emotion == internal.emotion == SEED_EMOTION
    assert external.character is not internal.character
    assert external.emotion is not internal.emotion
    assert type(external) is Personality


async def test_without_a_pair_the_run_goes_on_with_defaults_and_says_so(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §3.6.1, §7: an ERROR line, all rows, nothing of anybody else's."""
    await store_character(mute_house, "meister", "nova", "Mensch")
    state = spoken_to()
    state["user_id"] = ""
    after = await mute_house.node(db_zugriff, state)
    assert after["internal"] == InternalPersonality()
    assert after["external"].character == Character()
    assert [record.levelno for record in caplog.records if record.levelno >= logging.ERROR] == [logging.ERROR]
    assert "no complete pair" in caplog.text
    assert [art for art, _ in await mute_house.rows()] == [
        "span_start",
        *["db_read"] * 5,
        "switch",
        "span_end",
    ]


async def test_a_turn_without_id_is_found_under_unknown(mute_house: House) -> None:
    """Spec 01 §3.6.1: ``unbekannt``."""
    await mute_house.node(db_zugriff, spoken_to(turn_id=""))
    assert len(await mute_house.rows("unbekannt")) == 8
