"""Sums in words and digits."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.arithmetic import format_number, solve
from novaberg.models.builtin.reading import read


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Was ist 12 mal 7?", 84),
        ("Wie viel ist 15 % von 80?", 12),
        ("15 Prozent von 80?", 12),
        ("What's 3 + 4 * 2?", 11),
        ("(3+4)*2=", 14),
        ("12*7", 84),
        ("Was ist die Wurzel aus 144?", 12),
        ("2 hoch 10?", 1024),
        ("1.000 plus 2,5?", 1002.5),
        ("How much is 7 divided by 2?", 3.5),
        ("-3 + 5 =", 2),
        ("2 - 5 - 1 =", -4),
        ("8 / 4 / 2 =", 1),
        ("2 ^ 3 ^ 2 =", 512),
    ],
)
def test_a_sum_is_solved_with_the_usual_precedence(text: str, result: float) -> None:
    found = solve(read(text))
    assert found is not None
    assert found.result == pytest.approx(result)


@pytest.mark.parametrize(
    "text", ["5/0", "Was ist 10 durch 0?", "2^99999?", "Was ist die Wurzel aus 4 durch 0?"]
)
def test_what_has_no_result_says_so(text: str) -> None:
    found = solve(read(text))
    assert found is not None
    assert found.result is None


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin am 3.5.1990 geboren.",
        "Wir treffen uns 3-4 mal pro Woche?",
        "Ich bin 34 und sie 12?",
        "Am 24.12. ist Heiligabend.",
        "Hallo",
    ],
)
def test_dates_and_plain_figures_are_no_sums(text: str) -> None:
    assert solve(read(text)) is None


@pytest.mark.parametrize(
    ("value", "language", "text"),
    [
        (1234567.0, "de", "1.234.567"),
        (1234567.0, "en", "1,234,567"),
        (2.5, "de", "2,5"),
        (2.5, "en", "2.5"),
        (1 / 3, "de", "0,3333"),
        (-4.0, "en", "-4"),
    ],
)
def test_numbers_are_written_as_the_language_does(value: float, language: Language, text: str) -> None:
    assert format_number(value, language) == text
