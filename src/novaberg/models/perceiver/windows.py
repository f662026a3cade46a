"""What of a text the encoders get to see: cleaned of control characters, and of long texts the beginning and the end.

An encoder's time grows with the text. People put what moves them first or last; the middle of a long text is left out
rather than averaged away. The fast encoder gets a wide window, the slow one a narrow one.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowCalibration:
    """Characters per encoder; chosen by time, the accuracy does not move (training/report.md)."""

    use_head: int = 1400
    use_tail: int = 600
    e5_head: int = 240
    e5_tail: int = 120


DEFAULT_WINDOW = WindowCalibration()


def cleaned(text: str) -> str:
    """``text`` with control characters, lone surrogates and runs of blanks replaced by one blank each, stripped."""
    kept = (" " if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} else sign for sign in text)
    return " ".join("".join(kept).split())


def window(text: str, *, head: int, tail: int) -> str:
    """``text`` if it is not longer than ``head + tail`` characters, else its beginning and end, cut at blanks."""
    if len(text) <= head + tail:
        return text
    begin = text[:head]
    end = text[-tail:]
    begin = begin.rsplit(" ", 1)[0] if " " in begin else begin
    end = end.split(" ", 1)[1] if " " in end else end
    return f"{begin} {end}"
