"""Turns the English first person into the second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novaberg.models.builtin.reading import Token

_TURNED: Final = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "im": "you're",
    "my": "your", "mine": "yours", "me": "you", "myself": "yourself",
    "we": "you", "we're": "you're", "we've": "you've", "we'd": "you'd", "we'll": "you'll",
    "our": "your", "ours": "yours", "us": "you",
}  # fmt: skip
_VERBS: Final = {"am": "are", "was": "were", "wasn't": "weren't"}


def mirrored_en(tokens: Sequence[Token]) -> list[str]:
    """The tokens in the second person. "I" and "you" share all verb forms but those of "be"."""
    turned: list[str] = []
    for index, token in enumerate(tokens):
        text = _TURNED.get(token.low)
        if text is not None:
            turned.append(text)
        elif token.low in _VERBS and _beside_i(tokens, index):
            turned.append(_VERBS[token.low])
        else:
            turned.append(token.text)
    return turned


def _beside_i(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1].low if index else ""
    adverb_before = (
        index > 1
        and tokens[index - 2].low == "i"
        and before in {"really", "just", "also", "still", "never", "always"}
    )
    behind = tokens[index + 1].low if index + 1 < len(tokens) else ""
    return before == "i" or behind == "i" or adverb_before
