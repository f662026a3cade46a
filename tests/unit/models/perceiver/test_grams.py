from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novaberg.models.perceiver.grams import grams_of, tokens_of


def test_words_are_folded_and_figures_are_all_alike() -> None:
    """A date or a price says nothing about a feeling; its digits would only fill buckets."""
    assert tokens_of("Das kostet 24,90 € – DON’T!") == [
        "das",
        "kostet",
        "00",
        ",",
        "00",
        "€",
        "–",
        "don't",
        "!",
    ]
    assert tokens_of("siehe https://example.org/a?b=1 !") == ["siehe", "http", "!"]


@given(st.text(max_size=400))
def test_any_text_gives_sorted_buckets_inside_the_table(text: str) -> None:
    """issue 3, bad input: never an exception."""
    grams = grams_of(text, bits=12)
    assert (np.diff(grams.buckets) > 0).all()
    assert ((grams.buckets >= 0) & (grams.buckets < 1 << 12)).all()
    assert grams.buckets.shape == grams.values.shape
    assert (grams.values > 0).all()


def test_both_parts_weigh_the_same() -> None:
    """Word part and character part have length 1 each, however long the text is."""
    grams = grams_of("ein ganz gewöhnlicher Satz über nichts", bits=24)
    assert (
        float((grams.values**2).sum()) == np.float32(2.0) or abs(float((grams.values**2).sum()) - 2.0) < 1e-4
    )


def test_the_buckets_are_the_same_on_every_machine() -> None:
    """Weights are tied to bucket numbers: a changed hash would make them noise."""
    assert grams_of("ja", bits=16).buckets.tolist() == [143, 5106, 24934, 29988, 32392, 45865, 54853]


def test_a_text_without_tokens_has_no_grams() -> None:
    """Blanks alone."""
    assert len(grams_of(" \n ", bits=16).buckets) == 0
