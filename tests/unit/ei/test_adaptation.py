from __future__ import annotations

import pytest
from hypothesis import given

from novaberg.ei.adaptation import ADAPTABLE_STYLES, style_to_meet
from novaberg.language import LANGUAGES, Language
from novaberg.personality import Emotion
from novaberg.prompts import load_prompts
from novaberg.vocabulary import STYLE_CANON
from tests.unit.ei.strategies import emotion_values, quick


@quick
@given(emotion_values)
def test_a_style_is_met_or_the_wording_stays(person: Emotion) -> None:
    """Spec 02 §3.20: never another style than the person's own."""
    assert style_to_meet(person) in (None, person.language_style)


@pytest.mark.parametrize("style", STYLE_CANON)
@pytest.mark.parametrize("dynamic", ["angriff", "vertrauen"])
def test_every_style_but_neutral_is_met_and_an_attack_goes_before_youthful_words(
    style: str, dynamic: str
) -> None:
    """Spec 02 §3.20."""
    met = style_to_meet(Emotion(language_style=style, relationship_dynamic=dynamic))
    alone = style == "neutral" or (style, dynamic) == ("jugendlich", "angriff")
    assert met == (None if alone else style)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_style_has_words_of_its_own(language: Language) -> None:
    texts = load_prompts().texts[language]
    lines = [texts[f"responder.sprachstil_{style}"] for style in ADAPTABLE_STYLES]
    assert len(set(lines)) == len(ADAPTABLE_STYLES)
