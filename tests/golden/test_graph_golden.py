"""Golden rows of the answer path that exist so far (spec 05 §9). Rows of the AgentGraph follow with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from novaberg.conversation.entries import ContextEntry
from novaberg.conversation.events import retry_payload, self_trigger_allowed
from novaberg.conversation.pending import PendingWrite
from novaberg.conversation.state import ConversationState
from novaberg.conversation.stimulus import (
    log_source,
    stimulus_is_own_thought,
    stimulus_level,
    stimulus_origin,
    stimulus_text,
)
from novaberg.graph.nodes.dispatcher import entry_line, raw_turn_guard, session_turn
from novaberg.graph.nodes.reducer import memory_context, without_contained, without_repeated
from novaberg.graph.nodes.salience import read_rating
from novaberg.graph.routing import after_evaluate, after_planner, after_router, after_stance
from novaberg.pair import Pair, pair_or_none
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.golden.compare import same

Given = dict[str, Any]
ROWS: list[Given] = json.loads((Path(__file__).parent / "data" / "answer_graph.json").read_text("utf-8"))
EXTERNAL, INTERNAL = Emotion(emotion="freude"), Emotion(emotion="wut")


def stimulus(given: Given) -> object:
    state = cast("ConversationState", given)
    return {
        "own_thought": stimulus_is_own_thought(state),
        "text": stimulus_text(state),
        "level": stimulus_level(state),
        "quelle": log_source(state),
        "herkunft": stimulus_origin(state),
    }


def evaluated(given: Given) -> object:
    edge = after_evaluate({**given, "tribunal_verdict": given["verdict"]})
    return {"next": edge, "response_replaced": edge == "fallback"}


def entries(given: Given) -> list[ContextEntry]:
    return [ContextEntry(e["quelle"], e["inhalt"], e["gewicht"]) for e in given["entries"]]


def entry_rows(kept: tuple[ContextEntry, ...]) -> object:
    return [{"quelle": e.quelle, "inhalt": e.inhalt, "gewicht": e.gewicht} for e in kept]


def dispatched(given: Given) -> tuple[ConversationState, Pair | None]:
    """The state excerpt of a dispatcher row; emotions tell from which side a field was taken."""
    write: PendingWrite = {"ziel": "kzg", "aktion": "create", "daten": {}, "beschreibung": ""}
    state: ConversationState = {
        "user_prompt": given.get("user_prompt", ""),
        "response": given["response"],
        "graph_rolle": given["graph_rolle"],
        "pending_writes": (write,) * given["pending_writes"],
    }
    if given["external"]:
        state["external"] = Personality(emotion=EXTERNAL)
    if given["internal"]:
        state["internal"] = InternalPersonality(emotion=INTERNAL)
    return state, pair_or_none(given["user_id"], given["character_id"])


def session_plan(given: Given) -> object:
    state, pair = dispatched(given)
    if pair is None:
        return {"skip": "paar_unvollstaendig"}
    turn = session_turn(state, zeit=0.0)
    if not turn["inhalt"]:
        return {"skip": "kein_inhalt"}
    source = "internal" if turn["rolle"] == "assistant" else "external"
    if given[source]:
        assert turn["emotion"] == {"internal": "wut", "external": "freude"}[source]
    return {"rolle": turn["rolle"], "inhalt": turn["inhalt"], "quelle": source}


FUNCTIONS: dict[str, Callable[[Given], object]] = {
    "after_router": after_router,
    "after_planner": after_planner,
    "after_stance": after_stance,
    "after_evaluate": evaluated,
    "stimulus": stimulus,
    "retry_payload": lambda given: retry_payload(cast("ConversationState", given)),
    "self_trigger_allowed": lambda given: self_trigger_allowed(given["trigger_count"]),
    "reduce_exact": lambda given: entry_rows(without_repeated(entries(given))),
    "reduce_substring": lambda given: entry_rows(without_contained(entries(given))),
    "memory_context_format": lambda given: memory_context(entries(given)),
    "salience_value_read": lambda given: read_rating(given["salienz_obj"]).salience,
    "user_intents_union": lambda given: read_rating({"intentionen": given["raw"]}).intentions,
    "turn_raw_guard": lambda given: raw_turn_guard(*dispatched(given)) or None,
    "dispatch_entry_line": lambda given: entry_line(*dispatched(given)),
    "session_turn_plan": session_plan,
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['fn']}-{number}" for number, row in enumerate(ROWS)])
def test_golden_row(row: Given) -> None:
    """Spec 05 §9."""
    got, expected = FUNCTIONS[row["fn"]](row["in"]), row["out"]
    if row["fn"].startswith("reduce_"):
        expected = [{key: e[key] for key in ("quelle", "inhalt", "gewicht")} for e in expected]
    assert same(expected, got)
