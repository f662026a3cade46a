import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel, Field, JsonValue, RootModel

from novaberg.models.json_reply import LONGEST_TEXT, Reading, Unreadable, read_form
from novaberg.models.replies import PerceptionReply, SalienceReply

FORM: dict[str, JsonValue] = {
    "rational": {"intent": "personal", "tone": "empathisch", "thema": "Umzug {nach} Ostheim"},
    "emotional": {"emotion": "freude", "arousal": 0.6},
    "psychologisch": {"modus": "alltag", "sprach_stil": "locker", "beziehungs_dynamik": "vertrauen"},
}
TEXT = json.dumps(FORM)


class Entity(BaseModel):
    """F3: a model may say `entity_name`."""

    name: str = Field(validation_alias=AliasChoices("name", "entity_name"))


class Segments(RootModel[list[str]]):
    """A form that is a list."""


def reading(text: str, output: type[BaseModel] = PerceptionReply) -> Reading:
    outcome = read_form(text, output)
    assert isinstance(outcome, Reading), outcome
    return outcome


def failure(text: str, output: type[BaseModel] = PerceptionReply) -> str:
    outcome = read_form(text, output)
    assert isinstance(outcome, Unreadable), outcome
    return outcome.failure


def test_a_clean_reply_is_read_directly() -> None:
    """F1: nothing to repair, origin `direkt`."""
    outcome = reading(f"  {TEXT}\n")
    assert outcome.origin == "direkt"
    assert outcome.data == FORM
    assert isinstance(outcome.parsed, PerceptionReply)
    assert outcome.parsed.emotional == FORM["emotional"]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{TEXT}\n```",
        f"```JSON\n{TEXT}\n```",
        f"Gern, {{hier}} ist es:\n```\n{TEXT}\n```\nPasst das?",
        f"Hier ist das Ergebnis: {TEXT} Ich hoffe, das hilft.",
        f"[{TEXT}]",
        f'{{"perzeption": {TEXT}}}',
        json.dumps(TEXT),
        TEXT[:-1] + ",}",
        repr(FORM),
        f"\ufeff{TEXT} .",
        f"```json\n{TEXT[:-1]}",
    ],
)
def test_the_form_is_found_in_what_models_wrap_around_it(text: str) -> None:
    """F1, F3: prose, fences, a list of one, a wrapper key, trailing comma, single quotes."""
    outcome = reading(text)
    assert outcome.origin == "repariert"
    assert outcome.data == FORM


def test_a_truncated_object_keeps_what_had_arrived() -> None:
    """F1: truncated JSON; the node sees the missing section."""
    outcome = reading(TEXT[: TEXT.index('"psychologisch"')])
    assert outcome.origin == "repariert"
    assert outcome.data == {key: FORM[key] for key in ("rational", "emotional")}


def test_a_truncated_object_inside_prose_is_repaired() -> None:
    """F1: text before a truncated object."""
    outcome = reading('Ergebnis:\n{"rational": {"intent": "personal", "tone": "dire')
    assert outcome.data == {"rational": {"intent": "personal", "tone": "dire"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "leer"),
        (" \n ", "leer"),
        ("Die Person wirkt ruhig.", "prosa"),
        ("Ich {denke} nach [und] so", "prosa"),
        ("0.7", "wert"),
        ('"freude"', "wert"),
        ("null", "wert"),
        ("true", "wert"),
        (json.dumps(PerceptionReply.model_json_schema()), "schema"),
        ('{"type": "object", "properties": ' + TEXT + "}", "schema"),
        (f"[{TEXT}, {TEXT}]", "liste"),
        ("[]", "wert"),
        ("[1, 2]", "wert"),
        ('{"error": "I cannot do that"}', "felder"),
        ("[" * 20_000, "prosa"),
        ('{"tief":' * 5_000, "prosa"),
        ("x" * (LONGEST_TEXT + 1), "zu_lang"),
    ],
)
def test_what_is_not_the_form_is_refused_with_its_reason(text: str, expected: str) -> None:
    """F1, F3: rejected cleanly, each reason apart; never a silent `{}`."""
    assert failure(text) == expected


def test_a_schema_inside_a_fence_is_refused_too() -> None:
    """F3: an echoed schema is no reply, wherever it stands."""
    schema = json.dumps(SalienceReply.model_json_schema())
    assert failure(f"Here you go:\n```json\n{schema}\n```", SalienceReply) == "schema"


