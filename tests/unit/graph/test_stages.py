"""The stage line of a finished node (spec 01 §5.4)."""

from __future__ import annotations

import pytest
from hypothesis import given

from novaberg.conversation.state import ConversationState
from novaberg.graph.stages import NO_DETAIL, stage_of
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.support.strategies import INTERNALS, PERSONALITIES


def perceived(emotion: Emotion, origin: str = "gelesen") -> ConversationState:
    return {"external": Personality(emotion=emotion), "external_herkunft": origin}  # type: ignore[typeddict-item]


def self_perceived(emotion: Emotion, origin: str = "gelesen") -> ConversationState:
    return {"internal": InternalPersonality(emotion=emotion), "internal_herkunft": origin}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("arousal", "word"),
    [
        (0.0, "ruhig"),
        (0.29, "ruhig"),
        (0.3, "moderat"),
        (0.59, "moderat"),
        (0.6, "intensiv"),
        (1.0, "intensiv"),
    ],
)
def test_the_persons_intensity_has_its_words(arousal: float, word: str) -> None:
    detail = stage_of("perzeption", perceived(Emotion(emotion="freude", arousal=arousal))).detail
    assert detail == f"freude ({word}) · alltag"


@pytest.mark.parametrize(
    ("arousal", "word"),
    [(0.39, "mild"), (0.4, "moderat"), (0.69, "moderat"), (0.7, "intensiv")],
)
def test_novas_intensity_has_words_and_limits_of_its_own(arousal: float, word: str) -> None:
    state = self_perceived(Emotion(emotion="freude", arousal=arousal, mode="emotional"))
    assert stage_of("perzeption_assistant", state).detail == f"freude ({word}) · emotional"


def test_a_dynamic_is_told_unless_it_is_neutral() -> None:
    detail = stage_of("perzeption", perceived(Emotion(relationship_dynamic="vertrauen"))).detail
    assert detail.endswith("· vertrauen")


def test_a_calm_self_perception_shows_a_dash() -> None:
    assert stage_of("perzeption_assistant", self_perceived(Emotion())).detail == NO_DETAIL


@pytest.mark.parametrize("origin", ["standardwerte", "nicht_wahrgenommen"])
def test_defaults_are_never_shown_as_a_perception(origin: str) -> None:
    """Design §6.1, B-076."""
    for state, node in (
        (perceived(Emotion(), origin), "perzeption"),
        (self_perceived(Emotion(), origin), "perzeption_assistant"),
    ):
        detail = stage_of(node, state).detail
        assert "neutral" not in detail
        assert "Standardwerte" in detail


def test_ei_calc_shows_the_three_strongest_of_the_side_that_was_computed() -> None:
    course = tuple(
        {"emotion": name, "gewicht": weight, "arousal": 0.5}
        for name, weight in (("freude", 1.0), ("wut", 0.5), ("stress", 0.25), ("hoffnung", 0.2))
    )
    human: ConversationState = {
        **perceived(Emotion(emotions_vector="plateau")),
        "graph_rolle": "human",
        "emotions_verlauf": course,  # type: ignore[typeddict-item]
    }
    assert (
        stage_of("ei_calc", human).detail == "freude 1.00, wut 0.50, stress 0.25 · plateau · alltag · neutral"
    )
    nova: ConversationState = {
        **self_perceived(Emotion(emotions_vector="erholung")),
        "graph_rolle": "character",
        "nova_emotions_verlauf": course[:1],  # type: ignore[typeddict-item]
        "nova_emotion_konflikt": True,
    }
    assert stage_of("ei_calc", nova).detail == "freude 1.00 · erholung · Nova(a=0.50) · ⚡Konflikt"


def test_the_other_nodes_tell_what_they_found() -> None:
    assert stage_of("enricher", {"raw_turns": ({}, {})}).detail == "2 Beiträge der Sitzung"
    assert stage_of("enricher", {}).detail == "noch kein Verlauf"
    assert stage_of("reducer", {"memory_context": "abc"}).detail == "3 Zeichen Kontext"
    assert stage_of("responder", {"response": "Hallo", "token_total": 12}).detail == "12 Tokens"
    assert stage_of("responder", {"response": "Hallo"}).detail == "5 Zeichen"
    assert stage_of("db_zugriff", {"external": Personality()}).detail == "external geladen"
    assert stage_of("ei_calc_persist", self_perceived(Emotion())).detail == "neutral · alltag"
    assert stage_of("dispatcher", {}).detail == NO_DETAIL


def test_gravitation_tells_the_emotion_only_where_a_memory_tinted_the_course() -> None:
    """Spec 01 §5.4; an own impulse is never tinted (spec 02 §3.11)."""
    pulled: ConversationState = {
        "nova_emotions_verlauf": ({"emotion": "wut", "gewicht": 0.5, "arousal": 0.5},),
        "emotionale_gravitationspunkte": ({"emotion": "wut", "gravitation": 0.5, "quelle": "kzg"},),
    }
    node = "emotionale_gravitation"
    assert stage_of(node, pulled).detail == "wut · Verlauf 1"
    impulse: ConversationState = {**pulled, "event_payload": {"reiz_herkunft": "eigener_impuls"}}
    empty: ConversationState = {**pulled, "nova_emotions_verlauf": ()}
    for state in (impulse, empty, {**pulled, "emotionale_gravitationspunkte": ()}):
        assert stage_of(node, state).detail == "nicht gefärbt"  # type: ignore[arg-type]


def test_an_unknown_node_is_its_own_label() -> None:
    stage = stage_of("neuer_knoten", {})
    assert (stage.node, stage.label, stage.detail) == ("neuer_knoten", "neuer_knoten", NO_DETAIL)


@given(PERSONALITIES, INTERNALS)
def test_no_value_of_any_perception_breaks_the_line(
    external: Personality, internal: InternalPersonality
) -> None:
    """Stages are decoration: odd values must not cost a turn."""
    state: ConversationState = {
        "external": external,
        "internal": internal,
        "external_herkunft": "gelesen",
        "internal_herkunft": "gelesen",
    }
    for node in ("perzeption", "perzeption_assistant", "ei_calc", "ei_calc_persist", "db_zugriff"):
        assert stage_of(node, state).detail
