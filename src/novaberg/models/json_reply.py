"""Reads a model's text as the demanded JSON form, or says why it cannot be read (spec 05 §3.17.5, cases F1 and F3)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import json_repair
from pydantic import AliasChoices, AliasPath, BaseModel, JsonValue, ValidationError

from novaberg.models.json_cleanup import dedupe

LONGEST_TEXT: Final = 100_000
"""Characters; a longer reply is no form (repair takes seconds beyond that)."""
MOST_STARTS: Final = 200
"""Brackets of a text that are tried as the start of a value."""
_FENCE: Final = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_SCHEMA_WORDS: Final = frozenset({"$schema", "properties", "$defs", "additionalProperties"})
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

Failure = Literal["leer", "prosa", "schema", "liste", "wert", "felder", "zu_lang"]
"""Nothing; no JSON at all; the schema itself; several objects; a bare value; other or wrong fields; too long."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A form that could be read."""

    text: str
    """JSON."""
    data: JsonValue
    """Finite, storable: no infinite numbers (they become text), no NUL, no lone surrogates."""
    parsed: BaseModel
    origin: Literal["direkt", "repariert"]
    """``direkt`` = the whole text was the form as it stands."""
    repetition_cut: bool = False
    """A run of repeated text was cut to get there; a legitimate run may have been shortened."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that is not the form."""

    failure: Failure
    detail: str
    """Never quotes the text."""


@dataclass(frozen=True, slots=True)
class _Form:
    """What a demanded class wants to see at the top."""

    output: type[BaseModel]
    is_list: bool
    fields: frozenset[str]
    """Accepted names, aliases included; empty = any."""


def read_form(text: str, output: type[BaseModel]) -> Reading | Unreadable:
    """The text as ``output``: as it stands, else out of fences or prose, else repaired.

    A bare list with exactly one object counts as that object, so does an object wrapped in a single unknown key.
    Prose, numbers, the schema itself and objects that share no field with the form are not accepted.
    """
    text = text.strip().removeprefix("\ufeff").strip()
    if not text:
        return Unreadable("leer", "the reply is empty")
    if len(text) > LONGEST_TEXT:
        return Unreadable("zu_lang", f"the reply has {len(text)} characters")
    form = _form_of(output)
    whole = _decode(text)
    outcome = _fit(whole.value, form, found=False) if whole is not None else None
    if isinstance(outcome, Reading):
        return outcome
    found = [_fit(value, form, found=True) for value in _values_in(text)]
    readings = [candidate for candidate in found if isinstance(candidate, Reading)]
    if readings:
        return max(readings, key=lambda reading: _shared(reading.data, form))
    refusals = [candidate for candidate in found if isinstance(candidate, Unreadable)]
    certain = [refusal for refusal in refusals if refusal.failure in ("schema", "liste")]
    return next(iter(certain), outcome) or _repair(text, form)


@dataclass(frozen=True, slots=True)
class _Decoded:
    """Wraps a decoded value, so that JSON null and "no JSON" stay apart."""

    value: JsonValue


