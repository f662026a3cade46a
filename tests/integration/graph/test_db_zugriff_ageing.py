"""How ``db_zugriff`` brings the stored state into the present: decay, lift, space (seed: node-db-zugriff §3 step 2)."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from novaberg.clock import unix_time
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.graph.nodes.ei_calc_persist import ei_calc_persist
from novaberg.personality import Emotion, InternalPersonality, Space
from tests.support.house import PAIR, House, spoken_to, thinking

AWAKE = {
    "emotion": "begeisterung",
    "arousal": "0.9",
    "emotions_vector": "aufbluehen",
    "mode": "fachgespraech",
    "language_style": "locker",
    "relationship_dynamic": "vertrauen",
    "tone": "kreativ",
    "intent": "knowledge",
    "prompt_topic": "Moos",
    "raum_tiefe": "0.7",
    "raum_naehe": "0.9",
}
WAS_AWAKE = Emotion(
    "begeisterung", 0.9, "aufbluehen", "fachgespraech", "locker", "vertrauen", "kreativ", "knowledge", "Moos"
)


def now(house: House) -> float:
    return unix_time(house.clock.now())


async def fell_asleep(house: House, seconds_ago: float | None, **fields: str) -> None:
    """The state as it was written when the person last spoke, so many seconds ago."""
    clock = {} if seconds_ago is None else {"nutzer_zeit": str(now(house) - seconds_ago)}
    await house.stores.nova_states.save(PAIR, {**AWAKE, "turn_zeit": str(now(house)), **clock, **fields})


async def woken(house: House) -> InternalPersonality:
    return (await house.node(db_zugriff, spoken_to()))["internal"]


def messages(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level]


# ── decay ────────────────────────────────────────────────────────────────────


async def test_the_example_of_the_seed_for_the_decay(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-022, A-023, A-029, spec 01 §9.2 case 1: to the letter."""
    await fell_asleep(mute_house, 14_425)
    with caplog.at_level(logging.INFO):
        internal = await woken(mute_house)
    assert internal.emotion == Emotion(
        "neutral", 0.5, "", "alltag", "neutral", "vertrauen", "sachlich", "knowledge", "Moos"
    )
    assert internal.space == Space(0.7, 0.9)
    assert (
        "db_zugriff: Eigenzeit-Verfall — Pause 14425 s, Faktor 0.00, Erregung 0.90 → 0.50, Kategorien gesprungen"
    ) in messages(caplog, logging.INFO)


@pytest.mark.parametrize(
    ("pause", "arousal", "jumped"),
    [
        (0.0, 0.9, False),
        (600.0, 0.8933333, False),
        (7200.0, 0.68, False),
        (7200.1, 0.68, True),
        (10_800.0, 0.5, True),
    ],
)
async def test_a_pause_draws_arousal_to_rest_and_lets_categories_jump_below_the_half_value(
    mute_house: House, pause: float, arousal: float, jumped: bool
) -> None:
    """A-022, spec 01 §9.2 cases 2 and 3."""
    await fell_asleep(mute_house, pause)
    emotion = (await woken(mute_house)).emotion
    assert emotion.arousal == pytest.approx(arousal, abs=1e-4)
    assert (emotion.emotion == "neutral") is jumped
    assert (emotion.mode == "alltag") is jumped
    assert emotion.relationship_dynamic == "vertrauen"


async def test_a_low_arousal_rises_to_rest(mute_house: House) -> None:
    """Spec 01 §9.2 case 4: drawn from both sides, never to zero."""
    await fell_asleep(mute_house, 20_000, arousal="0.2")
    assert (await woken(mute_house)).emotion.arousal == 0.5


async def test_a_clock_in_the_future_and_no_pause_leave_no_row(mute_house: House) -> None:
    """Spec 01 §3.6.3 A3 and §9.2 case 3."""
    await fell_asleep(mute_house, -5)
    assert (await woken(mute_house)).emotion == WAS_AWAKE
    assert "berechnung" not in [art for art, _ in await mute_house.rows()]


async def test_the_night_is_a_pause_although_nova_thought_every_hour(mute_house: House) -> None:
    """A-021, C8, trap T16: the pause runs on ``nutzer_zeit``; each impulse moves ``turn_zeit`` only."""
    await fell_asleep(mute_house, 0)
    evening = (await mute_house.hash())["nutzer_zeit"]
    for hour in range(9):
        mute_house.clock.move(3600)
        state = await mute_house.node(db_zugriff, thinking(turn_id=f"nacht-{hour}", gedanke_arousal=0.9))
        assert state["internal"].emotion.mode == "fachgespraech"
        await mute_house.node(ei_calc_persist, state)
    stored = await mute_house.hash()
    assert stored["nutzer_zeit"] == evening
    assert float(stored["turn_zeit"]) == now(mute_house)
    mute_house.clock.move(60)
    morning = (await woken(mute_house)).emotion
    assert (morning.arousal, morning.emotion, morning.mode) == (0.5, "neutral", "alltag")
    (row,) = [content for art, content in await mute_house.rows() if art == "berechnung"]
    assert row["pause_sekunden"] == 9 * 3600 + 60


