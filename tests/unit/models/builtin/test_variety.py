"""Nova's side of a long and varied talk (case E7; seed node-perzeption §2b: she once used half of the values)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from novaberg.language import LANGUAGES
from novaberg.models.builtin.perception import Perception
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.material import PerceptionMaterial
from novaberg.vocabulary import EMOTION_CANON, NEGATIVE_EMOTIONS, POSITIVE_EMOTIONS
from tests.support.varied_turns import VARIED_TURNS
from tests.unit.models.builtin.talk import Talk


@lru_cache(maxsize=1)
def own_side() -> tuple[Perception, ...]:
    """How Nova's answers to two hundred utterances read to herself."""
    heard = []
    for language in LANGUAGES:
        talk = Talk(language)
        for text in VARIED_TURNS[language]:
            answer = talk.say(text)
            heard.append(perceive(PerceptionMaterial(text=answer, role="assistant", language=language)))
    return tuple(heard)


def test_the_talk_is_long_and_never_says_the_same_twice() -> None:
    """Case E7: two hundred varied turns."""
    said = [text for texts in VARIED_TURNS.values() for text in texts]
    assert len(said) == len(set(said)) == 200


def test_her_own_emotions_use_more_than_half_of_the_canon() -> None:
    """Case E7; both halves of the wheel are among them, and none of them is nearly everything."""
    counts = Counter(perception.emotion for perception in own_side())
    assert set(counts) <= set(EMOTION_CANON)
    assert len(counts) > len(EMOTION_CANON) / 2
    assert len(set(counts) & set(NEGATIVE_EMOTIONS)) >= 3
    assert len(set(counts) & set(POSITIVE_EMOTIONS)) >= 3
    assert max(counts.values()) <= 0.4 * len(own_side())


def test_empathisch_is_not_her_only_tone() -> None:
    """Case E7: under 60 per cent; every tone of the canon occurs (B-053)."""
    counts = Counter(perception.tone for perception in own_side())
    assert counts["empathisch"] < 0.6 * len(own_side())
    assert set(counts) == {"empathisch", "sachlich", "kreativ", "direkt"}
