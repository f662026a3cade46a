"""The language of an utterance decides the language of the reply (design §10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.language import LANGUAGES, Language, detect_language

GERMAN = (
    "Hallo Nova!",
    "Was ist das?",
    "Mein Hund Bruno ist krank, ich mache mir Sorgen.",
    "Wie heißt mein Hund?",
    "Also gut, dann eben nicht.",
    "Ich liebe mein neues Bike, so nice!",
    "MIR GEHT ES GUT",
    "Süß!",
    "Denk an mich",
)
ENGLISH = (
    "Hello Nova!",
    "What's up?",
    "My dog Bruno is ill, I am worried.",
    "What is my dog's name?",
    "I don’t know",
    "I want to die",
    "THIS IS GREAT",
)
UNDECIDED = ("", "   ", "Bruno", "42!", "Was?", "Hi", "hey, sorry", "😀", "日本語")


@pytest.mark.parametrize("fallback", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "language"), [(text, "de") for text in GERMAN] + [(text, "en") for text in ENGLISH]
)
def test_words_decide_whatever_the_setting_says(text: str, language: Language, fallback: Language) -> None:
    assert detect_language(text, fallback) == language


@pytest.mark.parametrize("fallback", LANGUAGES)
@pytest.mark.parametrize("text", UNDECIDED)
def test_a_text_that_decides_nothing_keeps_the_setting(text: str, fallback: Language) -> None:
    """Words that both languages know say nothing about either."""
    assert detect_language(text, fallback) == fallback


@given(st.text(), st.sampled_from(LANGUAGES))
def test_any_text_has_one_of_the_languages(text: str, fallback: Language) -> None:
    assert detect_language(text, fallback) in LANGUAGES


@given(st.sampled_from(GERMAN + ENGLISH), st.sampled_from(LANGUAGES))
def test_upper_and_lower_case_are_the_same_language(text: str, fallback: Language) -> None:
    assert detect_language(text.upper(), fallback) == detect_language(text.lower(), fallback)
