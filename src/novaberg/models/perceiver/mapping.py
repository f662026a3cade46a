"""How the labels of the public data sets meet our 16+1 emotions and the eight sectors (spec 02 §2.3, §2.4).

The table follows the synonym map wherever it knows the word (pride → ``freude``, relief → ``zufriedenheit``,
fear → ``stress``, disgust → ``frustration``, disapproval → ``enttaeuschung`` …). No source label means ``stress`` in the
sense of pressure, nor ``frustration`` in the sense of being stuck: both are learnt from our own sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from novaberg.vocabulary import EMOTION_CANON, EMOTION_SECTOR, SECTOR_EMOTIONS

GOEMOTIONS_LABELS: Final = (
    "admiration",
    "amusement",
    "anger",
    "annoyance",
    "approval",
    "caring",
    "confusion",
    "curiosity",
    "desire",
    "disappointment",
    "disapproval",
    "disgust",
    "embarrassment",
    "excitement",
    "fear",
    "gratitude",
    "grief",
    "joy",
    "love",
    "nervousness",
    "optimism",
    "pride",
    "realization",
    "relief",
    "remorse",
    "sadness",
    "surprise",
    "neutral",
)
BRIGHTER_LABELS: Final = ("anger", "disgust", "fear", "joy", "sadness", "surprise")

GOEMOTIONS_EMOTION: Final[Mapping[str, str]] = MappingProxyType(
    {
        "admiration": "begeisterung",
        "amusement": "freude",
        "anger": "wut",
        "annoyance": "aerger",
        "approval": "zufriedenheit",
        "caring": "zufriedenheit",
        "confusion": "verwundert",
        "curiosity": "neugierig",
        "desire": "hoffnung",
        "disappointment": "enttaeuschung",
        "disapproval": "enttaeuschung",
        "disgust": "frustration",
        "embarrassment": "unsicherheit",
        "excitement": "begeisterung",
        "fear": "stress",
        "gratitude": "dankbarkeit",
        "grief": "verzweiflung",
        "joy": "freude",
        "love": "freude",
        "nervousness": "unsicherheit",
        "optimism": "hoffnung",
        "pride": "freude",
        "realization": "verwundert",
        "relief": "zufriedenheit",
        "remorse": "traurigkeit",
        "sadness": "traurigkeit",
        "surprise": "ueberrascht",
        "neutral": "neutral",
    }
)
BRIGHTER_SECTORS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"anger": (7,), "disgust": (6,), "fear": (3,), "joy": (1, 2), "sadness": (5,), "surprise": (4,)}
)
SECTORS: Final = (*SECTOR_EMOTIONS, 0)
"""Order of the sector columns; 0 stands for ``neutral``."""


def sector_of(emotion: str) -> int:
    """1 to 8, 0 for ``neutral``."""
    return EMOTION_SECTOR.get(emotion, 0)


def goemotions_sectors(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n, 28) probabilities or 0/1 labels → (n, 9): chance that at least one label of the sector is there."""
    missing = np.ones((len(values), len(SECTORS)))
    for column, label in enumerate(GOEMOTIONS_LABELS):
        missing[:, SECTORS.index(sector_of(GOEMOTIONS_EMOTION[label]))] *= 1.0 - values[:, column]
    return 1.0 - missing


def goemotions_emotions(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n, 28) probabilities or 0/1 labels → (n, 17) in the order of the canon, rows summing to 1 (or 0)."""
    total = np.zeros((len(values), len(EMOTION_CANON)))
    for column, label in enumerate(GOEMOTIONS_LABELS):
        total[:, EMOTION_CANON.index(GOEMOTIONS_EMOTION[label])] += values[:, column]
    sums = total.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(total, sums, out=total, where=sums > 0), dtype=np.float64)
