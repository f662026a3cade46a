from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from novaberg.ei.mood import mood_vector
from novaberg.vocabulary import VECTOR_CANON, VECTOR_SOURCE_CANON
from tests.unit.ei.strategies import emotions, quick, turns, unit


def _turns(*felt: tuple[str, object], role: str = "user") -> Any:
    return [{"rolle": role, "emotion": emotion, "arousal": arousal} for emotion, arousal in felt]


ANGRY = _turns(("wut", 0.5), ("aerger", 0.5), ("stress", 0.5))


@pytest.mark.parametrize(("arousal", "vector", "rise"), [(0.6, "plateau", 0.05), (0.7, "spirale", 0.1)])
def test_a_rise_is_rounded_before_it_is_compared(arousal: float, vector: str, rise: float) -> None:
    """Spec 02 §9.2 no. 5, §8 trap 5."""
    mood = mood_vector(
        ANGRY, role="user", current_emotion="wut", current_arousal=arousal, inject_current=True
    )
    assert (mood.vector, mood.intensity, mood.intensity_source) == (vector, rise, "arousal")


@pytest.mark.parametrize(
    ("history", "current", "vector"),
    [
        (["neutral", "neutral"], "traurigkeit", "einbruch"),
        (["freude", "freude"], "neutral", "abkuehlung"),
        (["freude", "hoffnung"], "wut", "absturz"),
        (["wut", "stress"], "freude", "erholung"),
        (["wut", "stress"], "verwundert", "stabilisierung"),
        (["neutral", "ueberrascht"], "freude", "aufbluehen"),
    ],
)
def test_the_current_utterance_turns_the_vector_at_once(
    history: list[str], current: str, vector: str
) -> None:
    """Spec 02 §9.2 no. 5 and §9.3 (turn 0); surprise is no negative group."""
    mood = mood_vector(
        _turns(*((emotion, 0.5) for emotion in history)),
        role="user",
        current_emotion=current,
        current_arousal=0.6,
        inject_current=True,
    )
    assert (mood.vector, mood.source) == (vector, "gemessen")


def test_nothing_to_measure_is_no_measured_standstill() -> None:
    """Spec 02 §8 trap 6."""
    empty = mood_vector([], role="user", inject_current=False)
    still = mood_vector(_turns(("freude", 0.5), ("freude", 0.5)), role="user", inject_current=False)
    assert (empty.vector, empty.source) == ("plateau", "zu_wenig_turns")
    assert (still.vector, still.source) == ("plateau", "gemessen")


def test_names_decide_only_without_arousal_and_only_within_the_group() -> None:
    """Spec 02 §8 trap 4: hope in a series of anger is no downward spiral."""
    nameless = [("freude", None), ("wut", None), ("wut", None), ("hoffnung", None), ("wut", None)]
    mood = mood_vector(_turns(*nameless), role="user", inject_current=False)
    assert (mood.vector, mood.intensity, mood.intensity_source) == ("plateau", None, "namensmenge")
    fresh = mood_vector(_turns(*nameless, ("stress", None)), role="user", inject_current=False)
    assert (fresh.vector, fresh.intensity_source) == ("spirale", "namensmenge")


def test_a_tied_half_follows_its_latest_emotion() -> None:
    mood = mood_vector(
        _turns(("freude", 0.5), ("freude", 0.5), ("freude", 0.5), ("wut", 0.5), ("freude", 0.9)),
        role="user",
        inject_current=False,
    )
    assert (mood.vector, mood.source) == ("eskalation", "gleichstand")


@quick
@given(turns, emotions, unit)
def test_the_vector_stays_in_its_canons(history: Any, emotion: str, arousal: float) -> None:
    mood = mood_vector(
        history, role="assistant", current_emotion=emotion, current_arousal=arousal, inject_current=True
    )
    assert mood.vector in VECTOR_CANON
    assert mood.source in VECTOR_SOURCE_CANON
    assert (mood.intensity is not None) == (mood.intensity_source == "arousal")
    assert (mood.source == "zu_wenig_turns") == (mood.turns < 2)
