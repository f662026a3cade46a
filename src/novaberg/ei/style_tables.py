"""What each observation in a text says about its style, and the German markers observed (spec 02 §3.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

RuleStyleName = Literal["locker", "formell", "fachlich", "emotional", "jugendlich"]

STYLE_ORDER: Final[tuple[RuleStyleName, ...]] = ("locker", "formell", "fachlich", "emotional", "jugendlich")
"""Columns of `STYLE_SCORES`, order of ties, and order in which a character's hints are searched."""

STYLE_SCORES: Final[Mapping[str, tuple[int, int, int, int, int]]] = MappingProxyType(
    {
        # observation: locker, formell, fachlich, emotional, jugendlich
        "short_sentences": (2, 0, 0, 0, 1),
        "long_sentences": (0, 2, 1, 0, 0),
        "many_commas": (0, 2, 1, 0, 0),
        "full_punctuation": (0, 1, 1, 0, -1),
        "no_punctuation": (1, -2, 0, 1, 1),
        "exclamations": (0, 0, 0, 2, 1),
        "emoji": (0, -2, 0, 1, 1),
        "slang": (0, -2, 0, 0, 3),
        "courtesy": (0, 3, 0, 0, 0),
        "long_words": (0, 0, 3, 0, 0),
        "interjections": (1, -1, 0, 2, 2),
        "ellipsis": (0, 0, 0, 1, 0),
        "capitals": (0, -1, 0, 2, 1),
        "abbreviations": (1, -1, 0, 0, 1),
        "conjunctives": (0, 2, 0, 0, 0),
        "plain": (0, 1, 1, 0, 0),
    }
)
"""Points per observation; ``slang`` and ``courtesy`` count once per marker."""

SLANG: Final = (
    "yo",
    "brudi",
    "digga",
    "alter",
    "lol",
    "nice",
    "krass",
    "mega",
    "safe",
    "vibe",
    "sheesh",
    "geil",
    "ey",
    "vallah",
    "bro",
    "chillen",
    "lit",
    "slay",
)
COURTESY: Final = (
    "sie ",
    " ihnen ",
    "sehr geehrte",
    "mit freundlichen",
    "würde ich",
    "könnte ich",
    "dürfte ich",
    "gestatten",
)
"""Plain substrings; their blanks count."""
INTERJECTIONS: Final = (
    "oh",
    "wow",
    "ach",
    "oje",
    "mist",
    "verdammt",
    "boah",
    "puh",
    "hm",
    "hmm",
    "tja",
    "naja",
)
ABBREVIATIONS: Final = ("vllt", "evtl", "bzgl", "mfg", "lg", "vg", "omg", "wtf", "tbh")
CONJUNCTIVES: Final = ("hätte", "würde", "könnte", "dürfte", "möchte", "wäre", "sollte")

EMOJI: Final = re.compile("[\U0001f300-\U0001f9ff\u2600-\u26ff\u2700-\u27bf]")

STYLE_HINTS: Final[Mapping[RuleStyleName, tuple[str, ...]]] = MappingProxyType(
    {
        "locker": ("locker", "informell", "umgangston", "entspannt", "kurze sätze"),
        "formell": (
            "formell",
            "höflich",
            "strukturiert",
            "vollständige sätze",
            "korrekte zeichensetzung",
            "distanziert",
        ),
        "fachlich": ("fachlich", "analytisch", "präzise", "technisch", "fachbegriffe"),
        "emotional": ("emotional", "expressiv", "gefühlvoll", "leidenschaftlich"),
        "jugendlich": ("jugendlich", "slang", "umgangssprache", "emojis"),
    }
)
"""Words in a profile that hint at a style, searched in this order (``informell`` contains ``formell``)."""
