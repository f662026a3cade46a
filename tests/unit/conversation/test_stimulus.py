"""The only access to the two stimulus slots (spec 01 §3.2)."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given

from novaberg.conversation.state import ConversationState
from novaberg.conversation.stimulus import (
    log_source,
    stimulus_is_own_thought,
    stimulus_level,
    stimulus_origin,
    stimulus_text,
)
from tests.support.strategies import JSON

IMPULSE = {"reiz_herkunft": "eigener_impuls"}


def test_what_the_person_said_is_the_stimulus_of_a_turn_without_origin() -> None:
    """Spec 01 §3.2 rules 1, 2, 4."""
    state: ConversationState = {"user_prompt": "Hallo", "eigener_gedanke": "Gedanke", "event_payload": {}}
    assert not stimulus_is_own_thought(state)
    assert stimulus_text(state) == "Hallo"
    assert stimulus_origin(state) == "nutzer_turn"


def test_the_slots_never_stand_in_for_each_other() -> None:
    """Spec 01 §9.2 case 7: an impulse without a thought is a defect and has to look like one."""
    assert stimulus_text({"user_prompt": "x", "eigener_gedanke": "", "event_payload": IMPULSE}) == ""
    assert stimulus_text({"user_prompt": "", "eigener_gedanke": "y", "event_payload": {}}) == ""


def test_the_event_source_does_not_decide_who_spoke() -> None:
    """A-153: the retry of a person's turn carries ``character`` and still repeats the person's words."""
    retry: ConversationState = {
        "event_source": "character",
        "user_prompt": "Hallo",
        "event_payload": {"reiz_herkunft": "", "thinker_unsicher_retry": True},
    }
    assert not stimulus_is_own_thought(retry)
    assert stimulus_origin(retry) == "nutzer_turn"


def test_an_unknown_origin_passes_through_and_is_never_the_person() -> None:
    """Spec 01 §3.2 rule 4."""
    state: ConversationState = {"event_payload": {"reiz_herkunft": "traum"}}
    assert stimulus_origin(state) == "traum"
    assert not stimulus_is_own_thought(state)


@pytest.mark.parametrize("level", [0, 0.0, 0.85, 1, 1.0])
def test_a_level_inside_the_span_is_read(level: float) -> None:
    """A-025."""
    assert stimulus_level({"event_payload": {**IMPULSE, "gedanke_arousal": level}}) == level


@pytest.mark.parametrize("level", [True, "0.5", 1.0001, -0.1, [0.5]])
def test_an_unusable_level_is_rejected_with_an_error_and_never_clamped(
    level: object, caplog: pytest.LogCaptureFixture
) -> None:
    """A-025, spec 01 §9.2 case 6: a ``True`` is no arousal."""
    state: ConversationState = {"event_payload": {**IMPULSE, "gedanke_arousal": level}}  # type: ignore[dict-item]
    assert stimulus_level(state) is None
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "gedanke_arousal" in caplog.text


@pytest.mark.parametrize("payload", [IMPULSE, {**IMPULSE, "gedanke_arousal": None}, {"gedanke_arousal": 0.9}])
def test_a_missing_level_and_a_persons_turn_have_none_and_say_nothing(
    payload: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    """A-027: no default and no zero; unknown is no defect."""
    assert stimulus_level({"event_payload": payload}) is None  # type: ignore[typeddict-item]
    assert not caplog.records


@given(JSON)
def test_whatever_an_event_carries_gives_a_level_in_the_span_or_none(raw: object) -> None:
    """A-025 as a property."""
    level = stimulus_level({"event_payload": {**IMPULSE, "gedanke_arousal": raw}})  # type: ignore[dict-item]
    assert level is None or 0.0 <= level <= 1.0


@pytest.mark.parametrize(
    ("role", "source"),
    [
        ("human", "user"),
        ("character", "character"),
        ("agent", "agent"),
        ("pixie", "user"),
        ("", "user"),
        (None, "user"),
    ],
)
def test_each_graph_has_its_log_source(role: str | None, source: str) -> None:
    """Spec 01 §2.5."""
    assert log_source({"graph_rolle": role}) == source  # type: ignore[typeddict-item]
    assert log_source({}) == "user"
