"""The emotional course: which emotions are still there, and how strongly (spec 02 §3.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.ei.curves import (
    DEFAULT_AROUSAL,
    SMOOTHING_MAXIMUM,
    ArousalCalibration,
    arousal_to_float,
    faded,
    smooth,
)
from novaberg.ei.history import EmotionalTurn, emotional_turn, emotional_turns, unknown_emotions
from novaberg.ei.records import CourseEntry, TurnRecord
from novaberg.ei.sectors import DEFAULT_SECTORS, SectorCalibration, sector_exponent, sector_of


@dataclass(frozen=True, slots=True)
class TrajectoryCalibration:
    """Constants of the course. Origin: reference, unless said otherwise."""

    decay_factor: float = 0.8
    """``EMOTION_DECAY_FACTOR``: how fast a calm turn loses weight."""
    decay_base: float = 10.0
    """``EMOTION_DECAY_BASE``: base of the logarithm over turns."""
    persistence: float = 0.6
    """``EI_AROUSAL_PERSISTENCE``: share of the decay that full arousal takes away."""
    max_turns: int = 100
    """``EMOTION_MAX_TURNS``: stored turns that count."""
    min_weight: float = 0.15
    """``EMOTION_MIN_WEIGHT``: below it an emotion is gone."""
    history_weight: float = 0.15
    """``EMOTION_HISTORIEN_GEWICHT``: share of every turn but the newest."""
    dominance: float = 2.0
    """``EI_AROUSAL_DOMINANZ``: exponent of arousal in the choice of the leading emotion."""
    stimulus_base: float = 0.5
    """``EI_REIZSTAERKE_BASIS``: how hard a turn without arousal hits. Ours; (1.0, 0.0) is the reference."""
    stimulus_slope: float = 1.0
    """``EI_REIZSTAERKE_STEIGUNG``: what full arousal adds. Ours; arousal 0.5 keeps the old midpoint."""
    smoothing_maximum: float = SMOOTHING_MAXIMUM
    arousal: ArousalCalibration = DEFAULT_AROUSAL
    sectors: SectorCalibration = DEFAULT_SECTORS


DEFAULT_TRAJECTORY: Final = TrajectoryCalibration()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An emotional course and what it was computed from."""

    entries: tuple[CourseEntry, ...]
    """Strongest first; empty if nothing is felt any more."""
    turns: int
    """Turns that took part, the current one included; 0 = there was nothing to compute from."""
    unknown: tuple[str, ...] = ()
    """Emotions outside the canon: they took part as written, and each is worth one ERROR line."""


def emotion_trajectory(
    turns: Sequence[TurnRecord],
    *,
    role: str,
    current_emotion: str = "",
    current_arousal: object = None,
    inject_current: bool,
    calibration: TrajectoryCalibration = DEFAULT_TRAJECTORY,
) -> Trajectory:
    """The emotional course of one speaker; seed name ``emotions_verlauf``.

    Args:
        turns: stored turns of both speakers, oldest first.
        role: whose course, ``user`` or ``assistant``.
        current_emotion: emotion of the utterance that is not stored yet ("turn 0").
        current_arousal: its arousal.
        inject_current: on for the person's path; off for Nova's, whose current emotion is not perceived yet.
        calibration: constants.

    Returns:
        Weights 0.15..1 and arousals 0..1, both rounded to two digits. High arousal of the leading emotion
        separates the others (neighbours protected, opposites suppressed), low arousal lets them coexist.
    """
    felt = [turn for turn in emotional_turns(turns, role) if not turn.is_neutral][-calibration.max_turns :]
    if inject_current and current_emotion:
        current = emotional_turn(current_emotion, current_arousal)
        felt += [] if current.is_neutral else [current]
    raw, arousal = _walk(felt, calibration)
    weights = {emotion: smooth(weight, calibration.smoothing_maximum) for emotion, weight in raw.items()}
    if not any(weight > 0 for weight in weights.values()):
        return Trajectory((), len(felt), unknown_emotions(felt))
    separated = _separate(weights, arousal, calibration)
    return Trajectory(_entries(separated, arousal, calibration), len(felt), unknown_emotions(felt))


def _walk(
    felt: Sequence[EmotionalTurn], calibration: TrajectoryCalibration
) -> tuple[dict[str, float], dict[str, float]]:
    """Raw weight and strongest remaining arousal per emotion, newest first."""
    raw: dict[str, float] = {}
    arousal: dict[str, float] = {}
    for age, turn in enumerate(reversed(felt)):
        strength = arousal_to_float(turn.arousal, turn.emotion, calibration.arousal)
        left = faded(strength, turn.emotion, age, calibration.arousal)
        raw[turn.emotion] = raw.get(turn.emotion, 0.0) + _contribution(strength, age, calibration)
        arousal[turn.emotion] = max(arousal.get(turn.emotion, 0.0), left)
    return raw, arousal


def _contribution(arousal: float, age: int, calibration: TrajectoryCalibration) -> float:
    stimulus = calibration.stimulus_base + calibration.stimulus_slope * arousal
    decay = calibration.decay_factor * (1 - calibration.persistence * arousal)
    remaining = 1 / (1 + decay * math.log(1 + age, calibration.decay_base))
    return stimulus * remaining * (1.0 if age == 0 else calibration.history_weight)


def _separate(
    weights: dict[str, float], arousal: dict[str, float], calibration: TrajectoryCalibration
) -> dict[str, float]:
    """Raise every weight to an exponent that depends on its place relative to the leading emotion."""
    leading = max(weights, key=lambda emotion: weights[emotion] * arousal[emotion] ** calibration.dominance)
    leading_sector = sector_of(leading)
    separated = dict(weights)
    for emotion, weight in weights.items():
        sector = sector_of(emotion)
        if emotion == leading or sector is None or leading_sector is None:
            continue
        base = sector_exponent(leading_sector, sector, calibration.sectors)
        exponent = 1.0 if base is None else base
        separated[emotion] = weight ** (1 + (exponent - 1) * arousal[leading])
    return separated


def _entries(
    weights: dict[str, float], arousal: dict[str, float], calibration: TrajectoryCalibration
) -> tuple[CourseEntry, ...]:
    kept = [
        CourseEntry(emotion=emotion, gewicht=round(weight, 2), arousal=round(arousal[emotion], 2))
        for emotion, weight in weights.items()
        if weight >= calibration.min_weight
    ]
    return tuple(sorted(kept, key=lambda entry: entry["gewicht"], reverse=True))
