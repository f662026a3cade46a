"""``ei_calc_persist``: consolidates Nova's self-perception and keeps it (seed: node-ei-calc-persist)."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.conversation.state import ConversationState
from novaberg.ei.nova_state import NOVA_STATE_FIELDS
from novaberg.errors import RedisUnavailableError
from novaberg.graph.nodes.ei_calc_persist import ei_calc_persist
from novaberg.memory.session import SessionTurn
from novaberg.personality import Character, Emotion, InternalPersonality, Personality
from tests.support.house import PAIR, SEED_EMOTION, SEED_SPACE, SEED_STATE, House, spoken_to, thinking

KEY = PAIR.key("nova_state")
RECEIVED = 1_786_792_535.8
SELF_PERCEIVED = replace(SEED_EMOTION, emotions_vector_quelle="zu_wenig_turns")
FORMAL: SessionTurn = {
    "rolle": "assistant",
    "inhalt": "Sehr geehrte Damen und Herren, ich würde mich freuen, wenn Sie mir bitte Bescheid geben könnten.",
}
SLANG: SessionTurn = {"rolle": "user", "inhalt": "ey digga voll krass lol"}


def answered(
    emotion: Emotion = SELF_PERCEIVED, *turns: SessionTurn, start: ConversationState | None = None
) -> ConversationState:
    """Where the tail of path 2 stands when Nova has just heard herself."""
    return {
        **(start or spoken_to(empfangen_am=RECEIVED)),
        "external": Personality(emotion=Emotion(emotion="wut")),
        "internal": InternalPersonality(emotion=emotion, space=SEED_SPACE),
        "raw_turns": turns,
    }


# ── the hash ─────────────────────────────────────────────────────────────────


async def test_the_thirteen_fields_stand_as_text_in_their_order(mute_house: House) -> None:
    """A-070, A-072, A-085: the example of the seed, byte for byte."""
    await mute_house.node(ei_calc_persist, answered())
    stored = await mute_house.hash()
    assert stored == {
        **SEED_STATE,
        "turn_zeit": str(unix_time(mute_house.clock.now())),
        "nutzer_zeit": "1786792535.8",
    }
    assert tuple(stored) == NOVA_STATE_FIELDS
    assert len(stored) == 13


async def test_the_hash_never_expires(mute_house: House) -> None:
    """A-071."""
    await mute_house.node(ei_calc_persist, answered())
    assert await mute_house.stores.redis.ttl(KEY) == -1


async def test_the_persons_clock_is_the_moment_of_reception_and_not_of_writing(mute_house: House) -> None:
    """A-074: the measured difference of 127.8 s would sit in every pause."""
    mute_house.clock.move(127.8)
    await mute_house.node(ei_calc_persist, answered())
    stored = await mute_house.hash()
    assert float(stored["nutzer_zeit"]) == RECEIVED
    assert float(stored["turn_zeit"]) == unix_time(mute_house.clock.now())


async def test_an_impulse_writes_twelve_fields_and_leaves_the_persons_clock(mute_house: House) -> None:
    """A-073, A-083, spec 01 §9.2 case 16."""
    await mute_house.node(ei_calc_persist, answered())
    mute_house.clock.move(3600)
    impulse = answered(
        replace(SELF_PERCEIVED, emotion="hoffnung"), start=thinking(turn_id="t2", empfangen_am=9.0)
    )
    await mute_house.node(ei_calc_persist, impulse)
    stored = await mute_house.hash()
    assert stored["nutzer_zeit"] == "1786792535.8"
    assert float(stored["turn_zeit"]) == unix_time(mute_house.clock.now())
    assert stored["emotion"] == "hoffnung"
    written = [content for art, content in await mute_house.rows("t2") if art == "db_write"]
    assert written[0]["felder"] == list(NOVA_STATE_FIELDS[:-1])


async def test_before_the_first_utterance_there_is_no_clock_of_the_person(mute_house: House) -> None:
    """A-085: absent, not zero."""
    await mute_house.node(ei_calc_persist, answered(start=thinking()))
    assert "nutzer_zeit" not in await mute_house.hash()


async def test_an_unknown_origin_sets_no_clock(mute_house: House) -> None:
    """Spec 02 §3.16."""
    await mute_house.node(ei_calc_persist, answered(start=spoken_to(reiz_herkunft="traum", empfangen_am=1.0)))
    assert "nutzer_zeit" not in await mute_house.hash()


@pytest.mark.parametrize(
    ("payload", "level"),
    [
        ({}, logging.WARNING),
        ({"empfangen_am": None}, logging.WARNING),
        ({"empfangen_am": "bald"}, logging.ERROR),
    ],
)
async def test_a_missing_or_unreadable_reception_is_replaced_aloud(
    mute_house: House, caplog: pytest.LogCaptureFixture, payload: dict[str, JsonValue], level: int
) -> None:
    """Spec 01 §3.7 step 6, §7: now stands in and contains the processing time."""
    await mute_house.node(ei_calc_persist, answered(start=spoken_to(**payload)))
    stored = await mute_house.hash()
    assert stored["nutzer_zeit"] == stored["turn_zeit"]
    assert [record.levelno for record in caplog.records if record.levelno >= logging.WARNING] == [level]


# ── the three corrections ────────────────────────────────────────────────────


async def test_the_first_turn_tells_that_no_rule_style_was_read(mute_house: House) -> None:
    """P5, P6: a default is no measurement; from null one can replay why the perceived style stayed."""
    perceived = replace(SELF_PERCEIVED, emotion="neutral", tone="sachlich", language_style="emotional")
    await mute_house.node(ei_calc_persist, answered(perceived))
    style = next(row for _, row in await mute_house.rows() if row.get("schritt") == "stil_plausibilitaet")
    assert (style["perzeption"], style["regelbasiert"], style["korrigiert"]) == (
        "emotional",
        None,
        "emotional",
    )


async def test_the_six_rows_stand_in_their_order_with_the_values_before_correction(
    mute_house: House,
) -> None:
    """A-061, A-079, A-080, spec 02 §6.2: a neutral Nova cannot be in the emotional register."""
    perceived = replace(SELF_PERCEIVED, emotion="neutral", arousal=0.5, tone="sachlich")
    state = await mute_house.node(ei_calc_persist, answered(perceived, FORMAL, SLANG))
    rows = await mute_house.rows()
    assert rows[0] == ("span_start", {})
    assert rows[-1] == ("span_end", {})
    assert [art for art, _ in rows] == [
        "span_start",
        "berechnung",
        "berechnung",
        "berechnung",
        "db_write",
        "span_end",
    ]
    gate, mode, style, write = (content for _, content in rows[1:5])
    assert gate == {
        "schritt": "ei_arousal",
        "arousal_roh": 0.5,
        "arousal_ei": pytest.approx(0.5 * (0.40 * 1.1 + 0.35 * 1.0 + 0.25 * 0.3)),
        "dynamik": "vertrauen",
        "intent": "personal",
        "tone": "sachlich",
    }
    assert mode == {"schritt": "modus_plausibilitaet", "perzeption": "emotional", "korrigiert": "alltag"}
    assert style == {
        "schritt": "stil_plausibilitaet",
        "perzeption": "emotional",
        "regelbasiert": "formell",
        "korrigiert": "formell",
    }
    assert write == {
        "tabelle": "redis:nova_state",
        "operation": "hset",
        "key": KEY,
        "felder": list(NOVA_STATE_FIELDS),
    }
    stored = await mute_house.hash()
    assert (stored["mode"], stored["language_style"]) == ("alltag", "formell")
    assert (state["internal"].emotion.mode, state["internal"].emotion.language_style) == ("alltag", "formell")
    log_rows = await mute_house.stores.pipeline_log.rows("t1")
    assert {(row.node, row.quelle, row.user_id, row.character_id) for row in log_rows} == {
        ("ei_calc_persist", "character", "meister", "nova")
    }
    assert len({row.span_id for row in log_rows}) == 1


async def test_the_arousal_stays_raw(mute_house: House) -> None:
    """A-060: the gate is used, not stored."""
    state = await mute_house.node(ei_calc_persist, answered())
    assert state["internal"].emotion.arousal == 0.9
    assert (await mute_house.hash())["arousal"] == "0.9"


async def test_a_consistent_perception_is_left_alone(mute_house: House) -> None:
    """A-064."""
    state = await mute_house.node(ei_calc_persist, answered(SELF_PERCEIVED, FORMAL))
    assert state["internal"].emotion == SELF_PERCEIVED


async def test_the_persons_turns_do_not_move_novas_style(mute_house: House) -> None:
    """A-063, spec 02 §8 no. 17: with slang of the person alone there is nothing to correct by."""
    perceived = replace(SELF_PERCEIVED, emotion="neutral", tone="sachlich")
    state = await mute_house.node(ei_calc_persist, answered(perceived, SLANG, SLANG))
    assert state["internal"].emotion.language_style == "emotional"


async def test_without_history_the_style_is_not_corrected(mute_house: House) -> None:
    """A-093: emotional + sachlich + no turns stays emotional; the row shows both equal."""
    perceived = replace(SELF_PERCEIVED, emotion="neutral", tone="sachlich")
    state = await mute_house.node(ei_calc_persist, answered(perceived))
    assert state["internal"].emotion.language_style == "emotional"
    (style,) = [c for _, c in await mute_house.rows() if c.get("schritt") == "stil_plausibilitaet"]
    assert style["perzeption"] == style["korrigiert"] == "emotional"


async def test_novas_own_character_breaks_a_narrow_decision(mute_house: House) -> None:
    """A-062: the hash of ``internal`` reaches the style rule."""
    turn: SessionTurn = {
        "rolle": "assistant",
        "inhalt": "Hm, die Differentialgleichung, lol krass, konvergiert",
    }
    state = answered(replace(SELF_PERCEIVED, emotion="neutral", language_style="neutral"), turn)
    plain = await mute_house.node(ei_calc_persist, state)
    slangy = replace(state["internal"], character=Character(intentions="Slang und Emojis"))
    hinted = await mute_house.node(ei_calc_persist, {**state, "internal": slangy})
    assert plain["internal"].emotion.language_style == "fachlich"
    assert hinted["internal"].emotion.language_style == "jugendlich"


@pytest.mark.parametrize(
    ("field", "value"),
    [("intent", "smalltalken"), ("tone", "begeisterung"), ("relationship_dynamic", "liebe")],
)
async def test_a_value_outside_its_factor_table_gets_the_neutral_factor_and_an_error(
    mute_house: House, caplog: pytest.LogCaptureFixture, field: str, value: str
) -> None:
    """A-068, B-039, A-065: one line with field and value; never the maximum of the table."""
    odd = replace(SELF_PERCEIVED, **{field: value})  # type: ignore[arg-type]
    state = await mute_house.node(ei_calc_persist, answered(odd))
    assert getattr(state["internal"].emotion, field) == value
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert value in line
    assert "ei_gate" in line
    assert "turn t1" in line
    (gate,) = [c for _, c in await mute_house.rows() if c.get("schritt") == "ei_arousal"]
    whole = {"relationship_dynamic": 0.40 * 1.1, "intent": 0.35 * 1.0, "tone": 0.25 * 1.3}
    neutral = {
        "relationship_dynamic": 0.40 * 1.0,
        "intent": 0.35 * (1.0 + 0.8 + 0.5 + 0.3 * 3) / 6,
        "tone": 0.25 * (1.3 + 0.8 + 0.5 + 0.3) / 4,
    }
    assert gate["arousal_ei"] == pytest.approx(0.9 * sum((whole | {field: neutral[field]}).values()))


# ── boundaries ───────────────────────────────────────────────────────────────


async def test_it_asks_no_model_reads_no_session_and_leaves_external_alone(mute_house: House) -> None:
    """A-089: the model of this house must not be asked; the session is never looked at."""
    state = answered()
    await mute_house.stores.redis.set(PAIR.key("session", "turns"), "kein Verlauf")
    after = await mute_house.node(ei_calc_persist, state)
    assert after["external"] is state["external"]
    assert mute_house.model.requests == []
    assert {key for key in after if after[key] is not state.get(key)} == {"internal"}  # type: ignore[literal-required]


async def test_it_writes_the_hash_in_one_command(mute_house: House) -> None:
    """A-069: all fields at once, never one by one."""
    await mute_house.stores.redis.config_resetstat()
    await mute_house.node(ei_calc_persist, answered())
    statistics = await mute_house.stores.redis.info("commandstats")
    assert statistics["cmdstat_hset"]["calls"] == 1


async def test_a_missing_internal_is_a_warning_and_persists_nothing(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-090."""
    state = answered()
    del state["internal"]
    assert await mute_house.node(ei_calc_persist, state) == state
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert await mute_house.hash() == {}
    assert await mute_house.rows() == []


@pytest.mark.parametrize("missing", ["user_id", "character_id"])
async def test_an_incomplete_pair_is_an_error_and_persists_nothing(
    mute_house: House, caplog: pytest.LogCaptureFixture, missing: str
) -> None:
    """Spec 01 §3.7 step 1."""
    state: ConversationState = {**answered(), missing: ""}  # type: ignore[misc]
    assert await mute_house.node(ei_calc_persist, state) == state
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert await mute_house.stores.redis.keys("nova_state*") == []


async def test_a_write_that_fails_is_never_skipped_silently(without_redis: House) -> None:
    """A-092."""
    with pytest.raises(RedisUnavailableError):
        await without_redis.node(ei_calc_persist, answered())


async def test_senseless_input_is_not_smoothed_over(mute_house: House) -> None:
    """A-091: an exception of a plausibility rule propagates and nothing is written."""
    broken = replace(SELF_PERCEIVED, arousal="hoch")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        await mute_house.node(ei_calc_persist, answered(broken))
    assert await mute_house.hash() == {}
