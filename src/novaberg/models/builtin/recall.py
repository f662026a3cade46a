"""Finds what the session knows about a question on the person's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from novaberg.language import Language
from novaberg.models.builtin.facts import Attribute, Being, Memory
from novaberg.models.builtin.fields import QuestionKind, question_kind
from novaberg.models.builtin.nouns import kind_of, stem
from novaberg.models.builtin.reading import Reading, Token
from novaberg.models.builtin.recall_overlap import best_statement, holds_all, statement_with_all
from novaberg.models.builtin.recall_question import (
    Query,
    Recollection,
    cues_in,
    cues_in_last_sentence,
    of_group,
    own_stems,
    question_words,
    target_of,
)
from novaberg.models.builtin.wordlists import grammar, words

_OPENERS: Final = ("mag", "liebe", "hasse", "esse")
_ATTRIBUTES: Final[tuple[tuple[str, tuple[Attribute, ...]], ...]] = (
    ("birthday", ("birthday",)),
    ("age", ("age",)),
    ("origin", ("origin", "home")),
    ("home", ("home", "origin")),
    ("job", ("job", "work")),
    ("work", ("work", "job")),
    ("dislike", ("dislike",)),
    ("like", ("like",)),
)
"""Cue and the attributes that answer it, the best first."""
_TASTES: Final[tuple[tuple[Literal["like", "dislike"], bool], ...]] = (("like", True), ("dislike", False))


def recall(reading: Reading, memory: Memory, language: Language) -> Recollection | None:
    """The answer's content, ``None`` if the text does not ask about what the person told."""
    cues = cues_in(reading, language)
    question = question_words(reading, language)
    if not question or ("not_recall" in cues and "job" not in cues):
        return None
    target = target_of(question, memory, language)
    query = Query(question_kind(reading, language), question, cues, target, language)
    if "recap" in cues and not (target.beings or target.noun or target.content):
        return Recollection("recap", clauses=tuple(memory.clauses))
    if query.kind is QuestionKind.NONE and "remember" not in cues_in_last_sentence(reading, language):
        return None
    if target.self or target.beings or target.noun or "remember" in cues:
        return _answer(query, memory)
    return statement_with_all(target, memory) if query.kind is QuestionKind.FACTUAL else None


def _answer(query: Query, memory: Memory) -> Recollection | None:
    if "name" in query.cues:
        found = _name(query, memory)
        if found is not None:
            return found
    if "exists" in query.cues:
        found = _exists(query, memory)
        if found is not None:
            return found
    for attributes in _asked_attributes(query.cues):
        found = _attribute(attributes, query, memory)
        if found is not None:
            return found
    if "who" in query.cues and query.target.beings:
        return Recollection("who", beings=query.target.beings)
    return best_statement(query, memory)


def _name(query: Query, memory: Memory) -> Recollection | None:
    target = query.target
    if target.beings:
        named = tuple(being for being in target.beings if being.names)
        return Recollection("name", beings=named or target.beings, positive=bool(named))
    if target.noun:
        return Recollection("name", positive=False)
    if not target.self:
        return None
    return Recollection("own_name", positive=bool(memory.own_name))


def _asked_attributes(cues: frozenset[str]) -> list[tuple[Attribute, ...]]:
    asked = [attributes for cue, attributes in _ATTRIBUTES if cue in cues]
    return [attributes for attributes in asked if not (attributes == ("like",) and ("dislike",) in asked)]


def _attribute(attributes: tuple[Attribute, ...], query: Query, memory: Memory) -> Recollection | None:
    owners = _owners(query)
    for owner in owners:
        beings = () if owner is None else (owner,)
        for attribute in attributes:
            if attribute in {"like", "dislike"}:
                verdict = _likes_it(owner, query, memory)
                if verdict is not None or _asks_yes_or_no(query.question, query.language):
                    return verdict
            values = memory.about(owner, attribute)
            if values:
                return Recollection("attribute", beings=beings, attribute=attribute, values=tuple(values))
    taste = attributes[0] in {"like", "dislike"}
    if not owners or taste or holds_all(query.target.content - own_stems(query.target), memory):
        return None
    known = tuple(owner for owner in owners if owner is not None)
    return Recollection("attribute", beings=known[:1], attribute=attributes[0], positive=False)


def _owners(query: Query) -> list[Being | None]:
    """Whose attribute is asked for; ``None`` is the person."""
    beings: list[Being | None] = [
        being for being in query.target.beings if kind_of(being.noun) or being.names
    ]
    return beings or ([None] if query.target.self else [])


def _likes_it(owner: Being | None, query: Query, memory: Memory) -> Recollection | None:
    """``Mag ich Oliven?``"""
    for attribute, positive in _TASTES:
        for value in memory.about(owner, attribute):
            if any(stem(part) in query.target.content for part in value.split()):
                beings = () if owner is None else (owner,)
                return Recollection("likes_it", beings=beings, values=(value,), positive=positive)
    return None


def _asks_yes_or_no(question: Sequence[Token], language: Language) -> bool:
    openers = words("cues", language, "question", "verb_first") | set(_OPENERS)
    return bool(question) and question[0].low in openers


def _exists(query: Query, memory: Memory) -> Recollection | None:
    """``Habe ich ein Haustier?``"""
    stop = words("cues", query.language, "topic", "stop") | grammar(query.language, "determiners")
    for token in query.question:
        if token.low in stop:
            continue
        found = memory.called(token.text) or of_group(token.text, memory, query.language)
        if found:
            return Recollection("exists", beings=tuple(found))
    return None
