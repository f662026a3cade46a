"""The last intentions of the person (spec 05 §3.1.1)."""

from __future__ import annotations

from novaberg.graph.nodes.enricher import last_intentions
from novaberg.memory.session import SessionTurn


def test_the_youngest_perceived_turn_of_the_person_counts() -> None:
    """An unperceived turn (no ``modus``) says nothing; Nova's turns are not the person's."""
    turns: list[SessionTurn] = [
        {"rolle": "user", "modus": "alltag", "intentionen": ["humor"]},
        {"rolle": "user", "modus": "emotional", "intentionen": ["hilferuf"]},
        {"rolle": "user", "modus": "", "intentionen": ["planung"]},
        {"rolle": "assistant", "modus": "beratend", "intentionen": ["reflexion"]},
    ]
    assert last_intentions(turns) == ("hilferuf",)
    assert last_intentions(turns[2:]) == ()
    assert last_intentions([]) == ()
