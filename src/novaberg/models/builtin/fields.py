"""Rules for tone, mode, style and dynamic, and what they share: kinds of question, small talk (spec 02 §2.2)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from novaberg.language import Language
from novaberg.models.builtin.reading import Reading, Sentence
from novaberg.models.builtin.wordlists import lexicon, section, words
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL

if TYPE_CHECKING:
    from novaberg.models.builtin.emotion import Feeling
    from novaberg.models.builtin.perception import Signs

LONG_STATEMENT: Final = 7
"""Words from which a statement without any person in it counts as a matter of fact."""
SMALL_TALK_WORDS: Final = 7
"""Words up to which a greeting is nothing but a greeting."""
_BEFORE_A_QUESTION: Final = frozenset({"und", "aber", "and", "but", "so", "sag", "du"})
_BARE_QUESTION: Final = 2
"""Words of a question that may end in its question word ("und wann?")."""
_NARRATIVE_WORDS: Final = 10
_FORMAL_ADDRESS: Final = frozenset({"Sie", "Ihnen", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer"})


class QuestionKind(enum.Enum):
    """What a question wants."""

    NONE = enum.auto()
    FACTUAL = enum.auto()
    """When, where, who, how much."""
    EXPLAINING = enum.auto()
    """Why, how, or yes/no."""
    HOW_TO = enum.auto()
    """How do I …: asks for knowledge although it says "I"."""


@lru_cache(maxsize=2)
def first_person(language: Language) -> frozenset[str]:
    """Pronouns of the speaker."""
    return words("cues", language, "scope", "self")


@lru_cache(maxsize=2)
def third_person(language: Language) -> frozenset[str]:
    """Pronouns of somebody who is spoken of."""
    return words("cues", language, "scope", "other") - {"man", "leute", "jemand", "niemand", "people", "it"}


def question_kind(reading: Reading, language: Language) -> QuestionKind:
    """The kind of the last question of a text, also without a question mark if it begins with a question word."""
    for sentence in reversed(reading.sentences):
        kind = _sentence_question(sentence, language)
        if kind is not QuestionKind.NONE:
            return kind
    return QuestionKind.NONE


def asks_about_self(reading: Reading, language: Language) -> bool:
    """Whether a question speaks of the speaker ("Wie heißt mein Hund?"), other than by asking how to do something."""
    for sentence in reading.sentences:
        kind = _sentence_question(sentence, language)
        own = any(token.low in first_person(language) for token in sentence.words)
        if own and kind not in {QuestionKind.NONE, QuestionKind.HOW_TO}:
            return True
    return False


def asks_at_the_end(reading: Reading, language: Language) -> bool:
    """Whether the last sentence asks, by a question word or the verb at its head: "na und?" and "so what?" do not."""
    sentences = [sentence for sentence in reading.sentences if sentence.words]
    if not sentences:
        return False
    spoken = sentences[-1].words
    hits = lexicon("cues", language, "question").find(spoken[:12])
    if len(spoken) > _BARE_QUESTION and hits and hits[-1].start > 0 and hits[-1].end == len(spoken):
        return False
    kind = _sentence_question(sentences[-1], language)
    if kind in {QuestionKind.FACTUAL, QuestionKind.HOW_TO}:
        return True
    head = 1 if spoken[0].low in _BEFORE_A_QUESTION else 0
    return kind is QuestionKind.EXPLAINING and bool({hit.start for hit in hits} & {0, head})


def _sentence_question(sentence: Sentence, language: Language) -> QuestionKind:
    tokens = sentence.words
    if not tokens:
        return QuestionKind.NONE
    hits = {hit.start: hit.value for hit in lexicon("cues", language, "question").find(tokens[:12])}
    opening = next((hits[index] for index in sorted(hits) if hits[index] != "verb_first"), None)
    starts_with = hits.get(0) or (hits.get(1) if tokens[0].low in _BEFORE_A_QUESTION else None)
    if not sentence.is_question and starts_with not in {"factual", "explaining", "how_to"}:
        return QuestionKind.NONE
    if not sentence.is_question and (sentence.end.startswith("!") or len(tokens) < 3):
        return QuestionKind.NONE
    kind = starts_with if starts_with in {"factual", "explaining", "how_to"} else opening
    match kind:
        case "factual":
            return QuestionKind.FACTUAL
        case "how_to":
            return QuestionKind.HOW_TO
        case _:
            return QuestionKind.EXPLAINING


def is_small_talk(reading: Reading, cues: Mapping[str, int], feeling: Feeling) -> bool:
    """A greeting, thanks or goodbye that tells nothing else."""
    if "small_talk" not in cues:
        return False
    short = len(reading.words) <= SMALL_TALK_WORDS
    return short and not (feeling.own and feeling.emotion in NEGATIVE_EMOTIONS)


def small_talk_label(reading: Reading, language: Language) -> str:
    """A name for small talk without a subject of its own, ``""`` if there is none."""
    labels = section("cues", language, "topic")
    kinds = {hit.value for hit in lexicon("moves", language, "small").find(reading.words)}
    for kind, label in (
        ("how_are_you", "how_are_you"),
        ("thanks", "thanks"),
        ("farewell", "farewell"),
        ("greeting", "greeting"),
    ):
        if kind in kinds:
            return labels[label]
    return ""


def dynamic_of(signs: Signs, intent: str, emotion: str, arousal: float) -> str:
    """The speaker's stance towards the other."""
    cues = signs.cues("dynamic")
    for cue, value in (("attack", "angriff"), ("distance", "distanz")):
        if cue in cues:
            return value
    negative = emotion in NEGATIVE_EMOTIONS
    if "help" in cues or (intent == "personal" and signs.stuck):
        return "hilfesuchend"
    if "thanks" in cues and not negative and not signs.feeling.ironic:
        return "dankbar"
    if "trust" in cues:
        return "vertrauen"
    own = intent == "personal" and emotion != NEUTRAL and signs.speaks_of_self
    if own and negative and arousal >= 0.75 and emotion not in {"wut", "aerger"}:
        return "hilfesuchend"
    return "vertrauen" if own else "neutral"


