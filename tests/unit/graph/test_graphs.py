"""Which nodes the two graphs have and in which order (spec 01 §3.3, §3.5.1; design §3)."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import novaberg.graph.nodes
from novaberg.graph import character_graph, human_graph
from novaberg.graph.character_graph import ANSWER_IS_APPROVED, build_character_graph, build_character_tail
from novaberg.graph.human_graph import ANSWER_MAY_START, Graph, build_human_graph, build_human_tail
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.graph.nodes.perzeption import perzeption
from novaberg.graph.stages import LABELS, stage_of

NODE_MODULES = [module.name for module in pkgutil.iter_modules(novaberg.graph.nodes.__path__)]


def line_of(graph: Graph) -> list[str]:
    """The nodes in running order; fails on a branch."""
    follow = {edge.source: edge.target for edge in graph.get_graph().edges}
    assert not any(edge.conditional for edge in graph.get_graph().edges)
    line, at = [], "__start__"
    while (at := follow.pop(at)) != "__end__":
        line.append(at)
    assert not follow
    return line


def test_the_human_graph_is_a_straight_line_of_five_nodes() -> None:
    """B-002, A-002: no identity, no router, no answer."""
    assert line_of(build_human_graph()) == ["perzeption", "enricher", "ei_calc", "salience", "dispatcher"]


def test_the_character_graph_enters_by_db_zugriff_and_ends_by_persisting_and_storing() -> None:
    """A-001, A-057, A-095, B-003."""
    assert line_of(build_character_graph()) == [
        "db_zugriff",
        "ei_calc",
        "enricher",
        "emotionale_gravitation",
        "reducer",
        "responder",
        "perzeption_assistant",
        "ei_calc_persist",
        "salience",
        "dispatcher",
    ]


def test_the_tails_are_what_follows_event_and_answer() -> None:
    """Design §3: a turn that is taken up again goes on there, with the same nodes."""
    human, character = line_of(build_human_graph()), line_of(build_character_graph())
    assert line_of(build_human_tail()) == human[human.index(ANSWER_MAY_START) + 1 :]
    assert line_of(build_character_tail()) == character[character.index(ANSWER_IS_APPROVED) + 1 :]


def test_perception_is_one_function_in_both_graphs() -> None:
    """B-005."""
    nodes = (human_graph._NODES["perzeption"], character_graph._TAIL["perzeption_assistant"])
    assert {getattr(node, "__wrapped__", None) for node in nodes} == {perzeption}


def body_of(node: Callable[..., object]) -> ast.AsyncFunctionDef:
    source = Path(importlib.import_module(node.__module__).__file__ or "").read_text("utf-8")
    (body,) = [
        found
        for found in ast.parse(source).body
        if isinstance(found, ast.AsyncFunctionDef) and found.name == node.__name__
    ]
    return body


def test_db_zugriff_orchestrates_and_leaves_the_deciding_to_its_helpers() -> None:
    """A-006: short, and at most one branch."""
    body = body_of(db_zugriff)
    assert (body.end_lineno or 0) - body.lineno < 65
    assert len([node for node in ast.walk(body) if isinstance(node, ast.If | ast.IfExp | ast.Match)]) <= 1


def test_perceive_contains_no_branch() -> None:
    """B-012: the role is asked in the helpers, nowhere else."""
    body = body_of(perzeption)
    assert not [node for node in ast.walk(body) if isinstance(node, ast.If | ast.IfExp | ast.Match)]


@pytest.mark.parametrize("name", [n for n in NODE_MODULES if n != "session_summary"])
def test_a_node_is_found_in_the_file_of_its_name(name: str) -> None:
    """Design §2: who reads the log finds the room."""
    module = importlib.import_module(f"novaberg.graph.nodes.{name}")
    assert callable(getattr(module, name))


def test_every_node_has_a_label_for_the_person_who_waits() -> None:
    """Spec 01 §5.4."""
    names = {*line_of(build_human_graph()), *line_of(build_character_graph())}
    assert names <= set(LABELS)
    for name in names:
        stage = stage_of(name, {})
        assert stage.label != name
        assert stage.detail


def test_nodes_know_the_protocol_of_models_and_no_adapter() -> None:
    """B-079: a node hands a request on; which server answers is not its business."""
    graph = Path(novaberg.graph.nodes.__file__).parents[1]
    imported = {
        name
        for path in graph.rglob("*.py")
        for name in re.findall(r"^from novaberg\.models\.(\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert imported == {"protocol", "material", "replies"}
