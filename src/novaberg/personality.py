"""What one side of a conversation is: a slow character and the emotion of one utterance (spec 01 §2.2).

Everything here is an immutable value. A node that changes a personality makes a new one with `dataclasses.replace`;
so two slots can never share a changing object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict


class EmotionDict(TypedDict):
    """The ten persisted keys of an `Emotion`."""

    emotion: str
    arousal: float
    emotions_vector: str
    emotions_vector_quelle: str
    mode: str
    language_style: str
    relationship_dynamic: str
    tone: str
    intent: str
    prompt_topic: str


@dataclass(frozen=True, slots=True)
class Emotion:
    """Nine dimensions of one utterance and the origin of its vector. Canons: `novaberg.vocabulary`.

    Values outside a canon are let through and reported where they are used; nothing here replaces them.
    """

    emotion: str = "neutral"
    """One of the 16+1 emotions."""
    arousal: float = 0.5
    """0.0 (no energy) to 1.0 (strongly stirred)."""
    emotions_vector: str = ""
    """Direction of the emotional course; ``""`` = not computed."""
    mode: str = "alltag"
    language_style: str = "neutral"
    relationship_dynamic: str = "neutral"
    tone: str = "sachlich"
    intent: str = "smalltalk"
    prompt_topic: str = ""
    """Two to five words, free text."""
    emotions_vector_quelle: str = ""
    """How the vector came about; ``""`` = never computed."""

    def to_dict(self) -> EmotionDict:
        """The persisted form. Listed by hand: a new field enters storage by decision only (seed: node-dispatcher §8)."""
        return {
            "emotion": self.emotion,
            "arousal": self.arousal,
            "emotions_vector": self.emotions_vector,
            "emotions_vector_quelle": self.emotions_vector_quelle,
            "mode": self.mode,
            "language_style": self.language_style,
            "relationship_dynamic": self.relationship_dynamic,
            "tone": self.tone,
            "intent": self.intent,
            "prompt_topic": self.prompt_topic,
        }


@dataclass(frozen=True, slots=True)
class Character:
    """Five distilled layers of identity; empty strings until there is enough material."""

    core: str = ""
    adaptive: str = ""
    relationship: str = ""
    intentions: str = ""
    emotions: str = ""

    @property
    def is_empty(self) -> bool:
        """True if nothing was distilled yet."""
        return not (self.core or self.adaptive or self.relationship or self.intentions or self.emotions)


@dataclass(frozen=True, slots=True)
class Space:
    """Nova's conversational space (seed name ``Raum``): one per pair, always hers."""

    depth: float = 0.3
    """``tiefe``: 0 flat to 1 existential; the default is the value of mode ``alltag``."""
    closeness: float = 0.5
    """``naehe``: 0 distant to 1 intimate; the default is neutral/neutral."""


@dataclass(frozen=True, slots=True)
class Directive:
    """An instruction that the person gave, with the context in which it holds."""

    instruction: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Personality:
    """One side of the conversation. As ``external`` in the state: the counterpart."""

    character: Character = field(default_factory=Character)
    emotion: Emotion = field(default_factory=Emotion)


@dataclass(frozen=True, slots=True)
class InternalPersonality(Personality):
    """Nova's side: only she has identities, directives and a space."""

    identities: tuple[str, ...] = ()
    directives: tuple[Directive, ...] = ()
    space: Space = field(default_factory=Space)
