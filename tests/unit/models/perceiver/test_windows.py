from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novaberg.models.perceiver.windows import cleaned, window


@given(st.text(max_size=300))
def test_a_cleaned_text_has_no_control_characters_and_no_outer_or_double_blanks(text: str) -> None:
    """issue 3, bad input: control characters."""
    clean = cleaned(text)
    assert clean == " ".join(clean.split())
    assert "\x00" not in clean
    assert clean.encode("utf-8").decode("utf-8") == clean


def test_letters_and_signs_survive_cleaning() -> None:
    """The encoders see umlauts, emoji and punctuation as they were typed."""
    assert cleaned("  Ähm\x00\x07 …\n\n ja! 😀 ") == "Ähm … ja! 😀"


@given(st.text(alphabet="ab ", min_size=0, max_size=400))
def test_a_window_is_never_longer_than_its_parts_and_a_blank(text: str) -> None:
    """The time of an encoder is bounded, however long the text."""
    seen = window(cleaned(text), head=60, tail=30)
    assert len(seen) <= 91


def test_a_long_text_keeps_its_beginning_and_its_end_in_whole_words() -> None:
    """People put what moves them first or last."""
    text = "Anfang " + "mitte " * 100 + "Ende"
    seen = window(text, head=20, tail=12)
    assert seen.startswith("Anfang mitte")
    assert seen.endswith("mitte Ende")
    assert set(seen.split()) == {"Anfang", "mitte", "Ende"}


def test_a_short_text_is_its_own_window() -> None:
    """Nothing is cut without need."""
    assert window("kurz und gut", head=10, tail=5) == "kurz und gut"
