"""Recognises when a life is in danger, also said sideways, and knows whom to call (cases E9, promise P17)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Hit, Lexicon, entries_of
from novaberg.models.builtin.reading import Reading, Sentence
from novaberg.models.builtin.wordlists import grammar, section
from novaberg.models.builtin.wordlists import words as listed


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
    """The danger that a text tells of. Sayings ("zum Sterben langweilig") do not count; what is denied or taken back is
    soft."""
    if not _tells(reading, language, (*_ALARMING, _AT_THE_END, _AT_A_CLAUSE_END)):
        return Danger.NONE
    found: set[str] = set()
    for sentence in reading.sentences:
        found |= _in_sentence(sentence, language)
    if "acute" in found or ("means" in found and _tells(reading, language, ("plea",))):
        return Danger.ACUTE
    if "other" in found:
        return Danger.OTHER
    return Danger.SOFT if "soft" in found else Danger.NONE


def wants_promise(reading: Reading, language: Language) -> bool:
    """Whether the text asks Nova to be there forever."""
    return _tells(reading, language, ("promise",))


def means_named(reading: Reading, language: Language) -> bool:
    """Whether the text names something one could hurt oneself with."""
    return _tells(reading, language, ("means",))


_ALARMING: Final = ("acute", "means", "soft", "other")
_AT_THE_END: Final = "soft_end"
"""Phrases that only alarm as the last words of a sentence ("Ich will nicht mehr.")."""


_AT_A_CLAUSE_END: Final = "soft_clause_end"
"""Phrases that only alarm if their clause ends with them ("Ich kann nicht mehr, alles ist zu viel")."""
_OF_ONESELF: Final = frozenset({"acute", "soft", _AT_THE_END, _AT_A_CLAUSE_END})
_OTHERS: Final = frozenset({"er", "sie", "he", "she", "they"})
_JOINTS: Final = frozenset({"und", "aber", "weil", "denn", "and", "but", "because", "so"})


def _tells(reading: Reading, language: Language, names: tuple[str, ...]) -> bool:
    return any(_list(name, language).find(sentence.words) for sentence in reading.sentences for name in names)


def _in_sentence(sentence: Sentence, language: Language) -> set[str]:
    """The alarming lists with a hit; each list is searched on its own, because they overlap on purpose."""
    words = sentence.words
    found = {name for name in _ALARMING if _hits(name, sentence, language)}
    if any(hit.end == len(words) for hit in _hits(_AT_THE_END, sentence, language)):
        found.add("soft")
    if any(_closes_clause(hit, sentence) for hit in _hits(_AT_A_CLAUSE_END, sentence, language)):
        found.add("soft")
    if found & {"acute", "soft", "other"}:
        if _list("bereft", language).find(words) or _list("unreal", language).find(words):
            return found & {"means"}
        if _list("negated", language).find(words) or _list("jest", language).find(words):
            return {"soft"}
    if "other" in found and not _list("third", language).find(words):
        found.discard("other")
    elif "other" in found and not {token.low for token in words} & _SELF[language]:
        found.discard("acute")
    return found


def _hits(name: str, sentence: Sentence, language: Language) -> list[Hit[str]]:
    """Hits of one list outside of sayings; hopeless words count only if they are not said of somebody else."""
    words = sentence.words
    sayings = _list("idiom", language).find(words)
    return [
        hit
        for hit in _list(name, language).find(words)
        if not any(saying.start < hit.end and hit.start < saying.end for saying in sayings)
        and not (name in _OF_ONESELF and _told_of_another(hit, sentence, language))
    ]


def _told_of_another(hit: Hit[str], sentence: Sentence, language: Language) -> bool:
    """``Heinz kann nicht mehr``, ``die Datei ist für immer weg``: the clause has a subject, and it is not the speaker."""
    words = sentence.words
    lead = words[_clause_start(hit, sentence) : hit.start]
    if {token.low for token in (*lead, *words[hit.start : hit.end])} & _SELF[language]:
        return False
    stop = listed("cues", language, "topic", "stop") | grammar("any", "words_of_existence")
    return any(token.low in _OTHERS or (token.kind == "word" and token.low not in stop) for token in lead)


def _clause_start(hit: Hit[str], sentence: Sentence) -> int:
    """Index of the first word behind the last mark or joint before a hit."""
    start = count = 0
    for token in sentence.tokens:
        if count >= hit.start:
            break
        if token.kind in {"word", "number"}:
            count += 1
            start = count if token.low in _JOINTS else start
        else:
            start = count
    return start


def _closes_clause(hit: Hit[str], sentence: Sentence) -> bool:
    """Nothing follows a hit but a mark, a joint or the end."""
    words = sentence.words
    if hit.end == len(words) or words[hit.end].low in _JOINTS:
        return True
    last = sentence.tokens.index(words[hit.end - 1])
    return sentence.tokens[last + 1].kind in {"mark", "emoji"}


_SELF: Final[Mapping[Language, frozenset[str]]] = MappingProxyType(
    {"de": frozenset({"ich", "mich", "mir"}), "en": frozenset({"i", "i'm", "me", "myself"})}
)


@lru_cache(maxsize=32)
def _list(name: str, language: Language) -> Lexicon[str]:
    return Lexicon(entries_of({name: section("crisis", language, "signs")[name]}))
