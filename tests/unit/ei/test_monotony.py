from __future__ import annotations

from novaberg.ei.monotony import MONOTONY_FIELDS, value_variety
from novaberg.personality import Emotion


def _series(**counts: tuple[str, int]) -> list[dict[str, object]]:
    """180 turns in which each field has one value that often and otherwise its class default."""
    default = Emotion().to_dict()
    return [
        {**default, **{name: value for name, (value, count) in counts.items() if turn < count}}
        for turn in range(180)
    ]


def test_the_measured_series_shows_pressure_in_tone_and_gaps_in_the_dynamic() -> None:
    """B-052, B-053, spec 02 §3.21, seed node-perzeption §2b: empathisch 93 of 180; attack, help
    and thanks never used."""
    series = _series(tone=("empathisch", 93), relationship_dynamic=("vertrauen", 80))
    for turn, row in enumerate(series):
        row["relationship_dynamic"] = ("vertrauen", "neutral", "distanz")[turn % 3]
    variety = value_variety(series)
    assert (variety["tone"].most_frequent, variety["tone"].pressure) == ("empathisch", True)
    assert round(variety["tone"].share, 3) == 0.517
    assert not variety["relationship_dynamic"].pressure
    assert variety["relationship_dynamic"].unused == ("angriff", "hilfesuchend", "dankbar")


def test_exactly_forty_percent_is_no_pressure() -> None:
    rows = [{"tone": "direkt"}] * 40 + [{"tone": "sachlich"}] * 30 + [{"tone": "kreativ"}] * 30
    assert not value_variety(rows)["tone"].pressure
    assert value_variety([*rows, {"tone": "direkt"}])["tone"].pressure


def test_too_few_values_give_no_statement() -> None:
    """Spec 02 §3.21: fewer than 30 turns; a vector that was never computed is no value."""
    rows = _series()[:29]
    assert value_variety(rows) == {}
    full = value_variety(_series()[:30])
    assert set(full) == set(MONOTONY_FIELDS) - {"emotions_vector"}


def test_only_the_last_turns_count() -> None:
    old = [{"tone": "kreativ"}] * 50
    recent = [{"tone": "direkt"}] * 180
    assert value_variety(old + recent)["tone"].share == 1.0
