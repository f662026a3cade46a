"""The topic of a text: two to five of its own words (spec 02 §2.1, field ``thema``)."""

from __future__ import annotations

from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.reading import Reading, Sentence, Token
from novaberg.models.builtin.wordlists import words

MOST_WORDS: Final = 4
LEAST_WORDS: Final = 2
LONGEST_WORD: Final = 40
"""Characters; longer strings are no words."""
_SENTENCES_READ: Final = 12
"""A topic is told early; the rest of a very long text is not searched."""


def topic_of(reading: Reading, language: Language) -> str:
    """Two to four words of the text in their order, ``""`` if it has none that carry meaning.

    German nouns and names go by their capital letter; in lower-case writing, and in English, by not being function words.
    """
    content = content_words(reading, language)
    nouns = [token for token in content if _is_noun(token, reading, language)]
    chosen = nouns[:MOST_WORDS] if len(nouns) >= LEAST_WORDS else content[:MOST_WORDS]
    if language == "de" and len(chosen) < MOST_WORDS:
        chosen = _fill_up(chosen, content)
    if len(chosen) < LEAST_WORDS:
        chosen = _with_neighbour(chosen, reading)
    return " ".join(dict.fromkeys(token.text for token in chosen))


def content_words(reading: Reading, language: Language) -> list[Token]:
    """Words that carry meaning, in order, each once."""
    stop = words("cues", language, "topic", "stop")
    found: dict[str, Token] = {}
    for sentence in reading.sentences[:_SENTENCES_READ]:
        for token in sentence.tokens:
            if (
                token.kind == "word"
                and len(token.text) <= LONGEST_WORD
                and len(token.low) > 1
                and token.low not in stop
            ):
                found.setdefault(token.low, token)
    return list(found.values())


def starts_sentence(token: Token, sentence: Sentence) -> bool:
    """Whether a capital letter of this token says nothing because a sentence begins with it."""
    first = next((other for other in sentence.tokens if other.kind == "word"), None)
    return first is token


def _is_noun(token: Token, reading: Reading, language: Language) -> bool:
    if language == "en" or reading.lowercase_writer or reading.shouted:
        return False
    return token.capital and (len(token.text) > 1)


def _fill_up(chosen: list[Token], content: list[Token]) -> list[Token]:
    extra = [token for token in content if token not in chosen and len(token.low) > 3]
    picked = [*chosen, *extra[: MOST_WORDS - len(chosen)]]
    return sorted(picked, key=lambda token: token.start)


def _with_neighbour(chosen: list[Token], reading: Reading) -> list[Token]:
    """A single word gets the word before or behind it; figures speak where no word does."""
    if not chosen:
        numbers = [index for index, token in enumerate(reading.words) if token.kind == "number"]
        return list(reading.words[numbers[0] : numbers[-1] + 1][:MOST_WORDS]) if numbers else []
    position = next(index for index, token in enumerate(reading.words) if token.start == chosen[0].start)
    begin = max(position - 1, 0)
    return list(reading.words[begin : begin + LEAST_WORDS])
