"""Which test guards which row of the checklists: read from the docstrings of the tests, told in docs/checklist.md.

``python -m tests.support.checklist`` writes the file anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "docs" / "checklist.md"
_TESTS: Final = ROOT / "tests"
_ID: Final = re.compile(r"\b([A-Z])-(\d{3})\b")


@dataclass(frozen=True, slots=True)
class Part:
    """Rows with consecutive numbers."""

    title: str
    rows: str
    """Like ``A-001…A-056``."""

    @property
    def ids(self) -> tuple[str, ...]:
        return _expand(self.rows)


PARTS: Final = (
    Part("node-db-zugriff", "A-001…A-056"),
    Part("node-ei-calc-persist", "A-057…A-094"),
    Part("node-dispatcher", "A-095…A-177"),
    Part("node-perzeption", "B-001…B-089"),
)

UNGUARDED: Final[Mapping[str, str]] = {
    "A-056": "bench: `python -m bench db_zugriff`",
    "A-067": "figures of one stored series; the property over all inputs is A-066",
    "A-094": "bench: `python -m bench ei_calc_persist`",
    "A-097": "no graph holds a lock: the order of a pair is kept by its queue, a model by its own gate",
    "A-103…A-109": "joins with the orders of the situation (facts, events)",
    "A-110…A-114": "joins with the managers and the short-term memory",
    "A-115…A-123": "joins with the short-term memory",
    "A-124…A-125": "joins with the managers",
    "A-126…A-135": "joins with delegation",
    "A-138…A-139": "joins with the managers",
    "A-140": "joins with the orders of the situation (facts, events)",
    "A-141…A-142": "joins with the managers",
    "A-146": "joins with the short-term memory",
    "A-158…A-171": "joins with the long-term memory (reinforcement by use)",
    "A-172…A-176": "joins with the services (offers, refusals, outcomes)",
    "A-177": "joins with the last of the steps that it orders",
    "B-036": "figures of one series; every outlier leaves a row to count by (B-035)",
    "B-040": "joins with the short-term memory",
    "B-043": "a rule for those who choose stimuli: several registers, never one",
    "B-046": "reported by `python -m bench perception`, without a target",
    "B-047": "joins with the long-term memory (strands)",
    "B-050": "figures of one series; what they warn of is guarded by B-052 and B-053",
    "B-062": "joins with the router, the second reader of the same grouping",
    "B-066": "needs a language model and a corpus of dialogues; never measured",
    "B-080": "joins with the router",
}
"""Rows without a test, and why."""

_INTRODUCTION: Final = """\
# Checklist

Rows of the seeds' checklists and the tests that guard them. A test names the rows that it guards in its docstring;
`python -m tests.support.checklist` writes this file from there, and a test keeps the two equal. Paths start at `tests/`.
"""


def render() -> str:
    """The whole file.

    Raises:
        ValueError: a row has neither a test nor a reason, or both.
    """
    guards, reasons = guarding_tests(), _reasons()
    known = {row for part in PARTS for row in part.ids}
    parts = [_part(part.title, part.ids, guards, reasons) for part in PARTS]
    beyond = tuple(sorted(set(guards) - known))
    if beyond:
        parts.append(_part("rows of other lists that are guarded already", beyond, guards, reasons))
    return "\n".join([_INTRODUCTION, *parts])


def guarding_tests() -> dict[str, list[str]]:
    """Row → tests whose docstring names it, as ``file::name``."""
    guards: dict[str, list[str]] = {}
    for place, docstring in _docstrings():
        for letter, number in dict.fromkeys(_ID.findall(docstring)):
            guards.setdefault(f"{letter}-{number}", []).append(place)
    return guards


def _docstrings() -> Iterator[tuple[str, str]]:
    for path in sorted(_TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                yield f"{path.relative_to(_TESTS).as_posix()}::{node.name}", ast.get_docstring(node) or ""


def _part(
    title: str, ids: tuple[str, ...], guards: Mapping[str, list[str]], reasons: Mapping[str, str]
) -> str:
    rows = "\n".join(f"| {row} | {_cell(row, guards, reasons)} |" for row in ids)
    return f"## {title}\n\n| row | guarded by |\n|---|---|\n{rows}\n"


def _cell(row: str, guards: Mapping[str, list[str]], reasons: Mapping[str, str]) -> str:
    if (row in guards) == (row in reasons):
        raise ValueError(f"row {row} needs either a test that names it or a reason in UNGUARDED")
    return "<br>".join(f"`{place}`" for place in guards[row]) if row in guards else f"– {reasons[row]}"


def _reasons() -> dict[str, str]:
    return {row: reason for rows, reason in UNGUARDED.items() for row in _expand(rows)}


def _expand(rows: str) -> tuple[str, ...]:
    (letter, first), (_, last) = _ID.findall(rows)[0], _ID.findall(rows)[-1]
    return tuple(f"{letter}-{number:03d}" for number in range(int(first), int(last) + 1))


if __name__ == "__main__":
    TABLE.write_text(render(), "utf-8")
