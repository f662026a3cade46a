"""The model behind the name ``builtin``: the whole protocol without a language model (design §5)."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
from collections.abc import AsyncIterator
from typing import Final

from pydantic import BaseModel, JsonValue

from novaberg.errors import NovabergError
from novaberg.models.builtin.perceiving import read_fully
from novaberg.models.builtin.salience import rate
from novaberg.models.builtin.summary import summarise
from novaberg.models.builtin.voice import respond
from novaberg.models.material import PerceptionMaterial, ReplyMaterial, SalienceMaterial, SummaryMaterial
from novaberg.models.perceiver.perceiver import shared_perceiver
from novaberg.models.protocol import ChatReply, ChatRequest, ModelHealth
from novaberg.settings import Settings

log = logging.getLogger(__name__)

NAME: Final = "builtin"
_PIECE: Final = re.compile(r"\S+\s*")
"""Streaming yields word by word."""


class BuiltinModel:
    """Perception by trained heads and rules; salience, summary and voice by rules and word lists. German and English.

    Needs no download, no network and no state of its own; the same request gives the same reply.

    Args:
        settings: of this process; the built-in model has none of its own, the region arrives with the material.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def warm_up(self) -> None:
        """Load the trained perception in the background, so that the first turn need not wait for it."""
        threading.Thread(target=_load_perception, name="perception", daemon=True).start()

    @property
    def name(self) -> str:
        """``builtin``."""
        return NAME

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer from ``request.material``; the prompt blocks are for language models and are not read."""
        started = time.monotonic()
        if isinstance(request.material, PerceptionMaterial):
            text, data = await asyncio.to_thread(_work, request)  # the encoders work for tens of milliseconds
        else:
            text, data = _work(request)
        return ChatReply(
            text=text,
            data=data,
            parsed=_parsed(request.output, data),
            model=NAME,
            tokens_in=0,
            tokens_out=0,
            duration_s=time.monotonic() - started,
        )

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The text of the answer, word by word."""
        text, _ = _work(request)
        for piece in _PIECE.findall(text):
            yield piece

    async def check(self) -> ModelHealth:
        """Always ready."""
        return ModelHealth(True, "the built-in model (rules and word lists) is ready")

    async def close(self) -> None:
        """Nothing to release."""


def _load_perception() -> None:
    try:
        shared_perceiver()
    except NovabergError as error:
        log.error("the trained perception cannot be loaded: %s", error.message)  # each reading says so again


def _work(request: ChatRequest) -> tuple[str, JsonValue]:
    """Text and, for classifying callers, the JSON value."""
    material = request.material
    match material:
        case PerceptionMaterial():
            return _as_json(read_fully(material).perception.to_json())
        case SalienceMaterial():
            return _as_json(rate(material).to_json())
        case ReplyMaterial():
            return respond(material), None
        case SummaryMaterial():
            return summarise(material), None


def _as_json(data: dict[str, JsonValue]) -> tuple[str, JsonValue]:
    return json.dumps(data, ensure_ascii=False), data


def _parsed(output: type[BaseModel] | None, data: JsonValue) -> BaseModel | None:
    return output.model_validate(data) if output is not None and data is not None else None
