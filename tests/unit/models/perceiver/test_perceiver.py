from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from novaberg.errors import BrokenWeightsError
from novaberg.models.material import Utterance
from novaberg.models.perceiver.encoders import Encoders, Vectors
from novaberg.models.perceiver.perceiver import LocalPerceiver, LocalReading
from novaberg.models.perceiver.weights import read_weights
from novaberg.vocabulary import EMOTION_CANON, FIELD_CANONS, group_of

_FIELDS = ("intent", "tone", "modus", "sprach_stil", "beziehungs_dynamik")


def _check(reading: LocalReading) -> None:
    for field in _FIELDS:
        assert getattr(reading, field) in FIELD_CANONS[field]  # type: ignore[index]
    assert reading.emotion in EMOTION_CANON
    assert 0.0 <= reading.arousal <= 1.0
    assert tuple(reading.scores) == EMOTION_CANON
    assert abs(sum(reading.scores.values()) - 1) < 0.01
    assert 0.0 <= reading.confidence <= 1.0


# ── bad input ────────────────────────────────────────────────────────────────


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200), st.sampled_from(["de", "en"]))
@example("", "de")
@example("   \n\t ", "en")
@example("???!!!...", "de")
@example("😀😭🔥", "de")
@example("\x00\x01\x1b[31m\ud800", "en")
@example("\ufdfa" * 50, "de")  # one sign that normalises to eighteen
@example("a" * 3000, "en")
def test_any_text_has_a_reading(perceiver: LocalPerceiver, text: str, language: str) -> None:
    """issue 3, bad input: a result with its origin, never an exception."""
    _check(perceiver.perceive(text, language=language))  # type: ignore[arg-type]


def test_a_text_of_sixteen_thousand_characters_is_read_in_bounded_time(perceiver: LocalPerceiver) -> None:
    """issue 3, bad input; the encoders see windows of it."""
    _check(perceiver.perceive("Ich bin so froh, dass alles gut gegangen ist. " * 350))


@pytest.mark.parametrize("text", ["", "   ", "...", "?!", "---\n***"])
def test_nothing_to_read_is_told_apart_from_calm(perceiver: LocalPerceiver, text: str) -> None:
    """spec 02 §1: a value that was not measured is distinguishable from a measured one."""
    reading = perceiver.perceive(text)
    assert (reading.emotion, reading.herkunft, reading.confidence) == ("neutral", "leer", 0.0)


def test_another_language_is_read_with_the_origin_unsicher(perceiver: LocalPerceiver) -> None:
    """issue 3: perceived as far as the encoder carries."""
    reading = perceiver.perceive(
        "Je suis très triste parce que mon père est mort et je pleure tous les jours"
    )
    assert reading.herkunft == "unsicher"
    _check(reading)


def test_gibberish_is_not_claimed_to_be_a_feeling(perceiver: LocalPerceiver) -> None:
    """issue 3: an honest "unsure" leads to neutral with its origin, not to a guess."""
    reading = perceiver.perceive("xqzt vrrpl 8871 ggh kkl")
    assert reading.emotion == "neutral" or reading.confidence >= 0.2


# ── stability ────────────────────────────────────────────────────────────────


def test_the_same_text_gives_the_same_reading(perceiver: LocalPerceiver) -> None:
    """spec 02 §9.4, P2: stability must hold."""
    texts = (
        "Sie hat ja gesagt!!!",
        "Ich weiß nicht, wie es weitergehen soll.",
        "How tall is the Eiffel Tower?",
    )
    for text in texts:
        first, second = perceiver.perceive(text), perceiver.perceive(text)
        assert first.scores == second.scores
        assert (first.emotion, first.arousal, first.intent) == (second.emotion, second.arousal, second.intent)


