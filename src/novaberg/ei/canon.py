"""The canon pull: what a model said becomes a value of its field's canon, or passes and is reported."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from novaberg.personality import Emotion
from novaberg.vocabulary import FIELD_CANONS, FIELD_SYNONYMS, Field

Stage = Literal["default", "exact", "normalised", "synonym", "none"]

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Perception:
    """What perception found in one text; seed name ``Wahrnehmung`` (seed: node-perzeption, Bauform).

    Its defaults exist only here: they stand for missing keys and for a reply that could not be read at all.
    The emotions vector is no perception, it is computed.
    """

    intent: str = "smalltalk"
    tone: str = "sachlich"
    topic: str = ""
    """JSON key ``thema``; free text, no canon."""
    emotion: str = "neutral"
    arousal: float = 0.5
    """0.0 to 1.0."""
    mode: str = "alltag"
    language_style: str = "neutral"
    relationship_dynamic: str = "neutral"

    def into(self, emotion: Emotion) -> Emotion:
        """``emotion`` with the eight perceived fields; the vector and its source stay (spec 02 §3.17)."""
        return replace(
            emotion,
            intent=self.intent,
            tone=self.tone,
            prompt_topic=self.topic,
            emotion=self.emotion,
            arousal=self.arousal,
            mode=self.mode,
            language_style=self.language_style,
            relationship_dynamic=self.relationship_dynamic,
        )


DEFAULT_PERCEPTION: Final = Perception()

FIELD_DEFAULTS: Final[Mapping[Field, str]] = MappingProxyType(
    {
        "intent": DEFAULT_PERCEPTION.intent,
        "tone": DEFAULT_PERCEPTION.tone,
        "emotion": DEFAULT_PERCEPTION.emotion,
        "modus": DEFAULT_PERCEPTION.mode,
        "sprach_stil": DEFAULT_PERCEPTION.language_style,
        "beziehungs_dynamik": DEFAULT_PERCEPTION.relationship_dynamic,
    }
)


@dataclass(frozen=True, slots=True)
class CanonResult:
    """Outcome of one pull."""

    value: str
    """A canon value, or the raw value as it came."""
    stage: Stage
    """Which stage decided; ``default`` = nothing was said, ``none`` = no stage knew the value."""
    outlier: bool
    foreign: tuple[Field, ...] = ()
    """The other fields whose canon holds the value: a right value in the wrong column."""


def normalise(text: str) -> str:
    """Stage 2 form: stripped, lower case, umlauts and ß spelt out."""
    return text.strip().lower().translate(_UMLAUTS)


def to_canonical(
    raw: object,
    canon: Collection[str],
    field: Field,
    *,
    foreign: Mapping[Field, Collection[str]],
    synonyms: Mapping[Field, Mapping[str, str]],
) -> CanonResult:
    """Pull one raw value to its canon: exact, normalised, synonym; else it passes unchanged as an outlier.

    An unknown value is never replaced by a default, which would look like a measurement. Synonyms come before
    the foreign-field report, because a resolvable value is no outlier (seed: node-perzeption §3.2).

    Args:
        raw: any decoded JSON value.
        canon: the field's own values.
        field: which field is read.
        foreign: the canons of all fields, searched in their order for the report.
        synonyms: translations and equivalents per field.
    """
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return CanonResult(FIELD_DEFAULTS[field], "default", outlier=False)
    if not isinstance(raw, str):
        return CanonResult(json.dumps(raw, ensure_ascii=False), "none", outlier=True)
    if raw in canon:
        return CanonResult(raw, "exact", outlier=False)
    normalised = normalise(raw)
    if normalised in canon:
        return CanonResult(normalised, "normalised", outlier=False)
    meant = synonyms.get(field, {}).get(normalised)
    if meant is not None:
        return CanonResult(meant, "synonym", outlier=False)
    owners = tuple(other for other, values in foreign.items() if other != field and normalised in values)
    return CanonResult(raw, "none", outlier=True, foreign=owners)


def pull(field: Field, raw: object) -> CanonResult:
    """`to_canonical` with the project's canons and synonyms."""
    return to_canonical(raw, FIELD_CANONS[field], field, foreign=FIELD_CANONS, synonyms=FIELD_SYNONYMS)


# ── reading a perception reply ───────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Outlier:
    """Content of one ``kanon_ausreisser`` row (spec 02 §6.1)."""

    field: Field
    value: str
    foreign_field: Field | Literal[""]
    """The first field to which the value belongs; ``""`` if none."""


@dataclass(frozen=True, slots=True)
class ReadPerception:
    """A perception reply as read."""

    perception: Perception
    outliers: tuple[Outlier, ...] = ()
    is_object: bool = True
    """False = the reply was no JSON object; the perception then is the default (``standardwerte``)."""
    defaulted: tuple[str, ...] = ()
    """JSON keys whose value is the default because it was missing, empty or unreadable."""


_SECTIONS: Final[Mapping[str, tuple[Field, ...]]] = {
    "rational": ("intent", "tone"),
    "emotional": ("emotion",),
    "psychologisch": ("modus", "sprach_stil", "beziehungs_dynamik"),
}


def parse_arousal(raw: object) -> float | None:
    """``float(raw)`` clamped to 0..1, numeric text and booleans included; ``None`` if no number or NaN."""
    if not isinstance(raw, str | int | float):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(value) else min(1.0, max(0.0, value))


def read_arousal(raw: object) -> float:
    """The arousal of a perception reply, 0..1; unreadable gives the default (spec 02 §3.3)."""
    value = parse_arousal(raw)
    return DEFAULT_PERCEPTION.arousal if value is None else value


def read_perception(data: object) -> ReadPerception:
    """Read a decoded perception reply; never raises (spec 02 §3.17).

    Sections that are no objects count as empty, a topic that is no text as ``""``. The six value fields go
    through the canon pull; outliers come in the order of the canons.

    Args:
        data: the decoded JSON. Anything but an object gives the defaults with ``is_object=False``.
    """
    if not isinstance(data, Mapping):
        return ReadPerception(DEFAULT_PERCEPTION, is_object=False)
    sections = {name: _section(data, name) for name in _SECTIONS}
    pulled = {
        field: pull(field, sections[name].get(field))
        for name, fields in _SECTIONS.items()
        for field in fields
    }
    topic = sections["rational"].get("thema")
    arousal = parse_arousal(sections["emotional"].get("arousal"))
    perception = Perception(
        intent=pulled["intent"].value,
        tone=pulled["tone"].value,
        topic=topic if isinstance(topic, str) else DEFAULT_PERCEPTION.topic,
        emotion=pulled["emotion"].value,
        arousal=DEFAULT_PERCEPTION.arousal if arousal is None else arousal,
        mode=pulled["modus"].value,
        language_style=pulled["sprach_stil"].value,
        relationship_dynamic=pulled["beziehungs_dynamik"].value,
    )
    outliers = tuple(
        Outlier(field, result.value, result.foreign[0] if result.foreign else "")
        for field, result in pulled.items()
        if result.outlier
    )
    defaulted: list[str] = [field for field, result in pulled.items() if result.stage == "default"]
    defaulted += ["thema"] * (not isinstance(topic, str)) + ["arousal"] * (arousal is None)
    return ReadPerception(perception, outliers, defaulted=tuple(defaulted))


def _section(data: Mapping[object, object], name: str) -> Mapping[object, object]:
    section = data.get(name)
    return section if isinstance(section, Mapping) else {}
