"""The still parts of the page: header, the room for the conversation, the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nicegui.element import Element

from novaberg.clock import local
from novaberg.settings import Settings
from novaberg.web.elements import Button, Handler, Words, box, show
from novaberg.web.formats import grouped
from novaberg.web.octagon import (
    DEFAULT_OCTAGON,
    Octagon,
    empty_octagon,
    octagon_of,
    polygon_points,
    state_moment,
)
from novaberg.web.texts import Texts

LONGEST_MESSAGE: Final = 150_000
"""Characters that fit into one frame of the socket, however they are written."""
REMEMBERED_VERDICTS: Final = 20
"""Verdicts about sent messages that the field is told again, in case that it missed some."""

_FIELD_TEXTS: Final = (
    "field_label",
    "send",
    "hint",
    "sending",
    "not_arrived",
    "send_again",
    "edit_again",
    "to_the_end",
    "connected",
    "disconnected",
)
"""Texts that the field needs in the browser."""


class Header:
    """Nova's name and her state."""

    def __init__(self, settings: Settings, texts: Texts) -> None:
        self._settings = settings
        self._texts = texts
        with box("header", "nb-top"), box("div", "nb-inner"):
            self._drawing = box("svg", "nb-octagon")
            with self._drawing:
                box("polygon", "nb-octagon-rim").props["points"] = polygon_points(DEFAULT_OCTAGON.rim)
                self._body = box("polygon", "nb-octagon-body")
                self._pointer = box("circle", "nb-octagon-pointer")
            self._drawing.props.update({"viewBox": "-54 -54 108 108", "role": "img"})
            with box("div", "nb-who"):
                Words("h1", "nb-name", settings.character_name)
                self._mood = Words("p", "nb-mood")
        self._draw(empty_octagon(""))  # nothing is claimed before the stores were asked

    def show_state(self, stored: Mapping[str, str]) -> None:
        """Draw what is stored (``nova_state``)."""
        moment = state_moment(stored)
        time = f"{local(moment, self._settings.timezone):%d.%m.%Y %H:%M}" if moment else "—"
        self._draw(octagon_of(stored, name=self._settings.character_name, time=time, texts=self._texts))

    def show_missing(self) -> None:
        """The store does not answer."""
        self._draw(empty_octagon(self._texts.state_failed))

    def _draw(self, octagon: Octagon) -> None:
        self._drawing.props.update({"aria-label": octagon.title})
        self._body.props.update({"points": polygon_points(octagon.radius), "fill": octagon.colour or "none"})
        x, y = octagon.pointer or (0, 0)
        self._pointer.props.update(
            {
                "cx": x,
                "cy": y,
                "r": DEFAULT_OCTAGON.dot if octagon.pointer else 0,
                "fill": octagon.colour or "none",
            }
        )
        self._mood.text = octagon.words
        self._mood.props["title"] = octagon.title


class Composer(Element, component="assets/composer.js"):
    """The field and what was sent from it but is not confirmed."""

    def __init__(self, texts: Texts, settings: Settings, *, on_say: Handler, on_restored: Handler) -> None:
        super().__init__()
        limit = min(settings.max_prompt_chars, LONGEST_MESSAGE)
        self.props["texts"] = {
            **{key: getattr(texts, key) for key in _FIELD_TEXTS},
            "placeholder": texts.placeholder.format(name=settings.character_name),
            "too_long": texts.too_long.replace("{limit}", grouped(limit, texts)),
        }
        self.props["limit"] = limit
        self.props["verdicts"] = ()
        self.on("say", on_say)
        self.on("restored", on_restored)

    def settle(self, identifier: str, reason: str = "") -> None:
        """Tell what became of a message: it is stored, or refused for a reason."""
        kept = self.props["verdicts"][-REMEMBERED_VERDICTS:]
        self.props["verdicts"] = (*kept, {"id": identifier, "reason": reason})


class Frame:
    """Everything that is there before the first word."""

    def __init__(
        self,
        settings: Settings,
        texts: Texts,
        *,
        on_say: Handler,
        on_restored: Handler,
        on_older: Handler,
        on_reload: Handler,
    ) -> None:
        self.header = Header(settings, texts)
        with box("div", "nb-page"):
            self.older = Button("nb-quiet nb-older", texts.older, on_older)
            self.welcome = box("section", "nb-welcome")
            with self.welcome:
                _welcome(settings, texts)
            self.talk = box("ol", "nb-talk")
            self.talk.props["aria-label"] = texts.conversation
            self._notice = box("div", "nb-notice")
            with self._notice:
                self._notice_text = Words("p", "nb-trouble-text")
                with box("p", "nb-choices"):
                    Button("nb-quiet", texts.load_again, on_reload)
            self.composer = Composer(texts, settings, on_say=on_say, on_restored=on_restored)
        self._spoken = Words("div", "nb-hidden")
        self._spoken.props["aria-live"] = "polite"
        for hidden in (self.older, self.welcome, self._notice):
            show(hidden, False)

    def speak(self, text: str) -> None:
        """Tell a screen reader what has just arrived."""
        self._spoken.text = text

    def note(self, text: str) -> None:
        """Say what does not work right now; ``""`` takes it back."""
        self._notice_text.text = text
        show(self._notice, bool(text))


def _welcome(settings: Settings, texts: Texts) -> None:
    """What this is, what it keeps and where (promise P17)."""
    own_stores = bool(settings.database_url or settings.redis_url)
    kept = (texts.kept_elsewhere if own_stores else texts.kept_here).format(home=settings.home)
    model = f"{settings.model} ({settings.model_url})" if settings.model_url else settings.model
    is_here = settings.model == "builtin" or settings.model.startswith("gguf:")
    words = texts.model_here if is_here else texts.model_elsewhere.format(model=model)
    Words("h2", "nb-welcome-head", texts.empty_heading)
    Words("p", "", f"{texts.empty_being.format(name=settings.character_name)} {texts.empty_feelings}")
    Words("p", "", f"{kept} {words}" if is_here and not own_stores else f"{words} {kept}")
    Words("p", "", texts.empty_start)
