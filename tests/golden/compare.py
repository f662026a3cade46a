"""How a result is compared with a golden vector (spec 01 §9.1, spec 02 §9.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping

TOLERANCE = 1e-6
"""Relative or absolute, whichever is met first."""


def same(expected: object, got: object) -> bool:
    """Numbers within the tolerance (``1`` equals ``1.0``, a boolean never equals a number), everything else exactly.

    The order of lists counts, the order of object keys does not; tuples stand for lists.
    """
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return _same_number(expected, got)
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return expected.keys() == got.keys() and all(same(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        return len(expected) == len(got) and all(map(same, expected, got))
    return type(expected) is type(got) and expected == got


def _same_number(expected: float, got: float) -> bool:
    if math.isnan(expected) or math.isnan(got):
        return math.isnan(expected) and math.isnan(got)
    return expected == got or math.isclose(expected, got, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
