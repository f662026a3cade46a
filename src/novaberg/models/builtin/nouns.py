"""Nouns by kind, and when two of them mean the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.reading import fold
from novaberg.models.builtin.wordlists import section, words

_STEM_ENDINGS: Final = (
    "ungen", "innen", "ing", "est", "ern", "end", "ung", "en", "er", "es", "em", "et", "st", "ed", "e", "n", "s", "t",
)  # fmt: skip
"""Longest first."""
_SHORTEST_STEM: Final = 4
"""Letters that are left."""
_ENDINGS: Final = frozenset({"", "s", "es", "n", "en", "e", "'s"})


_CROSS_LANGUAGE: Final = (
    "hund dog",
    "katze cat",
    "schwester sister",
    "bruder brother",
    "mutter mother",
    "vater father",
    "freund boyfriend",
    "freundin girlfriend",
    "sohn son",
    "tochter daughter",
    "frau wife",
    "mann husband",
    "oma grandma",
    "opa grandpa",
    "pferd horse",
    "kaninchen rabbit",
    "kind child",
    "chef boss",
    "chefin boss",
    "tante aunt",
    "onkel uncle",
    "lehrer teacher",
    "lehrerin teacher",
)


def stem(word: str) -> str:
    """A crude stem for comparing content words."""
    low = fold(word).removesuffix("'s")
    for ending in _STEM_ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _SHORTEST_STEM:
            return low[: -len(ending)]
    plural = low.endswith("s") and len(low) == _SHORTEST_STEM and not low.endswith("ss")
    return low[:-1] if plural else low


def same_noun(one: str, other: str) -> bool:
    """Whether two nouns mean the same kind of being: inflection, a familiar synonym, or the other language's word."""
    a, b = fold(one), fold(other)
    if not a or not b:
        return False
    if a == b or _inflected(a, b) or _inflected(b, a):
        return True
    if " " in a or " " in b:
        return a.split()[-1] == b.split()[-1] and min(len(a.split()), len(b.split())) == 1
    return any({a, b} <= group for group in _synonyms())


def _inflected(long: str, short: str) -> bool:
    return long.startswith(short) and len(short) >= 3 and long[len(short) :] in _ENDINGS


@lru_cache(maxsize=1)
def _synonyms() -> tuple[frozenset[str], ...]:
    languages: tuple[Language, Language] = ("de", "en")
    own = [
        frozenset(fold(word) for word in group.split())
        for language in languages
        for group in section("nouns", language, "same").values()
    ]
    return (*own, *(frozenset(pair.split()) for pair in _CROSS_LANGUAGE))


def is_living(noun: str, language: Language) -> bool:
    """Whether a noun names a person or an animal by the lists."""
    low = fold(noun)
    forms = {
        low,
        *(low[:-cut] for cut in (1, 2) if low.endswith(("n", "s", "en", "es")) and len(low) - cut > 2),
    }
    kinds = section("nouns", language, "kinds")
    return any(forms & words("nouns", language, "kinds", kind) for kind in kinds)


def kind_of(noun: str) -> str:
    """``animals``, ``family``, ``partners``, ``people`` or ``""``."""
    low = fold(noun.rsplit(maxsplit=1)[-1]) if noun else ""
    languages: tuple[Language, Language] = ("de", "en")
    for language in languages:
        for kind in section("nouns", language, "kinds"):
            listed = words("nouns", language, "kinds", kind)
            if low in listed or any(_inflected(low, word) for word in (low[:-1], low[:-2]) if word in listed):
                return kind
    return ""
