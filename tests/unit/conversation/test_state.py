"""Where each graph starts (spec 01 §2.3–2.4)."""

from __future__ import annotations

from novaberg.conversation.state import (
    ConversationState,
    character_state,
    human_state,
    human_tail_state,
)
from novaberg.personality import Emotion, Personality

PAIR = {"user_id": "meister", "character_id": "nova", "turn_id": "t1"}
COMPUTED_LATER = {
    "external",
    "internal",
    "raw_turns",
    "memory_entries",
    "nova_emotions_verlauf",
    "response",
    "pending_writes",
}
"""Absent until somebody computes them, so that "has not run" can be told from "found nothing"."""


def test_role_markers_are_preset_for_both_graphs() -> None:
    """B-006, spec 01 §2.4."""
    human = human_state(user_prompt="Hallo", **PAIR)
    assert (human["graph_rolle"], human["ei_calc_rolle"], human["perzeption_rolle"]) == (
        "human",
        "user",
        "user",
    )
    nova = character_state(payload={}, source="user", **PAIR)
    assert (nova["graph_rolle"], nova["ei_calc_rolle"], nova["perzeption_rolle"]) == (
        "character",
        "character",
        "assistant",
    )


def test_what_nobody_computed_is_absent() -> None:
    """Spec 01 §2.4 [gap]; trap T4: a default looks like a result."""
    for state in (
        human_state(user_prompt="Hallo", **PAIR),
        character_state(payload={}, source="user", **PAIR),
    ):
        assert not COMPUTED_LATER & set(state)


def test_an_undetermined_salience_is_none_and_not_zero() -> None:
    """Spec 01 §2.3: never merge the two."""
    assert human_state(user_prompt="Hallo", **PAIR)["salienz_human"] is None
    assert character_state(payload={}, source="user", **PAIR)["salienz_human"] is None


def test_every_preset_key_is_declared() -> None:
    """Trap T1."""
    states = [
        human_state(user_prompt="Hallo", **PAIR),
        character_state(payload={}, source="character", **PAIR),
        human_tail_state(payload={"current_emotion": "wut"}, **PAIR),
    ]
    for state in states:
        assert set(state) <= set(ConversationState.__annotations__)


def test_the_tail_of_path_1_starts_with_the_person_as_perceived() -> None:
    """Design §3: a turn taken up after its event asks nobody again."""
    state = human_tail_state(
        payload={"user_prompt": "Hallo", "current_emotion": "wut", "tone": "direkt"}, **PAIR
    )
    assert state["external"] == Personality(emotion=Emotion(emotion="wut", tone="direkt"))
    assert state["user_prompt"] == "Hallo"
    assert state["graph_rolle"] == "human"


def test_the_tail_of_an_unperceived_turn_has_no_person() -> None:
    """Trap T35: an absent perception does not become a calm one on the way."""
    assert "external" not in human_tail_state(payload={"user_prompt": "Hallo", "pfad1_ausfall": "X"}, **PAIR)
