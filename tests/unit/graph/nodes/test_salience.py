"""Reading a salience reply (spec 05 §3.12.4, §3.12.9)."""

from __future__ import annotations

import logging
import math

import pytest
from hypothesis import given

from novaberg.graph.nodes.salience import Rating, read_rating
from tests.support.strategies import JSON


@pytest.mark.parametrize("raw", [None, "hoch", "0,5", [], {}, "nan", "inf", float("nan")])
def test_an_unreadable_salience_is_not_determined_and_never_zero(
    raw: object, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §2.3: 0.0 means "said, but irrelevant"."""
    assert read_rating({"salienz": raw, "intentionen": ["humor"]}) == Rating(None, ("humor",))  # type: ignore[dict-item]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_missing_salience_is_not_determined() -> None:
    assert read_rating({}).salience is None


def test_a_zero_is_a_rating() -> None:
    assert read_rating({"salienz": 0.0}).salience == 0.0


@given(JSON)
def test_no_reply_of_a_model_breaks_the_reader(data: object) -> None:
    """Spec 05 §3.12.9 [gap]: the original lost the whole turn on a type error."""
    rating = read_rating(data)  # type: ignore[arg-type]
    assert rating.salience is None or math.isfinite(rating.salience)
    assert all(text and text == text.strip() for text in rating.intentions)
    assert len(set(rating.intentions)) == len(rating.intentions)
