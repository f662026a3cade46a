"""What is told of a turn while it runs, and what stays of it. Pure."""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from novaberg.graph.stages import NO_DETAIL
from novaberg.turns.messages import Message
from novaberg.web.formats import duration
from novaberg.web.texts import Texts

_READ: Final = "gelesen"
_DEFAULTS: Final = "standardwerte"


def stage_line(message: Message, texts: Texts) -> str:
    """``{label} · {detail}`` of a ``character_stage``; an unknown node is its own label (spec 07 §3.3)."""
    node, label, detail = (message.get(key) for key in ("node", "label", "detail"))
    name = texts.stage_labels.get(str(node), str(label or node))
    return f"{name} · {detail}" if detail and detail != NO_DETAIL else name


def strip_text(steps: int | None, ending: Message, answer_seconds: float | None, texts: Texts) -> str:
    """What the folded line says: steps as far as they are known, and the time until the answer stood."""
    seconds = _seconds(ending, "answer_ms")
    seconds = answer_seconds if seconds is None else seconds
    counted = "" if not steps else texts.step if steps == 1 else texts.steps.format(count=steps)
    time = "" if seconds is None else duration(seconds, texts)
    counted = counted or texts.trace_heading
    return texts.strip.format(steps=counted, time=time) if time else counted


def strip_title(ending: Message, texts: Texts) -> str:
    """The two times of a turn; empty if they are not known."""
    answer, total = _seconds(ending, "answer_ms"), _seconds(ending, "total_ms")
    if answer is None or total is None:
        return ""
    return texts.strip_title.format(answer=duration(answer, texts), total=duration(total, texts))


def origins_of(ending: Message, texts: Texts) -> tuple[str, ...]:
    """What was not perceived in the turn and how it was made up for: never a silent neutral (design §6 rule 1)."""
    sides = (
        (ending.get("external"), texts.perception_default, texts.perception_missing),
        (ending.get("internal"), texts.self_perception_default, texts.self_perception_missing),
    )
    found = ((_origin(side), default, missing) for side, default, missing in sides)
    return tuple(
        default if origin == _DEFAULTS else missing
        for origin, default, missing in found
        if origin not in (_READ, None)
    )


def _origin(side: JsonValue) -> JsonValue:
    return side.get("herkunft") if isinstance(side, dict) else None


def _seconds(ending: Message, key: str) -> float | None:
    timings = ending.get("timings")
    value = timings.get(key) if isinstance(timings, dict) else None
    return value / 1000 if isinstance(value, int | float) else None
