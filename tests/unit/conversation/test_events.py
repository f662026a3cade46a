"""The event between the two graphs (spec 01 §2.7–2.8, §3.9)."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from novaberg.conversation.events import (
    MAX_SELF_TRIGGERS,
    Event,
    human_payload,
    received_at,
    retry_payload,
    self_trigger_allowed,
)
from novaberg.conversation.payload import EMOTION_KEYS, course_from_payload, emotion_from_payload
from novaberg.conversation.state import ConversationState, character_state, human_state
from novaberg.ei.records import CourseEntry
from novaberg.personality import Emotion, Personality
from tests.support.strategies import COURSES, EMOTIONS, TEXTS, UNITS

RECEIVED = 1_786_792_535.8


def perceived(emotion: Emotion) -> ConversationState:
    state = human_state(user_prompt="Hallo", user_id="meister", character_id="nova", turn_id="t1")
    return {**state, "external": Personality(emotion=emotion), "external_herkunft": "gelesen"}


def payload_of(state: ConversationState, failure: str = "") -> dict[str, object]:
    return dict(human_payload(state, received_at=RECEIVED, message_ids=["a", "b"], failure=failure))


@given(EMOTIONS, COURSES)
def test_what_path_1_measured_arrives_in_path_2_unchanged(
    emotion: Emotion, course: tuple[CourseEntry, ...]
) -> None:
    """A-010: the nine values, through stored JSON and back."""
    payload = json.loads(json.dumps(payload_of({**perceived(emotion), "emotions_verlauf": course})))
    assert emotion_from_payload(payload) == emotion
    assert course_from_payload(payload) == course


def test_a_human_turn_carries_times_ids_and_words_and_no_origin() -> None:
    """Spec 01 §2.8: ``empfangen_am`` of the first message, all ids in order."""
    payload = payload_of(perceived(Emotion()))
    assert payload["turn_id"] == "t1"
    assert payload["empfangen_am"] == RECEIVED
    assert payload["user_prompt"] == "Hallo"
    assert payload["nachrichten_ids"] == ["a", "b"]
    assert payload["wahrnehmung_herkunft"] == "gelesen"
    assert not {"pfad1_ausfall", "reiz_herkunft", "eigener_gedanke"} & set(payload)


def test_without_a_perception_nothing_looks_like_a_measurement() -> None:
    """Traps T35 and A-011: the EI keys are left out, so that the reader's defaults act."""
    state = human_state(user_prompt="Hallo", user_id="meister", character_id="nova", turn_id="t1")
    payload = payload_of(state, failure="ModelTimeoutError: zu spät")
    assert not set(EMOTION_KEYS) & set(payload)
    assert payload["pfad1_ausfall"] == "ModelTimeoutError: zu spät"
    assert payload["wahrnehmung_herkunft"] == "nicht_wahrgenommen"


def test_late_values_are_not_in_the_event() -> None:
    """Design §3: they arrive with the salience of path 1 and are awaited where they are read."""
    payload = payload_of({**perceived(Emotion()), "salienz_human": 0.7, "user_intentionen": ("humor",)})
    assert not {"salienz_human", "user_intentionen"} & set(payload)


@given(TEXTS, TEXTS, st.booleans(), st.none() | UNITS)
def test_a_retry_fills_exactly_one_stimulus_slot_and_keeps_the_level(
    said: str, thought: str, is_own: bool, level: float | None
) -> None:
    """Trap T13 and spec 01 §3.9: the second producer of ``gedanke_arousal`` must serve it too."""
    payload = {"reiz_herkunft": "eigener_impuls" if is_own else "", "gedanke_arousal": level}
    retry = retry_payload(
        {"user_prompt": said, "eigener_gedanke": thought, "turn_id": "t1", "event_payload": payload}
    )
    assert retry["user_prompt"] == ("" if is_own else said)
    assert retry["eigener_gedanke"] == (thought if is_own else "")
    assert retry["gedanke_arousal"] == (level if is_own else None)
    assert retry["turn_id"] == "t1"
    assert retry["thinker_unsicher_retry"] is True


def test_a_turn_may_raise_three_events_about_itself() -> None:
    """Spec 01 §3.9."""
    assert [self_trigger_allowed(count) for count in range(MAX_SELF_TRIGGERS + 2)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_the_moment_of_reception_is_handed_on_as_it_stands() -> None:
    """A-074, A-075: ``empfangen_am`` and nothing else; whoever reads it judges it."""
    assert received_at({"event_payload": {"empfangen_am": "bald", "erstellt_am": 5.0}}) == "bald"
    assert received_at({"event_payload": {"erstellt_am": 5.0}}) is None


def test_an_event_starts_as_the_first_of_its_turn() -> None:
    """Spec 01 §2.7."""
    event = Event(event_id="e", turn_id="t1", source="user", typ="message", payload={})
    assert event.trigger_count == 0


def test_the_slots_of_path_2_are_those_of_the_event() -> None:
    """Spec 01 §2.4: ``eigener_gedanke`` has no fall-back to ``user_prompt``."""
    state = character_state(
        payload={"user_prompt": None, "eigener_gedanke": "Gedanke", "reiz_herkunft": "eigener_impuls"},
        source="character",
        user_id="meister",
        character_id="nova",
        turn_id="t1",
    )
    assert (state["user_prompt"], state["eigener_gedanke"]) == ("", "Gedanke")
