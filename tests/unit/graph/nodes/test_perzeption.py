"""The helpers of perception that need no store (seed: node-perzeption, "Bauform")."""

from __future__ import annotations

import dataclasses

from hypothesis import given

from novaberg.conversation.state import ConversationState
from novaberg.ei.canon import DEFAULT_PERCEPTION, Perception
from novaberg.graph.nodes.perzeption import Collected, choose_input, write_perception
from novaberg.personality import InternalPersonality, Personality
from tests.support.strategies import INTERNALS, PERSONALITIES

SEEN = Perception(
    intent="personal",
    tone="direkt",
    topic="Bruno",
    emotion="wut",
    arousal=0.8,
    mode="emotional",
    language_style="locker",
    relationship_dynamic="angriff",
)


def test_each_role_reads_its_own_text() -> None:
    """B-007."""
    state: ConversationState = {"user_prompt": "Mensch", "response": "Nova", "event_payload": {}}
    assert choose_input(state, "user") == "Mensch"
    assert choose_input(state, "assistant") == "Nova"
    assert choose_input({}, "assistant") == choose_input({}, "user") == ""


def test_an_impulse_is_read_from_its_own_slot() -> None:
    """Spec 02 §3.17 step 2: no fall-back between the two."""
    impulse: ConversationState = {
        "user_prompt": "Mensch",
        "eigener_gedanke": "Gedanke",
        "event_payload": {"reiz_herkunft": "eigener_impuls"},
    }
    assert choose_input(impulse, "user") == "Gedanke"


@given(PERSONALITIES, INTERNALS)
def test_each_role_writes_its_own_side_and_nothing_else(
    external: Personality, internal: InternalPersonality
) -> None:
    """B-001, B-008, B-015, B-072: eight fields; vector, character, identities and space stay."""
    state: ConversationState = {"external": external, "internal": internal}
    person = write_perception(state, "user", Collected(SEEN, "gelesen"))
    assert person == {
        "external": dataclasses.replace(external, emotion=SEEN.into(external.emotion)),
        "external_herkunft": "gelesen",
    }
    nova = write_perception(state, "assistant", Collected(SEEN, "gelesen"))
    assert nova == {
        "internal": dataclasses.replace(internal, emotion=SEEN.into(internal.emotion)),
        "internal_herkunft": "gelesen",
    }
    for before, after in ((external, person["external"]), (internal, nova["internal"])):
        assert after.emotion.emotions_vector == before.emotion.emotions_vector
        assert after.emotion.emotions_vector_quelle == before.emotion.emotions_vector_quelle


def test_an_absent_side_is_created() -> None:
    """Spec 02 §3.17 step 3."""
    assert write_perception({}, "user", Collected(SEEN, "gelesen"))["external"].emotion.emotion == "wut"
    assert isinstance(
        write_perception({}, "assistant", Collected(SEEN, "gelesen"))["internal"], InternalPersonality
    )


def test_defaults_carry_their_origin() -> None:
    """B-014, B-076: the same values as a calm turn, another origin."""
    update = write_perception({}, "user", Collected(DEFAULT_PERCEPTION, "standardwerte"))
    assert update["external"] == Personality()
    assert update["external_herkunft"] == "standardwerte"


def test_a_perception_has_exactly_the_eight_fields_and_defaults_of_the_seed() -> None:
    """B-013."""
    assert dataclasses.asdict(Perception()) == {
        "intent": "smalltalk",
        "tone": "sachlich",
        "topic": "",
        "emotion": "neutral",
        "arousal": 0.5,
        "mode": "alltag",
        "language_style": "neutral",
        "relationship_dynamic": "neutral",
    }
