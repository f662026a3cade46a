"""What the listeners of both languages share: a sentence whose clauses are turned into facts."""

from __future__ import annotations

from collections.abc import Sequence

from novaberg.models.builtin.facts import Attribute, Being, Memory
from novaberg.models.builtin.reading import Sentence, Token


class Hearer:
    """Learns facts from the clauses of one sentence."""

    def __init__(self, memory: Memory, sentence: Sentence) -> None:
        self._memory = memory
        self._sentence = sentence
        self._offset = sentence.tokens[0].start

    def learn(self, owner: Being | None, attribute: Attribute, value: str) -> None:
        """Keep a fact about a being, or about the person (``None``)."""
        self._memory.learn(owner, attribute, value)

    def text(self, tokens: Sequence[Token]) -> str:
        """The tokens as written."""
        if not tokens:
            return ""
        last = tokens[-1]
        end = last.start - self._offset + len(last.text)
        return self._sentence.source[tokens[0].start - self._offset : end]


def first_of(clause: Sequence[Token], lows: frozenset[str]) -> int | None:
    """Index of the first token that is one of the words."""
    return next((index for index, token in enumerate(clause) if token.low in lows), None)


def until(clause: Sequence[Token], position: int, stops: frozenset[str]) -> list[Token]:
    """Tokens from ``position`` up to a stop word or a punctuation mark."""
    found: list[Token] = []
    for token in clause[position:]:
        if token.low in stops or (token.kind == "mark" and token.text not in {"'", "-"}):
            break
        found.append(token)
    return found


def figure(token: Token) -> int | None:
    """A whole number of up to four digits."""
    plain = token.kind == "number" and token.text.isascii() and token.text.isdigit() and len(token.text) < 5
    return int(token.text) if plain else None
