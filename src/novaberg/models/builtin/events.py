"""What a statement tells of — an illness, an exam, a trip — and whom it concerns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin import phrases_de, phrases_en
from novaberg.models.builtin.emotion import feel
from novaberg.models.builtin.facts import Being, Clause, Memory
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.mirror import clause_around
from novaberg.models.builtin.nouns import kind_of
from novaberg.models.builtin.reading import Token, read
from novaberg.models.builtin.wordlists import grammar, section, words

_VEXED: Final = frozenset({"aerger", "wut", "frustration", "stress", "enttaeuschung"})
"""Feelings that a device can be the cause of."""
_BY_SUBJECT: Final = frozenset({"death", "illness"})
_STRONG: Final = grammar("any", "events_a_negation_takes_back")
"""Events that a negation takes back."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event with whom it concerns."""

    kind: str
    """Key of the reply file: ``illness_animal``, ``travel`` …"""
    rank: int
    """Smaller is weightier."""
    being: Being | None
    clause: Clause
    position: int
    """Text offset of the telling word."""
    own: bool
    """It concerns the speaker."""


@lru_cache(maxsize=2)
def _signs(language: Language) -> tuple[Lexicon[str], dict[str, int]]:
    lists = section("events", language, "signs")
    return Lexicon(entries_of(lists)), {name: rank for rank, name in enumerate(lists)}


def event_in(clause: Clause, memory: Memory, language: Language) -> Event | None:
    """The weightiest event of a statement in the language of the talk, ``None`` if it tells of none.

    An illness or a death of nobody in particular steps back behind anything else that is told.
    """
    if clause.language != language:
        return None
    finder, ranks = _signs(language)
    tokens = clause.sentence.words
    hits = [
        hit
        for hit in finder.find(tokens)
        if hit.value != "none" and not (hit.value in _STRONG and _denied(tokens, hit.start, language))
    ]
    events = [
        _event(hit.value, ranks[hit.value], tokens[hit.start], clause, memory)
        for hit in sorted(hits, key=lambda hit: ranks[hit.value])[:4]
    ]
    events = [event for event in events if event.kind != "technology" or has_trouble(event)]
    vague = {"illness", "death"}
    concrete = [e for e in events if e.kind.partition("_")[0] not in vague or e.being is not None or e.own]
    return next(iter(concrete or events), None)


def has_trouble(event: Event) -> bool:
    """Something does not work: a mishap, a negation or an annoyance in the sentence that tells it."""
    spoken, language = event.clause.sentence.words, event.clause.language
    if _trouble(language).find(spoken):
        return True
    return feel(read(event.clause.sentence.source), language).emotion in _VEXED


@lru_cache(maxsize=2)
def _trouble(language: Language) -> Lexicon[str]:
    lists = section("cues", language, "scope")
    return Lexicon(entries_of({name: lists[name] for name in ("mishap", "negators")}))


def _event(kind: str, rank: int, token: Token, clause: Clause, memory: Memory) -> Event:
    being = _subject(clause, clause.sentence.words, memory, clause.language)
    own = being is None and _own(clause, token)
    return Event(_refined(kind, being, own=own), rank, being, clause, token.start, own)


def _own(clause: Clause, token: Token) -> bool:
    """Whether the speaker is in the part of the sentence (between commas and "und") that tells it."""
    tokens = clause.sentence.tokens
    begin, end = clause_around(tokens, token.start)
    joints = [index for index in range(begin, end) if tokens[index].low in {"und", "and"}]
    place = next(index for index in range(begin, end) if tokens[index] is token)
    first = max((index for index in joints if index < place), default=begin)
    last = min((index for index in joints if index > place), default=end)
    selves = words("cues", clause.language, "scope", "self")
    part = tokens[first:last] if any(other.low in selves for other in tokens[last:end]) else tokens[begin:end]
    return any(other.low in selves for other in part)


def _denied(tokens: tuple[Token, ...], start: int, language: Language) -> bool:
    negators = words("cues", language, "scope", "negators")
    return any(token.low in negators for token in tokens[max(0, start - 2) : start])


def _subject(clause: Clause, tokens: tuple[Token, ...], memory: Memory, language: Language) -> Being | None:
    for being in clause.beings:
        if kind_of(being.noun) or being.names:
            return being
    phrases = phrases_de if language == "de" else phrases_en
    for token in tokens:
        genders = phrases.pronoun_genders(token.low.removesuffix("'s"))
        if genders and token.low not in {"es", "it", "its"}:
            focus = memory.focus(genders)
            if focus is not None and (kind_of(focus.noun) or focus.names):
                return focus
    return None


def _refined(kind: str, being: Being | None, *, own: bool) -> str:
    if kind not in _BY_SUBJECT:
        return kind
    if being is not None:
        return f"{kind}_animal" if kind_of(being.noun) == "animals" else f"{kind}_person"
    return "illness_self" if kind == "illness" and own else f"{kind}_person"
