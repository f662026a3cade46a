"""Praise that is not meant: "Na toll, der Zug fällt aus", "Great, just great", "… umgeworfen, super"."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import Reading, Sentence
from novaberg.models.builtin.wordlists import section, words

_TACKED_ON_WORDS: Final = 5
"""Words of a sentence to which a lone "toll" at the end is irony."""


def is_ironic(reading: Reading, language: Language) -> bool:
    """An ironic phrase, praise beside a mishap, or praise tacked on to a plain report."""
    finder = _lexicon(language)
    for sentence in reading.sentences:
        found = {hit.value for hit in finder.find(sentence.words)}
        if "irony" in found or {"irony_praise", "mishap"} <= found or _tacked_on(sentence, language):
            return True
    return False


def _tacked_on(sentence: Sentence, language: Language) -> bool:
    tail = sentence.tokens[-2:]
    loud_or_short = sentence.end.startswith("!") or len(sentence.words) < _TACKED_ON_WORDS
    if loud_or_short or len(tail) < 2 or tail[0].text != ",":
        return False
    return tail[1].low in words("cues", language, "scope", "irony_praise")


@lru_cache(maxsize=2)
def _lexicon(language: Language) -> Lexicon[str]:
    lists = section("cues", language, "scope")
    return Lexicon(entries_of({name: lists[name] for name in ("irony", "mishap", "irony_praise")}))
