import json

import pytest

from novaberg.models.json_cleanup import clean_fence, close_open_ends, dedupe, parse_strict


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ('```json\n{"a":1}\n```', '{"a":1}'),
        ('```\n{"a":1}```', '{"a":1}'),
        ('```JSON\n{"a":1}\n```', 'JSON\n{"a":1}'),
        ('  {"a":1} ', '{"a":1}'),
    ],
)
def test_a_fence_is_cut_only_in_lower_case(text: str, cleaned: str) -> None:
    """Spec 05 §3.17.5, fence: only lower-case `json`."""
    assert clean_fence(text) == cleaned


def test_a_repeated_unit_is_cut_after_its_first_occurrence() -> None:
    """Spec 05 §3.17.5, dedupe: unit of 8–50 characters, at least three times in a row."""
    assert dedupe('{"t":"abcdefghabcdefghabcdefgh"}') == '{"t":"abcdefgh'
    assert dedupe('{"t":"abcdefghabcdefgh"}') == '{"t":"abcdefghabcdefgh"}'
    assert dedupe("abc" * 2) == "abcabc"


def test_open_ends_are_closed_quote_first_then_braces_then_brackets() -> None:
    """Spec 05 §3.17.5, repair: counts ignore nesting, a known limit that stays."""
    assert close_open_ends('{"a":["b') == '{"a":["b"}]'
    assert close_open_ends("[1,2 ") == "[1,2]"


def test_what_stays_broken_raises() -> None:
    """Spec 05 §3.17.5: no `{}` default."""
    assert parse_strict('```json\n{"a": {"b": 1}\n```') == {"a": {"b": 1}}
    with pytest.raises(json.JSONDecodeError):
        parse_strict("prose")
