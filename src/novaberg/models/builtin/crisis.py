"""Recognises when a life is in danger, also said sideways, and knows whom to call (cases E9, promise P17)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import Reading
from novaberg.models.builtin.wordlists import section


class Danger(enum.Enum):
    """How a text speaks of death and hurting oneself."""

    NONE = enum.auto()
    SOFT = enum.auto()
    """Words of hopelessness that may mean it, or thoughts that are denied."""
    OTHER = enum.auto()
    """Somebody else is in danger."""
    ACUTE = enum.auto()


CRISIS_LINES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "DE": ("0800 111 0 111", "112"),
        "AT": ("142", "112"),
        "CH": ("143", "144"),
        "US": ("988", "911"),
        "CA": ("988", "911"),
        "GB": ("116 123", "999"),
        "IE": ("116 123", "112"),
    }
)
"""Region → crisis line, emergency number."""


def crisis_line(region: str) -> tuple[str, str]:
    """Crisis line and emergency number of a region; the line is ``""`` where none is known (then 112 stands)."""
    return CRISIS_LINES.get(region.upper(), ("", "112"))


def danger_of(reading: Reading, language: Language) -> Danger:
    """The danger that a text tells of."""
    found = _found(reading, language)
    if not found & {"acute", "means", "soft", "other"}:
        return Danger.NONE
    if "idiom" in found and "means" not in found:
        return Danger.NONE
    if "negated" in found:
        return Danger.SOFT
    if "acute" in found or {"means", "plea"} <= found:
        return Danger.ACUTE
    if "other" in found:
        return _of_somebody_else(reading, language)
    return Danger.SOFT if "soft" in found else Danger.NONE


def wants_promise(reading: Reading, language: Language) -> bool:
    """Whether the text asks Nova to be there forever."""
    return "promise" in _found(reading, language)


def _found(reading: Reading, language: Language) -> frozenset[str]:
    """The lists with a hit; each list is searched on its own, because they overlap on purpose."""
    names = ("acute", "means", "plea", "soft", "other", "idiom", "negated", "promise")
    finder = {name: _list(name, language) for name in names}
    return frozenset(
        name for name in names for sentence in reading.sentences if finder[name].find(sentence.words)
    )


def _of_somebody_else(reading: Reading, language: Language) -> Danger:
    named = {
        hit.value for sentence in reading.sentences for hit in _list("third", language).find(sentence.words)
    }
    return Danger.OTHER if named else Danger.ACUTE


@lru_cache(maxsize=32)
def _list(name: str, language: Language) -> Lexicon[str]:
    return Lexicon(entries_of({name: section("crisis", language, "signs")[name]}))


def means_named(reading: Reading, language: Language) -> bool:
    """Whether the text names something one could hurt oneself with."""
    return "means" in _found(reading, language)
