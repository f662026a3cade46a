from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.ageing import (
    DEFAULT_AGEING,
    AgeingCalibration,
    Pause,
    apply_decay,
    apply_lift,
    categories_jump,
    dampen_arousal,
    decay_factor,
    read_pause,
)
from novaberg.personality import Emotion
from tests.unit.ei.strategies import emotion_values, quick, unit

NOW = 1_786_800_000.0
STIRRED = Emotion(
    emotion="begeisterung",
    arousal=0.9,
    emotions_vector="eskalation",
    mode="fachgespraech",
    language_style="fachlich",
    relationship_dynamic="vertrauen",
    tone="empathisch",
    intent="personal",
    prompt_topic="Mondlandung",
)


@pytest.mark.parametrize(
    ("pause", "factor"),
    [
        (-5, 1.0),
        (0, 1.0),
        (600, 0.98333333),
        (1800, 0.95),
        (3600, 0.90),
        (5400, 0.675),
        (7200, 0.45),
        (9000, 0.225),
        (10800, 0.0),
        (14425, 0.0),
        (math.inf, 0.0),
        (math.nan, 1.0),
    ],
)
def test_the_curve_passes_through_its_points(pause: float, factor: float) -> None:
    """Spec 01 §3.6.3, spec 02 §9.2 no. 10; an unknown pause costs nothing."""
    assert decay_factor(pause) == pytest.approx(factor)


@quick
@given(st.floats(-1000, 20000), st.floats(-1000, 20000))
def test_a_longer_pause_never_leaves_more(a: float, b: float) -> None:
    short, long = sorted((a, b))
    assert 1 >= decay_factor(short) >= decay_factor(long) >= 0


@quick
@given(unit, unit)
def test_arousal_moves_towards_rest_from_both_sides(arousal: float, factor: float) -> None:
    damped = dampen_arousal(arousal, factor)
    assert abs(damped - 0.5) <= abs(arousal - 0.5) + 1e-12
    assert (damped - 0.5) * (arousal - 0.5) >= 0


@pytest.mark.parametrize(
    ("pause", "arousal", "jumped"), [(7200.0, 0.68, False), (7200.1, 0.679995, True), (14425.0, 0.5, True)]
)
def test_categories_hold_at_two_hours_and_jump_after(pause: float, arousal: float, jumped: bool) -> None:
    """Spec 01 §9.2 cases 1 and 2."""
    decay = apply_decay(STIRRED, str(NOW - pause), now=NOW, origin="nutzer_turn")
    assert decay.emotion.arousal == pytest.approx(arousal, abs=1e-5)
    assert (decay.emotion.mode == "alltag") is jumped
    assert (decay.emotion.emotion, decay.emotion.emotions_vector) == (
        ("neutral", "") if jumped else ("begeisterung", "eskalation")
    )
    assert decay.emotion.relationship_dynamic == "vertrauen"
    assert (decay.emotion.intent, decay.emotion.prompt_topic) == ("personal", "Mondlandung")
    assert decay.row is not None
    assert decay.row["pause_sekunden"] == pause
    assert decay.row["kategorien"] == ("gesprungen" if jumped else "gehalten")
    assert decay.row["modus_vorher"] == "fachgespraech"


def test_a_short_pause_writes_a_row_and_none_at_all_does_not() -> None:
    """Spec 01 §9.2 case 3."""
    short = apply_decay(STIRRED, str(NOW - 600), now=NOW, origin="nutzer_turn")
    assert short.emotion.arousal == pytest.approx(0.9 - 0.4 / 60)
    assert short.row is not None
    assert (short.row["faktor"], short.row["arousal_nachher"]) == (0.9833, 0.8933)
    future = apply_decay(STIRRED, str(NOW + 5), now=NOW, origin="nutzer_turn")
    assert (future.emotion, future.row, future.factor) == (STIRRED, None, 1.0)


def test_arousal_below_rest_rises() -> None:
    """Spec 01 §9.2 case 4."""
    assert dampen_arousal(0.20, 0.5) == 0.35


