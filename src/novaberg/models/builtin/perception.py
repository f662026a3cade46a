"""The built-in perception: eight fields of one text by rules and word lists (spec 02 §3.17–3.19).

Only the text itself is classified. The turns before it count in one case: a call for help that names no feeling of
its own takes its weight from what was told just before (seed: node-perzeption §4.2). A question of fact is never
coloured by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from pydantic import JsonValue

from novaberg.language import Language
from novaberg.models.builtin import fields
from novaberg.models.builtin.arithmetic import has_sum
from novaberg.models.builtin.crisis import Danger, danger_of
from novaberg.models.builtin.emotion import Feeling, feel, swears
from novaberg.models.builtin.reading import Reading, read
from novaberg.models.builtin.topic import topic_of
from novaberg.models.builtin.wordlists import lexicon
from novaberg.models.material import Utterance
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceptionCalibration:
    """Arousal values (0 to 1) of the rules beyond single words; the anchors are those of spec 02 §9.4, P1 and P4."""

    factual_question: float = 0.1
    explaining_question: float = 0.2
    plain: float = 0.2
    """Nothing recognisable, everyday talk."""
    interest: float = 0.4
    stuck_after_bad_news: float = 0.7
    stuck_alone: float = 0.5
    danger: float = 0.9
    attack: float = 0.6
    thanks: float = 0.4
    greeting: float = 0.3


DEFAULT_PERCEPTION = PerceptionCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Perception:
    """The eight fields, canon values throughout."""

    intent: str
    tone: str
    topic: str
    emotion: str
    arousal: float
    """Tenths, 0 to 1."""
    mode: str
    style: str
    dynamic: str

    def to_json(self) -> dict[str, JsonValue]:
        """The three sections of spec 02 §3.19."""
        return {
            "rational": {"intent": self.intent, "tone": self.tone, "thema": self.topic},
            "emotional": {"emotion": self.emotion, "arousal": self.arousal},
            "psychologisch": {
                "modus": self.mode,
                "sprach_stil": self.style,
                "beziehungs_dynamik": self.dynamic,
            },
        }


@dataclass(frozen=True)
class Signs:
    """What the cue lists find in a text; each table is searched on first use."""

    reading: Reading
    language: Language
    feeling: Feeling
    calibration: PerceptionCalibration = field(default=DEFAULT_PERCEPTION)

    def cues(self, table: str) -> Mapping[str, int]:
        """Number of hits per list of one table."""
        known = self._found
        if table not in known:
            finder = lexicon("cues", self.language, table)
            known[table] = Counter(
                hit.value for sentence in self.reading.sentences for hit in finder.find(sentence.words)
            )
        return known[table]

    @cached_property
    def _found(self) -> dict[str, Mapping[str, int]]:
        return {}

    def has(self, table: str, name: str) -> bool:
        """Whether the list has a hit."""
        return self.cues(table).get(name, 0) > 0

    @cached_property
    def speaks_of_self(self) -> bool:
        """First person somewhere."""
        return bool(fields.first_person(self.language) & self.reading.vocabulary)

    @cached_property
    def question(self) -> fields.QuestionKind:
        """What kind of question the text asks."""
        return fields.question_kind(self.reading, self.language)

    @cached_property
    def stuck(self) -> bool:
        """A call for help that names nothing: "Was soll ich machen?", "Und jetzt?"."""
        return self.has("intent", "stuck") or (
            self.has("speech", "stuck_short") and len(self.reading.words) <= 3
        )

    @cached_property
    def swears(self) -> bool:
        """A swear word stands in the text."""
        return bool(self.reading.vocabulary) and swears(self.reading, self.language)

    @cached_property
    def danger(self) -> Danger:
        """Whether life is in danger."""
        return danger_of(self.reading, self.language)


@lru_cache(maxsize=64)
def signs_of(text: str, language: Language) -> Signs:
    """Everything the rules look at."""
    reading = read(text)
    return Signs(reading, language, feel(reading, language))


def perceive_person(text: str, language: Language, history: tuple[Utterance, ...] = ()) -> Perception:
    """The person's text."""
    signs = signs_of(text, language)
    intent = intent_of(signs)
    emotion, arousal = emotion_of(signs, intent, history)
    dynamic = fields.dynamic_of(signs, intent, emotion, arousal)
    mode = fields.mode_of(signs, intent, emotion, arousal)
    return Perception(
        intent=intent,
        tone=fields.tone_of(signs, intent, emotion, arousal, dynamic),
        topic=_topic(signs, intent),
        emotion=emotion,
        arousal=round(min(max(arousal, 0.0), 1.0), 1),
        mode=mode,
        style=fields.style_of(signs, emotion, arousal),
        dynamic=dynamic,
    )


