"""Which node comes next. Pure: a routing function changes nothing (spec 01 §3.5.2, §8 T7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal


def after_router(state: Mapping[str, object]) -> Literal["planner", "gv_node"]:
    """A management action goes to the planner."""
    return "planner" if state.get("management_action") else "gv_node"


def after_planner(state: Mapping[str, object]) -> Literal["agent_dispatch", "gv_node"]:
    """A chosen agent is run."""
    return "agent_dispatch" if state.get("agent_name") else "gv_node"


def after_stance(state: Mapping[str, object]) -> Literal["responder", "verfasser"]:
    """With the context cut the author would collect exactly what was removed on purpose."""
    return "responder" if state.get("task_context_cut") else "verfasser"


def after_evaluate(state: Mapping[str, object]) -> Literal["output", "fallback", "correct"]:
    """``output`` delivers the answer, ``correct`` rewrites it, ``fallback`` delivers the refusal set by ``evaluate``."""
    verdict = state.get("tribunal_verdict")
    if verdict == "ok":
        return "output"
    if _number(state.get("correction_round")) >= _number(state.get("max_corrections")):
        return "output" if verdict == "warnung" else "fallback"
    return "correct"


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
