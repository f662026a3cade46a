"""Eigenzeit: what a pause does to Nova's state, and how an own thought lifts it (spec 01 §3.6.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from novaberg.personality import Emotion
from novaberg.vocabulary import ORIGIN_OWN_IMPULSE, ORIGIN_USER_TURN

LogRow = Mapping[str, str | float | None]
"""Content of one ``berechnung`` row."""


@dataclass(frozen=True, slots=True)
class AgeingCalibration:
    """The decay curve, piecewise linear through three marks; overridable as ``EIGENZEIT_…``. Origin: seed."""

    tipping_seconds: float = 3600.0
    """``EIGENZEIT_KIPPPUNKT_SEKUNDEN``: until here a pause costs almost nothing."""
    tipping_factor: float = 0.90
    """``EIGENZEIT_KIPPPUNKT_FAKTOR``."""
    half_seconds: float = 7200.0
    """``EIGENZEIT_HALBWERT_SEKUNDEN``."""
    half_factor: float = 0.45
    """``EIGENZEIT_HALBWERT_FAKTOR``."""
    zero_seconds: float = 10800.0
    """``EIGENZEIT_NULLPUNKT_SEKUNDEN``: from here nothing is left."""
    category_threshold: float = 0.45
    """``EIGENZEIT_KATEGORIE_SCHWELLE``: strictly below it the categories jump."""
    resting_arousal: float = 0.5
    """``EIGENZEIT_AROUSAL_RUHE``: where arousal goes, from both sides."""
    resting_emotion: str = "neutral"
    resting_mode: str = "alltag"
    resting_style: str = "neutral"
    resting_tone: str = "sachlich"
    resting_vector: str = ""
    """A table of its own: that it agrees with the defaults of perception is chance."""

    @property
    def marks(self) -> tuple[tuple[str, float, float], ...]:
        """Name, seconds and factor of each mark, the start included."""
        return (
            ("Start", 0.0, 1.0),
            ("EIGENZEIT_KIPPPUNKT", self.tipping_seconds, self.tipping_factor),
            ("EIGENZEIT_HALBWERT", self.half_seconds, self.half_factor),
            ("EIGENZEIT_NULLPUNKT", self.zero_seconds, 0.0),
        )

    @property
    def is_ascending(self) -> bool:
        """Whether no mark lies before the one to its left. If not, nothing decays."""
        return all(left[1] <= right[1] for left, right in pairwise(self.marks))

    def problems(self) -> tuple[str, ...]:
        """Coinciding marks (the right one wins), marks out of order (nothing decays); one ERROR line each."""
        found = []
        for (left, left_at, _), (right, right_at, _) in pairwise(self.marks):
            if left_at == right_at:
                found.append(
                    f"{left} and {right} both lie at {right_at:g} s; the value of {right} holds there."
                )
            elif not left_at < right_at:
                found.append(
                    f"{right} ({right_at:g} s) lies before {left} ({left_at:g} s); no pause decays anything."
                )
        return tuple(found)


DEFAULT_AGEING: Final = AgeingCalibration()


def decay_factor(pause_seconds: float, calibration: AgeingCalibration = DEFAULT_AGEING) -> float:
    """What a pause leaves of the state, 1 to 0. Not exponential: short breaks cost almost nothing."""
    if not pause_seconds > 0 or not calibration.is_ascending:
        return 1.0
    marks = calibration.marks
    for (_, left_at, left), (_, right_at, right) in pairwise(marks):
        if left_at <= pause_seconds < right_at:
            return left + (right - left) * (pause_seconds - left_at) / (right_at - left_at)
    return marks[-1][2]


def dampen_arousal(arousal: float, factor: float, calibration: AgeingCalibration = DEFAULT_AGEING) -> float:
    """Arousal drawn towards rest, never towards zero; not clamped."""
    return calibration.resting_arousal + (arousal - calibration.resting_arousal) * factor


def categories_jump(factor: float, calibration: AgeingCalibration = DEFAULT_AGEING) -> bool:
    """Whether emotion, mode, style, tone and vector fall back to rest. At the threshold they still hold."""
    return factor < calibration.category_threshold


# ── the pause ────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pause:
    """The time since the person's last utterance, or why it is unknown."""

    reading: Literal["gemessen", "fehlt", "unlesbar"]
    """``fehlt``: there never was an utterance (INFO); ``unlesbar``: the stored clock is defective (ERROR)."""
    seconds: float | None = None
    """Negative if the clock lies in the future; ``None`` unless measured."""


