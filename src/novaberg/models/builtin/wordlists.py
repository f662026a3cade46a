"""Loads the TOML files of `novaberg.models.builtin.words` once."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from novaberg.language import Language
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.reading import fold

_PACKAGE = "novaberg.models.builtin.words"


@lru_cache(maxsize=64)
def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(_PACKAGE).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def table(room: str, language: Language | Literal["any"]) -> dict[str, Any]:
    """The content of ``words/<room>_<language>.toml``. Callers do not change it."""
    return _load(f"{room}_{language}")


def section(room: str, language: Language, name: str) -> dict[str, str]:
    """One table of named word lists."""
    content: dict[str, str] = table(room, language)[name]
    return content


@lru_cache(maxsize=64)
def lexicon(room: str, language: Language, name: str) -> Lexicon[str]:
    """The lists of one table as a lexicon from entry to list name."""
    return Lexicon(entries_of(section(room, language, name)))


@lru_cache(maxsize=256)
def words(room: str, language: Language, name: str, key: str) -> frozenset[str]:
    """One list as a set of folded single words."""
    return frozenset(fold(word) for word in section(room, language, name)[key].split())


@lru_cache(maxsize=256)
def grammar(language: Language | Literal["any"], key: str) -> frozenset[str]:
    """A closed class of words of ``words/grammar_<language>.toml``, spelled as `fold` spells."""
    listed: str = _load(f"grammar_{language}")["words"][key]
    return frozenset(fold(word) for word in listed.split())
