"""The hash ``nova_state:{user_id}:{character_id}``: what is written and what is read back (spec 02 §4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from novaberg.ei.space import DEFAULT_SPACE, SpaceCalibration, SpaceTarget, target_of
from novaberg.personality import Emotion, Space
from novaberg.vocabulary import ORIGIN_USER_TURN

NOVA_STATE_FIELDS: Final = (
    "raum_tiefe",
    "raum_naehe",
    "emotion",
    "arousal",
    "emotions_vector",
    "mode",
    "language_style",
    "relationship_dynamic",
    "tone",
    "intent",
    "prompt_topic",
    "turn_zeit",
    "nutzer_zeit",
)
"""In the order in which they are written; the last one only when a person spoke."""

ClockSource = Literal["ereignis", "fehlt", "unlesbar", "nicht_gesetzt"]


@dataclass(frozen=True, slots=True)
class NovaStateMapping:
    """One write of the hash."""

    fields: dict[str, str]
    """13 fields, or 12 when nobody spoke: ``nutzer_zeit`` then is absent, so its stored value survives."""
    user_clock: ClockSource
    """Where ``nutzer_zeit`` comes from. ``fehlt`` (WARNING), ``unlesbar`` (ERROR): from ``now``, so it
    contains the turn's own processing time; ``nicht_gesetzt``: the origin sets no clock."""


def nova_state_mapping(
    emotion: Emotion, space: Space, *, origin: str, received_at: object, now: float
) -> NovaStateMapping:
    """The fields to write at the end of a turn (seed: node-ei-calc-persist §3).

    Args:
        emotion: Nova's consolidated emotion.
        space: Nova's space.
        origin: of the stimulus; only ``nutzer_turn`` sets the person's clock.
        received_at: ``empfangen_am`` of the event: a number or numeric text.
        now: Unix seconds.
    """
    mapping = {
        "raum_tiefe": str(float(space.depth)),
        "raum_naehe": str(float(space.closeness)),
        "emotion": emotion.emotion,
        "arousal": str(float(emotion.arousal)),
        "emotions_vector": emotion.emotions_vector,
        "mode": emotion.mode,
        "language_style": emotion.language_style,
        "relationship_dynamic": emotion.relationship_dynamic,
        "tone": emotion.tone,
        "intent": emotion.intent,
        "prompt_topic": emotion.prompt_topic,
        "turn_zeit": str(float(now)),
    }
    if origin != ORIGIN_USER_TURN:
        return NovaStateMapping(mapping, "nicht_gesetzt")
    received = None if received_at is None else _parse(received_at)
    mapping["nutzer_zeit"] = str(float(now) if received is None else received)
    if received is not None:
        return NovaStateMapping(mapping, "ereignis")
    return NovaStateMapping(mapping, "fehlt" if received_at is None else "unlesbar")


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaState:
    """The hash as read; no movement and no plausibility rule has been applied."""

    exists: bool
    """False = cold start: everything is a default."""
    emotion: Emotion
    space: Space
    unreadable: tuple[str, ...] = ()
    """Stored numbers that are none: a defect, one ERROR line each. Missing ones are normal and not listed."""
    derived: SpaceTarget | None = None
    """How the space follows from the labels, with those outside their tables; ``None`` if it was loaded."""

    @property
    def space_loaded(self) -> bool:
        """Whether both axes came from the hash."""
        return self.derived is None


def read_nova_state(
    stored: Mapping[str, str], space_calibration: SpaceCalibration = DEFAULT_SPACE
) -> NovaState:
    """Read the hash field by field (seed: node-db-zugriff §3).

    A missing field gets its default, an empty text stays empty, an unreadable arousal falls back alone. The
    space is loaded only if both axes are readable; else it follows from the labels, before any decay.
    """
    numbers = {
        name: _parse(stored[name]) for name in ("raum_tiefe", "raum_naehe", "arousal") if name in stored
    }
    unreadable = tuple(name for name, value in numbers.items() if value is None)
    emotion = _read_emotion(stored, numbers.get("arousal"))
    depth, closeness = numbers.get("raum_tiefe"), numbers.get("raum_naehe")
    if depth is not None and closeness is not None:
        space, derived = Space(depth, closeness), None
    else:
        derived = target_of(emotion, space_calibration)
        space = derived.space
    return NovaState(
        exists=bool(stored), emotion=emotion, space=space, unreadable=unreadable, derived=derived
    )


_DEFAULT_EMOTION: Final = Emotion()


def _read_emotion(stored: Mapping[str, str], arousal: float | None) -> Emotion:
    default = _DEFAULT_EMOTION
    return Emotion(
        emotion=stored.get("emotion", default.emotion),
        arousal=default.arousal if arousal is None else arousal,
        emotions_vector=stored.get("emotions_vector", default.emotions_vector),
        mode=stored.get("mode", default.mode),
        language_style=stored.get("language_style", default.language_style),
        relationship_dynamic=stored.get("relationship_dynamic", default.relationship_dynamic),
        tone=stored.get("tone", default.tone),
        intent=stored.get("intent", default.intent),
        prompt_topic=stored.get("prompt_topic", default.prompt_topic),
    )


def _parse(raw: object) -> float | None:
    """``float(raw)`` of a number or text; ``None`` if it is neither, a boolean, or not finite."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None
