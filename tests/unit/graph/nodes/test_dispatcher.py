"""The pure parts of the dispatcher (seed: node-dispatcher §7, §8). The golden vectors hold guard and entry line."""

from __future__ import annotations

import pytest
from hypothesis import given

from novaberg.conversation.state import ConversationState
from novaberg.graph.nodes.dispatcher import raw_turn_guard, session_turn
from novaberg.pair import Pair
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.support.strategies import INTERNALS, PERSONALITIES

PERSON = Emotion(
    "wut", 0.8, "spirale", "emotional", "locker", "angriff", "direkt", "personal", "Absage", "gemessen"
)
NOVA = Emotion("hoffnung", 0.4, "plateau", "beratend", "formell", "vertrauen", "empathisch", "task", "Trost")
STATE: ConversationState = {
    "turn_id": "t1",
    "graph_rolle": "character",
    "user_prompt": "Schon wieder abgelehnt!",
    "response": "Das tut mir leid.",
    "user_intentionen": ("hilferuf", "emotionaler_ausdruck"),
    "external": Personality(emotion=PERSON),
    "internal": InternalPersonality(emotion=NOVA),
    "event_payload": {},
}
PAIR = Pair("meister")


def without(*keys: str) -> ConversationState:
    return {key: value for key, value in STATE.items() if key not in keys}  # type: ignore[return-value]


def test_novas_turn_carries_novas_values() -> None:
    """A-144, A-145, B-009."""
    assert session_turn(STATE, zeit=12.5) == {
        "rolle": "assistant",
        "inhalt": "Das tut mir leid.",
        "zeit": 12.5,
        "turn_id": "t1",
        "intentionen": ["hilferuf", "emotionaler_ausdruck"],
        "kern": "",
        "herkunft": "nutzer_turn",
        "emotion": "hoffnung",
        "arousal": 0.4,
        "modus": "beratend",
        "emotions_vektor": "plateau",
        "sprach_stil": "formell",
        "beziehungs_dynamik": "vertrauen",
        "tone": "empathisch",
    }


def test_the_persons_turn_carries_the_persons_values_and_topic() -> None:
    """A-144, A-145, spec 03 §2.2: ``themen`` only for the person."""
    turn = session_turn(without("response", "internal"), zeit=12.5)
    assert (turn["rolle"], turn["inhalt"]) == ("user", "Schon wieder abgelehnt!")
    assert (turn["emotion"], turn["arousal"], turn["tone"]) == ("wut", 0.8, "direkt")
    assert turn["themen"] == ["Absage"]


def test_an_empty_topic_leaves_the_key_out() -> None:
    """Spec 03 §2.2."""
    assert "themen" not in session_turn({"user_prompt": "Hallo", "external": Personality()}, zeit=0.0)


def test_an_unperceived_person_is_stored_with_the_values_of_the_spec() -> None:
    """Spec 03 §2.2: neutral, 0.5 and empty; an empty ``modus`` is what tells "not perceived" later."""
    turn = session_turn({"user_prompt": "Hallo"}, zeit=0.0)
    assert (turn["emotion"], turn["arousal"], turn["modus"], turn["tone"]) == ("neutral", 0.5, "", "sachlich")


def test_an_own_thought_never_becomes_the_persons_words() -> None:
    """A-153, trap T14: the origin stands in the turn, the thought in no slot of the person."""
    state: ConversationState = {
        **STATE,
        "user_prompt": "",
        "eigener_gedanke": "Bruno fehlt mir.",
        "event_payload": {"reiz_herkunft": "eigener_impuls"},
    }
    assert session_turn(state, zeit=0.0)["herkunft"] == "eigener_impuls"
    state["response"] = ""
    assert session_turn(state, zeit=0.0)["inhalt"] == ""


@given(PERSONALITIES, INTERNALS)
def test_both_turns_of_an_exchange_keep_their_own_emotion(
    external: Personality, internal: InternalPersonality
) -> None:
    """B-009, trap T3: two actors, two sets of values."""
    state: ConversationState = {**STATE, "external": external, "internal": internal}
    assert session_turn(state, zeit=0.0)["emotion"] == internal.emotion.emotion
    state["response"] = ""
    assert session_turn(state, zeit=0.0)["emotion"] == external.emotion.emotion


@pytest.mark.parametrize(
    ("state", "pair", "reason"),
    [
        (STATE, PAIR, ""),
        (STATE, None, "paar_unvollstaendig"),
        (without("external"), None, "paar_unvollstaendig"),
        (without("external"), PAIR, "personality_fehlt"),
        (without("internal"), PAIR, "personality_fehlt"),
        (without("internal", "response"), PAIR, "personality_fehlt"),
        (without("response"), PAIR, "response_leer"),
        ({**STATE, "response": ""}, PAIR, "response_leer"),
        ({**without("response", "internal"), "graph_rolle": "human"}, PAIR, "kein_antwortpfad"),
        ({**without("response", "external"), "graph_rolle": "human"}, PAIR, "personality_fehlt"),
    ],
)
def test_the_guard_names_the_first_reason(state: ConversationState, pair: Pair | None, reason: str) -> None:
    """A-154: the HumanGraph has no answer by construction, which is no outage; a missing person is one there too."""
    assert raw_turn_guard(state, pair) == reason
