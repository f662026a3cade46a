"""Hypothesis strategies for the values of the house."""

from __future__ import annotations

from hypothesis import strategies as st
from pydantic import JsonValue

from novaberg.ei.records import CourseEntry
from novaberg.personality import Character, Directive, Emotion, InternalPersonality, Personality, Space
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
    VECTOR_CANON,
    VECTOR_SOURCE_CANON,
)

UNITS = st.floats(0, 1)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)

JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
"""Anything that a decoded JSON text can hold."""

EMOTIONS = st.builds(
    Emotion,
    emotion=st.sampled_from(EMOTION_CANON) | TEXTS,
    arousal=UNITS,
    emotions_vector=st.sampled_from(("", *VECTOR_CANON)),
    mode=st.sampled_from(MODE_CANON) | TEXTS,
    language_style=st.sampled_from(STYLE_CANON) | TEXTS,
    relationship_dynamic=st.sampled_from(DYNAMIC_CANON) | TEXTS,
    tone=st.sampled_from(TONE_CANON) | TEXTS,
    intent=st.sampled_from(INTENT_CANON) | TEXTS,
    prompt_topic=TEXTS,
    emotions_vector_quelle=st.sampled_from(("", *VECTOR_SOURCE_CANON)),
)
"""Emotions in and out of the canon: nothing on the way may judge them."""

CHARACTERS = st.builds(Character, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
PERSONALITIES = st.builds(Personality, CHARACTERS, EMOTIONS)
INTERNALS = st.builds(
    InternalPersonality,
    CHARACTERS,
    EMOTIONS,
    identities=st.lists(TEXTS, max_size=2).map(tuple),
    directives=st.lists(st.builds(Directive, TEXTS, TEXTS), max_size=2).map(tuple),
    space=st.builds(Space, UNITS, UNITS),
)


def _entry(emotion: str, weight: float, arousal: float) -> CourseEntry:
    return {"emotion": emotion, "gewicht": weight, "arousal": arousal}


COURSES: st.SearchStrategy[tuple[CourseEntry, ...]] = st.lists(
    st.builds(_entry, TEXTS, UNITS, UNITS), max_size=4
).map(tuple)
