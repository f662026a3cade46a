"""Reads Nova's own answer: every field is about her wording, not about the person (spec 02 §3.19)."""

from __future__ import annotations

from novaberg.models.builtin import fields
from novaberg.models.builtin.perception import Perception, Signs, perceive_person, signs_of
from novaberg.models.builtin.topic import topic_of
from novaberg.models.material import PerceptionMaterial
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL

_INTEREST_AROUSAL = 0.4
_CALM_AROUSAL = 0.3
_LOUDEST = 0.8
"""Nova's own words are written, not shouted."""


def perceive(material: PerceptionMaterial) -> Perception:
    """The eight fields of ``material.text``, for the person's words or Nova's own."""
    if material.role == "assistant":
        return perceive_self(material)
    return perceive_person(material.text, material.language, material.history)


def perceive_self(material: PerceptionMaterial) -> Perception:
    """The eight fields of Nova's wording."""
    signs = signs_of(material.text, material.language)
    emotion, arousal = _emotion(signs)
    intent = _intent(signs, emotion)
    dynamic = _dynamic(signs, emotion)
    return Perception(
        intent=intent,
        tone=_tone(signs, emotion),
        topic=topic_of(signs.reading, material.language),
        emotion=emotion,
        arousal=round(min(max(arousal, 0.0), _LOUDEST), 1),
        mode=fields.mode_of(signs, intent, emotion, arousal),
        style=fields.style_of(signs, emotion, min(arousal, 0.6)),
        dynamic=dynamic,
    )


def _emotion(signs: Signs) -> tuple[str, float]:  # noqa: PLR0911  # one return a rule
    feeling = signs.feeling
    if signs.has("assistant", "distanz"):
        return NEUTRAL, 0.2
    if signs.has("assistant", "kreativ"):
        return "freude", _INTEREST_AROUSAL
    if signs.has("assistant", "empathisch") and feeling.emotion not in NEGATIVE_EMOTIONS:
        return "traurigkeit", _INTEREST_AROUSAL
    if feeling.recognised:
        return feeling.emotion, feeling.arousal
    if signs.has("assistant", "dankbar"):
        return "dankbarkeit", _INTEREST_AROUSAL
    if signs.has("assistant", "vertrauen"):
        return "zufriedenheit", _CALM_AROUSAL
    if signs.reading.is_question or signs.has("assistant", "question"):
        return "neugierig", _INTEREST_AROUSAL
    return NEUTRAL, 0.2


def _intent(signs: Signs, emotion: str) -> str:
    if signs.has("assistant", "meta"):
        return "meta"
    if signs.has("intent", "creative") or signs.has("assistant", "kreativ"):
        return "creative"
    for name in ("task", "knowledge"):
        if signs.has("assistant", name):
            return name
    if signs.has("intent", "small_talk") and len(signs.reading.words) <= fields.SMALL_TALK_WORDS * 2:
        return "smalltalk"
    return "personal" if emotion != NEUTRAL else "smalltalk"


def _tone(signs: Signs, emotion: str) -> str:
    if signs.has("assistant", "direkt") or signs.has("assistant", "angriff"):
        return "direkt"
    if signs.has("assistant", "empathisch"):
        return "empathisch"
    if signs.has("assistant", "kreativ") or signs.has("mode", "spielerisch"):
        return "kreativ"
    if emotion in NEGATIVE_EMOTIONS or signs.has("assistant", "vertrauen"):
        return "empathisch"
    return "sachlich"


def _dynamic(signs: Signs, emotion: str) -> str:
    for name in ("angriff", "distanz", "dankbar", "hilfesuchend", "vertrauen"):
        if signs.has("assistant", name):
            return name
    return "vertrauen" if emotion != NEUTRAL and signs.has("assistant", "empathisch") else "neutral"
