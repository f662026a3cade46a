from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.models.perceiver.foreign import is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "Je suis très content de te voir ce soir avec tes amis",
        "Estoy muy feliz de verte hoy, gracias por venir",
        "Sono molto triste perché lui non mi ha chiamato",
        "Jestem dzisiaj bardzo zmęczony i smutny",
        "Ik ben vandaag heel blij omdat het mooi weer is",
        "Я очень рад тебя видеть",
        "今日はとても嬉しいです",
    ],
)
def test_other_languages_are_noticed(text: str) -> None:
    """issue 3: other languages are perceived as far as the encoder carries, origin ``unsicher``."""
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ich freue mich so, dass du kommst!",
        "I can't believe it, we won!",
        "was machste heut so",
        "Meeting um halb sechs, mega Hektik",
        "Das Café in der Rue de Rivoli war très chic, aber teuer.",
        "Ciao Bella, bis morgen!",
        "ok",
        "",
        "😀😀😀",
    ],
)
def test_german_english_and_their_mixtures_are_not(text: str) -> None:
    """issue 3: mixed languages are ordinary input."""
    assert not is_foreign(text)


@given(st.text(max_size=200))
def test_any_text_has_an_answer(text: str) -> None:
    """issue 3, bad input."""
    assert is_foreign(text) in {True, False}
