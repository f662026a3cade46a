"""The part of a session turn that the emotion mathematics reads (spec 02 §4.2)."""

from __future__ import annotations

from typing import TypedDict


class TurnRecord(TypedDict, total=False):
    """One stored turn, as its JSON stands in the session. Any key may be missing."""

    rolle: str
    """``user`` or ``assistant``."""
    inhalt: str
    emotion: str | None
    """As stored; pulled to the canon where it is read."""
    arousal: object
    """A number; older or foreign records may hold text or null."""


class CourseEntry(TypedDict):
    """One entry of an emotional course (``emotions_verlauf``), strongest first in a list."""

    emotion: str
    gewicht: float
    """0.15 to 1.0."""
    arousal: float
    """0.0 to 1.0."""
