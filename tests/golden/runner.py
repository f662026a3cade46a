"""Runs golden files: every row through its adapter, compared with the expected result."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.golden.adapter import ADAPTERS, Adapter
from tests.golden.compare import same

DATA = Path(__file__).parent / "data"
SHOWN_FAILURES = 10
_SHOWN_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Row:
    """One golden vector; which function is meant depends on the file and ``fn``."""

    stem: str
    fn: str
    given: Any
    expected: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that did not give what it should, or has no adapter."""

    row: Row
    got: str

    def __str__(self) -> str:
        return (
            f"{self.row.stem}/{self.row.fn}\n  input    {_show(self.row.given)}"
            f"\n  expected {_show(self.row.expected)}\n  got      {self.got}"
        )


@dataclass(slots=True)
class Report:
    """What a run found."""

    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    unknown: list[Failure] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every row passed and there was at least one."""
        return self.passed > 0 and not self.failures and not self.unknown

    def __str__(self) -> str:
        head = f"{self.passed} passed, {len(self.failures)} failed, {len(self.unknown)} unknown"
        return "\n".join([head, *map(str, [*self.failures, *self.unknown][:SHOWN_FAILURES])])


def copied_files() -> list[Path]:
    """The files beside this module whose functions have adapters here."""
    stems = {stem for stem, _ in ADAPTERS}
    return [path for path in sorted(DATA.glob("*.json")) if path.stem in stems]


def load(path: Path) -> list[Row]:
    """The rows of a golden file."""
    return [
        Row(path.stem, row["fn"], row["in"], row["out"])
        for row in json.loads(path.read_text(encoding="utf-8"))
    ]


def run(rows: Iterable[Row]) -> Report:
    """Run every row."""
    report = Report()
    for row in rows:
        adapter = ADAPTERS.get((row.stem, row.fn))
        if adapter is None:
            report.unknown.append(Failure(row, "no adapter for this function"))
            continue
        got = _deviation(row, adapter)
        if got is None:
            report.passed += 1
        else:
            report.failures.append(Failure(row, got))
    return report


def run_files(paths: Sequence[Path]) -> Report:
    """Run every row of these files."""
    return run(row for path in paths for row in load(path))


def _deviation(row: Row, adapter: Adapter) -> str | None:
    """What came instead of the expected result; ``None`` if it was right."""
    given = copy.deepcopy(row.given)
    try:
        got = adapter(given)
    except Exception as error:  # noqa: BLE001  # any exception is a finding, shown with its type
        if row.expected == {"error": type(error).__name__}:
            return None
        return f"{type(error).__name__}: {error}"
    if not same(row.expected, got):
        return _show(got)
    return None if same(row.given, given) else f"the right result, but the input became {_show(given)}"


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + " …"