def intent_of(signs: Signs) -> str:  # noqa: PLR0911  # one return a rule
    """What the utterance is for (spec 02 §2.2)."""
    cues = signs.cues("intent")
    if signs.danger is not Danger.NONE:
        return "personal"
    for name in ("meta", "creative", "task"):
        if name in cues:
            return name
    if has_sum(signs.reading):
        return "task"
    if signs.stuck:
        return "personal"
    if fields.is_small_talk(signs.reading, cues, signs.feeling):
        return "smalltalk"
    if signs.question is not fields.QuestionKind.NONE:
        felt = signs.feeling.own and signs.feeling.emotion != "neugierig"
        return "personal" if felt or fields.asks_about_self(signs.reading, signs.language) else "knowledge"
    third = signs.reading.vocabulary & fields.third_person(signs.language)
    if signs.speaks_of_self or third or signs.feeling.own or signs.has("dynamic", "trust"):
        return "personal"
    if signs.has("intent", "explain"):
        return "knowledge"
    if signs.feeling.recognised:
        return "personal"
    return "knowledge" if len(signs.reading.words) >= fields.LONG_STATEMENT else "smalltalk"


def emotion_of(  # noqa: PLR0911  # one return a rule
    signs: Signs, intent: str, history: tuple[Utterance, ...]
) -> tuple[str, float]:
    """Emotion and arousal, not yet rounded."""
    calibration, feeling = signs.calibration, signs.feeling
    if signs.danger is not Danger.NONE:
        return "verzweiflung", calibration.danger if signs.danger is Danger.ACUTE else 0.8
    if signs.has("dynamic", "attack"):
        angry = feeling.emotion in {"wut", "aerger", "frustration", "enttaeuschung"}
        return (feeling.emotion if angry else "aerger"), max(
            calibration.attack, feeling.arousal if angry else 0.0
        )
    if signs.stuck and (not feeling.recognised or feeling.emotion in {"unsicherheit", "neugierig"}):
        if _bad_news(history, signs.language):
            return "unsicherheit", calibration.stuck_after_bad_news
        return "unsicherheit", max(calibration.stuck_alone, feeling.arousal if feeling.recognised else 0.0)
    if _is_cool_question(signs, intent):
        return _question_emotion(signs)
    if feeling.recognised:
        return feeling.emotion, feeling.arousal
    if signs.has("dynamic", "thanks"):
        return "dankbarkeit", calibration.thanks
    if signs.question is not fields.QuestionKind.NONE:
        return _question_emotion(signs)
    return NEUTRAL, _plain_arousal(signs)


def _is_cool_question(signs: Signs, intent: str) -> bool:
    if intent not in {"knowledge", "meta", "task", "creative"} or signs.feeling.own:
        return False
    loud = signs.reading.exclamations > 0 or signs.reading.emoji
    return not loud and not signs.feeling.ironic


def _question_emotion(signs: Signs) -> tuple[str, float]:
    calibration, feeling = signs.calibration, signs.feeling
    if feeling.emotion == "neugierig":
        return "neugierig", max(calibration.interest, feeling.arousal)
    if feeling.emotion in {"begeisterung", "verwundert", "ueberrascht", "dankbarkeit"}:
        return feeling.emotion, min(feeling.arousal, 0.6)
    if signs.question is fields.QuestionKind.FACTUAL:
        return NEUTRAL, calibration.factual_question
    return NEUTRAL, calibration.explaining_question


def _plain_arousal(signs: Signs) -> float:
    calibration = signs.calibration
    arousal = calibration.greeting if signs.has("intent", "small_talk") else calibration.plain
    if signs.reading.exclamations:
        arousal += 0.1
    if signs.reading.shouted:
        arousal += 0.2
    return arousal


def _bad_news(history: tuple[Utterance, ...], language: Language) -> bool:
    """Whether one of the person's last two utterances told something bad."""
    recent = [utterance for utterance in history if utterance.speaker == "user"][-2:]
    return any(
        utterance.emotion in NEGATIVE_EMOTIONS
        or feel(read(utterance.text), language).emotion in NEGATIVE_EMOTIONS
        for utterance in recent
    )


def _topic(signs: Signs, intent: str) -> str:
    words = topic_of(signs.reading, signs.language)
    if words.count(" ") >= 1 or not signs.reading.words:
        return words
    label = fields.small_talk_label(signs.reading, signs.language) if intent == "smalltalk" else ""
    return label or words
