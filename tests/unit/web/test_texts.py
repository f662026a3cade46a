"""The page speaks both languages completely (design §11: errors say what happened, what is safe, what to do)."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import fields

import pytest

from novaberg.graph.stages import LABELS
from novaberg.vocabulary import EMOTION_CANON
from novaberg.web.texts import ENGLISH, GERMAN, TEXTS, Texts

NAMES = [field.name for field in fields(Texts)]
SAME_IN_BOTH = {"mood", "strip"}
"""Nothing but places to be filled."""


def words_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value.values()
    else:
        assert isinstance(value, tuple)
        yield from value


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_there_in_both_languages_with_the_same_places(name: str) -> None:
    german, english = getattr(GERMAN, name), getattr(ENGLISH, name)
    assert type(german) is type(english)
    assert all(text.strip() for text in (*words_of(german), *words_of(english)))
    if isinstance(german, str):
        assert places(german) == places(english)
        assert german != english or name in SAME_IN_BOTH
    if isinstance(german, tuple):
        assert len(german) == len(english)


def test_every_emotion_has_a_word_of_its_own() -> None:
    for texts in TEXTS.values():
        assert texts.emotions.keys() == set(EMOTION_CANON)
        assert len(set(texts.emotions.values())) == len(EMOTION_CANON)


def test_every_node_has_an_english_label_the_german_ones_come_with_the_stage() -> None:
    """Spec 07 §3.3."""
    assert ENGLISH.stage_labels.keys() == LABELS.keys()
    assert not GERMAN.stage_labels


def test_the_first_page_says_that_it_is_a_program_that_it_guesses_and_that_it_keeps() -> None:
    """Promise P17."""
    assert "Programm" in GERMAN.empty_being
    assert "Vermutungen" in GERMAN.empty_feelings
    assert "löscht" in GERMAN.kept_here
    assert "program" in ENGLISH.empty_being
    assert "guesses" in ENGLISH.empty_feelings
    assert "delete" in ENGLISH.kept_here


@pytest.mark.parametrize("texts", TEXTS.values())
def test_there_are_twelve_months(texts: Texts) -> None:
    assert len(set(texts.months)) == 12
