"""Names a being the way one says it to the person: "deine kleine Schwester Anna", "your guinea pig"."""

from __future__ import annotations

from typing import Final, Literal

from novaberg.language import Language
from novaberg.models.builtin.facts import Being, Gender

Case = Literal["nominative", "dative", "accusative"]

_DETERMINERS: Final[dict[Case, dict[Gender, str]]] = {
    "nominative": {"m": "", "f": "e", "n": "", "p": "e", "": ""},
    "dative": {"m": "em", "f": "er", "n": "em", "p": "en", "": "em"},
    "accusative": {"m": "en", "f": "e", "n": "", "p": "e", "": "en"},
}
_ADJECTIVES: Final[dict[Case, dict[Gender, str]]] = {
    "nominative": {"m": "er", "f": "e", "n": "es", "p": "en", "": "er"},
    "dative": {"m": "en", "f": "en", "n": "en", "p": "en", "": "en"},
    "accusative": {"m": "en", "f": "e", "n": "es", "p": "en", "": "en"},
}


def yours(being: Being, language: Language, *, case: Case = "nominative", formal: bool = False) -> str:
    """The being without its name: ``deinem kleinen Bruder``, ``your little brother``; of somebody unknown the name."""
    if not being.noun:
        return joined(being.names, language)
    if language == "en":
        return " ".join(("your", *(modifier.lower() for modifier in being.modifiers), being.noun))
    determiner = ("Ihr" if formal else "dein") + _DETERMINERS[case][being.gender]
    modifiers = (_base(modifier) + _ADJECTIVES[case][being.gender] for modifier in being.modifiers)
    noun = being.noun
    if case == "dative" and being.gender == "p" and not noun.endswith(("n", "s")):
        noun += "n"
    return " ".join((determiner, *modifiers, noun))


def called(being: Being, language: Language, *, case: Case = "nominative", formal: bool = False) -> str:
    """The name if it is known, else as `yours`."""
    if being.names:
        return joined(being.names, language)
    return yours(being, language, case=case, formal=formal)


def joined(names: list[str], language: Language) -> str:
    """``Anna, Tim und Lena``."""
    if len(names) < 2:
        return names[0] if names else ""
    return f"{', '.join(names[:-1])} {'und' if language == 'de' else 'and'} {names[-1]}"


def pronoun(being: Being, language: Language) -> str:
    """``er``, ``sie``, ``es``; English ``he``, ``she``, ``they`` (for beings whose gender is not told: ``they``)."""
    if language == "de":
        return {"m": "er", "f": "sie", "n": "es", "p": "sie", "": "er"}[being.gender]
    return {"m": "he", "f": "she", "n": "it", "p": "they", "": "it"}[being.gender]


def _base(adjective: str) -> str:
    for ending in ("er", "es", "en", "em", "e"):
        if adjective.endswith(ending) and len(adjective) - len(ending) >= 3:
            return adjective[: -len(ending)]
    return adjective
