"""Sums in words and digits: "Was ist 12 mal 7?", "How much is 15 % of 80?"."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.reading import Reading, fold

MOST_DIGITS: Final = 15
"""Digits up to which a result is shown as a plain number."""
LONGEST_SUM: Final = 120
"""Characters of a sum; what is longer is no everyday sum."""
_LARGEST_EXPONENT: Final = 64

_WORDS: Final = (
    (r"\bgeteilt durch\b|\bdurch\b|\bdivided by\b|\bover\b|÷|:(?=\s*\d)", "/"),
    (r"\bmal\b|\btimes\b|\bmultiplied by\b|×|·|\bx\b", "*"),
    (r"\bplus\b", "+"),
    (r"\bminus\b|−|–", "-"),
    (r"\bhoch\b|\bto the power of\b|\*\*", "^"),
    (r"\b(?:die )?(?:quadrat)?wurzel (?:aus|von)\b|\b(?:the )?square root of\b|√", "r"),
    (r"(?:%|\bprozent\b|\bpercent\b)\s*(?:von|of)\b", "p*"),
)
_NUMBER: Final = r"\d+(?:[.,]\d+)*"
_SUM: Final = re.compile(
    rf"(?:(?:[-(r]\s*){{0,6}}{_NUMBER}\s*(?:\)\s*){{0,6}}(?:p?\s*[-+*/^]\s*)){{1,20}}(?:[-(r]\s*){{0,6}}{_NUMBER}(?:\s*\)){{0,6}}"
    rf"|r\s*{_NUMBER}"
)
_LEXEME: Final = re.compile(rf"{_NUMBER}|[-+*/^()rp]")
_CUE: Final = re.compile(
    r"was (?:ist|sind|ergibt|macht|gibt)|wie ?viel|rechne|ausrechnen|what(?:'s| is)|how much|calculate|compute|=|\?"
)
_DATE: Final = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d+\s*-\s*\d+\s*(?:uhr|jahre|years|mal|times|stunden|hours|tage|days)"
)


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum and its result."""

    written: str
    """In symbols."""
    result: float | None
    """``None``: not defined (division by zero) or too large."""


def has_sum(reading: Reading) -> bool:
    """Whether the text asks for a sum."""
    return _symbols(reading) is not None


def solve(reading: Reading) -> Sum | None:
    """The first sum of a text, ``None`` if it asks for none."""
    symbols = _symbols(reading)
    if symbols is None:
        return None
    written = _pretty(symbols)
    try:
        value = _Parser(_LEXEME.findall(symbols)).value()
    except (ZeroDivisionError, OverflowError, ValueError):
        return Sum(written, None)
    return Sum(written, value if math.isfinite(value) else None)


def format_number(value: float, language: Language) -> str:
    """A number as people write it: no needless decimals, the language's separators."""
    if value == int(value) and abs(value) < 10**MOST_DIGITS:
        text = f"{int(value):,}"
    elif abs(value) >= 10**MOST_DIGITS or 0 < abs(value) < 1e-4:
        text = f"{value:.6g}"
    else:
        text = f"{value:,.4f}".rstrip("0").rstrip(".")
    return text.translate(str.maketrans(",.", ".,")) if language == "de" else text


def _symbols(reading: Reading) -> str | None:
    lowered = fold(reading.text[: LONGEST_SUM * 2]).replace("\n", " ")
    if not any(character.isdigit() for character in lowered) or not _CUE.search(lowered):
        return _bare(lowered, reading)
    return _find(lowered)


def _bare(lowered: str, reading: Reading) -> str | None:
    """A message that is nothing but a sum: ``12*7``."""
    if len(reading.text) > LONGEST_SUM or any(
        len(word.text) > 1 for word in reading.words if word.kind == "word"
    ):
        return None
    return _find(lowered)


def _find(lowered: str) -> str | None:
    if _DATE.search(lowered):
        return None
    for pattern, symbol in _WORDS:
        lowered = re.sub(pattern, f" {symbol} ", lowered)
    match = _SUM.search(lowered)
    return match.group() if match else None


def _pretty(symbols: str) -> str:
    shown = re.sub(r"\s*p\s*\*\s*", " % · ", symbols)
    shown = re.sub(r"\s*([+*/^-])\s*(?=[\d(r])(?<!\A)", r" \1 ", shown)
    for symbol, sign in (("*", "·"), ("r", "√"), ("-", "−")):
        shown = shown.replace(symbol, sign)
    return re.sub(r"√\s+", "√", re.sub(r"\s+", " ", shown)).strip()


class _Parser:
    """Plain precedence: power, then product, then sum."""

    def __init__(self, lexemes: list[str]) -> None:
        self._rest = lexemes[::-1]

    def value(self) -> float:
        value = self._sum()
        if self._rest:
            raise ValueError("something is left over")
        return value

    def _next(self) -> str:
        return self._rest[-1] if self._rest else ""

    def _sum(self) -> float:
        value = self._product()
        while self._next() in {"+", "-"} and self._rest:
            operator = self._rest.pop()
            other = self._product()
            value = value + other if operator == "+" else value - other
        return value

    def _product(self) -> float:
        value = self._power()
        while self._next() in {"*", "/", "p"} and self._rest:
            operator = self._rest.pop()
            if operator == "p":
                value /= 100
                continue
            other = self._power()
            value = value * other if operator == "*" else value / other
        return value

    def _power(self) -> float:
        base = self._atom()
        if self._next() != "^" or not self._rest:
            return base
        self._rest.pop()
        exponent = self._power()
        if abs(exponent) > _LARGEST_EXPONENT:
            raise OverflowError
        result = base**exponent
        return float(result.real) if result.imag == 0 else math.nan

    def _atom(self) -> float:
        if not self._rest:
            raise ValueError("a number is missing")
        lexeme = self._rest.pop()
        if lexeme == "-":
            return -self._atom()
        if lexeme == "r":
            return math.sqrt(self._atom())
        if lexeme == "(":
            value = self._sum()
            if not self._rest or self._rest.pop() != ")":
                raise ValueError("a bracket is open")
            return value
        return _number(lexeme)


def _number(lexeme: str) -> float:
    """Comma and point: the last one is the decimal sign unless exactly three digits follow a group sign."""
    if "," in lexeme and "." in lexeme:
        decimal = max(lexeme.rfind(","), lexeme.rfind("."))
        whole = re.sub(r"[.,]", "", lexeme[:decimal])
        return float(f"{whole}.{lexeme[decimal + 1 :]}")
    parts = re.split(r"[.,]", lexeme)
    if len(parts) > 2 or (len(parts) == 2 and len(parts[1]) == 3 and "." in lexeme):
        return float("".join(parts))
    return float(".".join(parts))
