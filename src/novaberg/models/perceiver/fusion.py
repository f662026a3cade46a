"""One picture out of what the heads say: 17 scores, and one arousal (spec 02 §2.3, §2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from novaberg.language import Language
from novaberg.models.perceiver.features import Rows
from novaberg.models.perceiver.heads import Opinions
from novaberg.models.perceiver.mapping import (
    BRIGHTER_LABELS,
    BRIGHTER_SECTORS,
    goemotions_emotions,
    sector_of,
)
from novaberg.models.perceiver.surface import (
    EXCLAMATION_DIVISOR,
    EXCLAMATIONS,
    LENGTH,
    LENGTH_DIVISOR,
)
from novaberg.vocabulary import EMOTION_CANON, NEUTRAL

_SECTOR_OF: Final = np.array([sector_of(emotion) for emotion in EMOTION_CANON])
_NEUTRAL: Final = EMOTION_CANON.index(NEUTRAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionCalibration:
    """Weights of the heads in the common score; found by cross-validation (training/report.md)."""

    goemotions_de: float = 0.2
    """Exponent of the 28-label head for German: trained on English, it only leans."""
    goemotions_en: float = 0.5
    """The same for English, the language of its training."""
    forum: float = 0.15
    """Exponent of the six-label head: how much more often than usual a sector is seen."""
    floor: float = 0.02
    """Probability that no head takes away completely."""
    base_rates: tuple[float, ...] = (0.295, 0.32, 0.092, 0.208, 0.198, 0.061)
    """Shares of the six labels in their training texts."""
    sharpness: float = 1.0
    """Exponent of the whole, so that the best score is as often right as it says."""


DEFAULT_FUSION: Final = FusionCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArousalCalibration:
    """A linear reading of the heads and the outer form, fitted on held-out texts of both registers.

    The head over our own sentences knows short chat, the one over the forum texts knows long contributions: the length
    decides whom to ask.
    """

    short_words: int = 8
    """Words up to which a text is chat."""
    long_words: int = 25
    """Words from which it is a contribution."""
    own_short: float = 0.85
    """Share of the chat head (0 to 1) in a short text; in a long one it has none."""
    intensity_short: float = 0.12
    """Per step (0 to 3) of the forum head in a short text."""
    intensity_long: float = 0.24
    """The same in a long text."""
    offset_short: float = -0.03
    offset_long: float = 0.23
    surface: tuple[float, ...] = (0.0, 0.0, 0.05, 0.015, 0.15, 0.03, 0.03, 0.0)
    """Per feature of ``surface.py``."""
    exclamations: tuple[float, ...] = (0.0, 0.02, 0.07, 0.27)
    """For none, one, two, and three or more exclamation marks in a short text (spec 02 §9.4, P1: three mean 0.9)."""
    lowest: float = 0.1
    highest: float = 0.95


DEFAULT_AROUSAL: Final = ArousalCalibration()


def emotion_scores(
    opinions: Opinions, language: Language, calibration: FusionCalibration = DEFAULT_FUSION
) -> NDArray[np.float64]:
    """(17,) probabilities in the order of the canon, summing to 1."""
    floor = calibration.floor
    foreign = goemotions_emotions(opinions.goemotions[None])[0]
    lean = calibration.goemotions_en if language == "en" else calibration.goemotions_de
    logs = np.log(opinions.emotions + floor / 10) + lean * np.log(foreign + floor)
    logs += calibration.forum * _sector_evidence(opinions.brighter, calibration)
    logs *= calibration.sharpness
    grown = np.exp(logs - logs.max())
    return np.asarray(grown / grown.sum(), dtype=np.float64)


def _sector_evidence(brighter: Rows, calibration: FusionCalibration) -> NDArray[np.float64]:
    """Per emotion the logarithm of how much likelier than usual its sector is; 0 where no label speaks of it."""
    evidence = np.zeros(len(EMOTION_CANON))
    nothing = 0.0
    for label, chance, rate in zip(BRIGHTER_LABELS, brighter, calibration.base_rates, strict=True):
        ratio = float(np.log((chance + calibration.floor) / (rate + calibration.floor)))
        for sector in BRIGHTER_SECTORS[label]:
            evidence[sector == _SECTOR_OF] = ratio
        nothing += float(np.log1p(-min(chance, 0.99)) - np.log1p(-rate))
    evidence[_NEUTRAL] = nothing
    return evidence


def arousal_of(
    opinions: Opinions, surface: NDArray[np.float32], calibration: ArousalCalibration = DEFAULT_AROUSAL
) -> float:
    """0.1 to 0.95, not rounded."""
    words = float(np.expm1(surface[LENGTH] * LENGTH_DIVISOR))
    span = calibration.long_words - calibration.short_words
    length = min(max((words - calibration.short_words) / span, 0.0), 1.0)
    short = calibration.own_short * opinions.arousal + calibration.intensity_short * opinions.intensity
    long = calibration.intensity_long * opinions.intensity
    value = (1 - length) * (short + calibration.offset_short) + length * (long + calibration.offset_long)
    marks = round(float(np.expm1(surface[EXCLAMATIONS] * EXCLAMATION_DIVISOR)))
    value += (1 - length) * calibration.exclamations[min(marks, len(calibration.exclamations) - 1)]
    value += float(np.dot(surface, np.array(calibration.surface, dtype=np.float32)))
    return min(max(value, calibration.lowest), calibration.highest)


def as_mapping(scores: NDArray[np.float64]) -> Mapping[str, float]:
    """By emotion, four decimals."""
    return {emotion: round(float(score), 4) for emotion, score in zip(EMOTION_CANON, scores, strict=True)}