def mode_of(  # noqa: PLR0911  # one return a rule
    signs: Signs, intent: str, emotion: str, arousal: float
) -> str:
    """The register of the conversation."""
    cues = signs.cues("mode")
    if "philosophischer_austausch" in cues:
        return "philosophischer_austausch"
    if intent == "creative" or "kreativ" in cues:
        return "kreativ"
    if signs.stuck or ("beratend" in cues and emotion not in {"verzweiflung", "wut"}):
        return "beratend"
    if "spielerisch" in cues and emotion not in NEGATIVE_EMOTIONS:
        return "spielerisch"
    felt = emotion != NEUTRAL and intent == "personal"
    if felt and (emotion in NEGATIVE_EMOTIONS or arousal >= 0.5):
        return "emotional"
    if "spielerisch" in cues:
        return "spielerisch"
    if "lernmodus" in cues:
        return "lernmodus"
    if cues.get("fachgespraech", 0) >= 2 or ("fachgespraech" in cues and intent == "knowledge"):
        return "fachgespraech"
    if intent == "task" or "arbeitsmodus" in cues:
        return "arbeitsmodus"
    if "berichtend" in cues and len(signs.reading.words) >= _NARRATIVE_WORDS:
        return "berichtend"
    return "alltag"


def tone_of(signs: Signs, intent: str, emotion: str, arousal: float, dynamic: str) -> str:
    """How the assistant should answer."""
    if dynamic in {"angriff", "distanz"}:
        return "direkt"
    if intent == "creative" or signs.has("mode", "spielerisch") or signs.has("mode", "kreativ"):
        return "kreativ"
    if emotion in NEGATIVE_EMOTIONS and intent == "personal":
        return "direkt" if emotion in {"wut"} and not signs.speaks_of_self else "empathisch"
    if dynamic == "hilfesuchend" or (intent == "personal" and emotion != NEUTRAL and arousal >= 0.5):
        return "empathisch"
    if intent == "task" and signs.question is QuestionKind.NONE:
        return "direkt"
    return "sachlich"


def style_of(signs: Signs, emotion: str, arousal: float) -> str:
    """How it is worded."""
    reading, cues = signs.reading, signs.cues("style")
    if _formal(signs):
        return "formell"
    slang = cues.get("jugendlich", 0)
    if slang >= 2 or (slang and len(reading.words) <= 8):
        return "jugendlich"
    loud = reading.exclamations >= 2 or reading.shouted or len(reading.emoji) >= 2 or reading.stretched
    if loud or (arousal >= 0.7 and emotion != NEUTRAL and signs.speaks_of_self):
        return "emotional"
    if signs.cues("mode").get("fachgespraech", 0) >= 2:
        return "fachlich"
    casual = cues.get("locker", 0) or (reading.lowercase_writer and len(reading.words) > 2)
    return "locker" if casual else "neutral"


def _formal(signs: Signs) -> bool:
    return signs.has("style", "formell") or (signs.language == "de" and is_formal(signs.reading))


def is_formal(reading: Reading) -> bool:
    """Whether a German text says "Sie" to the other: written large amid a sentence, and no "du" beside it."""
    large = any(
        token.text in _FORMAL_ADDRESS
        for sentence in reading.sentences
        for index, token in enumerate(sentence.words)
        if index > 0
    )
    return large and "du" not in reading.vocabulary
