"""One run of a graph, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from langgraph.runtime import Runtime
from langsmith.utils import get_env_var, tracing_is_enabled

from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.graph.context import GraphContext
from novaberg.graph.human_graph import chain
from novaberg.turns.graph_run import GraphRun

CONTEXT = cast("GraphContext", None)


@pytest.fixture
def tracing_wished(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The variables by which other programs of this machine are traced."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    get_env_var.cache_clear()
    yield
    get_env_var.cache_clear()


@pytest.mark.usefixtures("tracing_wished")
async def test_no_run_is_handed_to_a_tracing_service() -> None:
    """Design §6 rule 10: nothing leaves the machine but calls to the configured model server."""
    seen: list[bool | str] = []

    async def node(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        seen.append(tracing_is_enabled())
        return {"response": "x"}

    assert tracing_is_enabled()
    run = GraphRun(chain({"first": node, "second": node}), {"user_prompt": "geheim"})
    assert [name async for name in run.steps(CONTEXT)] == ["first", "second"]
    assert seen == [False, False]


async def test_the_state_that_was_reached_survives_a_failing_node() -> None:
    """Spec 01 §2.8: path 1 publishes what it reached before it broke off."""

    async def node(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        return {"response": "erreicht"}

    async def broken(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        raise ValueError("x")

    run = GraphRun(chain({"first": node, "second": broken}), {"user_prompt": "a"})
    with pytest.raises(ValueError, match="x"):
        async for _ in run.steps(CONTEXT):
            pass
    assert run.state["response"] == "erreicht"


async def test_a_node_that_changes_nothing_is_told_too() -> None:
    """Spec 01 §5.4: one stage line for each finished node."""

    async def node(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        return {}

    run = GraphRun(chain({"first": node, "second": node}), {"user_prompt": "a"})
    assert [name async for name in run.steps(CONTEXT)] == ["first", "second"]
    assert run.state["user_prompt"] == "a"
