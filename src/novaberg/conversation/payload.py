"""Reading an event payload (spec 01 §2.8). Only missing keys get defaults; nothing else is checked here."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final, cast

from pydantic import JsonValue

from novaberg.ei.records import CourseEntry
from novaberg.personality import Emotion

log = logging.getLogger(__name__)

Payload = Mapping[str, JsonValue]

EMOTION_KEYS: Final[Mapping[str, str]] = {
    "current_emotion": "emotion",
    "current_arousal": "arousal",
    "emotions_vektor": "emotions_vector",
    "gespraechs_modus": "mode",
    "sprach_stil": "language_style",
    "beziehungs_dynamik": "relationship_dynamic",
    "tone": "tone",
    "intent": "intent",
    "prompt_thema": "prompt_topic",
}
"""Payload key → field of `Emotion`: the nine EI values that path 1 hands over (seed: node-db-zugriff §3 step 1)."""


def emotion_from_payload(payload: Payload) -> Emotion:
    """The person's emotion of this turn. A missing key gets the class default, ``""`` stays (spec 01 §3.6.2).

    An arousal that is no number becomes 0.5 with an ERROR line.
    """
    values = {field: payload[key] for key, field in EMOTION_KEYS.items() if key in payload}
    if "arousal" in values:
        values["arousal"] = _arousal(values["arousal"])
    if "emotions_vektor_quelle" in payload:
        values["emotions_vector_quelle"] = payload["emotions_vektor_quelle"]
    return Emotion(**values)  # type: ignore[arg-type]  # odd values pass unchanged: nothing is checked here


def _arousal(value: JsonValue) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # whatever float() refuses is the defect
    except (TypeError, ValueError):
        log.error("current_arousal %r of the event is not a number; 0.5 stands in for it", value)
        return Emotion().arousal


def has_emotion(payload: Payload) -> bool:
    """Whether path 1 handed over a perception at all."""
    return any(key in payload for key in EMOTION_KEYS)


def course_from_payload(payload: Payload) -> tuple[CourseEntry, ...]:
    """The person's emotional course; empty if the event carries none."""
    return course_from_json(payload.get("emotions_verlauf", []))


def course_from_json(raw: JsonValue) -> tuple[CourseEntry, ...]:
    """A stored course, strongest first; what cannot be used of it is left out with an ERROR line."""
    if not isinstance(raw, list):
        log.error("a stored emotions_verlauf is no list; it counts as empty")
        return ()
    course = tuple(entry for entry in map(_entry, raw) if entry is not None)
    if len(course) != len(raw):
        log.error("a stored emotions_verlauf holds %d unusable entries", len(raw) - len(course))
    return course


def course_to_json(course: Sequence[CourseEntry]) -> list[JsonValue]:
    """A course as it is stored and sent."""
    return [{"emotion": e["emotion"], "gewicht": e["gewicht"], "arousal": e["arousal"]} for e in course]


def emotion_to_json(emotion: Emotion) -> dict[str, JsonValue]:
    """The ten keys of an emotion as they are stored and sent."""
    return cast("dict[str, JsonValue]", emotion.to_dict())


def _entry(raw: JsonValue) -> CourseEntry | None:
    match raw:
        case {
            "emotion": str(emotion),
            "gewicht": int() | float() as weight,
            "arousal": int() | float() as arousal,
        }:
            return {"emotion": emotion, "gewicht": float(weight), "arousal": float(arousal)}
    return None
