"""Turns a text into tokens and sentences: the form in which every rule of the built-in model looks at language.

Everything here is one pass over the text. Tokens keep the original spelling beside a folded one (lower case, umlauts as
``ae oe ue ss``), so that "Wütend", "wuetend" and "WÜTEND" meet the same list entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, NamedTuple

Kind = Literal["word", "number", "mark", "emoji"]

LONGEST_SENTENCE: Final = 100
"""Tokens after which a run without a full stop is cut: no rule looks further, and no text makes the rules slow."""
MOST_LINES: Final = 400
"""Line breaks that end a sentence; a text of more lines is a list or a table."""
LONGEST_PARENTHESIS: Final = 200
"""Characters before a ``:)`` in which its opening parenthesis is looked for."""
LONGEST_TOKEN: Final = 60
"""Characters of a token that are looked at; what is longer is no word."""

_MONTHS: Final = (
    "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|"
    "January|February|March|May|June|July|October|December"
)
_TOKEN: Final = re.compile(
    r"(?P<emoji>[:;=][-']?[)(DPpO3|/\\](?![\w/])|[xX]D(?!\w)|:'\(|<3|\^\^|"
    "[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]\ufe0f?)"
    r"|(?P<abbreviation>\b(?:z\. ?B|d\. ?h|u\. ?a|bzw|usw|etc|ca|Dr|Prof|Hr|Fr|St|Mr|Mrs|Ms|e\.g|i\.e)\.)"
    rf"|(?P<number>\d{{1,2}}\.\d{{1,2}}\.(?:\d{{2,4}})?(?!\d)|\d+(?:[.,:/]\d+)*(?:\.(?=\d)|\.(?=\s?(?:{_MONTHS})\b))?)"
    r"|(?P<word>[^\W\d_]+(?:[-'’][^\W\d_]+)*)"
    r"|(?P<mark>\.{2,}|…|[^\w\s])"
)
_FOLD: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'", "é": "e", "è": "e"})
_MISSING_APOSTROPHE: Final = re.compile(r"(do|ca|did|does|is|was|wo|could|would|should|are|have|has)nt")
_CONTRACTIONS: Final = {
    "thats": "that's",
    "whats": "what's",
    "ive": "i've",
    "youre": "you're",
    "theyre": "they're",
}
"""English contractions that are often typed without their apostrophe and are no German words."""
_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_SENTENCE_END: Final = frozenset(".!?…") | {"..", "..."}


def fold(word: str) -> str:
    """Lower case without umlauts and curly apostrophes: the spelling in which words are compared."""
    return word.lower().translate(_FOLD)


class Token(NamedTuple):
    """One word, number, punctuation mark or emoji."""

    text: str
    """As written."""
    low: str
    """Folded; stretched letters ("sooo") are shortened to one."""
    kind: Kind
    start: int
    """Offset in the text."""
    capital: bool
    """Begins with a capital letter."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A run of tokens up to a full stop, question mark, exclamation mark or line break."""

    tokens: tuple[Token, ...]
    end: str
    """The closing mark, ``""`` at the end of a text or line."""
    source: str
    """As written, without outer blanks."""

    @property
    def words(self) -> tuple[Token, ...]:
        """Words and numbers only."""
        return tuple(token for token in self.tokens if token.kind in {"word", "number"})

    @property
    def is_question(self) -> bool:
        """Closed by a question mark."""
        return "?" in self.end


