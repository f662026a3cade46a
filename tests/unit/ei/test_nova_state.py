from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.nova_state import NOVA_STATE_FIELDS, nova_state_mapping, read_nova_state
from novaberg.personality import Emotion, Space
from tests.unit.ei.strategies import emotion_values, json_values, quick, spaces

NOW = 1_786_792_663.6
NOVA = Emotion(
    emotion="begeisterung",
    arousal=0.9,
    emotions_vector="plateau",
    mode="emotional",
    language_style="emotional",
    relationship_dynamic="vertrauen",
    tone="empathisch",
    intent="personal",
    prompt_topic="Gefuehl des Einklangs",
    emotions_vector_quelle="gemessen",
)


def test_the_hash_of_the_seed_field_by_field() -> None:
    """Seed node-ei-calc-persist §6."""
    written = nova_state_mapping(
        NOVA, Space(0.51, 0.64), origin="nutzer_turn", received_at=1786792535.8, now=NOW
    )
    assert written.user_clock == "ereignis"
    assert list(written.fields.items()) == [
        ("raum_tiefe", "0.51"),
        ("raum_naehe", "0.64"),
        ("emotion", "begeisterung"),
        ("arousal", "0.9"),
        ("emotions_vector", "plateau"),
        ("mode", "emotional"),
        ("language_style", "emotional"),
        ("relationship_dynamic", "vertrauen"),
        ("tone", "empathisch"),
        ("intent", "personal"),
        ("prompt_topic", "Gefuehl des Einklangs"),
        ("turn_zeit", "1786792663.6"),
        ("nutzer_zeit", "1786792535.8"),
    ]


@pytest.mark.parametrize("origin", ["eigener_impuls", "", "neu"])
def test_only_a_person_sets_the_persons_clock(origin: str) -> None:
    """Seed node-ei-calc-persist §3: on an impulse the field is not written and keeps its value."""
    written = nova_state_mapping(NOVA, Space(), origin=origin, received_at=1.0, now=NOW)
    assert tuple(written.fields) == NOVA_STATE_FIELDS[:-1]
    assert written.user_clock == "nicht_gesetzt"


@pytest.mark.parametrize(
    ("received", "clock", "value"),
    [
        (None, "fehlt", str(NOW)),
        ("x", "unlesbar", str(NOW)),
        ("", "unlesbar", str(NOW)),
        (True, "unlesbar", str(NOW)),
        ("nan", "unlesbar", str(NOW)),
        ([1.0], "unlesbar", str(NOW)),
        ("1787742368.5", "ereignis", "1787742368.5"),
        (1787639732, "ereignis", "1787639732.0"),
        (0, "ereignis", "0.0"),
    ],
)
def test_a_missing_and_an_unreadable_time_of_receipt_are_told_apart(
    received: Any, clock: str, value: str
) -> None:
    """Spec 02 §3.16 step 2."""
    written = nova_state_mapping(NOVA, Space(), origin="nutzer_turn", received_at=received, now=NOW)
    assert (written.user_clock, written.fields["nutzer_zeit"]) == (clock, value)


@quick
@given(emotion_values, spaces, json_values)
def test_what_is_written_is_read_back(emotion: Emotion, space: Space, received: Any) -> None:
    written = nova_state_mapping(emotion, space, origin="nutzer_turn", received_at=received, now=NOW)
    assert tuple(written.fields) == NOVA_STATE_FIELDS
    state = read_nova_state(written.fields)
    assert (state.emotion, state.space) == (emotion, space)
    assert state.exists
    assert state.space_loaded
    assert state.unreadable == ()


def test_a_cold_start_has_defaults_and_says_so() -> None:
    """Spec 02 §7."""
    state = read_nova_state({})
    assert (state.exists, state.emotion, state.space) == (False, Emotion(), Space(0.3, 0.5))
    assert not state.space_loaded
    assert state.derived is not None
    assert state.derived.outside == ()


def test_one_unreadable_field_concerns_itself_alone() -> None:
    """Seed node-db-zugriff §3: arousal falls back, an empty text stays, a half space is derived."""
    state = read_nova_state(
        {"emotion": "", "arousal": "0,5", "mode": "kreativ", "raum_tiefe": "x", "raum_naehe": "0.2"}
    )
    assert state.unreadable == ("raum_tiefe", "arousal")
    assert (state.emotion.emotion, state.emotion.arousal, state.emotion.mode) == ("", 0.5, "kreativ")
    assert state.space == Space(0.5, 0.5)


def test_a_missing_axis_is_normal_and_an_unknown_label_is_named() -> None:
    state = read_nova_state({"mode": "quatsch", "raum_tiefe": "0.9"})
    assert state.unreadable == ()
    assert state.derived is not None
    assert [report.value for report in state.derived.outside] == ["quatsch"]


@quick
@given(st.dictionaries(st.sampled_from(NOVA_STATE_FIELDS), st.text(max_size=8) | st.just("0.4")))
def test_any_hash_can_be_read(stored: dict[str, str]) -> None:
    state = read_nova_state(stored)
    assert state.exists is bool(stored)
    assert state.space_loaded or state.derived is not None
