"""The few elements that the page is made of: native tags and three components of our own.

Neither needs code that is compiled in the browser, so that the page's policy can forbid it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments

from novaberg.web.markdown import Drawing
from novaberg.web.trace import Line

Handler = Callable[[GenericEventArguments], Awaitable[None] | None]
NO_ARGUMENTS: Final[Sequence[str]] = ()
"""Of a browser's event the server gets nothing but that it happened."""


class Words(TextElement):
    """A tag with text in it. The text is never read as anything else."""

    def __init__(self, tag: str, css: str, text: str = "") -> None:
        super().__init__(tag=tag, text=text)
        self.classes(css)


class Button(Words):
    """A native button with our own look."""

    def __init__(self, css: str, text: str, on_click: Handler) -> None:
        super().__init__("button", css, text)
        self.props["type"] = "button"
        self.on("click", on_click, args=NO_ARGUMENTS)


class Prose(Element, component="assets/prose.js"):
    """What a model wrote, drawn from the tree of `novaberg.web.markdown`."""

    def __init__(self, tree: tuple[Drawing, ...]) -> None:
        super().__init__()
        self.props["tree"] = tree


class TraceList(Element, component="assets/trace.js"):
    """Rows that unfold."""

    def __init__(self, heading: str, columns: Sequence[str], lines: tuple[Line, ...]) -> None:
        super().__init__()
        self.props["heading"] = heading
        self.props["columns"] = tuple(columns)
        self.props["lines"] = lines


def box(tag: str, css: str) -> Element:
    """A native tag for others."""
    return Element(tag).classes(css)


def show(element: Element, shown: bool) -> None:
    """Show or hide an element, also from screen readers."""
    element.props.set_bool("hidden", not shown)
