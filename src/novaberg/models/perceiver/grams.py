"""Hashed word and character n-grams of a text: the view in which spelling, slang, emoji and set phrases are seen.

Hashing needs no vocabulary: a gram falls into one of ``2**bits`` buckets by its CRC-32, the same on every machine.
"""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_TOKEN: Final = re.compile(r"https?://\S+|[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_DIGITS: Final = re.compile(r"\d")
_LONGEST_WORD: Final = 30
"""Characters of a token that are looked at."""
_MOST_TOKENS: Final = 400
_WORD_SALT: Final = b"w"
_CHARACTER_SALT: Final = b"c"
SHORTEST, LONGEST = 2, 5
"""Characters of a character n-gram, word borders counted."""


@dataclass(frozen=True, slots=True)
class Grams:
    """Sparse vector of one text: sorted buckets and their values; word part and character part of length 1 each."""

    buckets: NDArray[np.int64]
    values: NDArray[np.float32]


def tokens_of(text: str) -> list[str]:
    """Lower-case words and single marks; digits become ``0``, addresses ``http``."""
    folded = _DIGITS.sub("0", unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'"))
    found = _TOKEN.findall(folded)[:_MOST_TOKENS]
    return ["http" if token.startswith("http") else token[:_LONGEST_WORD] for token in found]


def grams_of(text: str, *, bits: int) -> Grams:
    """The hashed grams of ``text``; empty for a text without any token.

    Counts are damped (1 + ln n); each of the two parts has Euclidean length 1.
    """
    tokens = tokens_of(text)
    mask = (1 << bits) - 1
    parts = [_damped(_word_hashes(tokens), mask), _damped(_character_hashes(tokens), mask)]
    total: dict[int, float] = {}
    for part in parts:
        length = math.sqrt(sum(value * value for value in part.values())) or 1.0
        for bucket, value in part.items():
            total[bucket] = total.get(bucket, 0.0) + value / length
    ordered = sorted(total)
    return Grams(
        np.array(ordered, dtype=np.int64), np.array([total[bucket] for bucket in ordered], dtype=np.float32)
    )


def _damped(hashes: Iterator[int], mask: int) -> dict[int, float]:
    counts: dict[int, int] = {}
    for value in hashes:
        bucket = value & mask
        counts[bucket] = counts.get(bucket, 0) + 1
    return {bucket: 1.0 + math.log(count) for bucket, count in counts.items()}


def _word_hashes(tokens: list[str]) -> Iterator[int]:
    previous = ""
    for token in tokens:
        yield zlib.crc32(_WORD_SALT + token.encode())
        if previous:
            yield zlib.crc32(_WORD_SALT + f"{previous} {token}".encode())
        previous = token


def _character_hashes(tokens: list[str]) -> Iterator[int]:
    for token in tokens:
        framed = f" {token} "
        for size in range(SHORTEST, LONGEST + 1):
            for start in range(max(1, len(framed) - size + 1)):
                yield zlib.crc32(_CHARACTER_SALT + framed[start : start + size].encode())
                if size >= len(framed):
                    break