def read_pause(user_time: str | None, now: float) -> Pause:
    """The pause from the stored ``nutzer_zeit``, never ``turn_zeit``: an impulse would end every night.

    Args:
        user_time: the field as stored, Unix seconds; ``None`` = missing.
        now: Unix seconds.
    """
    if user_time is None or not user_time.strip():
        return Pause("fehlt")
    try:
        stored = float(user_time)
    except ValueError:
        return Pause("unlesbar")
    return Pause("gemessen", now - stored) if math.isfinite(stored) else Pause("unlesbar")


# ── the two movements ────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Decay:
    """Outcome of `apply_decay`."""

    emotion: Emotion
    row: LogRow | None = None
    """The row ``eigenzeit_verfall``; ``None`` if nothing decayed."""
    pause: Pause | None = None
    """``None`` = the movement did not run, because nobody spoke."""
    factor: float | None = None
    """``None`` unless the pause was measured."""


def apply_decay(
    emotion: Emotion,
    user_time: str | None,
    *,
    now: float,
    origin: str,
    calibration: AgeingCalibration = DEFAULT_AGEING,
) -> Decay:
    """Age Nova's state by the person's silence. Runs only for the origin ``nutzer_turn``.

    Relationship dynamic, intent, topic and the space stay: they carry the bond, not the energy.

    Args:
        emotion: as loaded.
        user_time: the stored ``nutzer_zeit``; unknown is not "no pause", it decays nothing.
        now: Unix seconds.
        origin: of the stimulus.
        calibration: the curve.
    """
    if origin != ORIGIN_USER_TURN:
        return Decay(emotion)
    pause = read_pause(user_time, now)
    if pause.seconds is None:
        return Decay(emotion, pause=pause)
    factor = decay_factor(pause.seconds, calibration)
    if factor >= 1:
        return Decay(emotion, pause=pause, factor=factor)
    aged = _aged(emotion, factor, calibration)
    row: LogRow = {
        "schritt": "eigenzeit_verfall",
        "pause_sekunden": round(pause.seconds, 1),
        "faktor": round(factor, 4),
        "arousal_vorher": round(emotion.arousal, 4),
        "arousal_nachher": round(aged.arousal, 4),
        "kategorien": "gesprungen" if categories_jump(factor, calibration) else "gehalten",
        "modus_vorher": emotion.mode,
        "modus_nachher": aged.mode,
    }
    return Decay(aged, row, pause, factor)


def _aged(emotion: Emotion, factor: float, calibration: AgeingCalibration) -> Emotion:
    calmed = replace(emotion, arousal=dampen_arousal(emotion.arousal, factor, calibration))
    if not categories_jump(factor, calibration):
        return calmed
    return replace(
        calmed,
        emotion=calibration.resting_emotion,
        mode=calibration.resting_mode,
        language_style=calibration.resting_style,
        tone=calibration.resting_tone,
        emotions_vector=calibration.resting_vector,
    )


@dataclass(frozen=True, slots=True)
class Lift:
    """Outcome of `apply_lift`."""

    emotion: Emotion
    row: LogRow | None = None
    """The row ``gedanke_level``; ``None`` only if the movement did not run."""


def apply_lift(emotion: Emotion, level: float | None, *, origin: str) -> Lift:
    """Let an own thought raise Nova's arousal, never lower it. Runs only for the origin ``eigener_impuls``.

    Args:
        emotion: as loaded.
        level: the thought's arousal as read from the stimulus; ``None`` = it brought none.
        origin: of the stimulus.
    """
    if origin != ORIGIN_OWN_IMPULSE:
        return Lift(emotion)
    lifted = emotion if level is None else replace(emotion, arousal=max(emotion.arousal, level))
    row: LogRow = {
        "schritt": "gedanke_level",
        "hinterlegt": None if level is None else round(level, 4),
        "arousal_vorher": round(emotion.arousal, 4),
        "arousal_nachher": round(lifted.arousal, 4),
        "wirkung": _effect(emotion, lifted, level),
    }
    return Lift(lifted, row)


def _effect(
    before: Emotion, after: Emotion, level: float | None
) -> Literal["kein_level", "gehoben", "gehalten"]:
    if level is None:
        return "kein_level"
    return "gehoben" if after.arousal > before.arousal else "gehalten"
