"""What the fake model server says: valid objects for any schema, short texts that echo the question."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

Kind = Literal["perzeption", "salienz", "json", "text"]
Schema = Mapping[str, JsonValue]

EMOTION_WORDS: Mapping[str, str] = {
    "freude": r"freu|froh|glücklich|schön|happy|glad|great",
    "traurigkeit": r"traurig|wein|einsam|vermiss|sad|lonely|miss ",
    "wut": r"wütend|hasse|furious|hate",
    "aerger": r"ärger|nerv|annoy",
    "stress": r"stress|angst|panik|überforder|deadline|afraid|anxious",
    "dankbarkeit": r"dank|thank",
    "neugierig": r"wie funktioniert|warum|neugierig|curious|why|how does",
    "begeisterung": r"wahnsinn|hammer|awesome|amazing",
}
"""Emotion → pattern, first hit wins; no hit = ``neutral``. A stand-in for a model, not a perception."""


def echo(text: str) -> str:
    """Eight hex digits that tie an answer to its question: the start of the SHA-256 of the stripped text."""
    return hashlib.sha256(text.strip().encode()).hexdigest()[:8]


def answer_text(question: str) -> str:
    """A short deterministic answer that quotes the start of the question and carries its `echo`."""
    quote = " ".join(question.split())[:60]
    return f"Ich habe gehört: „{quote}“. Erzähl mir mehr davon. [echo:{echo(question)}]"


def kind_of(schema: Schema | None, prompt: str) -> Kind:
    """Which caller asks: told from the demanded schema or, without one, from field names in the prompt."""
    fields = set(_properties(schema)) if schema is not None else set()
    if {"rational", "emotional"} <= fields or (schema is None and "beziehungs_dynamik" in prompt):
        return "perzeption"
    if {"salienz", "intentionen"} <= fields or (schema is None and "gedaechtnistyp" in prompt):
        return "salienz"
    return "json" if fields else "text"


def answer_object(schema: Schema, question: str) -> JsonValue:
    """A value that satisfies the schema, filled from keywords of the question."""
    emotion = _emotion(question)
    wishes: dict[str, JsonValue] = {
        "emotion": emotion,
        "arousal": 0.3 if emotion == "neutral" else 0.7,
        "intent": "knowledge" if "?" in question else "personal",
        "thema": " ".join(question.split()[:3]),
        "modus": "alltag",
        "sprach_stil": "locker",
        "beziehungs_dynamik": "vertrauen",
        "salienz": 0.35 if emotion == "neutral" else 0.65,
        "intentionen": ["information_erfragen" if "?" in question else "information_teilen"],
        "valenz": "neutral",
        "begruendung": f"echo:{echo(question)}",
    }
    return _fill(schema, "", wishes)


KNOWN_FORMS: Mapping[Kind, Schema] = {
    "perzeption": {
        "type": "object",
        "properties": {
            "rational": {
                "type": "object",
                "properties": {"intent": {}, "tone": {"enum": ["direkt"]}, "thema": {}},
            },
            "emotional": {"type": "object", "properties": {"emotion": {}, "arousal": {}}},
            "psychologisch": {
                "type": "object",
                "properties": {"modus": {}, "sprach_stil": {}, "beziehungs_dynamik": {}},
            },
        },
    },
    "salienz": {
        "type": "object",
        "properties": {"salienz": {}, "intentionen": {}, "emotion": {}, "modus": {}},
    },
}
"""Forms for callers that demand an object only in their prompt."""


def answer(schema: Schema | None, question: str, prompt: str) -> str:
    """The content of a faultless reply."""
    form = schema if _properties(schema) else KNOWN_FORMS.get(kind_of(None, prompt))
    if form is None:
        return "{}" if schema is not None else answer_text(question)
    return json.dumps(answer_object(form, question), ensure_ascii=False)


def _emotion(question: str) -> str:
    lowered = question.lower()
    return next((name for name, pattern in EMOTION_WORDS.items() if re.search(pattern, lowered)), "neutral")


def _properties(schema: Schema | None) -> Mapping[str, JsonValue]:
    properties = (schema or {}).get("properties")
    return properties if isinstance(properties, dict) else {}


def _fill(schema: Schema, name: str, wishes: Mapping[str, JsonValue]) -> JsonValue:
    properties = _properties(schema)
    if properties:
        return {key: _fill(_mapping(part), key, wishes) for key, part in properties.items()}
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed:
        return wishes[name] if wishes.get(name) in allowed else allowed[0]
    if name in wishes:
        return wishes[name]
    return _default_of(schema, name, wishes)


def _default_of(schema: Schema, name: str, wishes: Mapping[str, JsonValue]) -> JsonValue:
    defaults: Mapping[JsonValue, JsonValue] = {
        "number": 0.5,
        "integer": 1,
        "boolean": False,
        "object": {},
        "null": None,
    }
    if schema.get("type") == "array":
        least = schema.get("minItems", 0)
        item = _fill(_mapping(schema.get("items")), name, wishes)
        return [item] * (least if isinstance(least, int) else 0)
    kind = schema.get("type")
    return defaults.get(kind, "") if isinstance(kind, str) else ""


def _mapping(value: JsonValue) -> Schema:
    return value if isinstance(value, dict) else {}


def texts_of(messages: Sequence[Mapping[str, JsonValue]]) -> tuple[str, str]:
    """(the last message of the user, the whole prompt) of a wire message list; text parts are joined."""
    spoken = [(str(message.get("role")), _content(message.get("content"))) for message in messages]
    question = next((text for role, text in reversed(spoken) if role == "user"), "")
    return question, "\n\n".join(text for _, text in spoken)


def _content(content: JsonValue) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
