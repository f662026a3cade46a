"""What a node returns is checked before the engine sees it (spec 01 §3.2 rule 5, trap T1)."""

from __future__ import annotations

from typing import cast

import pytest
from langgraph.runtime import Runtime

from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.errors import GraphContractError
from novaberg.graph.checked import Node, checked, verify_node_output
from novaberg.graph.context import GraphContext

RUNTIME = cast("Runtime[GraphContext]", Runtime())


def node_that_returns(result: object) -> Node:
    async def node(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        return cast("StateUpdate", result)

    return node


def test_declared_keys_pass() -> None:
    verify_node_output({"response": "Hallo"}, node="responder", required=frozenset({"response"}))


def test_an_undeclared_key_is_refused_by_name() -> None:
    """Spec 01 §9.2 case 18: the engine would drop it without a word."""
    with pytest.raises(GraphContractError, match=r"'responder'.*lzg_resonanz, self_trigger"):
        verify_node_output({"self_trigger": True, "lzg_resonanz": None, "response": ""}, node="responder")


def test_a_promised_key_that_is_missing_is_refused_by_name() -> None:
    """On every return path, also on the early ones."""
    with pytest.raises(GraphContractError, match="memory_context"):
        verify_node_output({}, node="reducer", required=frozenset({"memory_context"}))


@pytest.mark.parametrize("result", [None, "x", ["response"], 1])
def test_anything_but_a_mapping_is_refused(result: object) -> None:
    with pytest.raises(GraphContractError, match="instead of a mapping"):
        verify_node_output(result, node="reducer")


async def test_the_wrapper_checks_each_run_and_hands_the_update_on() -> None:
    good = checked(
        node_that_returns({"response": "Hallo"}), name="responder", required=frozenset({"response"})
    )
    assert await good({}, RUNTIME) == {"response": "Hallo"}
    bad = checked(node_that_returns({"nirgends": 1}), name="responder")
    with pytest.raises(GraphContractError, match="nirgends"):
        await bad({}, RUNTIME)


def test_a_node_without_a_name_is_refused() -> None:
    with pytest.raises(GraphContractError, match="name"):
        checked(node_that_returns({}), name="")
