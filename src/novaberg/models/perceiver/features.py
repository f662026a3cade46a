"""From encoder vectors to the rows that heads read: centred per language, of unit length, blocks weighted.

Every function works on many rows at once, so training and product run the same code.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

LINEAR_GAIN: Final = 20.0
"""Linear heads see the dense rows times this, so that their numbers are about 1."""


def unit(rows: Rows) -> Rows:
    """Each row at Euclidean length 1; a row of zeros stays."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return cast(Rows, np.divide(rows, length, out=np.zeros_like(rows), where=length > 0))


def dense_rows(use: Rows, e5: Rows | None, *, mean_use: Rows, mean_e5: Rows) -> Rows:
    """(n, 896), or (n, 512) without the second encoder: distance to the language's mean, both blocks weighing the same.

    Without the means a head that was trained on one language sees in the other little but the language.
    """
    left = unit(use - mean_use)
    if e5 is None:
        return left
    return np.concatenate([left, unit(e5 - mean_e5)], axis=1) * np.float32(np.sqrt(0.5))


def value_rows(dense: Rows, surface: Rows) -> Rows:
    """Dense rows with the outer form of the text beside them."""
    return np.concatenate([dense, surface / np.float32(LINEAR_GAIN)], axis=1)


def linear(dense: Rows, weight: Rows, bias: Rows) -> Rows:
    """(n, k) logits of a linear head."""
    return dense @ (weight * np.float32(LINEAR_GAIN)) + bias


def logit_block(logits: Rows, *, mean: Rows, deviation: Rows, weight: float) -> Rows:
    """Standardised logits as a block of the kernel rows: squared length ``weight``."""
    return unit((logits - mean) / deviation) * np.float32(np.sqrt(weight))


def squares(rows: Rows) -> Rows:
    """(n,) squared lengths."""
    return np.asarray(np.einsum("nd,nd->n", rows, rows), dtype=np.float32)


def kernel(rows: Rows, support: Rows, support_squares: Rows | None = None) -> Rows:
    """(n, s): ``exp(-|row - support row|²)``, 1 for the same row. Known squared lengths need not be summed again."""
    far = squares(support) if support_squares is None else support_squares
    distance = squares(rows)[:, None] + far[None] - 2.0 * (rows @ support.T)
    return cast(Rows, np.exp(-np.maximum(distance, 0.0)))


def sigmoid(logits: Rows) -> Rows:
    """Logits to probabilities."""
    return cast(Rows, 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))))


def softmax(logits: Rows) -> Rows:
    """Rows of logits to rows of probabilities."""
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return cast(Rows, grown / grown.sum(axis=1, keepdims=True))
