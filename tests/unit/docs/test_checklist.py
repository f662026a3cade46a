"""The documents say what the tests guard."""

from __future__ import annotations

from tests.support.checklist import TABLE, render


def test_the_checklist_names_the_tests_as_they_stand() -> None:
    """Written anew by ``python -m tests.support.checklist``."""
    assert TABLE.read_text("utf-8") == render()
