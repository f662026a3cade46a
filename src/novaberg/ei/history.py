"""The emotional side of stored turns: whose they are, what they felt (spec 02 §3.4, §3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novaberg.ei.canon import pull
from novaberg.ei.records import TurnRecord
from novaberg.vocabulary import NEUTRAL


@dataclass(frozen=True, slots=True)
class EmotionalTurn:
    """One turn with an emotion pulled to the canon."""

    emotion: str
    arousal: object
    """As stored: a number, text, or nothing."""
    known: bool
    """False = no stage of the pull knew the emotion; it stays as written and is worth an ERROR line."""

    @property
    def is_neutral(self) -> bool:
        """Whether the turn felt nothing in particular."""
        return self.emotion == NEUTRAL


def emotional_turn(emotion: str, arousal: object) -> EmotionalTurn:
    """A turn from a raw emotion."""
    result = pull("emotion", emotion)
    return EmotionalTurn(result.value, arousal, known=not result.outlier)


def emotional_turns(turns: Sequence[TurnRecord], role: str) -> list[EmotionalTurn]:
    """The turns of one speaker that carry an emotion, in the order given; neutral ones included."""
    return [
        emotional_turn(emotion, turn.get("arousal"))
        for turn in turns
        if turn.get("rolle") == role and (emotion := turn.get("emotion"))
    ]


def unknown_emotions(turns: Sequence[EmotionalTurn]) -> tuple[str, ...]:
    """Emotions outside the canon, each once, in order of appearance."""
    return tuple(dict.fromkeys(turn.emotion for turn in turns if not turn.known))
