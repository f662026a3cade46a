"""Directives and identities that the built-in voice can keep: address, brevity, no questions, a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.facts import Memory
from novaberg.models.builtin.fields import is_formal
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.listening import listen
from novaberg.models.builtin.reading import read
from novaberg.models.builtin.wordlists import grammar, table
from novaberg.personality import InternalPersonality

_ADDRESSED_AS: Final = re.compile(
    r"(?:sprich mich (?:immer )?mit|nenne? mich|call me|address me as|rede mich mit)"
    r"\s+[„\"'“]?([\w.\- ]{1,40}?)[\"'“”]?(?:\s+an\b|[.,!;]|$)",
    re.IGNORECASE,
)
_NO_NAMES: Final = frozenset({"sie", "du", "ihnen"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How the person wants to be spoken to."""

    formal: bool = False
    brief: bool = False
    no_questions: bool = False
    name: str = ""
    """What the person wants to be called."""


def manner_of(internal: InternalPersonality, language: Language) -> Manner:
    """Read identities and directives, in either language; later ones win."""
    formal = brief = no_questions = False
    name = ""
    for text in (*internal.identities, *(directive.instruction for directive in internal.directives)):
        found = {hit.value for hit in _signs().find(read(text).words)}
        if "familiar" in found:
            formal = False
        elif "formal" in found:
            formal = True
        brief = brief or "brief" in found
        no_questions = no_questions or "no_questions" in found
        name = _name_in(text, language) or name
    return Manner(formal and language == "de", brief, no_questions, name)


def addresses_formally(texts: Iterable[str]) -> bool:
    """Whether the person says "Sie" to Nova, in the newest of their German utterances that addresses her at all.

    Args:
        texts: newest first.
    """
    for text in texts:
        reading = read(text)
        if reading.vocabulary & grammar("any", "words_to_nova"):
            return False
        if is_formal(reading):
            return True
    return False


@lru_cache(maxsize=1)
def _signs() -> Lexicon[str]:
    return Lexicon(entries_of(table("manner", "any")["signs"]))


def _name_in(text: str, language: Language) -> str:
    match = _ADDRESSED_AS.search(text)
    if match:
        name = match.group(1).strip()
        return "" if name.lower() in _NO_NAMES else name
    memory = Memory()
    listen(memory, text[:300], language, 0)
    return memory.own_name
