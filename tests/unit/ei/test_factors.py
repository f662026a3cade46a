from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei import curiosity, fascination, gate
from novaberg.ei.factors import FactorTable, OutsideTable, neutral_factor
from novaberg.vocabulary import DYNAMIC_CANON, INTENT_CANON, MODE_CANON, STYLE_CANON, TONE_CANON
from tests.unit.ei.strategies import quick

TABLES = [
    (gate.EI_DYNAMIC_FACTORS, DYNAMIC_CANON, gate.EI_DYNAMIC_NEUTRAL, 1.0),
    (gate.EI_INTENT_FACTORS, INTENT_CANON, gate.EI_INTENT_NEUTRAL, 3.2 / 6),
    (gate.EI_TONE_FACTORS, TONE_CANON, gate.EI_TONE_NEUTRAL, 0.725),
    (curiosity.OPENNESS_MODE, MODE_CANON, curiosity.OPENNESS_MODE_NEUTRAL, 1.14),
    (curiosity.OPENNESS_DYNAMIC, DYNAMIC_CANON, curiosity.OPENNESS_DYNAMIC_NEUTRAL, 1.0),
    (curiosity.OPENNESS_STYLE, STYLE_CANON, curiosity.OPENNESS_STYLE_NEUTRAL, 1.0),
    (fascination.FASCINATION_INTENT, INTENT_CANON, fascination.FASCINATION_INTENT_NEUTRAL, 0.975),
    (fascination.FASCINATION_MODE, MODE_CANON, fascination.FASCINATION_MODE_NEUTRAL, 1.065),
]


@pytest.mark.parametrize(("table", "canon", "constant", "neutral"), TABLES)
def test_each_guarded_table_is_complete_and_its_neutral_factor_below_its_maximum(
    table: FactorTable, canon: tuple[str, ...], constant: float, neutral: float
) -> None:
    """B-037, spec 02 §3.6; seed node-perzeption §3.2: not the highest value of its table."""
    assert set(table.factors) == set(canon)
    assert constant == table.neutral == pytest.approx(neutral)
    assert table.neutral < max(table.factors.values())


@pytest.mark.parametrize(("table", "canon", "constant", "neutral"), TABLES)
def test_a_value_outside_gets_the_neutral_factor_and_a_report(
    table: FactorTable, canon: tuple[str, ...], constant: float, neutral: float
) -> None:
    """B-037, B-039."""
    del canon, neutral
    for value in ("quatsch", ""):
        factor, report = table.lookup(value)
        assert factor == constant
        assert report == OutsideTable(table.place, table.field, value, constant)
        assert all(part in report.message for part in (table.place, table.field, repr(value)))


@quick
@given(st.dictionaries(st.text(min_size=1, max_size=4), st.floats(0.1, 2), min_size=1, max_size=8))
def test_the_neutral_factor_is_the_entry_neutral_or_the_mean(factors: dict[str, float]) -> None:
    """B-038."""
    mean = neutral_factor(factors)
    if "neutral" not in factors:
        assert min(factors.values()) - 1e-12 <= mean <= max(factors.values()) + 1e-12
    assert neutral_factor({**factors, "neutral": 0.33}) == 0.33


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one entry"):
        neutral_factor({})


def test_a_table_does_not_follow_later_changes_of_its_source() -> None:
    source = {"a": 1.0, "b": 2.0}
    table = FactorTable("neugier", "modus", source)
    source["a"] = 9.0
    assert table.lookup("a") == (1.0, None)
