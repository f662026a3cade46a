"""English noun phrases and names: "my little sister Anna"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.models.builtin.facts import Gender
from novaberg.models.builtin.nouns import is_living
from novaberg.models.builtin.reading import Token, fold
from novaberg.models.builtin.wordlists import grammar, words

CALLED: Final = frozenset({"called", "named"})


_LONGEST_NOUN: Final = 3


SELF: Final = frozenset({"i", "i'm", "i've", "we", "we're", "user"})
"""Words for the speaker; a summary calls them the user."""
PRONOUNS: Final = {
    "he": "m",
    "him": "m",
    "his": "m",
    "she": "f",
    "her": "f",
    "it": "n",
    "its": "n",
    "they": "p",
    "them": "p",
    "their": "p",
}
"""Genders that a pronoun can stand for."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """``my little sister Anna``, ``my guinea pig's``."""

    noun: str
    modifiers: tuple[str, ...]
    names: tuple[str, ...]
    start: int
    end: int
    possessive: bool
    """Ends in 's."""


def is_name(token: Token) -> bool:
    """A capitalised word that is no everyday capitalised one."""
    return (
        token.kind == "word"
        and token.capital
        and len(token.text) <= 30
        and token.low.removesuffix("'s") not in words("nouns", "en", "grammar", "no_names")
    )


def names_from(
    tokens: Sequence[Token], position: int, *, lowercase: bool = False
) -> tuple[tuple[str, ...], int]:
    """Names joined by "and" and commas, and the index behind them."""
    names: list[str] = []
    while position < len(tokens):
        begin = position
        while (
            position < len(tokens)
            and position - begin < 3
            and _nameable(tokens[position], lowercase=lowercase)
        ):
            position += 1
            if lowercase:
                break
        if position == begin:
            break
        names.append(" ".join(as_name(token) for token in tokens[begin:position]))
        joined = position + 1 < len(tokens) and (
            tokens[position].low in {"and", "&"} or tokens[position].text == ","
        )
        if not joined or not _nameable(tokens[position + 1], lowercase=lowercase):
            break
        position += 1
    return tuple(names), position


def _nameable(token: Token, *, lowercase: bool) -> bool:
    if is_name(token):
        return True
    return (
        lowercase
        and token.kind == "word"
        and token.low not in words("cues", "en", "topic", "stop")
        and token.low not in words("nouns", "en", "grammar", "no_names")
    )


def as_name(token: Token) -> str:
    """Capitalised, without the genitive."""
    text = token.text.removesuffix("'s").removesuffix("’s")
    shouted = text.isupper() and len(text) > 2
    return text[:1].upper() + (text[1:].lower() if shouted else text[1:])


def noun_phrase(tokens: Sequence[Token], position: int, *, lowercase: bool) -> NounPhrase | None:
    """The noun phrase behind the determiner at ``position``: adjectives, a noun of up to three words, perhaps a name."""
    index = position + 1
    adjectives = words("nouns", "en", "grammar", "adjectives")
    modifiers: list[str] = []
    while index < len(tokens) and tokens[index].low in adjectives and index - position <= 3:
        modifiers.append(tokens[index].text)
        index += 1
    parts: list[Token] = []
    while (
        index < len(tokens)
        and len(parts) < _LONGEST_NOUN
        and _is_noun_part(tokens[index], parts, lowercase=lowercase)
    ):
        parts.append(tokens[index])
        index += 1
        if parts[-1].low.endswith("'s") or (is_living(parts[-1].low, "en") and lowercase):
            break
    if not parts:
        return None
    possessive = parts[-1].low.endswith("'s")
    noun = " ".join(part.text for part in parts).removesuffix("'s").removesuffix("’s")
    names, end = ((), index) if possessive else _names_behind(tokens, index, noun, lowercase=lowercase)
    return NounPhrase(noun, tuple(modifiers), names, position, end, possessive)


def _is_noun_part(token: Token, parts: Sequence[Token], *, lowercase: bool) -> bool:
    if token.kind != "word" or token.low in words("nouns", "en", "grammar", "no_adjectives"):
        return False
    if token.low in CALLED or token.low in words("cues", "en", "topic", "stop"):
        return False
    if parts and not lowercase and token.capital and not parts[0].capital:
        return False
    return not (parts and is_living(parts[-1].low, "en"))


def _names_behind(
    tokens: Sequence[Token], position: int, noun: str, *, lowercase: bool
) -> tuple[tuple[str, ...], int]:
    if position >= len(tokens):
        return (), position
    token = tokens[position]
    if token.low in CALLED:
        return names_from(tokens, position + 1, lowercase=lowercase or not _has_capital(tokens, position + 1))
    if token.text in {"(", '"', "“", "'", "‘"} and position + 1 < len(tokens):
        names, end = names_from(tokens, position + 1)
        return (
            (names, end + 1) if names and end < len(tokens) and tokens[end].kind == "mark" else ((), position)
        )
    if lowercase:
        verb = position + 1 < len(tokens) and tokens[position + 1].low in grammar("en", "verbs_behind_a_name")
        known = is_living(noun.rsplit(maxsplit=1)[-1], "en")
        name = known and verb and _nameable(token, lowercase=True)
        return ((as_name(token),), position + 1) if name else ((), position)
    names, end = names_from(tokens, position)
    if names and tokens[end - 1].low.endswith("'s"):
        return names, end
    return names, end


def _has_capital(tokens: Sequence[Token], position: int) -> bool:
    return position < len(tokens) and tokens[position].capital


def gender_of(noun: str) -> Gender:
    """``m`` and ``f`` where the noun tells, ``p`` plural, else ``n``: an animal may be he, she or it."""
    low = fold(noun.rsplit(maxsplit=1)[-1])
    if low in words("nouns", "en", "grammar", "plural"):
        return "p"
    if low in words("nouns", "en", "grammar", "feminine"):
        return "f"
    if low in words("nouns", "en", "grammar", "masculine"):
        return "m"
    return "" if is_living(low, "en") else "n"


def pronoun_genders(low: str) -> str:
    """Genders that a pronoun can stand for, ``""`` if it is none."""
    return PRONOUNS.get(low, "")