def test_threads_do_not_disturb_each_other(perceiver: LocalPerceiver) -> None:
    """The encoders are shared by the whole process."""
    texts = [f"Heute ist Tag {number} und ich bin ganz schön müde." for number in range(12)]
    alone = {text: perceiver.perceive(text).scores for text in texts}
    found: dict[str, object] = {}

    def work(part: list[str]) -> None:
        for text in part:
            found[text] = perceiver.perceive(text).scores

    threads = [threading.Thread(target=work, args=(texts[start::3],)) for start in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


# ── what it must get right ───────────────────────────────────────────────────


def test_the_graded_stimuli_keep_their_order(perceiver: LocalPerceiver) -> None:
    """spec 02 §9.4, P1: rank correlation of the arousal at least 0.9."""
    from bench.perception import spearman
    from bench.perception_data import AROUSAL_STIMULI

    wanted = [arousal for arousal, _, _ in AROUSAL_STIMULI]
    found = [perceiver.perceive(text).arousal for _, _, text in AROUSAL_STIMULI]
    assert spearman(wanted, found) >= 0.9, list(zip(wanted, found, strict=True))
    assert min(found) <= 0.3
    assert max(found) >= 0.75


@pytest.mark.parametrize(
    "text",
    [
        "Na toll, jetzt ist auch noch der Bus weg.",
        "Herrlich, schon wieder eine Stunde Warteschleife, und dann fliegt man raus.",
        "Prima, die Spülmaschine läuft aus, und der Vermieter geht nicht ans Telefon.",
        "Oh great, the printer is broken again. Just what I needed.",
    ],
)
def test_irony_with_clear_markers_is_not_joy(perceiver: LocalPerceiver, text: str) -> None:
    """issue 3, deliverable 5."""
    language = "en" if text.startswith("Oh great") else "de"
    assert group_of(perceiver.perceive(text, language=language).emotion) != "positiv"  # type: ignore[arg-type]


_DISMISSED = (
    Utterance("user", "Ich habe heute die Kündigung bekommen.", "verzweiflung"),
    Utterance("assistant", "Das tut mir leid. Erzähl.", "traurigkeit"),
)


def test_a_call_for_help_after_bad_news_is_unsureness(perceiver: LocalPerceiver) -> None:
    """seed node-perzeption §4.2; spec 02 §9.4, P4."""
    reading = perceiver.perceive("Was soll ich machen?", history=_DISMISSED)
    assert (reading.emotion, reading.beziehungs_dynamik) == ("unsicherheit", "hilfesuchend")
    assert reading.arousal == pytest.approx(0.7, abs=0.1)


def test_bad_news_does_not_colour_a_question_of_fact(perceiver: LocalPerceiver) -> None:
    """seed node-perzeption §7: no contamination of neutral prompts; arousal at most 0.3."""
    alone, after = (
        perceiver.perceive("Wie wird das Wetter morgen?"),
        perceiver.perceive("Wie wird das Wetter morgen?", history=_DISMISSED),
    )
    assert after == alone
    assert (after.emotion, after.intent) == ("neutral", "knowledge")
    assert after.arousal <= 0.3


def test_good_news_before_it_leaves_a_call_for_help_alone(perceiver: LocalPerceiver) -> None:
    """Only what was bad changes a reading."""
    history = (Utterance("user", "Ich hab im Lotto gewonnen!", "freude"),)
    text = "Was soll ich machen?"
    assert perceiver.perceive(text, history=history).scores == perceiver.perceive(text).scores


def test_nova_is_not_read_in_the_light_of_the_person(perceiver: LocalPerceiver) -> None:
    """Her own words stand for themselves."""
    text = "Was soll ich machen?"
    assert (
        perceiver.perceive(text, role="assistant", history=_DISMISSED).emotion
        == perceiver.perceive(text).emotion
    )


# ── encoders and weights ─────────────────────────────────────────────────────


def test_without_the_second_encoder_the_first_reads_alone_and_says_so() -> None:
    """issue 3: an honest fallback where no wheel exists."""
    alone = LocalPerceiver(read_weights(), Encoders(with_e5=False))
    reading = alone.perceive("Ich bin so traurig, dass du gehst.")
    assert reading.herkunft == "gelernt_ohne_e5"
    assert group_of(reading.emotion) == "negativ"


class _OtherEncoders(Encoders):
    def encode(self, text: str) -> Vectors:
        vectors = super().encode(text)
        return Vectors(np.roll(vectors.use, 1), vectors.e5)


def test_another_version_of_an_encoder_is_refused() -> None:
    """Weights fit one encoder only; with another they would talk nonsense."""
    with pytest.raises(BrokenWeightsError, match=r"do not fit the installed encoder \(anchor\.use\)"):
        LocalPerceiver(read_weights(), _OtherEncoders(with_e5=False))


def test_broken_weights_stop_the_perceiver_with_the_name_of_the_file(tmp_path: Path) -> None:
    """issue 3: a clear error naming the file."""
    with pytest.raises(BrokenWeightsError, match=r"perceiver\.npz"):
        read_weights(tmp_path / "perceiver.npz")
