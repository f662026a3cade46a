"""Understands what a German sentence says about the person and their beings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from novaberg.models.builtin.facts import Being, Gender, Memory
from novaberg.models.builtin.listening_de_facts import hear_facts
from novaberg.models.builtin.listening_de_names import hear_names
from novaberg.models.builtin.nouns import is_living, same_noun
from novaberg.models.builtin.phrases_de import DEFINITE, OWN, clause_ranges, names_from, noun_phrase
from novaberg.models.builtin.reading import Sentence, Token, fold
from novaberg.models.builtin.wordlists import grammar, words

THEIRS: Final = grammar("de", "their_possessives")
INDEFINITE: Final = grammar("de", "indefinite_articles")
_CONJUNCTIONS: Final = grammar("de", "conjunctions")
_OWNING: Final = grammar("de", "verbs_of_owning")
_PLURAL_COUNTS: Final = grammar("de", "plural_counts")


class GermanListener:
    """Feeds a `Memory` from German sentences."""

    def __init__(self, memory: Memory, *, third_person: bool = False) -> None:
        self._memory = memory
        self._possessives = OWN | THEIRS if third_person else OWN
        self._lowercase = False

    def hear(self, sentence: Sentence, *, lowercase: bool) -> tuple[Being, ...]:
        """Take in one sentence.

        Returns:
            The beings that it speaks of.
        """
        self._lowercase = lowercase
        tokens = statement_tokens(sentence)
        if not tokens:
            return ()
        places = self._beings(tokens)
        hear_names(self._memory, tokens, places, lowercase=lowercase)
        hear_facts(self._memory, sentence, tokens, places)
        return _unique(places.values())

    def _beings(self, tokens: Sequence[Token]) -> dict[int, Being]:
        """Beings by the token index at which they are mentioned."""
        places: dict[int, Being] = {}
        index = 0
        while index < len(tokens):
            being, end = self._being_at(tokens, index)
            if being is not None:
                places[index] = being
            index = max(end, index + 1)
        return places

    def _being_at(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        token = tokens[index]
        if token.low in self._possessives:
            return self._owned(tokens, index)
        if token.low in INDEFINITE or token.low in _PLURAL_COUNTS:
            return self._introduced(tokens, index)
        if token.low in DEFINITE:
            return self._known_noun(tokens, index)
        if token.kind == "word" and (token.capital or self._lowercase):
            known = self._memory.named(token.text)
            return (self._memory.mention_name(token.text), index + 1) if known else (None, index + 1)
        return None, index + 1

    def _owned(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        phrase = noun_phrase(tokens, index, lowercase=self._lowercase)
        if phrase is None:
            return None, index + 1
        if fold(phrase.noun) in {"name", "vorname", "geburtstag", "beruf"}:
            return None, phrase.end - len(phrase.names)
        return self._memory.mention(phrase.noun, phrase.modifiers, phrase.gender, phrase.names), phrase.end

    def _introduced(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        phrase = noun_phrase(tokens, index, lowercase=self._lowercase)
        if phrase is None:
            return None, index + 1
        plural = tokens[index].low in _PLURAL_COUNTS
        living = is_living(phrase.noun, "de") or (plural and _living_plural(phrase.noun))
        names, end = phrase.names, phrase.end
        if living and not names:
            names, end = _names_after_comma(tokens, phrase.end)
        has_owner = any(token.low in _OWNING for token in tokens)
        if not living or not (has_owner or names):
            return None, phrase.end
        gender: Gender = "p" if plural else phrase.gender
        return self._memory.mention(phrase.noun, phrase.modifiers, gender, names), end

    def _known_noun(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        phrase = noun_phrase(tokens, index, lowercase=self._lowercase)
        if phrase is None:
            return None, index + 1
        known = next((b for b in self._memory.recent() if same_noun(b.noun, phrase.noun)), None)
        if known is None:
            return None, index + 1
        return self._memory.touch(known), phrase.end


def statement_tokens(sentence: Sentence) -> tuple[Token, ...]:
    """The tokens of a sentence without the clauses that only ask."""
    if not sentence.is_question:
        return sentence.tokens
    asking = (
        words("cues", "de", "question", "factual")
        | words("cues", "de", "question", "explaining")
        | words("cues", "de", "question", "verb_first")
    )
    kept: list[Token] = []
    for begin, end in clause_ranges(sentence.tokens):
        first = next((token for token in sentence.tokens[begin:end] if token.kind == "word"), None)
        second = sentence.tokens[begin + 1].low if end - begin > 1 else ""
        if (
            first is None
            or first.low in asking
            or (first.low in {"und", "aber", "sag", "oder"} and second in asking)
        ):
            continue
        if first.low not in OWN and begin == 0 and len(clause_ranges(sentence.tokens)) == 1:
            continue
        kept.extend(sentence.tokens[begin : min(end + 1, len(sentence.tokens))])
    return tuple(kept)


def _living_plural(noun: str) -> bool:
    low = fold(noun)
    return any(is_living(low[: len(low) - cut], "de") for cut in (1, 2) if len(low) - cut > 2)


def _names_after_comma(tokens: Sequence[Token], position: int) -> tuple[tuple[str, ...], int]:
    """``einen Hund, Bruno.`` or ``zwei Kinder: Tim und Lena``."""
    if position >= len(tokens) or tokens[position].text not in {",", ":", "–", "-"}:
        return (), position
    names, end = names_from(tokens, position + 1)
    closed = end >= len(tokens) or tokens[end].kind == "mark"
    return (names, end) if names and closed else ((), position)


def _unique(beings: Iterable[Being]) -> tuple[Being, ...]:
    found: list[Being] = []
    for being in beings:
        if all(being is not other for other in found):
            found.append(being)
    return tuple(found)
