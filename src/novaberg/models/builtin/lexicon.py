"""Word lists with stems, suffixes and phrases, looked up in one pass over a sentence.

An entry is written as parts joined by ``_``; a part is a word (``traurig``), a stem (``traur*``), a suffix
(``*angst``) or ``~``, which stands for up to three words of any kind: ``halt*_~_nicht_mehr_aus``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from novaberg.models.builtin.reading import Token, fold

T = TypeVar("T")

GAP: Final = "~"
LONGEST_GAP: Final = 3
"""Words that ``~`` may stand for."""
MOST_WORDS_KEPT: Final = 8192
"""Looked-up words that a lexicon keeps."""


@dataclass(frozen=True, slots=True)
class Hit(Generic[T]):
    """An entry found in a sequence of words."""

    start: int
    """Index of the first word."""
    end: int
    """Index behind the last word."""
    value: T


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    rest: tuple[str, ...]
    rank: int
    value: T


class Lexicon(Generic[T]):
    """Finds entries in words.

    Args:
        entries: written entry and what it means. Of two equal entries the first counts.
    """

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._words: dict[str, list[_Entry[T]]] = {}
        self._stems: dict[str, list[_Entry[T]]] = {}
        self._suffixes: dict[str, list[_Entry[T]]] = {}
        for written, value in entries:
            self._add(fold(written).split("_"), value)
        self._stem_lengths = tuple(sorted({len(stem) for stem in self._stems}))
        self._suffix_lengths = tuple(sorted({len(suffix) for suffix in self._suffixes}))
        self._seen: dict[str, tuple[_Entry[T], ...]] = {}

    def _add(self, parts: list[str], value: T) -> None:
        first, rest = parts[0], tuple(parts[1:])
        letters = sum(len(part) for part in parts)
        entry = _Entry(rest, len(parts) * 100 + letters - 20 * first.count("*"), value)
        if first.endswith("*"):
            self._stems.setdefault(first[:-1], []).append(entry)
        elif first.startswith("*"):
            self._suffixes.setdefault(first[1:], []).append(entry)
        else:
            self._words.setdefault(first, []).append(entry)

    def find(self, words: Sequence[Token]) -> list[Hit[T]]:
        """All entries in ``words``, left to right without overlap; the longest entry at a place wins."""
        hits: list[Hit[T]] = []
        position = 0
        while position < len(words):
            best = self._best_at(words, position)
            if best is None:
                position += 1
                continue
            hits.append(best)
            position = max(best.end, position + 1)
        return hits

    def _best_at(self, words: Sequence[Token], position: int) -> Hit[T] | None:
        best: Hit[T] | None = None
        best_rank = -1
        candidates = self._candidates(words[position].low)
        if not candidates:
            return None
        for entry in candidates:
            if entry.rank <= best_rank:
                continue
            end = _match_rest(entry.rest, words, position + 1)
            if end is not None:
                best, best_rank = Hit(position, end, entry.value), entry.rank
        return best

    def _candidates(self, low: str) -> tuple[_Entry[T], ...]:
        """Entries that begin with this word; words are looked up once."""
        known = self._seen.get(low)
        if known is None:
            if len(self._seen) >= MOST_WORDS_KEPT:
                self._seen.clear()
            known = self._seen[low] = tuple(self._look_up(low))
        return known

    def _look_up(self, low: str) -> Iterable[_Entry[T]]:
        yield from self._words.get(low, ())
        for length in self._stem_lengths:
            if length > len(low):
                break
            yield from self._stems.get(low[:length], ())
        for length in self._suffix_lengths:
            if length > len(low):
                break
            yield from self._suffixes.get(low[-length:], ())

    def __contains__(self, word: str) -> bool:
        """Whether a single folded word is listed."""
        return any(not entry.rest for entry in self._candidates(word))


def _match_rest(parts: tuple[str, ...], words: Sequence[Token], position: int) -> int | None:
    for index, part in enumerate(parts):
        if part == GAP:
            following = parts[index + 1 :]
            for skipped in range(LONGEST_GAP + 1):
                end = _match_rest(following, words, position + skipped)
                if end is not None:
                    return end
            return None
        if position >= len(words) or not _matches(part, words[position].low):
            return None
        position += 1
    return position


def _matches(part: str, low: str) -> bool:
    if part.endswith("*"):
        return low.startswith(part[:-1])
    if part.startswith("*"):
        return low.endswith(part[1:])
    return part == low


def entries_of(lists: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Entry and list name for every word of every list."""
    for name, words in lists.items():
        for word in words.split():
            yield word, name
