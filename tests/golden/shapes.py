"""Between golden JSON and our values."""

from __future__ import annotations

from typing import Any

from novaberg.personality import Emotion, Space

EMOTION_FIELDS = (
    "emotion",
    "arousal",
    "emotions_vector",
    "mode",
    "language_style",
    "relationship_dynamic",
    "tone",
    "intent",
    "prompt_topic",
)
"""The nine dimensions; the origin of the vector is not part of the vectors."""


def emotion_of(data: dict[str, Any]) -> Emotion:
    """An emotion from any of its fields; other keys are not its own."""
    return Emotion(**{name: data[name] for name in EMOTION_FIELDS if name in data})


def emotion_json(emotion: Emotion) -> dict[str, Any]:
    """The nine dimensions."""
    return {name: getattr(emotion, name) for name in EMOTION_FIELDS}


def space_of(data: dict[str, Any], prefix: str = "") -> Space:
    """A space from its two axes."""
    return Space(data[f"{prefix}tiefe"], data[f"{prefix}naehe"])


def space_json(space: Space) -> dict[str, float]:
    """Both axes."""
    return {"tiefe": space.depth, "naehe": space.closeness}
