"""German noun phrases and names: "mein kleiner Hund Bruno"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.models.builtin.facts import Gender
from novaberg.models.builtin.nouns import is_living
from novaberg.models.builtin.reading import Token, fold
from novaberg.models.builtin.wordlists import grammar, words

OWN: Final = grammar("de", "own_possessives")


_SHE_HE: Final = {"er": "mn", "ihm": "mn", "ihn": "m", "sie": "fp", "ihr": "f", "ihnen": "p", "es": "n"}
_FILLERS: Final = grammar("de", "between_heisst_and_name")
SELF: Final = frozenset({"ich", "wir", "nutzer", "nutzerin"})
"""Words for the speaker; a summary calls them the user."""
DEFINITE: Final = frozenset(["der", "die", "das", "den", "dem", "des"])
NAMING: Final = frozenset(["heisst", "heisse", "heissen", "hiess", "hiessen", "heist"])
_BORDERS: Final = frozenset(',;:–—()"„“”/')


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """``mein kleiner Hund Bruno`` and where it stands."""

    noun: str
    modifiers: tuple[str, ...]
    gender: Gender
    names: tuple[str, ...]
    start: int
    end: int
    """Index behind the last token."""


def clause_ranges(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Token ranges between commas and the like."""
    ranges: list[tuple[int, int]] = []
    begin = 0
    for index, token in enumerate(tokens):
        if token.kind == "mark" and token.text in _BORDERS:
            if index > begin:
                ranges.append((begin, index))
            begin = index + 1
    if begin < len(tokens):
        ranges.append((begin, len(tokens)))
    return ranges


_SPEAKER: Final = frozenset({"ich", "i", "i'm", "i've"})


def split_at_joints(
    tokens: Sequence[Token],
    ranges: Sequence[tuple[int, int]],
    joints: Collection[str],
    verbs: Collection[str],
) -> list[tuple[int, int]]:
    """Ranges cut at a joint ("und") where both sides have one of the verbs, or where the left one speaks of the speaker
    ("ich bin Rita") and only the right one of somebody's name."""
    found: list[tuple[int, int]] = []
    for begin, end in ranges:
        start = begin
        for index in range(begin + 1, end - 1):
            if tokens[index].low not in joints:
                continue
            left, right = tokens[start:index], tokens[index + 1 : end]
            selves = [any(token.low in _SPEAKER for token in part) for part in (left, right)]
            before = any(token.low in verbs for token in left) or (selves == [True, False] and len(left) > 1)
            if before and any(token.low in verbs for token in right):
                found.append((start, index))
                start = index + 1
        found.append((start, end))
    return found


def is_name(token: Token, *, lowercase: bool = False) -> bool:
    """Whether a word can be a name: capitalised (unless nobody capitalises here) and no everyday noun."""
    if (
        token.kind != "word"
        or len(token.text) > 30
        or token.low in words("nouns", "de", "grammar", "no_names")
    ):
        return False
    if not token.capital and (not lowercase or token.low in words("cues", "de", "topic", "stop")):
        return False
    suffixes = words("nouns", "de", "grammar", "no_name_suffixes")
    return not any(token.low.endswith(suffix) and len(token.low) > len(suffix) for suffix in suffixes)


def names_from(
    tokens: Sequence[Token], position: int, *, lowercase: bool = False
) -> tuple[tuple[str, ...], int]:
    """Names joined by "und" and commas from ``position`` on, and the index behind them."""
    names: list[str] = []
    while position < len(tokens):
        begin = position
        while (
            position < len(tokens) and position - begin < 3 and is_name(tokens[position], lowercase=lowercase)
        ):
            position += 1
            if lowercase:
                break
        if position == begin:
            break
        names.append(" ".join(_as_name(token) for token in tokens[begin:position]))
        joined = position + 1 < len(tokens) and (
            tokens[position].low in {"und", "&"} or tokens[position].text == ","
        )
        if (
            not joined
            or not is_name(tokens[position + 1], lowercase=lowercase)
            or _is_possessive(tokens, position + 1)
        ):
            break
        position += 1
    return tuple(names), position


def _as_name(token: Token) -> str:
    shouted = token.text.isupper() and len(token.text) > 2
    return token.text[:1].upper() + (token.text[1:].lower() if shouted else token.text[1:])


def _is_possessive(tokens: Sequence[Token], position: int) -> bool:
    return tokens[position].low in OWN


