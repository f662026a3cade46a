from __future__ import annotations

import pytest
from hypothesis import given

from novaberg.ei.plausibility import plausible_mode, plausible_style
from novaberg.vocabulary import group_of
from tests.unit.ei.strategies import emotions, modes, quick, styles, tones, unit


@pytest.mark.parametrize(
    ("emotion", "gated", "mode", "expected"),
    [
        ("wut", 0.4, "alltag", "alltag"),
        ("wut", 0.4000001, "alltag", "emotional"),
        ("freude", 0.7, "alltag", "alltag"),
        ("freude", 0.7000001, "alltag", "emotional"),
        ("traurigkeit", 0.0, "arbeitsmodus", "emotional"),
        ("verwundert", 1.0, "quatsch", "quatsch"),
        ("neutral", 1.0, "emotional", "alltag"),
        ("neutral", 1.0, "lernmodus", "lernmodus"),
    ],
)
def test_mode_follows_the_emotion_strictly_above_its_threshold(
    emotion: str, gated: float, mode: str, expected: str
) -> None:
    """Spec 02 §3.7."""
    assert plausible_mode(emotion, gated, mode) == expected


@quick
@given(emotions, unit, modes)
def test_a_corrected_mode_is_stable(emotion: str, gated: float, mode: str) -> None:
    once = plausible_mode(emotion, gated, mode)
    assert plausible_mode(emotion, gated, once) == once
    assert once in {mode, "emotional", "alltag"}


@pytest.mark.parametrize(
    ("emotion", "gated", "perceived", "rule", "tone", "expected"),
    [
        ("wut", 0.5, "", "locker", "direkt", ""),
        ("wut", 0.5, "neutral", "locker", "direkt", "neutral"),
        ("wut", 0.3, "neutral", "locker", "direkt", "locker"),
        ("freude", 0.5, "emotional", "fachlich", "sachlich", "fachlich"),
        ("freude", 0.5, "emotional", "fachlich", "direkt", "emotional"),
        ("neutral", 0.5, "emotional", "fachlich", "direkt", "fachlich"),
        ("neutral", 0.5, "emotional", "emotional", "sachlich", "emotional"),
        ("neutral", 0.5, "formell", "jugendlich", "direkt", "formell"),
        ("neutral", 0.5, "", "jugendlich", "direkt", "jugendlich"),
    ],
)
def test_the_order_of_the_two_style_procedures_is_explicit(  # noqa: PLR0917
    emotion: str, gated: float, perceived: str, rule: str, tone: str, expected: str
) -> None:
    """Spec 02 §3.8, §8 trap 18."""
    assert plausible_style(emotion, gated, perceived=perceived, rule=rule, tone=tone) == expected


@quick
@given(emotions, unit, styles, styles, tones)
def test_the_style_is_always_one_of_the_two_and_an_audible_emotion_keeps_the_perceived(
    emotion: str, gated: float, perceived: str, rule: str, tone: str
) -> None:
    style = plausible_style(emotion, gated, perceived=perceived, rule=rule, tone=tone)
    assert style in {perceived, rule}
    if group_of(emotion) == "negativ" and gated > 0.4:
        assert style == perceived
