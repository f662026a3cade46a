"""The structured inputs of each caller: what a prompt is rendered from, and what the built-in model reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from novaberg.language import Language
from novaberg.personality import Emotion, InternalPersonality, Personality

Speaker = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One past contribution of the running session, oldest first in every list."""

    speaker: Speaker
    text: str
    emotion: str = ""
    origin: str = ""
    """``nutzer_turn``, ``eigener_impuls`` or ``""`` (unknown)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceptionMaterial:
    """Input of ``perzeption``: one text to classify and the turns before it."""

    text: str
    role: Speaker
    """Whose text it is."""
    language: Language
    history: tuple[Utterance, ...] = ()
    """At most the last five exchanges, without the text itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceMaterial:
    """Input of ``salienz``: the text that is rated and the picture of the situation."""

    text: str
    situation: str
    role: Speaker
    language: Language
    emotion: Emotion
    """What perception already knows about the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyMaterial:
    """Input of ``responder``: everything from which an answer is worded."""

    text: str
    """The stimulus: what the person said, or Nova's own thought."""
    own_thought: bool
    language: Language
    name: str
    """Nova's name."""
    now: datetime
    """Local time of the person."""
    region: str
    """Country whose crisis line is named, like ``DE``."""
    model_name: str
    """What answers, for the honest answer to "what are you?"."""
    external: Personality
    internal: InternalPersonality
    course: tuple[str, ...] = ()
    """Leading emotions of the person's course, strongest first."""
    nova_course: tuple[str, ...] = ()
    conflict: bool = False
    summary: str = ""
    """Rolling summary of what the session no longer holds verbatim."""
    history: tuple[Utterance, ...] = ()
    """The session, oldest first, without the stimulus."""
    notes: tuple[str, ...] = ()
    """Further context lines (``memory_context``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMaterial:
    """Input of ``session/summary``: the previous summary and the turns that leave the session."""

    previous: str
    turns: tuple[Utterance, ...]
    language: Language


Material = PerceptionMaterial | SalienceMaterial | ReplyMaterial | SummaryMaterial