def _decode(text: str) -> _Decoded | None:
    try:
        return _Decoded(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _values_in(text: str) -> Iterator[JsonValue]:
    """Every valid object or list inside of fences, then anywhere in the text."""
    for block in _FENCE.findall(text):
        decoded = _decode(block.strip())
        if decoded is not None and isinstance(decoded.value, dict | list):
            yield decoded.value
    decoder = json.JSONDecoder()
    position = 0
    for start in [match.start() for match in re.finditer(r"[{\[]", text)][:MOST_STARTS]:
        if start < position:
            continue
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield value


def _repair(text: str, form: _Form) -> Reading | Unreadable:
    opening = re.search(r"\[" if form.is_list else r"\{", text)
    if opening is None:
        return Unreadable("prosa", "the reply holds no JSON")
    broken = text[opening.start() :]
    shortened = dedupe(broken)
    try:
        value: JsonValue = json.loads(json_repair.repair_json(shortened, skip_json_loads=True))
    except (ValueError, RecursionError):
        return Unreadable("prosa", "the reply holds no JSON that could be repaired")
    outcome = _fit(value, form, found=True)
    if isinstance(outcome, Unreadable) and outcome.failure in ("wert", "felder"):
        return Unreadable("prosa", "the reply holds no JSON of the demanded form")
    if isinstance(outcome, Unreadable):
        return outcome
    cut = len(shortened) < len(broken)
    return Reading(outcome.text, outcome.data, outcome.parsed, "repariert", repetition_cut=cut)


def _fit(value: JsonValue, form: _Form, *, found: bool) -> Reading | Unreadable:
    """Read a decoded value as the form; ``found`` = it was not the whole text, so it must share a field."""
    unwrapped = value if form.is_list else _unwrap(value, form)
    problem = _problem(unwrapped, form, found=found)
    if problem is not None:
        return problem
    data = _storable(unwrapped)
    try:
        parsed = form.output.model_validate(data)
    except ValidationError as error:
        places = sorted({".".join(str(part) for part in problem["loc"]) for problem in error.errors()})
        return Unreadable("felder", f"fields of a wrong kind or missing: {', '.join(places)[:200]}")
    origin: Literal["direkt", "repariert"] = "repariert" if found or unwrapped is not value else "direkt"
    return Reading(json.dumps(data, ensure_ascii=False), data, parsed, origin)


def _problem(value: JsonValue, form: _Form, *, found: bool) -> Unreadable | None:
    if form.is_list:
        return None if isinstance(value, list) else Unreadable("wert", "the reply is no list")
    if isinstance(value, dict):
        return _problem_of_object(value, form, found=found)
    if isinstance(value, list) and any(_shared(entry, form) for entry in value):
        return Unreadable("liste", f"the reply is a list of {len(value)} entries instead of one object")
    return Unreadable("wert", f"the reply is a bare {type(value).__name__} instead of an object")


def _problem_of_object(value: Mapping[str, JsonValue], form: _Form, *, found: bool) -> Unreadable | None:
    if not form.fields or form.fields & value.keys() or not (found or value):
        return None
    if _SCHEMA_WORDS & value.keys() or value.get("type") == "object":
        return Unreadable("schema", "the reply repeats the schema instead of filling it")
    return Unreadable("felder", "the reply is an object without any of the demanded fields")


def _unwrap(value: JsonValue, form: _Form) -> JsonValue:
    """Out of a list of one, a single unknown key, or a string that holds JSON."""
    if isinstance(value, str):
        decoded = _decode(value)
        return value if decoded is None or isinstance(decoded.value, str) else _unwrap(decoded.value, form)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return value[0]
    if isinstance(value, dict) and len(value) == 1 and not _shared(value, form):
        (key, inner), *_ = value.items()
        if key not in _SCHEMA_WORDS and isinstance(inner, dict) and _shared(inner, form):
            return inner
    return value


def _shared(value: JsonValue, form: _Form) -> int:
    return len(form.fields & value.keys()) if isinstance(value, dict) else 0


@cache
def _form_of(output: type[BaseModel]) -> _Form:
    schema = output.model_json_schema()
    properties = schema.get("properties")
    fields = set(properties) if isinstance(properties, Mapping) else set()
    for name, info in output.model_fields.items():
        fields |= {name} | _names_of(info.validation_alias) | _names_of(info.alias)
    is_list = schema.get("type") == "array"
    return _Form(output, is_list, frozenset() if is_list else frozenset(fields))


def _names_of(alias: str | AliasPath | AliasChoices | None) -> set[str]:
    match alias:
        case None:
            return set()
        case str():
            return {alias}
        case AliasPath():
            return {str(alias.path[0])}
        case AliasChoices():
            return {name for choice in alias.choices for name in _names_of(choice)}


def _storable(value: JsonValue) -> JsonValue:
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return value.encode("utf-8", "replace").decode("utf-8").replace("\0", _REPLACEMENT)
        case list():
            return [_storable(item) for item in value]
        case dict():
            return {str(_storable(key)): _storable(item) for key, item in value.items()}
        case _:
            return value
