"""Praise that is not meant: "Na toll, der Zug fällt aus", "Great, just great", "… umgeworfen, super"."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import Reading, Sentence
from novaberg.models.builtin.wordlists import section, words

_ROLLED_EYES: Final = "\U0001f644"
_TACKED_ON_WORDS: Final = 5
"""Words of a sentence to which a lone "toll" at the end is irony."""
_EDGE: Final = 2
"""Words from the head or the end of a sentence within which praise beside a mishap is irony; amid a sentence ("es war
so schön, dann ging alles kaputt") it is meant."""


def is_ironic(reading: Reading, language: Language) -> bool:
    """An ironic phrase, rolled eyes, praise beside a mishap, or praise tacked on to a plain report."""
    if _ROLLED_EYES in reading.emoji:
        return True
    return any(
        _in_sentence(sentence, language) or _tacked_on(sentence, language) for sentence in reading.sentences
    ) or _praised_apart(reading, language)


def _in_sentence(sentence: Sentence, language: Language) -> bool:
    hits = _lexicon(language).find(sentence.words)
    found = {hit.value for hit in hits}
    if "irony" in found:
        return True
    last = len(sentence.words) - _EDGE
    edges = [hit for hit in hits if hit.value == "irony_praise" and (hit.start < _EDGE or hit.end > last)]
    return "mishap" in found and bool(edges)


def _praised_apart(reading: Reading, language: Language) -> bool:
    """``Mein Auto ist abgeschleppt worden. Bester Tag aller Zeiten.``"""
    mishap = praise = False
    for sentence in reading.sentences:
        found = {hit.value for hit in _lexicon(language).find(sentence.words)}
        mishap = mishap or "mishap" in found
        praise = praise or (found == {"irony_praise"} and len(sentence.words) < _TACKED_ON_WORDS)
    return mishap and praise


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
