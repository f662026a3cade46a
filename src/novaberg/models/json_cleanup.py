"""The fixed clean-up steps for JSON text of a model: fence, repetition, open ends (spec 05 §3.17.5).

Each step takes and gives a text and is bound byte for byte by golden vectors; `json_reply` builds on them.
"""

from __future__ import annotations

import json
import re
from typing import Final

from pydantic import JsonValue

_REPETITION: Final = re.compile(r"([^\n]{8,50}?)\1{2,}")
"""A unit of 8 to 50 characters, at least three times in a row."""


def clean_fence(text: str) -> str:
    """Without a leading ```` ```json ```` or ```` ``` ```` and a trailing ```` ``` ````, stripped."""
    text = text.strip()
    text = text.removeprefix("```json") if text.startswith("```json") else text.removeprefix("```")
    return text.removesuffix("```").strip()


def dedupe(text: str) -> str:
    """Cut after the first unit of the first run of repetitions; a text without one stays."""
    run = _REPETITION.search(text)
    return text if run is None else text[: run.end(1)]


def close_open_ends(text: str) -> str:
    """Stripped, with a missing quote, then missing braces, then missing brackets appended (no nesting order)."""
    text = text.strip()
    if text.count('"') % 2:
        text += '"'
    text += "}" * max(0, text.count("{") - text.count("}"))
    return text + "]" * max(0, text.count("[") - text.count("]"))


def parse_strict(text: str) -> JsonValue:
    """The value after all three steps.

    Raises:
        json.JSONDecodeError: it still is no JSON.
    """
    value: JsonValue = json.loads(close_open_ends(dedupe(clean_fence(text))))
    return value
