"""What Nova knows of the person, one short sentence a fact: corrected values only, never what they replaced."""

from __future__ import annotations

from typing import Final

from novaberg.models.builtin import possessing
from novaberg.models.builtin.facts import Attribute, Being
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording

_ROOM: Final = "recall"
_OWN: Final[tuple[Attribute, ...]] = (
    "home",
    "origin",
    "job",
    "work",
    "age",
    "birthday",
)
_OF_BEINGS: Final[tuple[Attribute, ...]] = ("age", "home")
_TASTES: Final[tuple[Attribute, ...]] = ("like", "dislike")
_PREPOSITIONAL: Final = frozenset({"home", "origin", "work", "birthday"})
"""Attributes whose German value begins with a preposition."""


def recap_facts(scene: Scene, wording: Wording) -> list[str]:
    """Sentences on the person, their beings, and what they like."""
    return [*_of_the_person(scene, wording), *_of_beings(scene, wording), *_tastes(scene, wording)]


def _of_the_person(scene: Scene, wording: Wording) -> list[str]:
    found = []
    for attribute in _OWN:
        values = scene.memory.about(None, attribute)
        if values:
            value = _inside(values[-1], attribute, scene)
            found.append(wording.say(f"recap_{attribute}", room=_ROOM, value=value))
    return found


def _of_beings(scene: Scene, wording: Wording) -> list[str]:
    found = []
    for being in sorted(scene.memory.beings, key=lambda being: being.last):
        if being.names and being.noun:
            key = "recap_beings" if being.gender == "p" else "recap_being"
            found.append(wording.say(key, room=_ROOM, **scene.fillings(being)))
        found += _attributes(being, scene, wording)
    return found


def _attributes(being: Being, scene: Scene, wording: Wording) -> list[str]:
    found = []
    for attribute in _OF_BEINGS:
        values = scene.memory.about(being, attribute)
        if values and being.gender != "p":
            value = _inside(values[-1], attribute, scene)
            slots = scene.fillings(being)
            found.append(wording.say(f"recap_being_{attribute}", room=_ROOM, value=value, **slots))
    return found


def _tastes(scene: Scene, wording: Wording) -> list[str]:
    found = []
    for attribute in _TASTES:
        values = list(dict.fromkeys(scene.memory.about(None, attribute)))[-4:]
        if values:
            value = possessing.joined(values, scene.language)
            found.append(wording.say(f"recap_{attribute}", room=_ROOM, value=value))
    return found


def _inside(value: str, attribute: Attribute, scene: Scene) -> str:
    """The value as it stands inside a sentence."""
    small = attribute in _PREPOSITIONAL and scene.language == "de"
    return value[:1].lower() + value[1:] if small else value
