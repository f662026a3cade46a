"""Whether a text is in neither of the two languages that the heads were trained on."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from novaberg.language import LANGUAGES, detect_language

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MOST_LETTERS, _MOST_WORDS = 2000, 200
_FEWEST_LETTERS: Final = 4
_LATIN_SHARE: Final = 0.5
_FEWEST_SIGNS: Final = 2
"""Signs of another language below which a text counts as German or English with a stray word in it."""

_OTHER_WORDS: Final = frozenset(
    # French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, Scandinavian
    [
        "je",
        "suis",
        "très",
        "que",
        "qui",
        "pas",
        "pour",
        "avec",
        "dans",
        "mais",
        "une",
        "sur",
        "nous",
        "vous",
        "elle",
        "les",
        "est",
        "c'est",
        "j'ai",
        "mon",
        "yo",
        "estoy",
        "muy",
        "pero",
        "gracias",
        "los",
        "las",
        "una",
        "por",
        "para",
        "con",
        "está",
        "como",
        "qué",
        "porque",
        "io",
        "sono",
        "molto",
        "non",
        "che",
        "perché",
        "di",
        "gli",
        "questo",
        "mi",
        "ha",
        "grazie",
        "anche",
        "eu",
        "não",
        "estou",
        "muito",
        "uma",
        "você",
        "meu",
        "hoje",
        "obrigado",
        "ik",
        "niet",
        "het",
        "een",
        "van",
        "dat",
        "met",
        "voor",
        "maar",
        "ook",
        "zijn",
        "heb",
        "mijn",
        "heel",
        "nie",
        "się",
        "jest",
        "jestem",
        "bardzo",
        "że",
        "jak",
        "ale",
        "mam",
        "bir",
        "ve",
        "bu",
        "çok",
        "ben",
        "için",
        "değil",
        "ama",
        "jeg",
        "jag",
        "er",
        "är",
        "som",
        "ikke",
        "inte",
        "på",
        "og",
        "och",
        "til",
        "meget",
        "mycket",
    ]
) - frozenset(
    [
        "er",
        "die",
        "des",
        "es",
        "me",
        "no",
        "on",
        "so",
        "per",
        "den",
        "an",
        "in",
        "am",
        "bin",
        "man",
        "war",
        "hat",
        "ben",
        "met",
        "van",
        "con",
        "mi",
        "ha",
        "ale",
        "mon",
        "dat",
        "als",
    ]
)
_OWN_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzäöüßéèàêâîôûï")
"""Letters of German and English words, borrowed ones included."""


def is_foreign(text: str) -> bool:
    """Most letters are not Latin, or the words and letters of other languages outnumber those of German and English."""
    letters = [sign for sign in text[:_MOST_LETTERS].lower() if sign.isalpha()]
    if len(letters) >= _FEWEST_LETTERS:
        latin = sum("LATIN" in unicodedata.name(sign, "") for sign in letters)
        if latin < len(letters) * _LATIN_SHARE:
            return True
    words = _WORD.findall(text.lower())[:_MOST_WORDS]
    other = sum(word in _OTHER_WORDS for word in words)
    other += sum(not _OWN_LETTERS.issuperset(word.replace("'", "")) for word in words)
    return other >= _FEWEST_SIGNS and other > sum(_belongs(word) for word in words)


def _belongs(word: str) -> bool:
    """The detector finds a word in one list only if both fallbacks lead to the same answer."""
    return detect_language(word, LANGUAGES[0]) == detect_language(word, LANGUAGES[1])
