"""JSON text that every store accepts (design §6 rule 1: a replacement is visible)."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.memory.json_text import NUL_SYMBOL, clean_text, dump_json

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_the_text_is_utf8_and_holds_neither_nul_nor_its_escape(value: object) -> None:
    """PostgreSQL refuses both; a person's text must never cost a row (spec 01 §4.4)."""
    text = dump_json({"inhalt": value})
    text.encode()
    assert "\x00" not in json.dumps(json.loads(text), ensure_ascii=False)
    assert "\\u0000" not in json.dumps(json.loads(text)).replace("\\\\", "")


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00")))
def test_harmless_text_is_kept_to_the_letter(text: str) -> None:
    """Stored wording is complete (seed: node-dispatcher §8, "ungekürzt")."""
    assert clean_text(text) == text
    assert json.loads(dump_json({"inhalt": text})) == {"inhalt": text}


def test_the_replacements_can_be_seen() -> None:
    """No silent loss: a symbol stands where a character could not be kept."""
    assert clean_text("a\x00b") == f"a{NUL_SYMBOL}b"
    assert clean_text("a\ud83db") == "a\ufffdb"


def test_two_halves_of_a_surrogate_pair_become_their_character() -> None:
    """Text that came through a UTF-16 API split keeps its meaning."""
    assert clean_text("\ud83d\ude00") == "😀"


def test_a_written_backslash_escape_is_not_taken_for_a_nul() -> None:
    """A person may write the six characters of the escape."""
    assert json.loads(dump_json({"inhalt": "\\u0000"})) == {"inhalt": "\\u0000"}


def test_keys_are_cleaned_as_well() -> None:
    assert json.loads(dump_json({"a\x00": [("b\x00",)]})) == {"a␀": [["b␀"]]}


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes"])
def test_a_value_without_a_json_form_is_an_error(value: object) -> None:
    """It must be seen where it is put, not where it is read."""
    with pytest.raises(TypeError):
        dump_json({"inhalt": value})


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_without_a_json_form_is_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        dump_json({"inhalt": value})
