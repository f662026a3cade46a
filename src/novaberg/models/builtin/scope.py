"""Where negations, "very", "but" and the speaker stand around an emotion word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import Sentence, Token
from novaberg.models.builtin.wordlists import section

_CLAUSE_MARKS: Final = frozenset(',;:–—()"„“”')


@lru_cache(maxsize=2)
def _scope_lexicon(language: Language) -> Lexicon[str]:
    names = (
        "not_negating",
        "negators",
        "intensifiers",
        "diminishers",
        "contrast",
        "subordinators",
        "self",
        "other",
    )
    lists = section("cues", language, "scope")
    return Lexicon(entries_of({name: lists[name] for name in names}))


@dataclass(frozen=True, slots=True)
class Scope:
    """Where negations and the like stand in a sentence, by word index."""

    marks: Mapping[int, str]
    spans: tuple[tuple[int, int, str], ...]
    """Begin, end and name of each sign."""
    borders: tuple[int, ...]
    """Word indices at which a new clause begins."""
    last_contrast: int
    language: Language

    @classmethod
    def of(cls, sentence: Sentence, words: Sequence[Token], language: Language) -> Scope:
        """Read the scope of one sentence."""
        marks: dict[int, str] = {}
        found = _scope_lexicon(language).find(words)
        for hit in found:
            for index in range(hit.start, hit.end):
                marks[index] = hit.value
        borders: list[int] = []
        count = 0
        for token in sentence.tokens:
            if token.kind in {"word", "number"}:
                if marks.get(count) in {"contrast", "subordinators"}:
                    borders.append(count)
                count += 1
            elif token.text in _CLAUSE_MARKS:
                borders.append(count)
        contrasts = [index for index, mark in marks.items() if mark == "contrast"]
        spans = tuple((hit.start, hit.end, hit.value) for hit in found)
        return cls(marks, spans, tuple(borders), max(contrasts, default=-1), language)

    def clause(self, position: int) -> tuple[int, int]:
        """First word index and the index behind the last one of the clause around ``position``."""
        begin = max((border for border in self.borders if border <= position), default=0)
        end = min((border for border in self.borders if border > position), default=1 << 30)
        return begin, end

    def has(self, mark: str, begin: int, end: int) -> bool:
        """Whether a sign stands between two word indices."""
        return any(self.marks.get(index) == mark for index in range(begin, end))
