"""Says a statement of the person back to them: "Mein Hund ist krank" becomes "Dein Hund ist krank".

Only what can be turned safely is turned; the answer to everything else is ``None``, and the caller quotes instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.mirror_de import mirrored_de
from novaberg.models.builtin.mirror_en import mirrored_en
from novaberg.models.builtin.reading import Sentence, Token
from novaberg.models.builtin.wordlists import grammar, words

LONGEST: Final = 16
"""Words; a longer statement is better quoted or summed up."""
_BORDERS: Final = frozenset(",;:–—")
_ANSWERS: Final = grammar("any", "answer_words")
_LINKS: Final = grammar("any", "linking_words")
"""Words that tie a sentence to the one before."""
_FILLERS: Final = frozenset({"uebrigens", "halt"})
_QUOTES: Final = frozenset('„“”"«»()[]{}<>=#*_`|\\/')


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A turned statement."""

    text: str
    """Capitalised, without closing mark."""
    formal: bool = False

    def embedded(self, language: Language) -> str:
        """To stand inside a sentence: the first letter small where the word allows it."""
        first = self.text.split(" ", 1)[0]
        small = first.casefold() in _small_words(language) and not (
            self.formal and first in {"Sie", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer"}
        )
        return self.text[:1].lower() + self.text[1:] if small else self.text


def mirror(
    sentence: Sentence, language: Language, *, formal: bool = False, longest: int = LONGEST
) -> Mirrored | None:
    """The whole sentence turned to the listener, ``None`` if that is not safe."""
    return mirror_tokens(without_answer(sentence.tokens), language, formal=formal, longest=longest)


def without_answer(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without a leading "Ja," or "Not yet,"."""
    for index, token in enumerate(tokens[:4]):
        if (
            token.text == ","
            and all(before.low in _ANSWERS for before in tokens[:index])
            and len(tokens) > index + 3
        ):
            return without_answer(tokens[index + 1 :])
    return tokens[1:] if tokens and tokens[0].low in _LINKS and len(tokens) > 3 else tokens


def mirror_clause(
    sentence: Sentence, position: int, language: Language, *, formal: bool = False
) -> Mirrored | None:
    """Only the clause (between commas) around a token offset."""
    begin, end = clause_around(sentence.tokens, position)
    return mirror_tokens(without_answer(sentence.tokens[begin:end]), language, formal=formal, longest=LONGEST)


def clause_around(tokens: Sequence[Token], position: int) -> tuple[int, int]:
    """Token range between the borders around the token that begins at text offset ``position``."""
    begin = 0
    for index, token in enumerate(tokens):
        if token.kind == "mark" and token.text in _BORDERS:
            if token.start > position:
                return begin, index
            begin = index + 1
    return begin, len(tokens)


def mirror_tokens(
    tokens: Sequence[Token], language: Language, *, formal: bool, longest: int
) -> Mirrored | None:
    """As `mirror`, for a run of tokens."""
    tokens = [token for token in tokens if token.low not in _FILLERS]
    spoken = [token for token in tokens if token.kind in {"word", "number"}]
    if not 2 <= len(spoken) <= longest or any(
        token.text in _QUOTES or token.kind == "emoji" for token in tokens
    ):
        return None
    if any(token.low in _addressed(language) for token in spoken) or _commands(spoken, language):
        return None
    turned: list[str] | None = mirrored_de(tokens, formal=formal) if language == "de" else mirrored_en(tokens)
    if turned is None:
        return None
    text = _join(tokens, turned)
    return Mirrored(text[:1].upper() + text[1:], formal) if text else None


def _join(tokens: Sequence[Token], turned: Sequence[str]) -> str:
    parts: list[str] = []
    end = tokens[0].start
    for token, text in zip(tokens, turned, strict=True):
        if token.start > end:
            parts.append(" ")
        parts.append(text)
        end = token.start + len(token.text)
    return "".join(parts).strip(" ,;:–—")


def _commands(spoken: Sequence[Token], language: Language) -> bool:
    """An order to Nova ("Erzähl mir …") is nothing to hand back; "Mache ich" is."""
    imperatives = words("cues", language, "speech", "imperatives")
    return spoken[0].low in imperatives and spoken[1].low not in {"ich", "i", "wir", "we"}


def _addressed(language: Language) -> frozenset[str]:
    """Words that speak to Nova; such a sentence cannot be handed back."""
    return grammar("de", "words_to_the_other") if language == "de" else grammar("en", "words_to_the_other")


def _small_words(language: Language) -> frozenset[str]:
    listed = words("cues", language, "topic", "stop")
    return listed | (
        grammar("de", "small_first_words") if language == "de" else frozenset({"your", "you're", "you've"})
    )
