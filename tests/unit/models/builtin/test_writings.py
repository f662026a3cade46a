"""Robustness of every room of the built-in model against any text (hypothesis)."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from novaberg.language import Language
from novaberg.models.builtin.salience import rate
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.builtin.summary import summarise
from novaberg.models.material import PerceptionMaterial, SalienceMaterial, SummaryMaterial, Utterance
from novaberg.personality import Emotion
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    INTENTION_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
)
from tests.unit.models.builtin.talk import Talk

LANGUAGES = st.sampled_from(["de", "en"])
PIECES = st.sampled_from(
    [
        "ich",
        "mein",
        "Hund",
        "Bruno",
        "ist",
        "krank",
        "nicht",
        "heißt",
        "er",
        "und",
        ",",
        ".",
        "!",
        "?",
        "weil",
        "my",
        "dog",
        "is",
        "called",
        "not",
        "I",
        "love",
        "hate",
        "12",
        "mal",
        "wo",
        "wie",
        "was",
        "wer",
        "Tabletten",
        "versprich",
        "😭",
        ":)",
        "...",
        "(",
        ")",
        "„",
        "“",
        "{",
        "}",
        "[",
        "|",
        "]",
        "*",
        "\\",
        "du",
        "dich",
        "Nova",
        "danke",
        "tschüss",
        "Montag",
        "soll",
        "oder",
        "should",
        "or",
        "im",
        "am",
        "in",
        "aus",
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(TEXTS, LANGUAGES, st.sampled_from(["user", "assistant"]))
def test_every_field_is_always_a_canon_value(text: str, language: Language, role: str) -> None:
    """spec 02 §2.2: persisted words come from the canons."""
    found = perceive(PerceptionMaterial(text=text, role=role, language=language))  # type: ignore[arg-type]
    assert found.intent in INTENT_CANON
    assert found.tone in TONE_CANON
    assert found.emotion in EMOTION_CANON
    assert found.mode in MODE_CANON
    assert found.style in STYLE_CANON
    assert found.dynamic in DYNAMIC_CANON
    assert 0.0 <= found.arousal <= 1.0
    assert found.arousal == round(found.arousal, 1)
    assert len(found.topic.split()) <= 5


@settings(max_examples=100, deadline=None)
@given(TEXTS, LANGUAGES, st.sampled_from(["user", "assistant"]))
def test_a_salience_object_is_always_complete(text: str, language: Language, role: str) -> None:
    data = rate(
        SalienceMaterial(text=text, situation="", role=role, language=language, emotion=Emotion())  # type: ignore[arg-type]
    ).to_json()
    assert isinstance(data["salienz"], float)
    assert 0.0 <= data["salienz"] <= 1.0
    intentions = data["intentionen"]
    assert isinstance(intentions, list)
    assert 1 <= len(intentions) <= 3
    assert all(intention in INTENTION_CANON for intention in intentions)
    json.dumps(data)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6), LANGUAGES)
def test_a_conversation_never_breaks(texts: list[str], language: Language) -> None:
    talk = Talk(language)
    for text in texts:
        assert talk.say(text).strip()


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, max_size=10), LANGUAGES)
def test_a_summary_never_breaks(texts: list[str], language: Language) -> None:
    turns = tuple(Utterance("user", text) for text in texts)
    found = summarise(SummaryMaterial(previous="", turns=turns, language=language))
    assert bool(found) == any(text.strip() for text in texts)
