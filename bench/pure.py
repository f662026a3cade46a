"""The pure functions of a whole turn together: what is computed without a model and without a store."""

from __future__ import annotations

import time
from typing import Final

from bench.measure import Limit, Result, median, percentile
from novaberg.ei.adaptation import style_to_meet
from novaberg.ei.ageing import apply_decay
from novaberg.ei.blocks import consolidate_nova, nova_block, transfer_leading_emotion, user_block
from novaberg.ei.canon import read_perception
from novaberg.ei.curiosity import readiness
from novaberg.ei.fascination import fascination
from novaberg.ei.gravitation import GravitationPoint, apply_gravitation
from novaberg.ei.nova_state import nova_state_mapping, read_nova_state
from novaberg.memory.session_format import format_session_turns_numbered
from novaberg.memory.session_window import SessionTurn
from novaberg.personality import Emotion
from novaberg.vocabulary import EMOTION_CANON, ORIGIN_USER_TURN

RUNS: Final = 2000
WARM_UP: Final = 100
LIMIT_MS: Final = 1.0

_NOW: Final = 1_790_000_000.0
_SAID: Final = {
    "rational": {"intent": "personal", "tone": "empathisch", "thema": "Prüfung"},
    "emotional": {"emotion": "Stolz", "arousal": "0.7"},
    "psychologisch": {"modus": "creative", "sprach_stil": "locker", "beziehungs_dynamik": "vertrauen"},
}
_STORED: Final = {
    "raum_tiefe": "0.51",
    "raum_naehe": "0.64",
    "emotion": "hoffnung",
    "arousal": "0.8",
    "emotions_vector": "plateau",
    "mode": "fachgespraech",
    "language_style": "locker",
    "relationship_dynamic": "vertrauen",
    "tone": "empathisch",
    "intent": "personal",
    "prompt_topic": "Prüfung",
    "nutzer_zeit": str(_NOW - 4000),
}
_POINTS: Final[tuple[GravitationPoint, ...]] = (
    {"emotion": "freude", "arousal": 0.6, "gravitation": 0.69, "quelle": "kzg"},
    {"emotion": "stress", "arousal": 0.5, "gravitation": 0.53, "quelle": "lzg"},
)


async def bench_pure() -> Result:
    """Readings, both blocks, decay, gravitation, openness and consolidation, on a session as full as it gets."""
    session = _full_session()
    times = []
    for run in range(WARM_UP + RUNS):
        start = time.perf_counter()
        _turn(session)
        if run >= WARM_UP:
            times.append((time.perf_counter() - start) * 1000)
    figures = {"median_ms": median(times), "p95_ms": percentile(times, 0.95), "runs": len(times)}
    return Result("pure", dict(figures), (Limit("median_ms", figures["median_ms"], LIMIT_MS),))


def _turn(session: tuple[SessionTurn, ...]) -> None:
    """In the order in which the two graphs do it."""
    format_session_turns_numbered(session, max_turns=5)
    person = user_block(session, read_perception(_SAID).perception.into(Emotion()), None).emotion
    loaded = read_nova_state(_STORED)
    rested = apply_decay(loaded.emotion, _STORED["nutzer_zeit"], now=_NOW, origin=ORIGIN_USER_TURN).emotion
    nova = nova_block(session, external=person, internal=rested, space=loaded.space, person_spoke=True)
    course = apply_gravitation(nova.trajectory, _POINTS)
    felt = transfer_leading_emotion(nova.emotion, course).emotion
    readiness(
        emotion=felt.emotion,
        arousal=felt.arousal,
        vector=felt.emotions_vector,
        mode=felt.mode,
        relationship_dynamic=felt.relationship_dynamic,
        language_style=felt.language_style,
    )
    fascination(emotion=felt.emotion, arousal=felt.arousal, intent=felt.intent, mode=felt.mode)
    style_to_meet(person)
    format_session_turns_numbered(session, max_turns=5)
    heard = read_perception(_SAID).perception.into(felt)
    kept = consolidate_nova(session, heard, None).emotion
    nova_state_mapping(kept, nova.space, origin=ORIGIN_USER_TURN, received_at=_NOW, now=_NOW)


def _full_session() -> tuple[SessionTurn, ...]:
    """As many turns as the session holds before the oldest are summarised."""
    text = "Das freut mich sehr, und ich würde gern mehr darüber hören, wie es ihm heute geht."
    return tuple(
        {
            "rolle": "assistant" if number % 2 else "user",
            "inhalt": f"{text} Und zum {number}. Mal: {text}",
            "emotion": EMOTION_CANON[number % len(EMOTION_CANON)],
            "arousal": number % 10 / 10,
            "herkunft": "nutzer_turn",
        }
        for number in range(25)
    )
