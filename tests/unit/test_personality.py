"""The two sides of a conversation (spec 01 §2.2)."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, replace

import pytest

from novaberg.ei.style import character_hash
from novaberg.personality import Character, Emotion, InternalPersonality, Personality, Space


def test_the_defaults_are_those_of_the_seed() -> None:
    """A-011."""
    assert Emotion() == Emotion(
        "neutral", 0.5, "", "alltag", "neutral", "neutral", "sachlich", "smalltalk", ""
    )


def test_the_stored_form_lists_every_field() -> None:
    """B-089: nine dimensions; the origin of the vector goes along."""
    emotion = Emotion(
        "freude", 0.9, "plateau", "emotional", "locker", "dankbar", "direkt", "meta", "Bruno", "gemessen"
    )
    assert emotion.to_dict() == dataclasses.asdict(emotion)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Character)])
def test_a_character_with_any_layer_is_not_empty(field: str) -> None:
    assert Character().is_empty
    assert not Character(**{field: "etwas"}).is_empty


def test_the_layers_have_their_stored_names_in_one_place() -> None:
    """A-008: core→kern, adaptive→adaptiv, relationship→beziehungsprofil, and the two profiles."""
    character = Character("k", "a", "b", "i", "e")
    assert character_hash(character) == {
        "kern": "k",
        "adaptiv": "a",
        "beziehungsprofil": "b",
        "intentions_profil": "i",
        "emotions_profil": "e",
    }
    assert character_hash(Character()) is None


def test_personalities_cannot_be_changed_in_place() -> None:
    """A-040: what cannot change cannot be changed through an alias either."""
    nova = InternalPersonality()
    with pytest.raises(FrozenInstanceError):
        nova.emotion.arousal = 0.9  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        nova.space = Space()  # type: ignore[misc]
    copy = replace(nova.emotion)
    assert copy == nova.emotion
    assert copy is not nova.emotion


def test_only_nova_has_identities_directives_and_a_space() -> None:
    """A-038."""
    own = {field.name for field in dataclasses.fields(InternalPersonality)} - {
        field.name for field in dataclasses.fields(Personality)
    }
    assert own == {"identities", "directives", "space"}
