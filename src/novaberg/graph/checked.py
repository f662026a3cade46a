"""The wrapper around every node: what a node returns is checked before the engine sees it (spec 01 §3.2 rule 5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Final, Protocol

from langgraph.runtime import Runtime

from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.errors import GraphContractError
from novaberg.graph.context import GraphContext


class Node(Protocol):
    """What the graphs are made of."""

    async def __call__(self, state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        """The keys that the node changed."""
        ...


_DECLARED: Final = frozenset(ConversationState.__annotations__)


def verify_node_output(result: object, *, node: str, required: frozenset[str] = frozenset()) -> None:
    """Refuse an output that the engine would silently cut.

    Raises:
        GraphContractError: no mapping, an undeclared key, or a promised key is missing; the message names them.
    """
    if not isinstance(result, Mapping):
        raise GraphContractError(f"Node {node!r} returned {type(result).__name__} instead of a mapping.")
    keys = set(result)
    if undeclared := sorted(keys - _DECLARED):
        raise GraphContractError(
            f"Node {node!r} returned keys that the state does not declare: {', '.join(undeclared)}."
        )
    if missing := sorted(required - keys):
        raise GraphContractError(f"Node {node!r} did not return what it promises: {', '.join(missing)}.")


def checked(node: Node, *, name: str, required: frozenset[str] = frozenset()) -> Node:
    """``node`` with its output verified on every return path."""
    if not name:
        raise GraphContractError("A node needs a name.")

    @wraps(node)
    async def run(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
        result = await node(state, runtime)
        verify_node_output(result, node=name, required=required)
        return result

    return run
