"""The emotions vector: in which direction a speaker's mood moves (spec 02 §3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from novaberg.ei.curves import is_number
from novaberg.ei.history import EmotionalTurn, emotional_turn, emotional_turns, unknown_emotions
from novaberg.ei.records import TurnRecord
from novaberg.vocabulary import Group, group_of

VectorSource = Literal["gemessen", "gleichstand", "zu_wenig_turns"]
IntensitySource = Literal["arousal", "namensmenge", "nicht_anwendbar"]

_TRANSITIONS: Final[Mapping[tuple[Group, Group], str]] = MappingProxyType(
    {
        ("positiv", "neutral"): "abkuehlung",
        ("positiv", "negativ"): "absturz",
        ("neutral", "positiv"): "aufbluehen",
        ("neutral", "neutral"): "plateau",
        ("neutral", "negativ"): "einbruch",
        ("negativ", "positiv"): "erholung",
        ("negativ", "neutral"): "stabilisierung",
    }
)
"""Older group and newer group → vector; within one group arousal decides."""

_RISES: Final[Mapping[Group, str]] = MappingProxyType({"positiv": "eskalation", "negativ": "spirale"})


@dataclass(frozen=True, slots=True)
class MoodCalibration:
    """Constants of the vector. Origin: reference."""

    turns: int = 8
    """``EMOTION_VEKTOR_TURNS``: stored turns that count, before the current one."""
    rise: float = 0.10
    """``GV_VEKTOR_INTENSITAET_SCHWELLE``: growth of mean arousal that counts as a rise."""
    rise_digits: int = 3
    """The growth is rounded before it is compared: 0.6 - 0.5 is less than 0.1 in binary."""


DEFAULT_MOOD: Final = MoodCalibration()


@dataclass(frozen=True, slots=True)
class MoodVector:
    """A direction and how well it is founded."""

    vector: str
    source: VectorSource
    """``gleichstand``: a half was tied, its latest emotion decided; ``zu_wenig_turns``: no statement."""
    intensity: float | None = None
    """Growth of mean arousal, only within one group and with numbers on both sides."""
    intensity_source: IntensitySource = "nicht_anwendbar"
    """``namensmenge``: arousals were missing and new names decided (worth an INFO line)."""
    turns: int = 0
    """Turns that took part."""
    unknown: tuple[str, ...] = ()
    """Emotions outside the canon, each worth one ERROR line."""


def mood_vector(
    turns: Sequence[TurnRecord],
    *,
    role: str,
    current_emotion: str = "",
    current_arousal: object = None,
    inject_current: bool,
    calibration: MoodCalibration = DEFAULT_MOOD,
) -> MoodVector:
    """The direction of one speaker's mood from the older to the newer half of the last turns.

    Args:
        turns: stored turns of both speakers, oldest first.
        role: whose mood, ``user`` or ``assistant``.
        current_emotion: emotion of the utterance that is not stored yet; ``neutral`` counts too.
        current_arousal: its arousal. Without it the comparison has to fall back on names.
        inject_current: on for the person's path, off for Nova's.
        calibration: constants.
    """
    felt = emotional_turns(turns, role)[-calibration.turns :]
    if inject_current and current_emotion:
        felt.append(emotional_turn(current_emotion, current_arousal))
    unknown = unknown_emotions(felt)
    if len(felt) < 2:
        return MoodVector("plateau", "zu_wenig_turns", turns=len(felt), unknown=unknown)
    older, newer = _halves(felt)
    before, tied_before = _dominant_group(older)
    after, tied_after = _dominant_group(newer)
    source: VectorSource = "gleichstand" if tied_before or tied_after else "gemessen"
    vector = _TRANSITIONS.get((before, after))
    if vector is not None:
        return MoodVector(vector, source, turns=len(felt), unknown=unknown)
    rising, intensity = _rise(older, newer, after, calibration)
    return MoodVector(
        _RISES[after] if rising else "plateau",
        source,
        intensity,
        "namensmenge" if intensity is None else "arousal",
        len(felt),
        unknown,
    )


def _halves(felt: Sequence[EmotionalTurn]) -> tuple[Sequence[EmotionalTurn], Sequence[EmotionalTurn]]:
    if len(felt) <= 3:
        return felt[:-1], felt[-1:]
    return felt[-5:-2], felt[-2:]


def _dominant_group(half: Sequence[EmotionalTurn]) -> tuple[Group, bool]:
    """The most frequent group, and whether a tie left the choice to the latest emotion."""
    groups = [group_of(turn.emotion) for turn in half]
    counts = Counter(groups).most_common()
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        return groups[-1], True
    return counts[0][0], False


def _rise(
    older: Sequence[EmotionalTurn], newer: Sequence[EmotionalTurn], group: Group, calibration: MoodCalibration
) -> tuple[bool, float | None]:
    """Whether the mood gathers force, and by how much if both halves carry numbers."""
    before, after = _mean_arousal(older), _mean_arousal(newer)
    if before is None or after is None:
        fresh = {turn.emotion for turn in newer} - {turn.emotion for turn in older}
        return any(group_of(emotion) == group for emotion in fresh), None
    rise = round(after - before, calibration.rise_digits)
    return rise >= calibration.rise, rise


def _mean_arousal(half: Sequence[EmotionalTurn]) -> float | None:
    values = [turn.arousal for turn in half if is_number(turn.arousal)]
    return sum(values) / len(values) if values else None
