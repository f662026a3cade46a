"""What a question about the person's own words is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from novaberg.language import Language
from novaberg.models.builtin import listening_en, phrases_de, phrases_en
from novaberg.models.builtin.facts import Attribute, Being, Clause, Memory
from novaberg.models.builtin.fields import QuestionKind, question_kind
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.nouns import kind_of, stem
from novaberg.models.builtin.reading import Reading, Token, fold, read
from novaberg.models.builtin.wordlists import grammar, section, words

Kind = Literal["name", "own_name", "attribute", "who", "clause", "recap", "exists", "likes_it", "unknown"]


@dataclass(frozen=True, slots=True)
class Recollection:
    """What is known about what was asked."""

    kind: Kind
    beings: tuple[Being, ...] = ()
    attribute: Attribute | None = None
    values: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    positive: bool = True
    """``False``: not told, denied, or without what "when" asks for."""


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a question is about."""

    beings: tuple[Being, ...] = ()
    self: bool = False
    noun: str = ""
    """An owned noun that is not known."""
    content: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that the search needs."""

    kind: QuestionKind
    question: Sequence[Token]
    cues: frozenset[str]
    target: Target
    language: Language


def own_stems(target: Target) -> frozenset[str]:
    """Stems of the nouns and names of the beings asked about."""
    return frozenset(stem(part) for being in target.beings for part in (*being.noun.split(), *being.names))


@lru_cache(maxsize=2)
def _cue_lexicon(language: Language) -> dict[str, Lexicon[str]]:
    return {
        name: Lexicon(entries_of({name: listed}))
        for name, listed in section("recall", language, "cues").items()
    }


def cues_in(reading: Reading, language: Language) -> frozenset[str]:
    """Names of the cue lists with a hit."""
    found = set()
    for name, finder in _cue_lexicon(language).items():
        if any(finder.find(sentence.words) for sentence in reading.sentences):
            found.add(name)
    return frozenset(found)


def cues_in_last_sentence(reading: Reading, language: Language) -> frozenset[str]:
    """As `cues_in`, of the last sentence: what stands before it is told, not asked."""
    last = next((sentence for sentence in reversed(reading.sentences) if sentence.words), None)
    return cues_in(read(last.source), language) if last is not None else frozenset()


def question_words(reading: Reading, language: Language) -> tuple[Token, ...]:
    """The words of the asking sentence; without one, of the whole short text."""
    for sentence in reversed(reading.sentences):
        if sentence.is_question:
            return sentence.words[:40]
    if question_kind(reading, language) is not QuestionKind.NONE or len(reading.words) <= 14:
        return reading.words[:40]
    return ()


def target_of(question: Sequence[Token], memory: Memory, language: Language) -> Target:
    """Beings, the person, or an unknown noun of theirs that the question is about."""
    lowercase = not any(token.capital for token in question[1:])
    beings: list[Being] = []
    noun = ""
    own = phrases_de.OWN if language == "de" else listening_en.OWN
    for index, token in enumerate(question):
        if token.low in own:
            found_noun, found = _owned(question, index, memory, language, lowercase=lowercase)
            noun = noun or ("" if found else found_noun)
            beings.extend(found)
        elif token.kind == "word" and len(token.text) > 1 and not beings:
            named = memory.named(token.text.removesuffix("'s").removesuffix("s")) or memory.named(
                token.text.removesuffix("'s")
            )
            if named is not None:
                beings.append(named)
    articles = {"der", "die", "das", "den", "dem", "the"}
    if not beings and not noun:
        for index, token in enumerate(question[:-1]):
            if token.low in articles:
                beings.extend(memory.called(question[index + 1].text)[:1])
    selves = words("recall", language, "target", "self")
    is_self = any(token.low in selves for token in question)
    if not beings and not noun and not is_self:
        beings.extend(_pronoun(question, memory, language))
    return Target(tuple(beings), is_self, noun, content_of(question, language))


def _owned(
    question: Sequence[Token], index: int, memory: Memory, language: Language, *, lowercase: bool
) -> tuple[str, list[Being]]:
    if language == "de":
        german = phrases_de.noun_phrase(question, index, lowercase=lowercase)
        noun, modifiers = (german.noun, german.modifiers) if german else ("", ())
    else:
        english = phrases_en.noun_phrase(question, index, lowercase=lowercase)
        noun, modifiers = (english.noun, english.modifiers) if english else ("", ())
    if not noun or fold(noun) in {"name", "namen", "vorname", "vornamen", "names", "first name"}:
        return "", []
    found = (
        memory.called(noun, modifiers)
        or of_group(noun, memory, language)
        or _only_child(noun, memory, language)
    )
    return noun, found


def _only_child(noun: str, memory: Memory, language: Language) -> list[Being]:
    """``my son`` is the one ``toddler`` that was told of, unless the gender speaks against it."""
    listed = words("nouns", language, "groups", "children")
    if fold(noun) not in listed:
        return []
    children = [being for being in memory.recent() if fold(being.noun) in listed]
    asked = phrases_de.gender_of("mein", noun) if language == "de" else phrases_en.gender_of(noun)
    fitting = {being.gender for being in children} <= {asked, "n", ""}
    return children if len(children) == 1 and fitting else []


def of_group(noun: str, memory: Memory, language: Language) -> list[Being]:
    """``my pet`` means any animal, ``my siblings`` brothers and sisters."""
    low = fold(noun)
    if low in words("nouns", language, "groups", "pets"):
        return [being for being in memory.recent() if kind_of(being.noun) == "animals"]
    for group in ("siblings", "children", "parents"):
        listed = words("nouns", language, "groups", group)
        if low in listed and low in _GROUP_NAMES:
            return [being for being in memory.recent() if fold(being.noun) in listed]
    return []


def _pronoun(question: Sequence[Token], memory: Memory, language: Language) -> list[Being]:
    for token in question:
        low = token.low.removesuffix("'s")
        genders = phrases_de.pronoun_genders(low) if language == "de" else phrases_en.pronoun_genders(low)
        if genders and low not in {"es", "it", "sie_"}:
            focus = memory.focus(genders)
            return [focus] if focus else []
    return []


def content_of(question: Sequence[Token], language: Language) -> frozenset[str]:
    """Stems of the words that carry meaning, apart from those that only ask."""
    stop = words("cues", language, "topic", "stop") | words("recall", language, "target", "stop")
    return frozenset(stem(token.low) for token in question if token.low not in stop and len(token.low) > 1)


_GROUP_NAMES: Final = grammar("any", "group_nouns")
