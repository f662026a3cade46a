"""Which style of the person Nova's wording converges to (spec 02 §3.20).

Only sentence length and vocabulary follow; grammar, form of address and who she is never do.
"""

from __future__ import annotations

from typing import Final

from novaberg.personality import Emotion
from novaberg.vocabulary import NEUTRAL, STYLE_CANON

ADAPTABLE_STYLES: Final = tuple(style for style in STYLE_CANON if style != NEUTRAL)
"""Styles that have an adaptation."""

_ATTACK: Final = "angriff"
_YOUTHFUL: Final = "jugendlich"


def style_to_meet(person: Emotion) -> str | None:
    """The style to converge to; ``None`` if the wording stays as it is.

    The stance of a turn goes before its style: whoever attacks in youthful words is not answered at ease. A style
    outside the canon has no adaptation.
    """
    style = person.language_style
    if style not in ADAPTABLE_STYLES:
        return None
    if style == _YOUTHFUL and person.relationship_dynamic == _ATTACK:
        return None
    return style
