"""JSON text that every store accepts: what a person typed must never cost a row.

PostgreSQL refuses the NUL character in JSONB and text; UTF-8 has no lone surrogates. Both are replaced *visibly*.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

NUL_SYMBOL = "\u2400"
"""Stands where a NUL character stood."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def clean_text(text: str) -> str:
    """The text with NUL as ``␀``, surrogate pairs joined and lone surrogates as ``�``."""
    if "\x00" in text:
        text = text.replace("\x00", NUL_SYMBOL)
    if not _is_utf8(text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def dump_json(value: object) -> str:
    """The value as compact JSON text, cleaned as in `clean_text`.

    Args:
        value: mappings with text keys, lists, tuples, text, numbers, booleans, ``None``.

    Raises:
        TypeError: something in it has no JSON form.
        ValueError: a number is NaN or infinite, or the value contains itself.
        RecursionError: it is nested too deeply.
    """
    text = _ENCODER.encode(value)
    # The encoder writes NUL as an escape, so the escape must be sought, not the character.
    if "\\u0000" in text or not _is_utf8(text):
        return _ENCODER.encode(_cleaned(value))
    return text


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {
            clean_text(key) if isinstance(key, str) else key: _cleaned(item) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value
