"""Kernel machines: a text is judged by how near it is to each remembered row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from novaberg.models.perceiver.features import Rows, kernel, squares
from novaberg.models.perceiver.weights import Weights

HeadSet = Literal["both", "use"]
"""Which encoders a set of heads reads: both, or the first alone."""


@dataclass(frozen=True, slots=True)
class KernelMachine:
    """Remembered rows and what each of them adds to every answer."""

    support: Rows
    """(s, d)"""
    support_squares: Rows
    """(s,)"""
    share: Rows
    """(s, k)"""
    offset: Rows
    """(k,)"""

    @classmethod
    def of(cls, weights: Weights, part: str, heads: HeadSet) -> KernelMachine:
        """The machine of one part of the training texts; the rows of both encoders are stored once for both sets."""
        blocks = [weights.dense(f"{part}.use"), weights.dense(f"{part}.logits.{heads}")]
        if heads == "both":
            half = np.float32(np.sqrt(0.5))
            blocks = [blocks[0] * half, weights.dense(f"{part}.e5") * half, blocks[1]]
        support = np.concatenate(blocks, axis=1)
        return cls(
            support,
            squares(support),
            weights.dense(f"{part}.share.{heads}"),
            weights.dense(f"{part}.offset.{heads}"),
        )

    def answer(self, rows: Rows) -> Rows:
        """(n, k) for rows (n, d)."""
        return cast(Rows, kernel(rows, self.support, self.support_squares) @ self.share + self.offset)
