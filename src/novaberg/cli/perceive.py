"""``novaberg perceive``: what the local perception reads in each line; no stores and no model server are needed."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import typer

from novaberg.cli.options import Json
from novaberg.cli.output import emit, emit_json
from novaberg.cli.running import execute

if TYPE_CHECKING:
    from novaberg.language import Language
    from novaberg.models.builtin.perceiving import FullReading
    from novaberg.settings import Settings


def perceive(context: typer.Context, as_json: Json = False) -> None:
    """Read texts from the input, one a line, and print one perception a line."""

    def command(settings: Settings) -> int:
        # Bytes that are no UTF-8 are read as what they are: nothing; only \n ends a text.
        lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n")
        for line in lines:
            reading = _read(line.rstrip("\r\n"), settings.language)
            if as_json:
                emit_json(_told(reading))
            else:
                emit(_line(reading))
        return 0

    execute(context, command)


def _read(text: str, fallback: Language) -> FullReading:
    from novaberg.language import detect_language
    from novaberg.models.builtin.perceiving import read_fully
    from novaberg.models.material import PerceptionMaterial

    language = detect_language(text, fallback)
    return read_fully(PerceptionMaterial(text=text, role="user", language=language))


def _told(reading: FullReading) -> dict[str, object]:
    perception = reading.perception
    return {
        "emotion": perception.emotion,
        "arousal": perception.arousal,
        "intent": perception.intent,
        "tone": perception.tone,
        "thema": perception.topic,
        "modus": perception.mode,
        "sprach_stil": perception.style,
        "beziehungs_dynamik": perception.dynamic,
        "scores": dict(reading.scores),
        "confidence": reading.confidence,
        "herkunft": reading.herkunft,
    }


def _line(reading: FullReading) -> str:
    perception = reading.perception
    values = (
        perception.emotion,
        f"{perception.arousal:.2f}",
        perception.intent,
        perception.tone,
        perception.mode,
        perception.style,
        perception.dynamic,
        f"{reading.confidence:.2f}",
        reading.herkunft,
        perception.topic,
    )
    return "  ".join(values)
