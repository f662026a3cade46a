"""The CharacterGraph, path 2: form the answer, persist Nova's own state (spec 01 §3.5).

The nodes between reducer and responder, and between responder and perzeption_assistant, join when they exist.
"""

from __future__ import annotations

from typing import Final

from novaberg.graph.checked import Node, checked
from novaberg.graph.human_graph import Graph, chain
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.graph.nodes.dispatcher import dispatcher
from novaberg.graph.nodes.ei_calc import ei_calc
from novaberg.graph.nodes.ei_calc_persist import ei_calc_persist
from novaberg.graph.nodes.emotionale_gravitation import emotionale_gravitation
from novaberg.graph.nodes.enricher import enricher
from novaberg.graph.nodes.perzeption import perzeption
from novaberg.graph.nodes.reducer import reducer
from novaberg.graph.nodes.responder import responder
from novaberg.graph.nodes.salience import salience

ANSWER_IS_APPROVED: Final = "responder"
"""When this node is done, the answer is committed and delivered; the rest of path 2 is its tail."""

_ANSWER: Final[dict[str, Node]] = {
    "db_zugriff": checked(db_zugriff, name="db_zugriff", required=frozenset({"external", "internal"})),
    "ei_calc": checked(ei_calc, name="ei_calc", required=frozenset({"internal", "nova_emotions_verlauf"})),
    "enricher": checked(enricher, name="enricher", required=frozenset({"raw_turns", "memory_entries"})),
    "emotionale_gravitation": checked(emotionale_gravitation, name="emotionale_gravitation"),
    "reducer": checked(reducer, name="reducer", required=frozenset({"memory_context"})),
    "responder": checked(
        responder, name="responder", required=frozenset({"response", "model", "token_total"})
    ),
}
_TAIL: Final[dict[str, Node]] = {
    "perzeption_assistant": checked(
        perzeption, name="perzeption_assistant", required=frozenset({"internal"})
    ),
    "ei_calc_persist": checked(ei_calc_persist, name="ei_calc_persist"),
    "salience": checked(salience, name="salience"),
    "dispatcher": checked(dispatcher, name="dispatcher", required=frozenset({"pending_writes"})),
}


def build_character_graph() -> Graph:
    """From the event to the stored turn."""
    return chain({**_ANSWER, **_TAIL})


def build_character_tail() -> Graph:
    """What follows the delivery. Runs alone when a turn is taken up again after its answer was committed."""
    return chain(_TAIL)
