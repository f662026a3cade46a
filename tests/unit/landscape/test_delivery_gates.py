from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novaberg.landscape.delivery_gates import (
    DEFAULT_DELIVERY,
    Gate,
    StanceStand,
    delivery_gates,
    impulse_emotion_ok,
    impulse_mode_score,
)
from novaberg.vocabulary import MODE_CANON

NOW = 1_786_800_000.0
NEAR = StanceStand(computed=True, closeness=0.8, time=NOW - 10, initiative=-0.2)


def test_a_near_nova_with_room_to_speak_passes_both_gates() -> None:
    gates = delivery_gates(NEAR, NOW)
    assert gates.wanting == Gate(passes=True, value=0.8)
    assert gates.frequency == Gate(passes=True, value=-0.2)


def test_without_a_stance_nothing_is_said() -> None:
    gates = delivery_gates(None, NOW)
    assert gates.wanting == gates.frequency == Gate(passes=False, reason="kein_stand")


def test_the_frequency_does_not_need_a_computed_stance() -> None:
    """Spec 01 §9.2 case 23."""
    gates = delivery_gates(replace(NEAR, computed=False), NOW)
    assert gates.wanting == Gate(passes=False, reason="stand_ohne_rechnung")
    assert gates.frequency.passes


@pytest.mark.parametrize(
    ("stand", "wanting", "frequency"),
    [
        (replace(NEAR, time=NOW - 86400), "", ""),
        (replace(NEAR, time=NOW - 86400.5), "stand_zu_alt", "stand_zu_alt"),
        (replace(NEAR, time=NOW + 50), "", ""),
        (replace(NEAR, time=None), "stand_zu_alt", "stand_zu_alt"),
        (replace(NEAR, time=math.nan), "stand_zu_alt", "stand_zu_alt"),
        (replace(NEAR, closeness=None), "naehe_fehlt", ""),
        (replace(NEAR, closeness=math.nan), "naehe_fehlt", ""),
        (replace(NEAR, closeness=0.25), "", ""),
        (replace(NEAR, closeness=0.2499), "zuwendung_unter_schwelle", ""),
        (replace(NEAR, initiative=None), "", "initiative_fehlt"),
        (replace(NEAR, initiative=math.nan), "", "initiative_fehlt"),
        (replace(NEAR, initiative=-0.05), "", ""),
        (replace(NEAR, initiative=-0.0499), "", "mensch_fuehrt"),
    ],
)
def test_each_gate_names_its_first_reason(stand: StanceStand, wanting: str, frequency: str) -> None:
    """Spec 01 §3.10 step 4: unknown always blocks."""
    gates = delivery_gates(stand, NOW)
    assert (gates.wanting.reason, gates.frequency.reason) == (wanting, frequency)
    assert gates.wanting.passes is (wanting == "")
    assert gates.frequency.passes is (frequency == "")


@settings(deadline=None, max_examples=60)
@given(
    st.builds(
        StanceStand,
        computed=st.booleans(),
        closeness=st.none() | st.floats(0, 1),
        time=st.none() | st.floats(NOW - 100_000, NOW + 100),
        initiative=st.none() | st.floats(-1, 1),
    )
)
def test_a_value_is_told_exactly_when_something_was_compared(stand: StanceStand) -> None:
    compared = {"", "zuwendung_unter_schwelle", "mensch_fuehrt"}
    gates = delivery_gates(stand, NOW)
    for gate in (gates.wanting, gates.frequency):
        assert (gate.value is not None) == (gate.reason in compared)
        assert gate.passes == (gate.reason == "")


def test_the_persons_emotion_decides_what_may_be_said() -> None:
    """Spec 01 §3.10 step 7."""
    tasks = ("nachfragen", "humor", "recherche")
    allowed = {
        emotion: [task for task in tasks if impulse_emotion_ok(task, emotion)]
        for emotion in ("stress", "frustration", "nachdenklich", "freude", "")
    }
    assert allowed == {
        "stress": [],
        "frustration": ["nachfragen"],
        "nachdenklich": ["nachfragen", "recherche"],
        "freude": list(tasks),
        "": list(tasks),
    }


def test_a_mode_is_scored_from_the_side_of_the_conversation() -> None:
    """Spec 01 §3.10 step 7: the key of the table is the conversation's mode; an unknown one has no neighbours."""
    assert impulse_mode_score("berichtend", "fachgespraech") == 0.7
    assert impulse_mode_score("lernmodus", "beratend") == 0.7
    assert impulse_mode_score("emotional", "philosophischer_austausch") == 0.7
    assert impulse_mode_score("kreativ", "philosophischer_austausch") == 0.7
    assert impulse_mode_score("lernmodus", "berichtend") == 0.3
    assert impulse_mode_score("berichtend", "lernmodus") == 0.3
    assert impulse_mode_score("kreativ", "alltag") == 0.3
    assert impulse_mode_score("alltag", "quatsch") == 0.3
    assert impulse_mode_score("quatsch", "quatsch") == 1.0
    assert impulse_mode_score("", "alltag") == impulse_mode_score("alltag", "") == 0.5


def test_the_compatibility_table_speaks_canon_and_no_mode_is_its_own_neighbour() -> None:
    table = DEFAULT_DELIVERY.compatible_modes
    assert set(table) == set(MODE_CANON)
    for mode, others in table.items():
        assert others < set(MODE_CANON) - {mode}
