"""Whether an own thought may be said unasked, and which one fits (spec 01 §3.10). Unknown always blocks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

GateReason = Literal[
    "",
    "kein_stand",
    "stand_ohne_rechnung",
    "stand_zu_alt",
    "naehe_fehlt",
    "zuwendung_unter_schwelle",
    "initiative_fehlt",
    "mensch_fuehrt",
]

_COMPATIBLE: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "fachgespraech": frozenset({"lernmodus", "beratend", "berichtend"}),
        "philosophischer_austausch": frozenset({"kreativ", "emotional"}),
        "alltag": frozenset({"spielerisch", "emotional"}),
        "arbeitsmodus": frozenset({"beratend", "berichtend", "fachgespraech"}),
        "emotional": frozenset({"philosophischer_austausch", "alltag"}),
        "spielerisch": frozenset({"alltag", "kreativ"}),
        "lernmodus": frozenset({"fachgespraech", "beratend"}),
        "kreativ": frozenset({"philosophischer_austausch", "spielerisch"}),
        "beratend": frozenset({"fachgespraech", "arbeitsmodus", "lernmodus"}),
        "berichtend": frozenset({"arbeitsmodus", "fachgespraech"}),
    }
)


@dataclass(frozen=True, slots=True)
class DeliveryCalibration:
    """Thresholds of unasked speech. Origin: reference."""

    max_age_seconds: float = 86400.0
    """Older stances say nothing about now."""
    min_closeness: float = 0.25
    """From here on Nova wants to be near."""
    initiative: float = -0.05
    """``GV_INITIATIVE_SCHWELLE``: above it the person leads the talk."""
    silencing_emotions: frozenset[str] = frozenset({"stress"})
    """Nothing is said."""
    caring_emotions: frozenset[str] = frozenset({"frustration", "aerger", "traurigkeit", "unsicherheit"})
    """Only a caring question is said."""
    caring_task: str = "nachfragen"
    humourless_emotions: frozenset[str] = frozenset({"nachdenklich"})
    humour_task: str = "humor"
    compatible_modes: Mapping[str, frozenset[str]] = field(default_factory=lambda: _COMPATIBLE)
    """By the mode of the conversation: modes of a thought that go well with it."""
    mode_unknown: float = 0.5
    mode_equal: float = 1.0
    mode_compatible: float = 0.7
    mode_foreign: float = 0.3


DEFAULT_DELIVERY: Final = DeliveryCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceStand:
    """The stored stance of the pair (hash ``haltung``), as far as the gates read it. ``None`` = missing."""

    computed: bool
    """``gerechnet``."""
    closeness: float | None
    """``werte.naehe``, 0..1."""
    time: float | None
    """``zeit``, Unix seconds."""
    initiative: float | None
    """Negative: Nova leads."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Decision of one gate."""

    passes: bool
    """``durchlaessig``."""
    value: float | None = None
    """``wert``: the compared size; ``None`` if nothing was compared."""
    reason: GateReason = ""
    """``grund``: ``""`` on a pass."""


@dataclass(frozen=True, slots=True)
class DeliveryGates:
    """The two mandatory gates of unasked speech."""

    wanting: Gate
    """``wollen``: whether Nova wants to be near."""
    frequency: Gate
    """``frequenz``: whether the person leaves her room."""


def delivery_gates(
    stand: StanceStand | None, now: float, calibration: DeliveryCalibration = DEFAULT_DELIVERY
) -> DeliveryGates:
    """Both gates from one reading of the stance, each with its first matching reason.

    Args:
        stand: the stored stance, ``None`` if there never was one.
        now: Unix seconds; a stance from the future counts as fresh.
        calibration: thresholds.
    """
    if stand is None:
        absent = Gate(passes=False, reason="kein_stand")
        return DeliveryGates(absent, absent)
    return DeliveryGates(_wanting(stand, now, calibration), _frequency(stand, now, calibration))


def _wanting(stand: StanceStand, now: float, calibration: DeliveryCalibration) -> Gate:
    if not stand.computed:
        return Gate(passes=False, reason="stand_ohne_rechnung")
    if not _is_fresh(stand, now, calibration):
        return Gate(passes=False, reason="stand_zu_alt")
    if stand.closeness is None or math.isnan(stand.closeness):
        return Gate(passes=False, reason="naehe_fehlt")
    if stand.closeness < calibration.min_closeness:
        return Gate(passes=False, value=stand.closeness, reason="zuwendung_unter_schwelle")
    return Gate(passes=True, value=stand.closeness)


def _frequency(stand: StanceStand, now: float, calibration: DeliveryCalibration) -> Gate:
    if not _is_fresh(stand, now, calibration):
        return Gate(passes=False, reason="stand_zu_alt")
    if stand.initiative is None or math.isnan(stand.initiative):
        return Gate(passes=False, reason="initiative_fehlt")
    if stand.initiative > calibration.initiative:
        return Gate(passes=False, value=stand.initiative, reason="mensch_fuehrt")
    return Gate(passes=True, value=stand.initiative)


def _is_fresh(stand: StanceStand, now: float, calibration: DeliveryCalibration) -> bool:
    return stand.time is not None and now - stand.time <= calibration.max_age_seconds


def impulse_emotion_ok(
    task: str, user_emotion: str, calibration: DeliveryCalibration = DEFAULT_DELIVERY
) -> bool:
    """Whether a thought of this task may be said to someone who feels like this.

    Args:
        task: ``aufgabe`` of the thought.
        user_emotion: the person's last emotion; ``""`` = unknown.
        calibration: the emotions that silence.
    """
    if user_emotion in calibration.silencing_emotions:
        return False
    if user_emotion in calibration.caring_emotions:
        return task == calibration.caring_task
    return not (user_emotion in calibration.humourless_emotions and task == calibration.humour_task)


def impulse_mode_score(
    thought_mode: str, conversation_mode: str, calibration: DeliveryCalibration = DEFAULT_DELIVERY
) -> float:
    """How well the mode of a thought fits the mode of the conversation, 0.3 to 1."""
    if not thought_mode or not conversation_mode:
        return calibration.mode_unknown
    if thought_mode == conversation_mode:
        return calibration.mode_equal
    if thought_mode in calibration.compatible_modes.get(conversation_mode, frozenset()):
        return calibration.mode_compatible
    return calibration.mode_foreign
