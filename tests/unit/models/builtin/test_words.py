"""The word lists and phrase files: complete in both languages, and every phrase can be said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from novaberg.language import LANGUAGES, Language, detect_language
from novaberg.models.builtin.wording import Wording
from novaberg.models.builtin.wordlists import table
from novaberg.vocabulary import EMOTION_CANON, NEUTRAL

ROOMS = ["voice", "replies", "events", "moves", "recall", "crisis", "cues", "emotions", "salience", "nouns"]
KNOWN_SLOTS = frozenset(
    re.findall(
        r"\w+",
        """
        who who_dat who_acc names yours yours_dat yours_acc er ihm clause thing name nova model
        identity mood note back a b sum result time date weekday day was year thought age home job
        birthday like dislike value quote list all line emergency help means promise
        """,
    )
)


def _shape(content: Any, depth: int) -> Any:
    if isinstance(content, dict) and depth:
        return {key: _shape(value, depth - 1) for key, value in content.items()}
    return None


@pytest.mark.parametrize("room", ROOMS)
def test_both_languages_have_the_same_lists(room: str) -> None:
    """Both languages complete."""
    depth = 3 if room in {"replies", "emotions"} else 2
    german, english = _shape(table(room, "de"), depth), _shape(table(room, "en"), depth)
    if room == "emotions":
        assert set(german) == set(english)
        return
    if room == "nouns":
        german, english = (dict.fromkeys(content) for content in (german, english))
    assert german == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_emotion_has_words_and_answers(language: Language) -> None:
    assert set(table("emotions", language)) == set(EMOTION_CANON)
    assert set(table("replies", language)["feel"]) == (set(EMOTION_CANON) - {NEUTRAL}) | {"angst"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_that_is_recognised_has_answers(language: Language) -> None:
    kinds = set(table("events", language)["signs"]) - {"none"}
    answered = {
        kind.removesuffix("_animal").removesuffix("_person").removesuffix("_self")
        for kind in table("replies", language)["event"]
    }
    assert kinds == answered


def _phrases(language: Language) -> Iterator[str]:
    for file, rooms in (("voice", ("say", "recall", "crisis")), ("replies", ("feel", "event"))):
        for room in rooms:
            for value in table(file, language)[room].values():
                lists = value.values() if isinstance(value, dict) else [value]
                for phrases in lists:
                    yield from [phrases] if isinstance(phrases, str) else phrases


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("formal", [False, True])
def test_every_phrase_can_be_said(language: Language, formal: bool) -> None:
    wording = Wording(language, formal, (), 0)
    for phrase in _phrases(language):
        text = re.sub(r"^(@\w+|!own) ", "", phrase)
        slots = {name.lower() for name in re.findall(r"\{(\w+)\}", text)}
        assert slots <= KNOWN_SLOTS, phrase
        filled = wording.fill(text, dict.fromkeys(slots, "Bruno"))
        assert filled is not None
        assert not re.search(r"[\[\]{}|]", filled), phrase


def test_the_polite_address_never_slips() -> None:
    """Every German phrase has a polite form without "du"."""
    wording = Wording("de", True, (), 0)
    for phrase in _phrases("de"):
        text = re.sub(r"^(@\w+|!own) ", "", phrase)
        slots = {name.lower() for name in re.findall(r"\{(\w+)\}", text)}
        words = re.findall(r"\w+", (wording.fill(text, dict.fromkeys(slots, "X")) or "").lower())
        assert not set(words) & {
            "du",
            "dich",
            "dir",
            "dein",
            "deine",
            "deinen",
            "deinem",
            "deiner",
            "euch",
            "magst",
        }, phrase


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_is_in_the_other_language(language: Language) -> None:
    for phrase in _phrases(language):
        plain = re.sub(r"\{\w+\}|\[|\]|\||@\w+|!own", " ", phrase)
        if len(plain.split()) >= 5:
            assert detect_language(plain, language) == language, phrase
