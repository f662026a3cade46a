"""Every copied golden vector (spec 01 §9.1, spec 02 §9.1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden import runner
from tests.golden.__main__ import main
from tests.golden.compare import same

GROUPS: dict[tuple[str, str], list[runner.Row]] = {}
for _path in runner.copied_files():
    for _row in runner.load(_path):
        GROUPS.setdefault((_row.stem, _row.fn), []).append(_row)


@pytest.mark.parametrize(("stem", "fn"), sorted(GROUPS))
def test_function_reproduces_every_vector_and_leaves_its_input_alone(stem: str, fn: str) -> None:
    report = runner.run(GROUPS[stem, fn])
    assert report.ok, str(report)


@pytest.mark.parametrize(
    ("expected", "got", "equal"),
    [
        (1, 1.0, True),
        (0.3, 0.1 + 0.2, True),
        (1e9, 1e9 + 100, True),
        (0.5, 0.50001, False),
        (1, True, False),
        (False, 0, False),
        ("1", 1, False),
        (None, 0, False),
        ({"a": 1, "b": [1, 2]}, {"b": (1, 2), "a": 1.0}, True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, {"a": 1, "b": None}, False),
    ],
)
def test_comparison_follows_the_rules_of_the_vectors(expected: object, got: object, equal: bool) -> None:
    """Spec 02 §9.1: numbers by tolerance, a boolean never equals a number, list order counts."""
    assert same(expected, got) is equal
    assert same(got, expected) is equal


def test_a_kept_back_file_is_known_by_its_stem_and_a_wrong_row_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_back = tmp_path / "ei.json"
    right = {"fn": "smooth", "in": {"raw": 3}, "out": 1}
    wrong = {"fn": "smooth", "in": {"raw": 3}, "out": 0.5}
    strange = {"fn": "levitation", "in": {}, "out": 1}
    must_raise = {"fn": "table_neutral_generic", "in": {"entries": {}}, "out": {"error": "ValueError"}}

    kept_back.write_text(json.dumps([right, must_raise]), encoding="utf-8")
    assert main([str(kept_back)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed, 0 unknown\n"

    kept_back.write_text(json.dumps([right, wrong, strange]), encoding="utf-8")
    assert main([str(kept_back)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("1 passed, 1 failed, 1 unknown\nei/smooth\n")
    assert "expected 0.5" in shown
    assert "ei/levitation" in shown


def test_an_empty_file_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "ei.json").write_text("[]", encoding="utf-8")
    assert main([str(tmp_path / "ei.json")]) == 1