def test_the_filled_object_wins_over_the_echoed_schema_beside_it() -> None:
    """F3: some models repeat the schema and then answer."""
    text = f"```json\n{json.dumps(PerceptionReply.model_json_schema())}\n```\n```json\n{TEXT}\n```"
    assert reading(text).data == FORM


def test_an_empty_object_is_a_valid_form() -> None:
    """Spec 02 §3.17 step 7: a valid but empty object counts as read."""
    assert reading("{}").origin == "direkt"


def test_an_alias_is_accepted() -> None:
    """F3: `entity_name` instead of `name`."""
    assert reading('{"entity_name": "Rufus"}', Entity).parsed == Entity(name="Rufus")
    assert reading('Sure: {"entity_name": "Rufus"}!', Entity).parsed == Entity(name="Rufus")


def test_a_wrong_kind_of_field_is_refused_and_named() -> None:
    """F3: rejected cleanly; the detail names the field, never its text."""
    outcome = read_form('{"name": {"geheim": 1}}', Entity)
    assert isinstance(outcome, Unreadable)
    assert outcome.failure == "felder"
    assert "name" in outcome.detail
    assert "geheim" not in outcome.detail


def test_a_form_that_is_a_list_takes_lists_only() -> None:
    """F3: a list is demanded, so a list is right."""
    assert reading('["a", "b"]', Segments).data == ["a", "b"]
    assert reading('Bitte: ["a", "b', Segments).data == ["a", "b"]
    assert failure('{"a": 1}', Segments) == "wert"


def test_a_repetition_loop_is_cut_and_told() -> None:
    """Spec 05 §8 trap 29: the cutter may shorten a legitimate run, so it is told when it cut."""
    outcome = reading('{"salienz": 0.4, "begruendung": "sehr gut, ' + "sehr gut, " * 40, SalienceReply)
    assert outcome.repetition_cut
    assert not reading('{"salienz": 0.4, "begruendung": "kurz', SalienceReply).repetition_cut


def test_a_legitimate_run_inside_valid_json_is_not_cut() -> None:
    """Spec 05 §8 trap 29: runs inside valid JSON stay."""
    outcome = reading('{"begruendung": "' + "-" * 60 + '"}', SalienceReply)
    assert outcome.data == {"begruendung": "-" * 60}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_no_store_takes_become_text(number: str) -> None:
    """Spec 05 §3.12.4: non-finite floats count as unreadable; as text they stay visible."""
    data = reading(f'{{"salienz": {number}}}', SalienceReply).data
    assert isinstance(data, dict)
    assert isinstance(data["salienz"], str)


def test_characters_that_no_store_takes_are_replaced() -> None:
    """PostgreSQL takes neither NUL nor lone surrogates."""
    data = reading('{"begruendung": "a\\u0000b\\ud83dc"}', SalienceReply).data
    assert data == {"begruendung": "a\N{REPLACEMENT CHARACTER}b?c"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_any_json_gives_an_object_or_a_reason(value: JsonValue) -> None:
    """F1: whatever a model sends, the outcome is a form or a reason, and the form can be stored."""
    outcome = read_form(json.dumps(value), PerceptionReply)
    if isinstance(outcome, Reading):
        assert isinstance(outcome.data, dict)
        json.dumps(outcome.data, allow_nan=False).encode()
        assert "\0" not in outcome.text
    else:
        assert outcome.detail


@given(st.text(max_size=300))
def test_any_text_gives_an_object_or_a_reason(text: str) -> None:
    """F1: garbage never raises anything else."""
    outcome = read_form(text, PerceptionReply)
    assert isinstance(outcome, Reading | Unreadable)
    if "{" not in text:
        assert isinstance(outcome, Unreadable)


@given(st.integers(1, len(TEXT) - 1))
def test_wherever_it_is_truncated_nothing_is_invented(length: int) -> None:
    """F1: a repaired truncation holds a part of what was sent, never other values."""
    outcome = read_form(TEXT[:length], PerceptionReply)
    if isinstance(outcome, Reading):
        assert outcome.origin == "repariert"
        assert isinstance(outcome.data, dict)
        assert list(outcome.data) == list(FORM)[: len(outcome.data)]