async def test_an_unknown_pause_is_no_short_one_and_no_defect(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-024: missing = unknown = INFO, nothing decays."""
    await fell_asleep(mute_house, None)
    with caplog.at_level(logging.INFO):
        assert (await woken(mute_house)).emotion == WAS_AWAKE
    assert any("no nutzer_zeit" in line for line in messages(caplog, logging.INFO))
    assert not messages(caplog, logging.ERROR)


async def test_an_unreadable_clock_is_a_defect_and_decays_nothing(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-024: unreadable = ERROR."""
    await fell_asleep(mute_house, None, nutzer_zeit="gestern Abend")
    assert (await woken(mute_house)).emotion == WAS_AWAKE
    assert "gestern Abend" in "".join(messages(caplog, logging.ERROR))


# ── lift ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("level", "arousal", "line"),
    [
        (0.85, 0.85, "hinterlegt 0.85, Erregung 0.30 → 0.85 (gehoben)"),
        (0.2, 0.3, "hinterlegt 0.20, Erregung 0.30 → 0.30 (gehalten)"),
        (None, 0.3, "keiner hinterlegt, Erregung 0.30 (kein_level)"),
    ],
)
async def test_a_thought_lifts_and_never_sets(
    mute_house: House,
    caplog: pytest.LogCaptureFixture,
    level: float | None,
    arousal: float,
    line: str,
) -> None:
    """A-026, A-027, A-028, A-029, spec 01 §9.2 case 5: one row each, no category moves, no decay beside it."""
    await fell_asleep(mute_house, 14_425, arousal="0.3")
    with caplog.at_level(logging.INFO):
        internal = (await mute_house.node(db_zugriff, thinking(gedanke_arousal=level)))["internal"]
    assert internal.emotion == replace(WAS_AWAKE, arousal=arousal)
    rows = [content for art, content in await mute_house.rows() if art == "berechnung"]
    assert [row["schritt"] for row in rows] == ["gedanke_level"]
    assert line.endswith(f"({rows[0]['wirkung']})")
    assert f"db_zugriff: Gedanken-Level — {line}" in messages(caplog, logging.INFO)


async def test_an_unknown_origin_moves_nothing(mute_house: House) -> None:
    """A-019: at most one of two movements, and neither for an origin that nobody knows."""
    await fell_asleep(mute_house, 14_425)
    state = await mute_house.node(db_zugriff, spoken_to(reiz_herkunft="traum", gedanke_arousal=1.0))
    assert state["internal"].emotion == WAS_AWAKE
    assert "berechnung" not in [art for art, _ in await mute_house.rows()]


# ── space ────────────────────────────────────────────────────────────────────


async def test_a_missing_axis_is_derived_from_the_labels_she_last_spoke_with(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-014, A-015, A-016, A-017: as loaded, before the decay makes them say nothing."""
    await fell_asleep(mute_house, 14_425)
    await mute_house.stores.redis.hdel(PAIR.key("nova_state"), "raum_naehe")
    with caplog.at_level(logging.INFO):
        internal = await woken(mute_house)
    assert internal.emotion.mode == "alltag"
    assert internal.space == Space(0.8, 0.95)
    (line,) = [text for text in messages(caplog, logging.INFO) if "step 2" in text]
    assert "cold_start=False, emotion=neutral, arousal=0.5, raum=(0.80, 0.95) [aus Labels abgeleitet]" in line


async def test_a_cold_start_speaks_in_the_space_of_its_default_labels(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §7: (0.3, 0.5); the line says that it was derived."""
    with caplog.at_level(logging.INFO):
        assert (await woken(mute_house)).space == Space(0.3, 0.5)
    (line,) = [text for text in messages(caplog, logging.INFO) if "step 2" in text]
    assert "cold_start=True" in line
    assert line.endswith("[aus Labels abgeleitet]")


async def test_a_loaded_space_is_not_said_to_be_derived(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A-017."""
    await fell_asleep(mute_house, 0)
    with caplog.at_level(logging.INFO):
        assert (await woken(mute_house)).space == Space(0.7, 0.9)
    assert "abgeleitet" not in caplog.text


@pytest.mark.parametrize("axis", ["raum_tiefe", "raum_naehe"])
async def test_an_unreadable_axis_is_a_defect_with_traceback_and_then_derived(
    mute_house: House, caplog: pytest.LogCaptureFixture, axis: str
) -> None:
    """A-018: never a silent default."""
    await fell_asleep(mute_house, 0, **{axis: "tief"})
    assert (await woken(mute_house)).space == Space(0.8, 0.95)
    (error,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert axis in error.getMessage()
    assert error.stack_info


async def test_an_unreadable_arousal_falls_back_alone(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §3.6.3: 0.5 for this field only."""
    await fell_asleep(mute_house, 0, arousal="hoch")
    assert (await woken(mute_house)).emotion == replace(WAS_AWAKE, arousal=0.5)
    assert "nova_state.arousal" in "".join(messages(caplog, logging.ERROR))


async def test_a_mode_that_no_table_knows_is_reported_when_a_space_hangs_on_it(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §9.2 case 8: (0.30, 0.95) and an ERROR line for the mode."""
    await fell_asleep(mute_house, 0, mode="quatsch")
    await mute_house.stores.redis.hdel(PAIR.key("nova_state"), "raum_tiefe")
    assert (await woken(mute_house)).space == Space(0.3, 0.95)
    assert ["quatsch" in line for line in messages(caplog, logging.ERROR)] == [True]
