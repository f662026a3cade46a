"""Weighs the emotion words of a text: negation, force, irony, whose feeling it is (spec 02 §2.3, §2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.irony import is_ironic
from novaberg.models.builtin.lexicon import Hit, Lexicon, entries_of
from novaberg.models.builtin.reading import Reading, Sentence, Token
from novaberg.models.builtin.scope import Scope
from novaberg.models.builtin.wordlists import section, table
from novaberg.vocabulary import EMOTION_CANON, EMOTION_SECTOR, NEGATIVE_EMOTIONS, NEUTRAL, POSITIVE_EMOTIONS

_Table = Mapping[str, tuple[float, float, float]]


def _arousals() -> _Table:
    return MappingProxyType(
        {
            "begeisterung": (0.5, 0.7, 0.8),
            "freude": (0.4, 0.5, 0.7),
            "dankbarkeit": (0.4, 0.4, 0.6),
            "zufriedenheit": (0.2, 0.3, 0.4),
            "stress": (0.4, 0.6, 0.8),
            "unsicherheit": (0.3, 0.5, 0.6),
            "ueberrascht": (0.4, 0.6, 0.7),
            "verwundert": (0.3, 0.4, 0.5),
            "verzweiflung": (0.6, 0.7, 0.8),
            "traurigkeit": (0.3, 0.5, 0.6),
            "frustration": (0.4, 0.6, 0.7),
            "enttaeuschung": (0.3, 0.5, 0.6),
            "wut": (0.5, 0.7, 0.8),
            "aerger": (0.4, 0.5, 0.6),
            "hoffnung": (0.3, 0.5, 0.6),
            "neugierig": (0.3, 0.4, 0.5),
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionCalibration:
    """Weights of the word rules; all of them our own choice, checked against foreign texts."""

    force: tuple[float, float, float] = (0.6, 1.0, 1.7)
    """Points of a weak, normal and strong word."""
    arousal: _Table = field(default_factory=_arousals)
    """Arousal (0 to 1) that a weak, normal or strong word of an emotion carries (spec 02 §2.3, §2.5)."""
    own_feeling: float = 1.3
    """Factor if the clause speaks of the speaker."""
    foreign_feeling: float = 0.7
    """Factor if the clause speaks of others only."""
    question: float = 0.5
    """Factor inside a question that does not speak of the speaker: emotion as a subject, not as a state."""
    before_contrast: float = 0.6
    """Factor of what a "but" takes back."""
    intensified: float = 1.3
    """Factor behind "very"."""
    diminished: float = 0.8
    """Factor behind "a little"."""
    irony: float = 1.6
    """Points of annoyance for an ironic phrase."""
    threshold: float = 0.55
    """Points below which nothing counts as recognised."""
    step_up: float = 0.1
    """Arousal for "very", for exclamation marks, for capitals (each once)."""
    step_down: float = 0.1
    """Arousal taken off by "a little"."""
    low_energy: float = 0.3
    """Highest arousal of exhausted and resigned words if nothing louder stands beside them (spec 02 §2.5)."""
    emoji: float = 0.9
    """Points of an emoji."""


DEFAULT_EMOTION: Final = EmotionCalibration()

_FORCES: Final = ("weak", "normal", "strong")
_NEGATION_BEFORE: Final = 4
"""Words before an emotion word in which a negation is looked for."""
_NEGATION_AFTER: Final[dict[Language, int]] = {"de": 3, "en": 0}
"""Words behind it (German puts "nicht" behind the verb)."""
_POSITIVE_DENIED: Final = MappingProxyType({"hoffnung": "verzweiflung", "zufriedenheit": "unsicherheit"})


@dataclass(frozen=True, slots=True)
class _Word:
    emotion: str
    force: int


@dataclass(frozen=True, slots=True)
class Feeling:
    """What the words of a text say about emotion."""

    emotion: str
    """One of the 16+1."""
    arousal: float
    """0 to 1, not yet rounded."""
    points: Mapping[str, float]
    """Weight per recognised emotion."""
    own: bool
    """Some emotion word speaks of the speaker."""
    ironic: bool
    negated: frozenset[str] = frozenset()
    """Emotions that were denied."""

    @property
    def recognised(self) -> bool:
        """Anything but neutral."""
        return self.emotion != NEUTRAL


@lru_cache(maxsize=2)
def _emotion_lexicon(language: Language) -> Lexicon[_Word]:
    content = table("emotions", language)
    return Lexicon(
        (written, _Word(emotion, _FORCES.index(force)))
        for emotion, forces in content.items()
        for force in ("strong", "normal", "weak")
        for written in forces.get(force, "").split()
    )


@lru_cache(maxsize=1)
def _emoji_emotions() -> Mapping[str, str]:
    content: Mapping[str, str] = table("emoji", "any")["emotions"]
    return MappingProxyType({sign: emotion for emotion, signs in content.items() for sign in signs.split()})


def feel(reading: Reading, language: Language, calibration: EmotionCalibration = DEFAULT_EMOTION) -> Feeling:
    """The leading emotion of a text with its arousal; ``neutral`` if no word tells one."""
    scale = _Scale(calibration)
    for sentence in reading.sentences:
        _weigh_sentence(sentence, language, scale)
    _weigh_emoji(reading, scale)
    ironic = is_ironic(reading, language)
    if ironic:
        _turn_irony(scale)
    emotion = scale.leading()
    return Feeling(
        emotion,
        _arousal(emotion, reading, language, scale),
        MappingProxyType(scale.points),
        scale.own,
        ironic,
        frozenset(scale.negated),
    )


class _Scale:
    """Collects points while a text is read."""

    def __init__(self, calibration: EmotionCalibration) -> None:
        self.calibration = calibration
        self.points: dict[str, float] = {}
        self.arousal: dict[str, float] = {}
        self.negated: set[str] = set()
        self.own = False
        self.intensified = False
        self.diminished = False

    def add(self, emotion: str, points: float, arousal: float) -> None:
        self.points[emotion] = self.points.get(emotion, 0.0) + points
        self.arousal[emotion] = max(self.arousal.get(emotion, 0.0), arousal)

    def leading(self) -> str:
        """Of the best sector (neighbours support each other) the emotion with the most points and force."""
        if not self.points:
            return NEUTRAL
        sectors: dict[int, float] = {}
        for emotion, points in self.points.items():
            sector = EMOTION_SECTOR[emotion]
            sectors[sector] = sectors.get(sector, 0.0) + points
        best_sector = max(sectors, key=lambda sector: (sectors[sector], -sector))
        if sectors[best_sector] < self.calibration.threshold:
            return NEUTRAL
        members = [emotion for emotion in EMOTION_CANON if EMOTION_SECTOR.get(emotion) == best_sector]
        return max(
            members, key=lambda emotion: self.points.get(emotion, 0.0) * self.arousal.get(emotion, 0.0)
        )


def _weigh_sentence(sentence: Sentence, language: Language, scale: _Scale) -> None:
    spoken = sentence.words
    hits = _emotion_lexicon(language).find(spoken)
    if not hits:
        return
    scope = Scope.of(sentence, spoken, language)
    for hit in hits:
        if hit.value.emotion != NEUTRAL:
            _weigh_hit(hit, spoken, sentence, scope, scale)


def _weigh_hit(
    hit: Hit[_Word], spoken: Sequence[Token], sentence: Sentence, scope: Scope, scale: _Scale
) -> None:
    calibration = scale.calibration
    begin, end = scope.clause(hit.start)
    end = min(end, len(spoken))
    word = hit.value
    points = calibration.force[word.force]
    arousal = calibration.arousal[word.emotion][word.force]
    own = scope.has("self", begin, end)
    if own:
        points *= calibration.own_feeling
    elif scope.has("other", begin, end):
        points *= calibration.foreign_feeling
    if sentence.is_question and not own:
        points *= calibration.question
    if hit.end <= scope.last_contrast:
        points *= calibration.before_contrast
    near = max(begin, hit.start - 3)
    if scope.has("intensifiers", near, hit.start):
        points *= calibration.intensified
        arousal += calibration.step_up
    elif scope.has("diminishers", near, hit.start):
        points *= calibration.diminished
        arousal -= calibration.step_down
    if _negated(hit, scope, begin, end):
        _add_denied(word, points, scale)
        return
    scale.own = scale.own or own
    scale.add(word.emotion, points, arousal)


def _negated(hit: Hit[_Word], scope: Scope, begin: int, end: int) -> bool:
    first, last = (
        max(begin, hit.start - _NEGATION_BEFORE),
        min(end, hit.end + _NEGATION_AFTER[scope.language]),
    )
    return any(
        name == "negators" and ((first <= start and stop <= hit.start) or hit.end <= start < last)
        for start, stop, name in scope.spans
    )


def _add_denied(word: _Word, points: float, scale: _Scale) -> None:
    """A denied bad feeling is quiet relief, a denied good one is disappointment; a denied question is nothing."""
    scale.negated.add(word.emotion)
    if word.emotion in NEGATIVE_EMOTIONS:
        scale.add("zufriedenheit", points * 0.5, 0.3)
    elif word.emotion in POSITIVE_EMOTIONS and word.emotion != "neugierig":
        scale.add(_POSITIVE_DENIED.get(word.emotion, "enttaeuschung"), points * 0.7, 0.4)


def _weigh_emoji(reading: Reading, scale: _Scale) -> None:
    known = _emoji_emotions()
    for sign in reading.emoji[:6]:
        emotion = known.get(sign)
        if emotion is not None:
            scale.add(emotion, scale.calibration.emoji, scale.calibration.arousal[emotion][1])


def _turn_irony(scale: _Scale) -> None:
    """What was praised is meant as annoyance."""
    for emotion in POSITIVE_EMOTIONS:
        scale.points.pop(emotion, None)
    strongest = max(scale.points, key=lambda emotion: scale.points[emotion], default=NEUTRAL)
    target = strongest if strongest in {"frustration", "wut", "enttaeuschung"} else "aerger"
    scale.add(target, scale.calibration.irony, scale.calibration.arousal["aerger"][1])


@lru_cache(maxsize=2)
def _energy_lexicon(language: Language) -> Lexicon[str]:
    lists = section("cues", language, "scope")
    return Lexicon(entries_of({name: lists[name] for name in ("low_energy", "swearing")}))


def swears(reading: Reading, language: Language) -> bool:
    """Whether a swear word stands in a text."""
    finder = _energy_lexicon(language)
    return any(
        hit.value == "swearing" for sentence in reading.sentences for hit in finder.find(sentence.words)
    )


def _arousal(emotion: str, reading: Reading, language: Language, scale: _Scale) -> float:
    calibration = scale.calibration
    if emotion == NEUTRAL:
        return 0.2
    sector = EMOTION_SECTOR[emotion]
    arousal = max(value for name, value in scale.arousal.items() if EMOTION_SECTOR[name] == sector)
    if reading.exclamations:
        arousal += calibration.step_up * (1 if reading.exclamations == 1 else 1.5)
    if reading.shouted:
        arousal += calibration.step_up
    if reading.stretched:
        arousal += calibration.step_up / 2
    energy = {
        hit.value for sentence in reading.sentences for hit in _energy_lexicon(language).find(sentence.words)
    }
    if "swearing" in energy:
        arousal += calibration.step_up
    elif "low_energy" in energy and not reading.exclamations and arousal <= 0.6:
        arousal = min(arousal, calibration.low_energy)
    return min(max(arousal, 0.1), 0.95)
