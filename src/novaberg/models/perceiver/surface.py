"""What the outer form of a text says about its energy, without any word being understood."""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_WORD: Final = re.compile(r"[^\W\d_]+")
_EMOJI: Final = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
SURFACE_SIZE: Final = 8
EXCLAMATIONS, LENGTH = 0, 7
"""Which features are the exclamation marks and the length."""
EXCLAMATION_DIVISOR: Final = 2.0
"""``log(1 + marks)`` is divided by it."""
LENGTH_DIVISOR: Final = 5.0
"""``log(1 + words)`` is divided by it."""


def surface_of(text: str) -> NDArray[np.float32]:
    """(8,) exclamation marks (damped), any mark, ``?!`` together, question, share of shouted words, stretched letters,
    emoji (damped), length (logarithm of the words); each about 0 to 1."""
    words = _WORD.findall(text)
    long_words = [word for word in words if len(word) > 2]
    shouted = sum(word.isupper() for word in long_words) / len(long_words) if long_words else 0.0
    marks = text.count("!")
    return np.array(
        [
            math.log1p(min(marks, 6)) / EXCLAMATION_DIVISOR,
            float(marks > 0),
            float("?!" in text or "!?" in text or "??" in text),
            float("?" in text),
            shouted,
            float(_STRETCHED.search(text) is not None),
            math.log1p(min(len(_EMOJI.findall(text)), 6)) / 2.0,
            min(math.log1p(len(words)) / LENGTH_DIVISOR, 1.2),
        ],
        dtype=np.float32,
    )
