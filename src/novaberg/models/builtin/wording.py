"""Chooses and fills Nova's phrases: deterministic, without repeating what she said before.

The choice depends on the text and on how far the conversation is; a phrase whose sentence was already said in this
session comes last. Conventions of the phrase files stand at the head of ``words/voice_de.toml``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from novaberg.language import Language
from novaberg.models.builtin.wordlists import table

_ADDRESS: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]*")
_LETTERS: Final = re.compile(r"[^\w ]+")
_SAID: Final = 1000.0
"""Cost of a sentence that was said before; sooner is dearer."""
_SAME_START: Final = (20.0, 8.0)
"""Cost of beginning like the last answer, and like the one before."""


def sentences_of(text: str) -> list[str]:
    """The sentences of a text in a form that compares."""
    found = (_plain(match) for match in _SENTENCE.findall(text))
    return [sentence for sentence in found if sentence]


def _plain(text: str) -> str:
    return " ".join(_LETTERS.sub(" ", text.casefold()).split())


def _start(text: str) -> str:
    return " ".join(_plain(text).split()[:2])


@dataclass
class Wording:
    """One answer in the making.

    Args:
        language: of the answer.
        formal: "Sie" instead of "du".
        said: Nova's earlier answers of the session, oldest first.
        seed: text and position from which the choice follows.
    """

    language: Language
    formal: bool
    said: Sequence[str]
    seed: int
    values: dict[str, str] = field(default_factory=dict)
    """Fillings that every phrase may use."""

    def __post_init__(self) -> None:
        self._age: dict[str, int] = {}
        for age, text in enumerate(self.said):
            for sentence in sentences_of(text):
                self._age[sentence] = age + 1
        self._starts = [_start(text) for text in reversed(self.said[-2:])]
        self._opening = True

    def say(self, key: str, *, room: str = "say", file: str = "voice", **values: str) -> str:
        """A phrase of ``file``, ``""`` if none can be filled."""
        return self.choose(_phrases(table(file, self.language), room, key), **values)

    def fresh(self, key: str, *, room: str = "say", file: str = "voice", **values: str) -> str:
        """As `say`, but only what was not said before."""
        phrases = _phrases(table(file, self.language), room, key)
        return self.choose([phrase for phrase in phrases if not self.is_used(phrase, **values)], **values)

    def choose(self, phrases: Iterable[str], **values: str) -> str:
        """The cheapest of the phrases that can be filled."""
        filled = [text for text in (self.fill(phrase, values) for phrase in phrases) if text is not None]
        if not filled:
            return ""
        turn = self.seed % len(filled)
        ordered = filled[turn:] + filled[:turn]
        best = min(ordered, key=self._cost)
        self._note(best)
        return best

    def fill(self, phrase: str, values: Mapping[str, str]) -> str | None:
        """The phrase in the right address with its slots filled, ``None`` if a filling is missing."""
        text = _ADDRESS.sub(lambda match: match.group(2 if self.formal else 1), phrase)
        familiar, has_polite, polite = text.partition("|")
        text = polite if has_polite and self.formal else familiar
        known = {**self.values, **values}
        missing = False

        def slot(match: re.Match[str]) -> str:
            nonlocal missing
            name = match.group(1)
            value = known.get(name.lower(), "") if name not in known else known[name]
            missing = missing or not value
            return value[:1].upper() + value[1:] if name[:1].isupper() else value

        filled = _SLOT.sub(slot, text)
        return None if missing else filled

    def _cost(self, text: str) -> float:
        cost = 0.0
        for sentence in sentences_of(text):
            age = self._age.get(sentence)
            if age is not None:
                cost = max(cost, _SAID + age)
        if self._opening:
            start = _start(text)
            cost += sum(
                price
                for price, earlier in zip(_SAME_START, self._starts, strict=False)
                if start and start == earlier
            )
        return cost

    def _note(self, text: str) -> None:
        self._opening = False
        for sentence in sentences_of(text):
            self._age[sentence] = len(self.said) + 1

    def is_used(self, phrase: str, **values: str) -> bool:
        """Whether the filled phrase was said before (or cannot be filled)."""
        filled = self.fill(phrase, values)
        return filled is None or any(sentence in self._age for sentence in sentences_of(filled))


def _phrases(content: Mapping[str, Any], room: str, key: str) -> Sequence[str]:
    section: Any = content
    for part in (*room.split("."), key):
        section = section.get(part) if isinstance(section, Mapping) else None
    return section if isinstance(section, list) else [section] if isinstance(section, str) else []


def seed_of(text: str, turns: int) -> int:
    """A number that differs by text and by position in the conversation."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) + 7 * turns


def join(parts: Iterable[str]) -> str:
    """Non-empty parts as one text."""
    return " ".join(part.strip() for part in parts if part and part.strip())
