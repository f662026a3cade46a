"""How open Nova is for something new, and how much the subject holds her: told every turn (spec 02 §3.12).

Read from the course and the emotion as they stand after gravitation, which always speak of one moment. It gates nothing.
"""

from __future__ import annotations

import logging

from novaberg.conversation.state import ConversationState
from novaberg.ei.curiosity import Readiness, readiness
from novaberg.ei.factors import OutsideTable
from novaberg.ei.fascination import Fascination, fascination
from novaberg.personality import InternalPersonality

log = logging.getLogger(__name__)


def tell_openness(state: ConversationState) -> None:
    """One INFO line, and one ERROR line for each value that its factor table does not know (spec 02 §3.6)."""
    emotion = state.get("internal", InternalPersonality()).emotion
    course = state.get("nova_emotions_verlauf", ())
    felt, arousal = (
        (course[0]["emotion"], course[0]["arousal"]) if course else (emotion.emotion, emotion.arousal)
    )
    open_to = readiness(
        emotion=felt,
        arousal=arousal,
        vector=emotion.emotions_vector,
        mode=emotion.mode,
        relationship_dynamic=emotion.relationship_dynamic,
        language_style=emotion.language_style,
    )
    held = fascination(emotion=felt, arousal=arousal, intent=emotion.intent, mode=emotion.mode)
    log.info("readiness %.3f (%s); fascination %.3f", open_to.value, _factors(open_to), held.value)
    _report(open_to, held, state.get("turn_id"))


def _factors(open_to: Readiness) -> str:
    if open_to.raw is None:
        return "crisis"
    return ", ".join(f"{name} {factor:.3f}" for name, factor in open_to.factors.items())


def _report(open_to: Readiness, held: Fascination, turn_id: str | None) -> None:
    outside: tuple[OutsideTable, ...] = (*open_to.outside, *held.outside)
    for report in outside:
        log.error("%s, turn %s", report.message, turn_id)
