"""Builds the `Memory` of a session from what the person said, and from the rolling summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novaberg.language import Language, detect_language
from novaberg.models.builtin import phrases_de, phrases_en
from novaberg.models.builtin.facts import Being, Clause, Memory
from novaberg.models.builtin.listening_de import GermanListener
from novaberg.models.builtin.listening_en import EnglishListener
from novaberg.models.builtin.reading import Reading, Sentence, read
from novaberg.models.material import Utterance

MOST_SENTENCES: Final = 60
"""Sentences of one utterance that are listened to; more is a document, not talk."""
LONGEST_SENTENCE: Final = 80
"""Tokens; longer runs without a full stop are no sentence a person says."""


def remember(history: Sequence[Utterance], summary: str, notes: Sequence[str], language: Language) -> Memory:
    """Everything the person told: summary and notes first, then their utterances, oldest first.

    Nova's own words are left out: what she said is nothing the person told.
    """
    memory = Memory()
    for order, text in enumerate((*notes, summary)):
        listen(memory, text, language, order - len(notes) - 1, third_person=True)
    for order, utterance in enumerate(history):
        if utterance.speaker == "user":
            listen(memory, utterance.text, language, order)
    return memory


def listen(memory: Memory, text: str, fallback: Language, order: int, *, third_person: bool = False) -> None:
    """Take in one text."""
    if not text.strip():
        return
    reading = read(text)
    language = detect_language(text[:4000], fallback)
    listener = _listener(memory, language, third_person=third_person)
    lowercase = _lowercase(reading)
    for sentence in reading.sentences[:MOST_SENTENCES]:
        if not sentence.words or len(sentence.tokens) > LONGEST_SENTENCE:
            continue
        beings = listener.hear(sentence, lowercase=lowercase) or _meant(sentence, memory, language)
        if not sentence.is_question:
            memory.clauses.append(Clause(sentence, language, order, beings, recent=not third_person))


def _meant(sentence: Sentence, memory: Memory, language: Language) -> tuple[Being, ...]:
    """Whom a pronoun at the head of a sentence means."""
    phrases = phrases_de if language == "de" else phrases_en
    for token in sentence.words[:3]:
        genders = phrases.pronoun_genders(token.low.removesuffix("'s"))
        focus = memory.focus(genders) if genders and token.low not in {"es", "it", "it's"} else None
        if focus is not None:
            return (focus,)
    return ()


def _listener(memory: Memory, language: Language, *, third_person: bool) -> GermanListener | EnglishListener:
    if language == "de":
        return GermanListener(memory, third_person=third_person)
    return EnglishListener(memory, third_person=third_person)


def _lowercase(reading: Reading) -> bool:
    """Capitals say nothing: nobody wrote one, or everything is shouted."""
    if reading.lowercase_writer:
        return True
    letters = [word.text for word in reading.words if word.kind == "word" and len(word.text) > 1]
    return len(letters) > 2 and all(word.isupper() for word in letters)
