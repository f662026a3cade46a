from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novaberg.models.builtin.perceiving import FullReading, read_fully
from novaberg.models.material import PerceptionMaterial, Speaker, Utterance
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
    group_of,
)


def _read(
    text: str, *, role: Speaker = "user", language: str = "de", history: tuple[Utterance, ...] = ()
) -> FullReading:
    return read_fully(
        PerceptionMaterial(text=text, role=role, language=language, history=history)  # type: ignore[arg-type]
    )


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=150), st.sampled_from(["user", "assistant"]), st.sampled_from(["de", "en"]))
def test_any_text_of_either_side_gives_canon_values(text: str, role: str, language: str) -> None:
    """issue 3, bad input: a result with its origin, never an exception; nothing outside the canon."""
    reading = _read(text, role=role, language=language)  # type: ignore[arg-type]
    perception = reading.perception
    assert perception.intent in INTENT_CANON
    assert perception.tone in TONE_CANON
    assert perception.emotion in EMOTION_CANON
    assert perception.mode in MODE_CANON
    assert perception.style in STYLE_CANON
    assert perception.dynamic in DYNAMIC_CANON
    assert 0 <= perception.arousal <= 1
    assert abs(sum(reading.scores.values()) - 1) < 0.01
    assert set(reading.scores) == set(EMOTION_CANON)


def test_the_named_emotion_leads_the_scores_or_nothing_is_claimed() -> None:
    """What is said and what is counted must not disagree, except where the reading is unsure."""
    for text in ("Ich bin so froh!", "Wann fährt der Bus?", "Das nervt total.", "Er fehlt mir.", "blub"):
        reading = _read(text)
        best = max(reading.scores, key=lambda emotion: reading.scores[emotion])
        assert reading.perception.emotion == best or reading.herkunft == "unsicher"


def test_danger_is_a_matter_of_rules() -> None:
    """spec 06, crisis: no score may talk a danger to life away."""
    reading = _read("Ich will nicht mehr leben, die Tabletten liegen schon da.")
    assert reading.herkunft == "regel"
    assert reading.perception.emotion == "verzweiflung"
    assert reading.perception.arousal >= 0.8


def test_denied_feelings_are_not_taken_for_told_ones() -> None:
    """The rules know negation; the heads see little of it."""
    assert _read("Ich bin überhaupt nicht glücklich damit.").perception.emotion != "freude"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Na toll, jetzt ist auch noch der Bus weg.", "de"),
        ("Na super, Kaffee über die Tastatur gekippt. Der Tag fängt ja klasse an.", "de"),
        ("Oh great, the printer is broken again. Just what I needed.", "en"),
    ],
)
def test_irony_with_clear_markers_is_not_joy(text: str, language: str) -> None:
    """issue 3, deliverable 5."""
    assert group_of(_read(text, language=language).perception.emotion) != "positiv"


_DISMISSED = (Utterance("user", "Mir wurde heute gekündigt.", ""),)


def test_what_should_i_do_after_a_dismissal_is_unsureness() -> None:
    """seed node-perzeption §4.2: ``personal``, ``unsicherheit``, 0.7."""
    perception = _read("Was soll ich machen?", history=_DISMISSED).perception
    assert (perception.intent, perception.emotion) == ("personal", "unsicherheit")
    assert perception.arousal == pytest.approx(0.7, abs=0.1)


def test_the_weather_after_a_dismissal_stays_a_question_of_fact() -> None:
    """seed node-perzeption §4.2: ``knowledge``, ``neutral``, arousal at most 0.3; the same as without history."""
    after, alone = (
        _read("Wie wird das Wetter morgen?", history=_DISMISSED),
        _read("Wie wird das Wetter morgen?"),
    )
    assert after == alone
    assert (after.perception.intent, after.perception.emotion) == ("knowledge", "neutral")
    assert after.perception.arousal <= 0.3


def test_the_graded_stimuli_keep_their_order() -> None:
    """spec 02 §9.4, P1: rank correlation of the arousal at least 0.9, over the whole span."""
    from bench.perception import spearman
    from bench.perception_data import AROUSAL_STIMULI

    found = [_read(text).perception.arousal for _, _, text in AROUSAL_STIMULI]
    assert spearman([arousal for arousal, _, _ in AROUSAL_STIMULI], found) >= 0.9, found
    assert min(found) <= 0.3
    assert max(found) >= 0.8


def test_most_sectors_of_the_wheel_are_met() -> None:
    """spec 02 §9.4, P2: the seed's model met six of eight."""
    from bench.perception_data import SECTOR_STIMULI

    from novaberg.models.perceiver.mapping import sector_of

    hits = [sector_of(_read(text).perception.emotion) == sector for sector, text in SECTOR_STIMULI]
    assert sum(hits) >= 6


def test_the_same_text_gives_the_same_reading() -> None:
    """spec 02 §9.4, P2: stability must hold."""
    text = "Ich weiß nicht recht, ob ich mich freuen soll."
    assert _read(text) == _read(text)


def test_nothing_at_all_is_told_as_such() -> None:
    """spec 02 §1: not measured is not calm."""
    assert _read("...").herkunft == "leer"


def test_an_emoji_alone_is_read_by_the_rules_or_the_heads() -> None:
    """issue 3, bad input: only emoji."""
    assert _read("😭😭😭").perception.emotion in EMOTION_CANON
    assert group_of(_read("❤️").perception.emotion) != "negativ"