def gender_of(determiner: str, noun: str) -> Gender:
    """Gender by list, by suffix, by the form of the determiner."""
    low = fold(noun)
    if low in words("nouns", "de", "grammar", "plural"):
        return "p"
    neuter = words("nouns", "de", "grammar", "neuter")
    if (
        low in neuter
        or low.endswith(("chen", "lein"))
        or any(low.endswith(word) for word in neuter if len(word) > 3)
    ):
        return "n"
    return (
        "f"
        if (determiner.endswith(("e", "er")) and determiner not in {"der", "unser"}) or determiner == "die"
        else "m"
    )


def noun_phrase(tokens: Sequence[Token], position: int, *, lowercase: bool) -> NounPhrase | None:
    """The noun phrase whose determiner stands at ``position``."""
    determiner = tokens[position].low
    index = position + 1
    modifiers: list[str] = []
    while index < len(tokens) and index - position <= 4 and _is_adjective(tokens, index, lowercase=lowercase):
        modifiers.append(tokens[index].text)
        index += 1
    if index >= len(tokens) or not _is_noun(tokens[index], lowercase=lowercase):
        return None
    noun = tokens[index].text
    gender = gender_of(determiner, noun)
    if determiner in {"meines", "unseres", "des", "seines", "ihres"}:
        noun = _without_genitive(noun)
    elif determiner.endswith(("en", "em")) and _weak(noun):
        noun = noun[:-1]
    names, end = _names_behind(tokens, index + 1, noun, lowercase=lowercase)
    shown = noun[:1].upper() + noun[1:].lower() if lowercase else noun
    return NounPhrase(shown, tuple(modifiers), gender, names, position, end)


def _is_adjective(tokens: Sequence[Token], index: int, *, lowercase: bool) -> bool:
    token = tokens[index]
    if token.kind != "word" or token.low in words("nouns", "de", "grammar", "no_adjectives"):
        return False
    if token.low in words("nouns", "de", "grammar", "adjectives"):
        return True
    return not lowercase and not token.capital and token.low.endswith(("e", "er", "es", "en", "em"))


def _is_noun(token: Token, *, lowercase: bool) -> bool:
    if token.kind != "word":
        return False
    if lowercase:
        return token.low not in words("nouns", "de", "grammar", "no_adjectives") and len(token.low) > 2
    return token.capital or is_living(token.text, "de")


def _weak(noun: str) -> bool:
    """``den Welpen``: a living being whose nominative lacks the n."""
    low = fold(noun)
    kinds = ("animals", "family", "people", "partners")
    listed = frozenset().union(*(words("nouns", "de", "kinds", kind) for kind in kinds))
    return low.endswith("n") and low not in listed and low[:-1] in listed


def _without_genitive(noun: str) -> str:
    for ending in ("es", "s"):
        if noun.endswith(ending) and len(noun) - len(ending) >= 3:
            return noun[: -len(ending)]
    return noun


def _names_behind(
    tokens: Sequence[Token], position: int, noun: str, *, lowercase: bool
) -> tuple[tuple[str, ...], int]:
    """Names directly behind a noun: ``Hund Bruno``, ``Hund „Bruno“``, ``Hund namens Bruno``, ``Hund (Bruno)``."""
    if position >= len(tokens):
        return (), position
    token = tokens[position]
    if token.low == "namens":
        return names_from(tokens, position + 1, lowercase=lowercase)
    if token.text in {"(", "„", '"', "“", "‚", "'"} and position + 1 < len(tokens):
        names, end = names_from(tokens, position + 1)
        closed = end < len(tokens) and tokens[end].kind == "mark"
        return (names, end + 1) if names and closed else ((), position)
    if lowercase:
        known = is_living(noun, "de")
        verb = position + 1 < len(tokens) and tokens[position + 1].low in _FINITE
        if (
            known
            and verb
            and is_name(token, lowercase=True)
            and token.low not in words("cues", "de", "topic", "stop")
        ):
            return (_as_name(token),), position + 1
        return (), position
    names, end = names_from(tokens, position)
    return (names, end) if names and not _object_of_verb(tokens, position, end) else ((), position)


_FINITE: Final = grammar("de", "finite_verbs")


_SUBORDINATE: Final = grammar("de", "verb_last_conjunctions")


_HAVING: Final = grammar("de", "verbs_of_having")


def _object_of_verb(tokens: Sequence[Token], position: int, end: int) -> bool:
    """``…, weil meine Tochter Masern hat``: the capitalised word is an object, not a name."""
    following = tokens[end].low if end < len(tokens) else ""
    earlier = any(token.low in _SUBORDINATE for token in tokens[max(0, position - 8) : position])
    return following in _HAVING and earlier


def pronoun_genders(low: str) -> str:
    """Genders that a personal pronoun can stand for, ``""`` if it is none."""
    return _SHE_HE.get(low, "")


def is_filler(low: str) -> bool:
    """Words between "heißt" and the name."""
    return low in _FILLERS
