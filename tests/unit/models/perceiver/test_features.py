from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novaberg.models.perceiver.features import dense_rows, kernel, logit_block, softmax, unit

_ROWS = arrays(np.float32, (3, 5), elements=st.floats(-10, 10, width=32))


@given(_ROWS)
def test_unit_rows_have_length_one_or_stay_zero(rows: np.ndarray) -> None:
    """A text exactly at its language's mean must not divide by zero."""
    lengths = np.linalg.norm(unit(rows), axis=1)
    assert all(abs(length - 1) < 1e-3 or length == 0 for length in lengths)


@given(_ROWS)
def test_a_row_is_nearest_to_itself(rows: np.ndarray) -> None:
    """The kernel is 1 for equal rows and never more."""
    near = kernel(rows, rows)
    assert np.allclose(np.diag(near), 1, atol=1e-3)
    assert (near <= 1 + 1e-6).all()
    assert np.allclose(near, near.T, atol=1e-4)


def test_both_blocks_weigh_the_same() -> None:
    """With one encoder or two, a dense row has length 1."""
    rng = np.random.default_rng(0)
    use, e5 = rng.normal(size=(2, 6)).astype(np.float32), rng.normal(size=(2, 4)).astype(np.float32)
    zero6, zero4 = np.zeros(6, np.float32), np.zeros(4, np.float32)
    both = dense_rows(use, e5, mean_use=zero6, mean_e5=zero4)
    assert both.shape == (2, 10)
    assert np.allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    assert np.allclose((both[:, :6] ** 2).sum(axis=1), 0.5, atol=1e-5)
    assert dense_rows(use, None, mean_use=zero6, mean_e5=zero4).shape == (2, 6)


def test_a_logit_block_has_the_asked_squared_length() -> None:
    """Its weight in the kernel."""
    block = logit_block(
        np.array([[1.0, 2.0]], np.float32),
        mean=np.zeros(2, np.float32),
        deviation=np.ones(2, np.float32),
        weight=0.25,
    )
    assert abs(float((block**2).sum()) - 0.25) < 1e-6


@given(_ROWS)
def test_softmax_rows_are_chances(rows: np.ndarray) -> None:
    """Positive and summing to 1."""
    chances = softmax(rows)
    assert (chances >= 0).all()
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)
