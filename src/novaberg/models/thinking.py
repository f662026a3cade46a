"""Removes a model's reasoning from what it said (case F7: opened, unclosed, or only closed).

Known markers: ``<think>``, ``<thinking>``, ``<thought>``, ``<reasoning>``, ``<seed:think>``, ``[THINK]``,
``<|think|>``, the channels of Harmony (``<|channel|>analysis<|message|>…<|end|>``) and of Gemma
(``<|channel>thought…<channel|>``), in any case of letters. When in doubt text is dropped, never shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NAMES: Final = "think|thinking|thought|reasoning|seed:think"
_MARKER: Final = re.compile(
    rf"""
      (?P<opener>
          <\s{{0,3}}(?:{_NAMES})(?:\s{{1,3}}[\w-]{{1,20}}=[^<>]{{0,30}})?\s{{0,3}}>
        | <\|think\|> | \[think\] | <\|channel> )
    | (?P<closer>
          <\s{{0,3}}/\s{{0,3}}(?:{_NAMES})\s{{0,3}}>
        | <\|/think\|> | \[/think\] | <channel\|> | </channel\|> )
    | (?P<header>   <\|channel\|> | <\|start\|> )
    | (?P<body>     <\|message\|> )
    | (?P<boundary> <\|end\|> | <\|return\|> )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_MARKER: Final = 80
"""Characters; no marker of the pattern above is longer."""
_BRACKET_MARKERS: Final = ("[think]", "[/think]")
_SILENT_CHANNELS: Final = ("analysis", "commentary")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Text without reasoning, stripped, and how many characters were removed."""

    text: str
    thinking_chars: int


def remove_thinking(text: str) -> Spoken:
    """What is left of a whole reply: text outside of the markers; after a lone closing marker only the rest."""
    thinking = ThinkingFilter(hold=True)
    spoken = (thinking.feed(text) + thinking.finish()).strip()
    return Spoken(spoken, thinking.removed_chars)


class ThinkingFilter:
    """The same for a reply that arrives in pieces, wherever the cuts fall.

    Args:
        hold: keep everything back until the end. Only that hides reasoning whose opening marker stands in
            the prompt, so that the reply carries the closing one alone. With ``hold=False`` text flows at once;
            if a lone closing marker then comes, `leaked` tells that reasoning has already been handed out.
    """

    def __init__(self, *, hold: bool) -> None:
        self._hold = hold
        self._pending = ""
        self._kept: list[str] = []
        self._inside = False
        self._header: str | None = None
        self._seen = 0
        self._released = 0
        self.lone_closer = False
        """A closing marker came without an opening one: this model begins inside its reasoning."""

    @property
    def leaked(self) -> bool:
        """Whether text that turned out to be reasoning was handed out."""
        return self.lone_closer and not self._hold and self._released > 0

    @property
    def removed_chars(self) -> int:
        """Characters that were taken in and not handed out (markers included); final after `finish`."""
        return self._seen - self._released

    def feed(self, piece: str) -> str:
        """Take the next piece; gives the text that may be shown now."""
        self._seen += len(piece)
        text = self._pending + piece
        position = 0
        for marker in _MARKER.finditer(text):
            self._take(text[position : marker.start()])
            self._turn(marker)
            position = marker.end()
        cut = _start_of_unfinished_marker(text, position)
        self._take(text[position:cut])
        self._pending = text[cut:]
        return "" if self._hold else self._release()

    def finish(self) -> str:
        """The rest, once the reply has ended."""
        self._take(self._pending)
        self._pending = ""
        return self._release()

    def _take(self, text: str) -> None:
        if self._header is not None:
            self._header += text
        elif not self._inside:
            self._kept.append(text)

    def _turn(self, marker: re.Match[str]) -> None:
        match marker.lastgroup:
            case "opener":
                self._inside = True
            case "closer":
                if not self._inside:
                    self.lone_closer = True
                    self._kept.clear()
                self._inside = False
            case "header":
                self._header = ""
            case "body" if self._header is not None:
                self._inside = any(name in self._header.lower() for name in _SILENT_CHANNELS)
                self._header = None
                self._kept.clear()
            case "boundary":
                self._inside = False

    def _release(self) -> str:
        text = "".join(self._kept)
        self._kept.clear()
        self._released += len(text)
        return text


def _start_of_unfinished_marker(text: str, position: int) -> int:
    """Index from which the end of ``text`` could still become a marker; ``len(text)`` if nothing could."""
    window = max(position, len(text) - _LONGEST_MARKER)
    angle = text.rfind("<", window)
    if angle >= 0 and ">" not in text[angle:]:
        return angle
    bracket = text.rfind("[", window)
    tail = text[bracket:].lower()
    if bracket >= 0 and any(marker.startswith(tail) for marker in _BRACKET_MARKERS):
        return bracket
    return len(text)
