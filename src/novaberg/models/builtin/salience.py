"""Rates how much a text deserves to be remembered, by the scales of spec 05 §3.12.3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pydantic import JsonValue

from novaberg.language import Language
from novaberg.models.builtin import fields
from novaberg.models.builtin.crisis import Danger
from novaberg.models.builtin.facts import Memory
from novaberg.models.builtin.lexicon import Lexicon
from novaberg.models.builtin.listening import listen
from novaberg.models.builtin.moves import moves_in
from novaberg.models.builtin.perception import Perception, Signs, perceive_person, signs_of
from novaberg.models.builtin.reading import fold
from novaberg.models.builtin.salience_fields import (
    dimension_of,
    emotions_of,
    entities_of,
    intentions_of,
    time_expression_of,
)
from novaberg.models.builtin.topic import content_words
from novaberg.models.builtin.wordlists import grammar, lexicon, words
from novaberg.models.material import SalienceMaterial
from novaberg.vocabulary import EMOTION_CANON, NEGATIVE_EMOTIONS, NEUTRAL, group_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceCalibration:
    """Scores (0 to 1) of the kinds of utterance (spec 05 §3.12.3); the amplifiers are those of the same table."""

    emergency: float = 0.9
    distress: float = 0.8
    enthusiasm: float = 0.75
    remember: float = 0.7
    news: float = 0.7
    """New information on named persons, places, relations."""
    interest: float = 0.55
    everyday: float = 0.35
    factual_question: float = 0.25
    small_talk: float = 0.15
    own_insight: float = 0.8
    own_promise: float = 0.8
    own_statement: float = 0.7
    own_fact: float = 0.55
    own_question: float = 0.45
    own_echo: float = 0.25
    own_courtesy: float = 0.15
    amplifier: float = 0.1
    """For an exclamation, for capitals, for repetition or intensifiers."""
    long_term: float = 0.5
    """Score from which a text is kept for long (``gedaechtnistyp``)."""


DEFAULT_SALIENCE = SalienceCalibration()

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Salience:
    """The salience object of one segment."""

    topics: tuple[str, ...]
    explicit: tuple[str, ...]
    implicit: tuple[str, ...]
    valence: str
    score: float
    dimension: str
    reason: str
    intentions: tuple[str, ...]
    emotion: str
    mode: str
    entities: tuple[str, ...]
    time_expression: str
    long_term: bool

    def to_json(self) -> dict[str, JsonValue]:
        """All demanded fields."""
        return {
            "themen": list(self.topics),
            "emotionen": {
                "explizit": list(self.explicit),
                "implizit": list(self.implicit),
                "valenz": self.valence,
            },
            "salienz": self.score,
            "gedaechtnistyp": "lang" if self.long_term else "kurz",
            "dimension": self.dimension,
            "begruendung": self.reason,
            "intentionen": list(self.intentions),
            "emotion": self.emotion,
            "modus": self.mode,
            "entitaeten_roh": list(self.entities),
            "zeitausdruck_roh": self.time_expression,
        }


def rate(material: SalienceMaterial, calibration: SalienceCalibration = DEFAULT_SALIENCE) -> Salience:
    """Score, intentions and the other fields of one text."""
    signs = signs_of(material.text, material.language)
    perceived = perceive_person(material.text, material.language)
    emotion = material.emotion.emotion if material.emotion.emotion in EMOTION_CANON else perceived.emotion
    memory = Memory()
    listen(memory, material.text, material.language, 0)
    entities = entities_of(signs, memory)
    base, reason = _base(
        material=material,
        signs=signs,
        perceived=perceived,
        memory=memory,
        entities=entities,
        calibration=calibration,
    )
    score = _amplified(base, signs, calibration)
    explicit, implicit = emotions_of(signs, emotion)
    return Salience(
        topics=tuple(token.text for token in content_words(signs.reading, material.language)[:5]),
        explicit=explicit,
        implicit=implicit,
        valence=group_of(emotion),
        score=score,
        dimension=dimension_of(signs, perceived, emotion, memory),
        reason=reason,
        intentions=intentions_of(signs, perceived, material),
        emotion=emotion,
        mode=perceived.mode,
        entities=entities,
        time_expression=time_expression_of(signs),
        long_term=score >= calibration.long_term,
    )


# ── the score ────────────────────────────────────────────────────────────────


def _base(  # noqa: PLR0911  # one return a row of the scale
    *,
    material: SalienceMaterial,
    signs: Signs,
    perceived: Perception,
    memory: Memory,
    entities: Sequence[str],
    calibration: SalienceCalibration,
) -> tuple[float, str]:
    if material.role == "assistant":
        return _own_base(material, signs, memory, calibration)
    moves = moves_in(signs.reading, material.language)
    if signs.danger is not Danger.NONE:
        return calibration.emergency, "Notlage"
    if signs.feeling.own and perceived.emotion in NEGATIVE_EMOTIONS and perceived.arousal >= 0.5:
        return calibration.distress, "Belastung oder Sorge"
    if perceived.emotion == "begeisterung" or (perceived.emotion == "freude" and perceived.arousal >= 0.6):
        return calibration.enthusiasm, "Begeisterung"
    if "remember_this" in moves:
        return calibration.remember, "ausdrückliche Bitte, es sich zu merken"
    if memory.facts or memory.own_names or any(being.names for being in memory.beings):
        return calibration.news, "neue Angabe zu Person, Ort oder Beziehung"
    if signs.question is not fields.QuestionKind.NONE:
        return calibration.factual_question, "Frage"
    if perceived.intent == "smalltalk":
        return calibration.small_talk, "Plauderei"
    engaged = (
        memory.beings
        or entities
        or perceived.mode in {"philosophischer_austausch", "fachgespraech", "beratend"}
    )
    if engaged or perceived.emotion != NEUTRAL:
        return calibration.interest, "Interesse mit Zusammenhang"
    return calibration.everyday, "alltägliche Angabe"


def _own_base(  # noqa: PLR0911  # one return a row of the scale
    material: SalienceMaterial, signs: Signs, memory: Memory, calibration: SalienceCalibration
) -> tuple[float, str]:
    cues = {
        hit.value
        for sentence in signs.reading.sentences
        for hit in _own_cues(material.language).find(sentence.words)
    }
    if "promise" in cues:
        return calibration.own_promise, "Zusage oder Vorsatz"
    if "insight" in cues:
        return calibration.own_insight, "eigene Einsicht"
    if "self" in cues:
        return calibration.own_statement, "Aussage über sich selbst"
    if signs.has("assistant", "knowledge"):
        return calibration.own_fact, "sachlicher Beitrag"
    if _echo(material) >= 0.5:
        return calibration.own_echo, "Wiederholung des Gesagten"
    if signs.reading.is_question:
        return calibration.own_question, "Frage, die weiterführt"
    return calibration.own_courtesy, "Höflichkeit"


def _own_cues(language: Language) -> Lexicon[str]:
    return lexicon("salience", language, "own")


def _echo(material: SalienceMaterial) -> float:
    """Share of the content words that stood in the situation already."""
    stop = words("cues", material.language, "topic", "stop")
    said = {fold(word) for word in _WORD.findall(material.text[:4000])} - stop
    heard = {fold(word) for word in _WORD.findall(material.situation[:4000])} - stop
    return len(said & heard) / len(said) if said else 0.0


def _amplified(base: float, signs: Signs, calibration: SalienceCalibration) -> float:
    reading = signs.reading
    score = base
    score += calibration.amplifier if reading.exclamations else 0.0
    score += calibration.amplifier if reading.shouted else 0.0
    lows = reading.lows
    repeated = any(first == second for first, second in pairwise(lows))
    intensifiers = words("cues", signs.language, "scope", "intensifiers")
    score += (
        calibration.amplifier
        if repeated or reading.stretched or reading.vocabulary & _STRONG & intensifiers
        else 0.0
    )
    return round(min(score, 1.0), 2)


_STRONG: Final = grammar("any", "strong_intensifiers")

# ── the other fields ─────────────────────────────────────────────────────────
