"""Which node comes next (spec 01 §3.5.2). The golden vectors hold the cases; this holds the properties."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from novaberg.graph.routing import after_evaluate, after_planner, after_router, after_stance
from tests.support.strategies import JSON

FRAGMENTS = st.fixed_dictionaries(
    {},
    optional={
        "management_action": st.sampled_from(["", "agent", "resume", "create"]),
        "agent_name": st.sampled_from(["", "timeline"]),
        "task_context_cut": st.booleans(),
        "tribunal_verdict": st.sampled_from(["ok", "warnung", "ablehnen", "", None]),
        "correction_round": st.integers(0, 4) | st.none(),
        "max_corrections": st.integers(0, 3) | st.none(),
    },
)


@given(FRAGMENTS | st.dictionaries(st.text(max_size=3), JSON, max_size=3))
def test_routing_changes_nothing_and_always_names_a_node(state: dict[str, object]) -> None:
    """Trap T7: a state changed inside a routing function is lost."""
    before = copy.deepcopy(state)
    assert after_router(state) in ("planner", "gv_node")
    assert after_planner(state) in ("agent_dispatch", "gv_node")
    assert after_stance(state) in ("responder", "verfasser")
    assert after_evaluate(state) in ("output", "fallback", "correct")
    assert state == before


@given(st.sampled_from(["warnung", "ablehnen", ""]), st.integers(0, 3))
def test_corrections_end(verdict: str, most: int) -> None:
    """A-058: reached on verdict ok or after the maximum correction round."""
    rounds = 0
    while after_evaluate(
        {"tribunal_verdict": verdict, "correction_round": rounds, "max_corrections": most}
    ) == ("correct"):
        rounds += 1
    assert rounds == most


def test_an_approved_answer_is_delivered_in_any_round() -> None:
    """A-058."""
    for number in range(4):
        assert after_evaluate({"tribunal_verdict": "ok", "correction_round": number}) == "output"


def test_at_the_last_round_a_warning_delivers_the_answer_and_a_rejection_the_refusal() -> None:
    """Spec 01 §9.2 case 19."""
    last = {"correction_round": 2, "max_corrections": 2}
    assert after_evaluate({"tribunal_verdict": "warnung", **last}) == "output"
    assert after_evaluate({"tribunal_verdict": "ablehnen", **last}) == "fallback"
