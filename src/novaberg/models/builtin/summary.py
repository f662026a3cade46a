"""The rolling summary: three to five of the person's own sentences that keep names, facts, places and numbers.

Sentences are taken as they were said, so that what is remembered later is what was told, not what was made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.emotion import feel
from novaberg.models.builtin.facts import Memory
from novaberg.models.builtin.listening import listen
from novaberg.models.builtin.reading import Sentence, read
from novaberg.models.builtin.wordlists import lexicon, words
from novaberg.models.material import SummaryMaterial

MOST_SENTENCES: Final = 5
LEAST_SENTENCES: Final = 3
LONGEST_SENTENCE: Final = 240
"""Characters that are kept of one sentence."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    position: int
    weight: float


def summarise(material: SummaryMaterial) -> str:
    """Three to five sentences (fewer if less was said); never empty if anything was said."""
    language = material.language
    candidates = [*_rated(material.previous, language, 0, kept=True)]
    for turn in material.turns:
        if turn.speaker == "user":
            candidates.extend(_rated(turn.text, language, len(candidates), kept=False))
    unique = list({candidate.text.casefold(): candidate for candidate in candidates}.values())
    best = sorted(unique, key=lambda candidate: (-candidate.weight, -candidate.position))
    chosen = [candidate for candidate in best if candidate.weight > 0][:MOST_SENTENCES] or best[
        :LEAST_SENTENCES
    ]
    ordered = sorted(chosen, key=lambda candidate: candidate.position)
    if ordered:
        return " ".join(candidate.text for candidate in ordered)
    spoken = [turn.text.strip() for turn in material.turns if turn.text.strip()]
    return _closed(spoken[-1][:LONGEST_SENTENCE]) if spoken else material.previous.strip()


def _rated(text: str, language: Language, start: int, *, kept: bool) -> Iterable[_Candidate]:
    reading = read(text)
    for index, sentence in enumerate(reading.sentences[:60]):
        if not sentence.words:
            continue
        weight = _weight(sentence, language)
        shown = _closed(sentence.source[:LONGEST_SENTENCE])
        yield _Candidate(shown, start + index, weight + (0.5 if kept and weight > 0 else 0.0))


def _weight(sentence: Sentence, language: Language) -> float:
    """What a sentence is worth: facts and names most, then events, numbers, feelings; questions nothing."""
    if sentence.is_question or len(sentence.words) < 3:
        return 0.0
    memory = Memory()
    listen(memory, sentence.source + ".", language, 0)
    weight = 2.0 * len(memory.facts) + 1.5 * len(memory.beings) + 2.0 * len(memory.own_names)
    weight += 1.0 * sum(1 for being in memory.beings if being.names)
    weight += 1.0 if any(token.kind == "number" for token in sentence.words) else 0.0
    weight += 0.5 * min(_names(sentence, language), 3)
    weight += 1.0 if lexicon("events", language, "signs").find(sentence.words) else 0.0
    weight += 0.5 if feel(read(sentence.source), language).own else 0.0
    addressed = {token.low for token in sentence.words} & {"du", "dich", "dir", "you", "nova"}
    return weight * (0.4 if addressed else 1.0)


def _names(sentence: Sentence, language: Language) -> int:
    """Capitalised words that are no sentence beginning; in German only those that no list knows as a noun."""
    stop = words("cues", language, "topic", "stop")
    return sum(1 for token in sentence.words[1:] if token.capital and token.low not in stop)


def _closed(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
