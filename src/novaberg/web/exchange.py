"""One exchange on the page: what was said, the line between, Nova's words, and how they came about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from nicegui.element import Element

from novaberg.web.elements import Button, Prose, TraceList, Words, box, show
from novaberg.web.ledger import Assignment, Exchange
from novaberg.web.markdown import Branch, drawings
from novaberg.web.texts import Texts
from novaberg.web.trace import Line

_FADED: Final = "nb-faded"


@dataclass(frozen=True, slots=True)
class Actions:
    """What a person may do with an exchange."""

    retry: Callable[[ShownExchange], Awaitable[None]]
    look_inside: Callable[[ShownExchange], Awaitable[None]]


class ShownExchange(Exchange):
    """An exchange with its elements, which appear where it is created."""

    def __init__(self, texts: Texts, actions: Actions, *, name: str) -> None:
        super().__init__()
        self._texts = texts
        self._name = name
        self.root = box("li", "nb-exchange")
        with self.root:
            self._mark = Words("p", "nb-mark")
            self._said = box("div", "nb-said")
            self._between = box("div", "nb-between")
            with self._between:
                self._stage = Words("p", "nb-stage")
                self._strip = box("div", "nb-strip")
            self._trace = box("div", "nb-trace-place")
            self._answer = box("div", "nb-answer")
            self._trouble = box("div", "nb-trouble")
        with self._strip:
            self._toggle = Button("nb-quiet nb-toggle", "", lambda _: actions.look_inside(self))
            self._origins = box("span", "nb-origins")
        with self._trouble:
            self._trouble_text = Words("p", "nb-trouble-text")
            with box("p", "nb-choices"):
                Button("nb-quiet", texts.try_again, lambda _: actions.retry(self))
        self._toggle.props["aria-expanded"] = "false"
        for hidden in (self._mark, self._between, self._strip, self._answer, self._trouble):
            show(hidden, False)

    # ── the person ───────────────────────────────────────────────────────────

    def show_mark(self, text: str, title: str) -> None:
        """Tell the time above the exchange; ``""`` = it needs no telling."""
        self._mark.text = text
        self._mark.props["title"] = title
        show(self._mark, bool(text))

    def show_said(self, identifier: str, text: str, *, title: str, via: str = "") -> None:
        """Add a message; a known one is not added twice."""
        if identifier in self.ids:
            return
        self.ids.append(identifier)
        with self._said:
            bubble = box("div", "nb-bubble")
            bubble.props["title"] = title
            with bubble:
                Words("span", "nb-hidden", f"{self._texts.you}: ")
                Words("span", "nb-bubble-text", text).props["dir"] = "auto"
            if via:
                Words("p", "nb-via", via)

    def absorb(self, other: ShownExchange) -> None:
        """Take over the messages of another exchange that turned out to be part of this one."""
        for element in list(other._said.default_slot.children):
            element.move(self._said)
        other.root.delete()

    # ── on the way ───────────────────────────────────────────────────────────

    def show_stage(self, text: str) -> None:
        """The line under the message; it replaces the one before."""
        self._stage.text = text
        self._stage.classes(remove=_FADED)
        show(self._strip, False)
        show(self._between, True)

    def show_trouble(self, text: str) -> None:
        """What happened, what is safe, what to do."""
        self._trouble_text.text = text
        show(self._trouble, True)

    def clear_trouble(self) -> None:
        """It is being tried again."""
        show(self._trouble, False)

    # ── Nova ─────────────────────────────────────────────────────────────────

    def show_answer(self, blocks: Sequence[Branch], assignment: Assignment) -> None:
        """Nova's words; the stage line fades."""
        self.answered = True
        self._stage.classes(_FADED)
        with self._answer:
            Words("span", "nb-hidden", f"{self._name}: ")
            if assignment == "impuls":
                Words("p", "nb-caption", self._texts.own_impulse)
            if assignment == "fremd":
                self._answer.classes("nb-doubtful")
                Words("p", "nb-caption", self._texts.doubtful)
            Prose(drawings(blocks))
        show(self._answer, True)

    def show_strip(self, text: str, *, title: str = "", origins: Sequence[str] = ()) -> None:
        """The folded line of a finished turn, with what was not perceived."""
        self._toggle.text = text
        self._toggle.props.set_optional("title", title or None)
        self._origins.clear()
        with self._origins:
            for origin in origins:
                Words("span", "nb-origin", origin)
        self._stage.classes(_FADED)
        show(self._strip, True)
        show(self._between, True)

    # ── inside ───────────────────────────────────────────────────────────────

    @property
    def is_unfolded(self) -> bool:
        """Whether the trace is open."""
        return bool(self._toggle.props["aria-expanded"] == "true")

    def fold(self) -> None:
        """Close the trace and forget its rows."""
        self._trace.clear()
        self._toggle.props["aria-expanded"] = "false"

    def unfold(self) -> None:
        """Open the place of the trace while it is loaded."""
        self._toggle.props["aria-expanded"] = "true"
        self.show_trace_note(self._texts.trace_loading)

    def show_trace(self, lines: tuple[Line, ...]) -> None:
        """The rows."""
        self._fill_trace(lambda: TraceList(self._texts.trace_heading, self._texts.trace_columns, lines))

    def show_trace_note(self, text: str) -> None:
        """Why there are no rows."""
        self._fill_trace(lambda: Words("p", "nb-note", text))

    def _fill_trace(self, make: Callable[[], Element]) -> None:
        self._trace.clear()
        with self._trace:
            make()
