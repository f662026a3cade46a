"""The stage line of a finished node: a short label and what it found (spec 01 §5.4, 07 §3.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from novaberg.conversation.state import ConversationState
from novaberg.conversation.stimulus import stimulus_is_own_thought
from novaberg.personality import Emotion

NO_DETAIL: Final = "—"


@dataclass(frozen=True, slots=True)
class Stage:
    """One line of progress."""

    node: str
    label: str
    detail: str


LABELS: Final[Mapping[str, str]] = {
    "perzeption": "Perzeption — Wahrnehmung",
    "enricher": "Enricher — Kontext laden",
    "ei_calc": "EI-Calc — Emotionale Intelligenz",
    "salience": "Salienz — Bewertung",
    "dispatcher": "Dispatcher — Speichern",
    "db_zugriff": "DB-Zugriff — Identität laden",
    "emotionale_gravitation": "Gravitation — Erinnerungen färben",
    "reducer": "Reducer — Gedächtnis ordnen",
    "responder": "Responder — Antwort formen",
    "perzeption_assistant": "Selbst-Perzeption — Eigene Worte",
    "ei_calc_persist": "EI-Persist — Zustand sichern",
}

BROKEN_PERCEPTION: Final = Stage(
    "perzeption", LABELS["perzeption"], "unvollständig, die Antwort folgt trotzdem"
)


def stage_of(node: str, state: ConversationState) -> Stage:
    """The line of ``node``, which has just finished.

    Args:
        node: name in the graph; an unknown one is its own label.
        state: the run's state after the node.
    """
    detail = _DETAILS.get(node)
    return Stage(node, LABELS.get(node, node), detail(state) if detail else NO_DETAIL)


def _perzeption(state: ConversationState) -> str:
    external = state.get("external")
    if external is None or state.get("external_herkunft") != "gelesen":
        return "nicht lesbar, Standardwerte"
    emotion = external.emotion
    parts = [
        _with_intensity(emotion, low=0.3, high=0.6, words=("ruhig", "moderat", "intensiv")),
        emotion.mode,
    ]
    if emotion.relationship_dynamic != "neutral":
        parts.append(emotion.relationship_dynamic)
    return " · ".join(parts)


def _with_intensity(emotion: Emotion, *, low: float, high: float, words: tuple[str, str, str]) -> str:
    word = words[0] if emotion.arousal < low else words[1] if emotion.arousal < high else words[2]
    return f"{emotion.emotion} ({word})"


def _enricher(state: ConversationState) -> str:
    count = len(state.get("raw_turns", ()))
    return f"{count} Beiträge der Sitzung" if count else "noch kein Verlauf"


def _ei_calc(state: ConversationState) -> str:
    human = state.get("graph_rolle") != "character"
    course = state.get("emotions_verlauf", ()) if human else state.get("nova_emotions_verlauf", ())
    side = state.get("external") if human else state.get("internal")
    parts = [
        ", ".join(f"{entry['emotion']} {entry['gewicht']:.2f}" for entry in course[:3]) or "kein Verlauf"
    ]
    if side and side.emotion.emotions_vector:
        parts.append(side.emotion.emotions_vector)
    if human and side:
        parts += [side.emotion.mode, side.emotion.language_style]
    if not human and course:
        parts.append(f"Nova(a={course[0]['arousal']:.2f})")
    if state.get("nova_emotion_konflikt"):
        parts.append("⚡Konflikt")
    return " · ".join(parts)


def _db_zugriff(state: ConversationState) -> str:
    loaded = [name for name in ("external", "internal") if state.get(name) is not None]
    return " und ".join(loaded) + " geladen"


def _emotionale_gravitation(state: ConversationState) -> str:
    course = state.get("nova_emotions_verlauf", ())
    if not course or not state.get("emotionale_gravitationspunkte") or stimulus_is_own_thought(state):
        return "nicht gefärbt"
    return f"{course[0]['emotion']} · Verlauf {len(course)}"


def _reducer(state: ConversationState) -> str:
    return f"{len(state.get('memory_context', ''))} Zeichen Kontext"


def _responder(state: ConversationState) -> str:
    tokens = state.get("token_total", 0)
    return f"{tokens} Tokens" if tokens else f"{len(state.get('response', ''))} Zeichen"


def _perzeption_assistant(state: ConversationState) -> str:
    internal = state.get("internal")
    if internal is None or state.get("internal_herkunft") != "gelesen":
        return "nicht lesbar, Standardwerte"
    emotion = internal.emotion
    parts = []
    if emotion.emotion != "neutral":
        parts.append(_with_intensity(emotion, low=0.4, high=0.7, words=("mild", "moderat", "intensiv")))
    if emotion.mode != "alltag":
        parts.append(emotion.mode)
    return " · ".join(parts) or NO_DETAIL


def _ei_calc_persist(state: ConversationState) -> str:
    internal = state.get("internal")
    return f"{internal.emotion.emotion} · {internal.emotion.mode}" if internal else NO_DETAIL


_DETAILS: Final[Mapping[str, Callable[[ConversationState], str]]] = {
    "perzeption": _perzeption,
    "enricher": _enricher,
    "ei_calc": _ei_calc,
    "db_zugriff": _db_zugriff,
    "emotionale_gravitation": _emotionale_gravitation,
    "reducer": _reducer,
    "responder": _responder,
    "perzeption_assistant": _perzeption_assistant,
    "ei_calc_persist": _ei_calc_persist,
}
