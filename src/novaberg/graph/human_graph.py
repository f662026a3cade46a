"""The HumanGraph, path 1: perceive the person and store (spec 01 §3.3)."""

from __future__ import annotations

from typing import Final

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from novaberg.conversation.state import ConversationState
from novaberg.graph.checked import Node, checked
from novaberg.graph.context import GraphContext
from novaberg.graph.nodes.dispatcher import dispatcher
from novaberg.graph.nodes.ei_calc import ei_calc
from novaberg.graph.nodes.enricher import enricher
from novaberg.graph.nodes.perzeption import perzeption
from novaberg.graph.nodes.salience import salience

Graph = CompiledStateGraph[ConversationState, GraphContext, ConversationState, ConversationState]

HUMAN_NODES: Final = ("perzeption", "enricher", "ei_calc", "salience", "dispatcher")
ANSWER_MAY_START: Final = "ei_calc"
"""When this node is done, the event is published and path 2 begins; the rest of path 1 is its tail."""

_NODES: Final[dict[str, Node]] = {
    "perzeption": checked(
        perzeption, name="perzeption", required=frozenset({"external", "external_herkunft"})
    ),
    "enricher": checked(enricher, name="enricher", required=frozenset({"raw_turns"})),
    "ei_calc": checked(ei_calc, name="ei_calc", required=frozenset({"external", "emotions_verlauf"})),
    "salience": checked(salience, name="salience"),
    "dispatcher": checked(dispatcher, name="dispatcher", required=frozenset({"pending_writes"})),
}


def build_human_graph() -> Graph:
    """All five nodes in a straight line."""
    return _line(HUMAN_NODES)


def build_human_tail() -> Graph:
    """What follows the event: salience and dispatcher. Runs alone when a turn is taken up again after the event."""
    return _line(("salience", "dispatcher"))


def _line(names: tuple[str, ...]) -> Graph:
    return chain({name: _NODES[name] for name in names})


def chain(nodes: dict[str, Node]) -> Graph:
    """A graph that runs ``nodes`` one after the other."""
    graph = StateGraph(ConversationState, context_schema=GraphContext)
    before = START
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph.compile()
