from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novaberg.models.perceiver.mapping import (
    BRIGHTER_LABELS,
    BRIGHTER_SECTORS,
    GOEMOTIONS_EMOTION,
    GOEMOTIONS_LABELS,
    SECTORS,
    goemotions_emotions,
    goemotions_sectors,
    sector_of,
)
from novaberg.vocabulary import EMOTION_CANON, EMOTION_SYNONYMS

_ENGLISH_TO_SYNONYM = {
    "pride": "stolz",
    "relief": "erleichterung",
    "fear": "angst",
    "disgust": "ekel",
    "disapproval": "ablehnung",
    "nervousness": "nervositaet",
    "grief": "kummer",
    "surprise": "ueberraschung",
    "curiosity": "neugier",
    "excitement": "euphorie",
    "annoyance": "genervt",
}


def test_every_label_has_a_canonical_emotion_and_a_sector() -> None:
    """spec 02 §2.3: nothing outside the canon may come out of a head."""
    assert set(GOEMOTIONS_EMOTION) == set(GOEMOTIONS_LABELS)
    assert set(GOEMOTIONS_EMOTION.values()) <= set(EMOTION_CANON)
    assert set(BRIGHTER_SECTORS) == set(BRIGHTER_LABELS)


def test_the_mapping_follows_the_synonym_table() -> None:
    """spec 02 §2.4: one word, one emotion, whoever says it."""
    for label, word in _ENGLISH_TO_SYNONYM.items():
        assert GOEMOTIONS_EMOTION[label] == EMOTION_SYNONYMS[word], label


@given(arrays(np.float64, (3, len(GOEMOTIONS_LABELS)), elements=st.floats(0, 1)))
def test_sector_chances_are_at_least_those_of_their_labels(chances: np.ndarray) -> None:
    """A sector is there if any of its labels is."""
    sectors = goemotions_sectors(chances)
    assert ((sectors >= -1e-9) & (sectors <= 1 + 1e-9)).all()
    for column, label in enumerate(GOEMOTIONS_LABELS):
        sector = SECTORS.index(sector_of(GOEMOTIONS_EMOTION[label]))
        assert (sectors[:, sector] >= chances[:, column] - 1e-9).all()


@given(arrays(np.float64, (2, len(GOEMOTIONS_LABELS)), elements=st.floats(0, 1)))
def test_emotions_are_shares_of_one(chances: np.ndarray) -> None:
    """Rows sum to 1, or to 0 where no label has any chance."""
    sums = goemotions_emotions(chances).sum(axis=1)
    assert all(abs(total - 1) < 1e-9 or total == 0 for total in sums)


def test_a_label_alone_is_its_emotion_alone() -> None:
    """The mapping in one line."""
    row = np.zeros((1, len(GOEMOTIONS_LABELS)))
    row[0, GOEMOTIONS_LABELS.index("gratitude")] = 0.4
    assert EMOTION_CANON[int(goemotions_emotions(row).argmax())] == "dankbarkeit"
