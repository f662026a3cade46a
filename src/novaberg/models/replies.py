"""The forms that classifying callers demand. Lenient on purpose: reading, canon pull and reports belong to the nodes."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue

from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    INTENTION_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
)

JsonSchema = dict[str, Any]


def _enum(values: tuple[str, ...]) -> JsonSchema:
    return {"type": "string", "enum": list(values)}


def _object(**properties: JsonSchema) -> JsonSchema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_UNIT: JsonSchema = {"type": "number", "minimum": 0, "maximum": 1}
_TEXT: JsonSchema = {"type": "string"}
_MOST_TEXTS = 8
"""Small models loop in an unbounded list until their token limit."""
_TEXTS: JsonSchema = {"type": "array", "items": _TEXT, "maxItems": _MOST_TEXTS}


class _DemandedForm(BaseModel):
    """Accepts what a model sends; tells servers the strict schema."""

    model_config = ConfigDict(extra="allow", frozen=True)
    demanded: ClassVar[JsonSchema]

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> JsonSchema:
        """The strict schema, whatever way of rendering is asked for."""
        return dict(cls.demanded)


class PerceptionReply(_DemandedForm):
    """The three sections of a perception (spec 02 §3.19); each may be missing or of a wrong kind."""

    rational: JsonValue = None
    emotional: JsonValue = None
    psychologisch: JsonValue = None

    demanded: ClassVar[JsonSchema] = _object(
        rational=_object(intent=_enum(INTENT_CANON), tone=_enum(TONE_CANON), thema=_TEXT),
        emotional=_object(emotion=_enum(EMOTION_CANON), arousal=_UNIT),
        psychologisch=_object(
            modus=_enum(MODE_CANON), sprach_stil=_enum(STYLE_CANON), beziehungs_dynamik=_enum(DYNAMIC_CANON)
        ),
    )


class SalienceReply(_DemandedForm):
    """The salience object of one segment (spec 05 §3.12.3); only ``salienz`` and ``intentionen`` are read so far."""

    salienz: JsonValue = None
    intentionen: JsonValue = None

    demanded: ClassVar[JsonSchema] = _object(
        themen=_TEXTS,
        emotionen=_object(explizit=_TEXTS, implizit=_TEXTS, valenz=_enum(("positiv", "negativ", "neutral"))),
        salienz=_UNIT,
        gedaechtnistyp=_enum(("kurz", "lang")),
        dimension=_enum(("kognition", "emotion", "werte", "interessen", "kommunikation", "kontext")),
        begruendung=_TEXT,
        intentionen={"type": "array", "items": _enum(INTENTION_CANON), "minItems": 1, "maxItems": 3},
        emotion=_enum(EMOTION_CANON),
        modus=_enum(MODE_CANON),
        entitaeten_roh=_TEXTS,
        zeitausdruck_roh=_TEXT,
    )