@pytest.mark.parametrize(
    ("stored", "reading"),
    [
        (None, "fehlt"),
        ("", "fehlt"),
        ("  ", "fehlt"),
        ("kaputt", "unlesbar"),
        ("12:30", "unlesbar"),
        ("nan", "unlesbar"),
        ("inf", "unlesbar"),
    ],
)
def test_an_unknown_pause_is_no_pause_and_tells_why(stored: str | None, reading: str) -> None:
    """Spec 01 §3.6.3 A1: missing is normal, unreadable is a defect; neither decays."""
    decay = apply_decay(STIRRED, stored, now=NOW, origin="nutzer_turn")
    assert (decay.emotion, decay.row) == (STIRRED, None)
    assert decay.pause is not None
    assert (decay.pause.reading, decay.pause.seconds) == (reading, None)


def test_a_stored_clock_is_read_as_python_reads_numbers() -> None:
    assert read_pause(f" {NOW - 12.5} ", NOW) == Pause("gemessen", 12.5)


@quick
@given(emotion_values, unit | st.none(), st.sampled_from(["", "neu", "EIGENER_IMPULS"]))
def test_other_origins_move_nothing(emotion: Emotion, level: float | None, origin: str) -> None:
    """Spec 01 §3.6.3: at most one movement, none for unknown origins."""
    decay = apply_decay(emotion, str(NOW - 9000), now=NOW, origin=origin)
    lift = apply_lift(emotion, level, origin=origin)
    assert (decay.emotion, decay.row, decay.pause) == (emotion, None, None)
    assert (lift.emotion, lift.row) == (emotion, None)


@pytest.mark.parametrize(
    ("level", "arousal", "effect"),
    [(0.85, 0.85, "gehoben"), (0.20, 0.30, "gehalten"), (None, 0.30, "kein_level")],
)
def test_a_thought_lifts_and_never_lowers(level: float | None, arousal: float, effect: str) -> None:
    """Spec 01 §9.2 case 5: one row in every case."""
    lift = apply_lift(Emotion(arousal=0.30, mode="kreativ"), level, origin="eigener_impuls")
    assert lift.emotion == Emotion(arousal=arousal, mode="kreativ")
    assert lift.row == {
        "schritt": "gedanke_level",
        "hinterlegt": level,
        "arousal_vorher": 0.3,
        "arousal_nachher": arousal,
        "wirkung": effect,
    }


def test_a_thought_of_the_same_level_holds() -> None:
    lift = apply_lift(Emotion(arousal=0.85), 0.85, origin="eigener_impuls")
    assert lift.row is not None
    assert lift.row["wirkung"] == "gehalten"


# ── marks from the environment ───────────────────────────────────────────────


def test_the_default_marks_are_sound() -> None:
    assert DEFAULT_AGEING.problems() == ()
    assert not categories_jump(DEFAULT_AGEING.half_factor)


def test_of_coinciding_marks_the_right_one_wins_and_both_are_named() -> None:
    """Spec 01 §3.6.3."""
    marks = AgeingCalibration(half_seconds=3600.0)
    (problem,) = marks.problems()
    assert "EIGENZEIT_KIPPPUNKT" in problem
    assert "EIGENZEIT_HALBWERT" in problem
    assert decay_factor(3600.0, marks) == 0.45
    assert decay_factor(3599.0, marks) == pytest.approx(0.9, abs=1e-3)
    collapsed = AgeingCalibration(tipping_seconds=0.0, half_seconds=0.0, zero_seconds=0.0)
    assert len(collapsed.problems()) == 3
    assert decay_factor(1.0, collapsed) == 0.0


@pytest.mark.parametrize(
    "marks",
    [
        AgeingCalibration(zero_seconds=5000.0),
        AgeingCalibration(tipping_seconds=-1.0),
        AgeingCalibration(half_seconds=math.nan),
    ],
)
def test_marks_out_of_order_are_named_and_decay_nothing(marks: AgeingCalibration) -> None:
    """Spec 01 §3.6.3."""
    assert marks.problems()
    assert decay_factor(100_000.0, marks) == 1.0
