"""The state that survives a kill between answer and end of the turn (design §3)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from pydantic import ValidationError

from novaberg.conversation.resume import dump_answer_state, load_answer_state
from novaberg.conversation.state import ConversationState, character_state
from novaberg.ei.records import CourseEntry
from novaberg.personality import InternalPersonality, Personality
from tests.support.strategies import COURSES, INTERNALS, PERSONALITIES, TEXTS

START = character_state(
    payload={"user_prompt": "Hallo"}, source="user", user_id="meister", character_id="nova", turn_id="t1"
)


def answered(external: Personality, internal: InternalPersonality) -> ConversationState:
    return {
        **START,
        "external": external,
        "internal": internal,
        "external_herkunft": "gelesen",
        "raw_turns": (
            {"rolle": "user", "inhalt": "Na?"},
            {"rolle": "assistant", "inhalt": "Sehr geehrte Damen", "turn_id": "t0"},
        ),
        "response": "Hallo!",
        "model": "test:eins",
        "token_total": 12,
        "nova_emotion_konflikt": True,
    }


@given(PERSONALITIES, INTERNALS, COURSES, TEXTS)
def test_a_resumed_tail_knows_what_the_killed_one_knew(
    external: Personality, internal: InternalPersonality, course: tuple[CourseEntry, ...], response: str
) -> None:
    """Through JSON and back, nothing is asked or computed again."""
    state: ConversationState = {
        **answered(external, internal),
        "nova_emotions_verlauf": course,
        "response": response,
    }
    loaded = load_answer_state(START, json.loads(json.dumps(dump_answer_state(state))))
    for key in (
        "external",
        "internal",
        "external_herkunft",
        "nova_emotions_verlauf",
        "nova_emotion_konflikt",
        "response",
        "model",
        "token_total",
        "user_prompt",
        "turn_id",
        "event_payload",
    ):
        assert loaded[key] == state[key], key
    assert isinstance(loaded["internal"], InternalPersonality)


def test_novas_own_turns_travel_because_the_style_rule_of_the_tail_reads_them() -> None:
    """A-062, A-093: without them a resumed turn would look like one without history and skip the correction."""
    state = answered(Personality(), InternalPersonality())
    loaded = load_answer_state(START, json.loads(json.dumps(dump_answer_state(state))))
    assert loaded["raw_turns"] == (state["raw_turns"][1],)


def test_an_unknown_origin_stays_unknown() -> None:
    """Design §6.1: absent is not a value."""
    state = answered(Personality(), InternalPersonality())
    del state["external_herkunft"]
    assert "external_herkunft" not in load_answer_state(START, dump_answer_state(state))


def test_a_damaged_state_is_refused() -> None:
    """Never resumed from guesses."""
    saved = dump_answer_state(answered(Personality(), InternalPersonality()))
    with pytest.raises(ValidationError):
        load_answer_state(START, {**saved, "internal": {"emotion": {"arousal": "hoch"}}})
