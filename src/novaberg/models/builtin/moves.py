"""The lists of conversational moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import Reading
from novaberg.models.builtin.wordlists import section


def moves_in(reading: Reading, language: Language) -> frozenset[str]:
    """Names of the move lists with a hit in a text. Each list is searched by itself: one phrase can be several moves."""
    found = set()
    for name, finder in move_lexicons(language).items():
        if any(finder.find(sentence.words[:200]) for sentence in reading.sentences[:40]):
            found.add(name)
    return frozenset(found)


@lru_cache(maxsize=2)
def move_lexicons(language: Language) -> Mapping[str, Lexicon[str]]:
    """One lexicon for each list of moves."""
    return {
        name: Lexicon(entries_of({name: listed}))
        for name, listed in section("moves", language, "moves").items()
    }


@lru_cache(maxsize=2)
def small_lexicon(language: Language) -> Lexicon[str]:
    """Greeting, farewell, thanks, how are you."""
    return Lexicon(entries_of(section("moves", language, "small")))
