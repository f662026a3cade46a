"""The trained perception of one text (spec 02 §2.1, §3.17): heads over both encoders, fused, honest about their limits.

Pure after loading: the same text gives the same reading. It reads the text alone; of the turns before it counts only
whether the person told something bad just now, and only for a call for help (seed: node-perzeption §4.2).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np

from novaberg.errors import BrokenWeightsError
from novaberg.language import Language
from novaberg.models.material import Speaker, Utterance
from novaberg.models.perceiver.encoders import Encoders, shared_encoders
from novaberg.models.perceiver.features import Rows
from novaberg.models.perceiver.foreign import is_foreign
from novaberg.models.perceiver.fusion import arousal_of, as_mapping, emotion_scores
from novaberg.models.perceiver.grams import grams_of
from novaberg.models.perceiver.heads import FIELDS, GRAM_BITS, Heads, Opinions
from novaberg.models.perceiver.machines import HeadSet
from novaberg.models.perceiver.surface import surface_of
from novaberg.models.perceiver.weights import Weights, read_weights
from novaberg.models.perceiver.windows import cleaned
from novaberg.vocabulary import EMOTION_CANON, NEGATIVE_EMOTIONS, NEUTRAL

Origin = Literal["gelernt", "gelernt_ohne_e5", "unsicher", "leer"]
"""How a reading came about: all heads; the first encoder only; no score stands out or the language is a foreign one
(then ``neutral``); nothing to read."""

_LONGEST: Final = 16_000
"""Characters that are looked at."""
ANCHOR: Final = "Der Anker liegt still auf dem Grund."
"""Encoded at loading: weights fit one version of an encoder only."""
_ANCHOR_LIKENESS: Final = 0.97


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceiverCalibration:
    """When a reading counts as unsure, and what context may do."""

    unsure_below: float = 0.2
    """Score of the best emotion under which nothing is claimed (chance is 0.06)."""
    foreign_unsure_below: float = 0.6
    """The same for a text in neither of the two languages."""
    help_from: float = 0.3
    """Chance of ``hilfesuchend`` from which the turns before it are asked."""
    help_arousal: float = 0.7
    """Arousal of a call for help after bad news (spec 02 §9.4, P4)."""
    nothing_arousal: float = 0.2
    """Arousal of a text without anything to read."""


DEFAULT_PERCEIVER: Final = PerceiverCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalReading:
    """What the heads make of a text. ``thema`` is no matter of heads and stays with the rules."""

    intent: str
    tone: str
    emotion: str
    arousal: float
    """0 to 1, not rounded."""
    modus: str
    sprach_stil: str
    beziehungs_dynamik: str
    scores: Mapping[str, float]
    """All 17 emotions, summing to 1."""
    field_scores: Mapping[str, Mapping[str, float]]
    """Per field the chance of each value."""
    confidence: float
    """0 to 1: how often a reading like this is right about the emotion."""
    herkunft: Origin
    foreign: bool = False
    """The text is in neither of the two languages."""
    in_context: bool = False
    """The turns before it changed the reading."""
    opinions: Opinions | None = field(default=None, compare=False, repr=False)
    """What each head said; ``None`` if there was nothing to read."""


class LocalPerceiver:
    """Both encoders and one set of heads. Safe to share between threads."""

    def __init__(
        self,
        weights: Weights,
        encoders: Encoders,
        *,
        calibration: PerceiverCalibration = DEFAULT_PERCEIVER,
    ) -> None:
        _check_anchor(weights, encoders)
        self._encoders = encoders
        self._heads = Heads(weights, "both" if encoders.has_e5 else "use")
        self._calibration = calibration

    @property
    def heads(self) -> HeadSet:
        """Which set of heads reads."""
        return self._heads.name

    def perceive(
        self,
        text: str,
        *,
        role: Speaker = "user",
        language: Language = "de",
        history: Sequence[Utterance] = (),
    ) -> LocalReading:
        """The reading of any text; never an exception.

        Args:
            text: as it was said, unprocessed.
            role: whose text it is; the heads read both alike.
            language: ``de`` or ``en``; decides around which mean the vectors are read.
            history: the turns before it, oldest first, without the text itself.
        """
        clean = cleaned(text[:_LONGEST])
        if not any(sign.isalnum() or ord(sign) > 0x2000 for sign in clean):
            return _nothing(self._calibration)
        opinions = self.judge(text, language)
        reading = self._read(clean, text[:_LONGEST], opinions, language)
        if role == "user" and history and self._calls_for_help(reading):
            return self._in_context(reading, history, language)
        return reading

    def judge(self, text: str, language: Language) -> Opinions:
        """What each head says about the text."""
        text = text[:_LONGEST]
        read = text if language == "en" else ""  # the n-gram head knows English only
        return self._heads.judge(
            self._encoders.encode(text), grams_of(cleaned(read), bits=GRAM_BITS), surface_of(text), language
        )

    def _read(self, clean: str, text: str, opinions: Opinions, language: Language) -> LocalReading:
        calibration = self._calibration
        scores = emotion_scores(opinions, language)
        best = int(np.argmax(scores))
        foreign = is_foreign(clean)
        unsure = scores[best] < (calibration.foreign_unsure_below if foreign else calibration.unsure_below)
        emotion = NEUTRAL if unsure else EMOTION_CANON[best]
        values = {name: _best(name, chances) for name, chances in opinions.fields.items()}
        return LocalReading(
            intent=values["intent"],
            tone=values["tone"],
            modus=values["modus"],
            sprach_stil=values["sprach_stil"],
            beziehungs_dynamik=values["beziehungs_dynamik"],
            emotion=emotion,
            arousal=arousal_of(opinions, surface_of(text)),
            scores=as_mapping(scores),
            field_scores={name: _named(name, chances) for name, chances in opinions.fields.items()},
            confidence=round(float(scores[best]), 4),
            herkunft=self._origin(unsure=unsure or foreign),
            foreign=foreign,
            opinions=opinions,
        )

    def _origin(self, *, unsure: bool) -> Origin:
        if unsure:
            return "unsicher"
        return "gelernt" if self._heads.name == "both" else "gelernt_ohne_e5"

    # ── context ──────────────────────────────────────────────────────────────

    def _calls_for_help(self, reading: LocalReading) -> bool:
        """A call for help that names no feeling of its own; a question of fact is none."""
        help_chance = reading.field_scores["beziehungs_dynamik"]["hilfesuchend"]
        quiet = reading.emotion in {NEUTRAL, "neugierig", "unsicherheit"}
        return quiet and reading.intent == "personal" and help_chance >= self._calibration.help_from

    def _in_context(
        self, reading: LocalReading, history: Sequence[Utterance], language: Language
    ) -> LocalReading:
        recent = [utterance for utterance in history if utterance.speaker == "user"][-2:]
        if not any(self._bad_news(utterance, language) for utterance in recent):
            return reading
        return replace(
            reading,
            emotion="unsicherheit",
            arousal=max(reading.arousal, self._calibration.help_arousal),
            beziehungs_dynamik="hilfesuchend",
            tone="empathisch",
            herkunft=self._origin(unsure=False),
            in_context=True,
            scores=_led_by_unsureness(reading.scores),
        )

    def _bad_news(self, utterance: Utterance, language: Language) -> bool:
        if utterance.emotion:
            return utterance.emotion in NEGATIVE_EMOTIONS
        return self.perceive(utterance.text, language=language).emotion in NEGATIVE_EMOTIONS


@lru_cache(maxsize=1)
def shared_perceiver() -> LocalPerceiver:
    """The perceiver of this process, loaded at the first call (about 1 s, about 170 MB).

    Raises:
        BrokenWeightsError: the weights file is missing or damaged.
    """
    with _LOADING:
        return _loaded()


@lru_cache(maxsize=1)
def _loaded() -> LocalPerceiver:
    return LocalPerceiver(read_weights(), shared_encoders())


_LOADING: Final = threading.Lock()


def _nothing(calibration: PerceiverCalibration) -> LocalReading:
    """No letter, no figure, no sign that an encoder knows: the defaults of spec 02 §2.1, and the origin says so."""
    scores = {emotion: float(emotion == NEUTRAL) for emotion in EMOTION_CANON}
    return LocalReading(
        intent="smalltalk",
        tone="sachlich",
        emotion=NEUTRAL,
        arousal=calibration.nothing_arousal,
        modus="alltag",
        sprach_stil="neutral",
        beziehungs_dynamik="neutral",
        scores=scores,
        field_scores={},
        confidence=0.0,
        herkunft="leer",
    )


def _led_by_unsureness(scores: Mapping[str, float]) -> Mapping[str, float]:
    """The scores with ``unsicherheit`` in front: what context decided is no matter of chances."""
    lead = max(scores.values())
    raised = {**scores, "unsicherheit": scores["unsicherheit"] + 2 * lead}
    total = sum(raised.values())
    return {emotion: round(score / total, 4) for emotion, score in raised.items()}


def _best(field: str, chances: Rows) -> str:
    return FIELDS[field][int(np.argmax(chances))]


def _named(field: str, chances: Rows) -> Mapping[str, float]:
    return {value: round(float(chance), 4) for value, chance in zip(FIELDS[field], chances, strict=True)}


def _check_anchor(weights: Weights, encoders: Encoders) -> None:
    """Other versions of the encoders would make every head talk nonsense in full confidence."""
    vectors = encoders.encode(ANCHOR)
    found = [("anchor.use", vectors.use), ("anchor.e5", vectors.e5)]
    for name, vector in found:
        if vector is not None and float(vector @ weights.dense(name)) < _ANCHOR_LIKENESS:
            raise BrokenWeightsError(
                f"The weights of the local perception do not fit the installed encoder ({name}). "
                "Install the versions that pyproject.toml names, or train anew with training/train.py."
            )