@dataclass(frozen=True)
class Reading:
    """A text with its tokens and sentences, and what its outer form says."""

    text: str
    tokens: tuple[Token, ...]
    sentences: tuple[Sentence, ...]

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """Words and numbers, in order."""
        return tuple(token for token in self.tokens if token.kind in {"word", "number"})

    @cached_property
    def lows(self) -> tuple[str, ...]:
        """Folded words and numbers, in order."""
        return tuple(token.low for token in self.words)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different folded words."""
        return frozenset(self.lows)

    @cached_property
    def emoji(self) -> tuple[str, ...]:
        """Emoji and smileys, in order."""
        return tuple(token.text.removesuffix("\ufe0f") for token in self.tokens if token.kind == "emoji")

    @cached_property
    def exclamations(self) -> int:
        """Number of exclamation marks."""
        return self.text.count("!")

    @cached_property
    def is_question(self) -> bool:
        """Some sentence is closed by a question mark."""
        return any(sentence.is_question for sentence in self.sentences)

    @cached_property
    def shouted(self) -> bool:
        """Mostly capitals, or a longer word in capitals amid normal ones."""
        letters = [token.text for token in self.words if token.kind == "word" and len(token.text) > 2]
        loud = [word for word in letters if word.isupper()]
        if not loud:
            return False
        return len(loud) * 2 > len(letters) or any(len(word) > 4 for word in loud)

    @cached_property
    def lowercase_writer(self) -> bool:
        """No capital letter at all: capitals say nothing about nouns and names here."""
        return not any(token.capital for token in self.words)

    @cached_property
    def stretched(self) -> bool:
        """A letter is repeated three times or more inside a word."""
        return _STRETCHED.search(self.text) is not None

    @property
    def letters(self) -> int:
        """Number of letters."""
        return sum(len(token.text) for token in self.tokens if token.kind == "word")


@lru_cache(maxsize=128)
def read(text: str) -> Reading:
    """Read ``text``; the same text is read once."""
    tokens = tuple(_tokens(text))
    return Reading(text, tokens, tuple(_sentences(text, tokens)))


def _tokens(text: str) -> Iterable[Token]:
    for match in _TOKEN.finditer(text):
        word = match.group()
        group = match.lastgroup or "mark"
        if group == "emoji" and _closes_parenthesis(text, match.start(), word):
            yield Token(word[0], word[0], "mark", match.start(), capital=False)
            yield Token(word[1:], word[1:], "mark", match.start() + 1, capital=False)
            continue
        kind: Kind = "word" if group == "abbreviation" else group  # type: ignore[assignment]
        shown = word[:LONGEST_TOKEN]
        if kind == "word":
            shown = _STRETCHED.sub(r"\1", shown.lower())
        low = _with_apostrophe(fold(shown))
        yield Token(word, low, kind, match.start(), word[:1].isupper())


def _closes_parenthesis(text: str, start: int, sign: str) -> bool:
    """``(openai:, gguf:)`` ends a parenthesis and smiles at nobody."""
    if not sign.endswith(")") or not text[start - 1 : start].isalnum():
        return False
    before = text[max(0, start - LONGEST_PARENTHESIS) : start]
    return before.count("(") > before.count(")")


def _with_apostrophe(low: str) -> str:
    match = _MISSING_APOSTROPHE.fullmatch(low)
    return f"{match.group(1)}n't" if match else _CONTRACTIONS.get(low, low)


def _sentences(text: str, tokens: tuple[Token, ...]) -> Iterable[Sentence]:
    begin = position = lines = 0
    while position < len(tokens):
        token = tokens[position]
        if token.kind == "mark" and token.text in _SENTENCE_END:
            last = position
            while last + 1 < len(tokens) and tokens[last + 1].text in _SENTENCE_END:
                last += 1
            end = "".join(mark.text for mark in tokens[position : last + 1])
            yield _sentence(text, tokens[begin:position], end)
            begin = position = last + 1
            continue
        new_line = (
            lines < MOST_LINES and position > begin and "\n" in text[tokens[position - 1].start : token.start]
        )
        if new_line or position - begin >= LONGEST_SENTENCE:
            lines += new_line
            yield _sentence(text, tokens[begin:position], "")
            begin = position
        position += 1
    if begin < len(tokens):
        yield _sentence(text, tokens[begin:], "")


def _sentence(text: str, tokens: tuple[Token, ...], end: str) -> Sentence:
    if not tokens:
        return Sentence((), end, "")
    last = tokens[-1]
    return Sentence(tokens, end, text[tokens[0].start : last.start + len(last.text)])
