"""Which language an utterance is in: the reply follows it (German or English)."""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

Language = Literal["de", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

_WORD = re.compile(r"[a-zäöüß']+")

_FUNCTION_WORDS: Final[dict[Language, str]] = {
    "de": (
        "ich du er sie es wir ihr mich dich mir dir uns euch mein meine meinen meinem meiner dein deine deinen sein "
        "seine und oder aber nicht kein keine ist sind bin bist war waren hast habe haben hat heute gestern morgen "
        "was wie warum wer wo wann wieso weshalb welche welcher das der die den dem des ein eine einen einem einer "
        "an mit auf für von zu zum zur im ins am beim auch noch schon nur sehr mal doch ja nein danke bitte hallo "
        "guten gut geht kann kannst muss soll will würde heißt heisst mache macht gerade jetzt wieder immer nie "
        "alles nichts etwas tag abend nacht weiß weiss tut leid bis über unter nach vor weil dass wenn dann so also "
        "hi hey name sorry"
    ),
    "en": (
        "i you he she it we they me him us them my your his our their and or but not no is are am was were have has "
        "had do does did don't doesn't didn't can't won't isn't aren't wasn't i'm i've i'll you're we're they're "
        "it's that's what's who's how's where's there's let's what how why who where when which the a an with on for "
        "of to at by from about into also still only very just yes thanks thank please hello hi hey good can could "
        "must should will would today yesterday tomorrow name called make makes now again always never everything "
        "nothing something day evening night know sorry because if then so this that these those been being feel "
        "feeling want need like love"
    ),
}
"""Words that stand in both lists decide nothing; they must stand in both."""

_MARKERS: Final[dict[Language, frozenset[str]]] = {
    language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()
}
_SHARED: Final = _MARKERS["de"] & _MARKERS["en"]


def detect_language(text: str, fallback: Language) -> Language:
    """The language of ``text``; ``fallback`` if nothing in it decides.

    Counts function words that only one of the two languages has; umlauts and ß speak for German.
    """
    words = _WORD.findall(text.lower().replace("\u2019", "'"))
    scores = {
        language: sum(word in markers and word not in _SHARED for word in words)
        for language, markers in _MARKERS.items()
    }
    if any(letter in word for word in words for letter in "äöüß"):
        scores["de"] += 1
    if scores["de"] == scores["en"]:
        return fallback
    return "de" if scores["de"] > scores["en"] else "en"
