"""``emotionale_gravitation``: reactivated memories tint Nova's course, they never overwrite it (spec 02 §3.11).

It stands behind the enricher, which chooses the memories on the state before gravitation: sadness must not fetch sad
memories that inject sadness. Without memories it changes nothing, which is the normal case.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_is_own_thought
from novaberg.ei.blocks import transfer_leading_emotion
from novaberg.ei.gravitation import GravitationPoint, apply_gravitation
from novaberg.ei.records import CourseEntry
from novaberg.graph.context import GraphContext
from novaberg.graph.openness import tell_openness

log = logging.getLogger(__name__)


async def emotionale_gravitation(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """``nova_emotions_verlauf`` and, so that both speak of the same moment, ``internal``; nothing if nothing pulls.

    An own impulse is never tinted: the thought came from the memory already (spec 02 §3.11). From here on course and
    emotion stand, so this is where Nova's openness is told.
    """
    update = _gravitate(state)
    tell_openness({**state, **update})
    return update


def _gravitate(state: ConversationState) -> StateUpdate:
    turn_id = state.get("turn_id")
    if stimulus_is_own_thought(state):
        log.info("turn %s is an own impulse; no memory tints Nova's course", turn_id)
        return {}
    points = state.get("emotionale_gravitationspunkte", ())
    if not points:
        log.debug("no memory pulls at Nova's course in turn %s", turn_id)
        return {}
    course = state.get("nova_emotions_verlauf", ())
    if not course:
        log.error(
            "turn %s has %d memories that pull, but Nova has no course; it stays empty", turn_id, len(points)
        )
        return {}
    return _tinted(state, course, points)


def _tinted(
    state: ConversationState, course: Sequence[CourseEntry], points: Sequence[GravitationPoint]
) -> StateUpdate:
    tinted = apply_gravitation(course, points)
    log.info(
        "EmGrav: %s → %s; %s",
        _leading(course),
        _leading(tinted),
        ", ".join(map(_told, points)),
    )
    internal = state.get("internal")
    if internal is None:
        log.error(
            "turn %s has no internal personality to carry the leading emotion (EmGrav)", state.get("turn_id")
        )
        return {"nova_emotions_verlauf": tinted}
    transfer = transfer_leading_emotion(internal.emotion, tinted)
    return {
        "nova_emotions_verlauf": tinted,
        "internal": replace(internal, emotion=transfer.emotion),
    }


def _leading(course: Sequence[CourseEntry]) -> str:
    return f"{course[0]['emotion']} {course[0]['gewicht']:.2f}"


def _told(point: GravitationPoint) -> str:
    return f"{point.get('emotion') or '–'} ({point.get('quelle') or '–'}, g {point.get('gravitation') or 0.0:.3f})"
