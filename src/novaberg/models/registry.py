"""From the settings to an open model (design §5, §7)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from novaberg.errors import UnknownModelError
from novaberg.models.addresses import normal_address
from novaberg.models.backends import ChatBackend
from novaberg.models.gate import gate_for
from novaberg.models.protocol import ChatModel
from novaberg.models.served import ServedChatModel, ServedLimits
from novaberg.settings import Settings

if TYPE_CHECKING:
    from novaberg.models.builtin import BuiltinModel

Provider = Literal["builtin", "ollama", "openai", "anthropic", "gguf"]

OLLAMA_PORT: Final = 11434
GGUF_CONCURRENCY: Final = 1
"""The engine in this process works on one call at a time."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """NOVABERG_MODEL, read."""

    provider: Provider
    name: str
    """Name at the provider or path of the file; ``""`` for the built-in model."""


def parse_model(text: str) -> ModelChoice:
    """Read ``builtin``, ``ollama:NAME``, ``openai:NAME``, ``anthropic:NAME`` or ``gguf:PATH``.

    Raises:
        UnknownModelError: it is none of these; the message suggests what was probably meant.
    """
    provider, colon, name = text.strip().partition(":")
    provider, name = provider.strip().lower(), name.strip()
    if provider == "builtin" and not colon:
        return ModelChoice("builtin", "")
    for known in get_args(Provider):
        if provider == known and known != "builtin":
            if not name:
                raise UnknownModelError(f"NOVABERG_MODEL={text}: a name is missing; write {known}:NAME.")
            return ModelChoice(known, name)
    if text.strip().endswith(".gguf"):
        hint = f"did you mean gguf:{text.strip()}?"
    elif text.strip() and provider != "builtin":
        hint = f"did you mean ollama:{text.strip()}?"
    else:
        hint = "leave it out for the built-in model."
    raise UnknownModelError(
        f"NOVABERG_MODEL={text} is not understood: use builtin, ollama:NAME, openai:NAME, anthropic:NAME or"
        f" gguf:PATH; {hint}"
    )


@contextlib.asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[ChatModel]:
    """The model of NOVABERG_MODEL, closed at the end of the block. No server is called yet.

    Raises:
        UnknownModelError: NOVABERG_MODEL names none, or its file is missing.
        SettingsError: an extra is not installed, or NOVABERG_MODEL_URL is no address.
    """
    if parse_model(settings.model).provider == "builtin":
        async with _open_builtin(settings) as builtin:
            yield builtin
        return
    model = build_model(settings)
    try:
        yield model
    finally:
        await model.close()


@contextlib.asynccontextmanager
async def open_perception_model(settings: Settings, main: ChatModel) -> AsyncIterator[ChatModel]:
    """Who reads the person: the main model, or with NOVABERG_PERCEPTION=local the built-in one beside it."""
    if settings.perception == "model" or parse_model(settings.model).provider == "builtin":
        yield main
        return
    async with _open_builtin(settings) as builtin:
        yield builtin


@contextlib.asynccontextmanager
async def _open_builtin(settings: Settings) -> AsyncIterator[ChatModel]:
    model = _builtin(settings)
    model.warm_up()
    try:
        yield model
    finally:
        await model.close()


def build_model(settings: Settings) -> ChatModel:
    """The model of NOVABERG_MODEL; whoever builds it closes it. Raises as `open_model`."""
    choice = parse_model(settings.model)
    if choice.provider == "builtin":
        return _builtin(settings)
    backend = _backend(choice, settings)
    concurrency = GGUF_CONCURRENCY if choice.provider == "gguf" else settings.model_concurrency
    limits = ServedLimits(
        text_timeout_s=settings.model_timeout,
        form_timeout_s=settings.classify_timeout,
        context_window=settings.context_window,
    )
    return ServedChatModel(backend, gate_for(backend.address, concurrency=concurrency), limits)


def _builtin(settings: Settings) -> BuiltinModel:
    from novaberg.models.builtin import BuiltinModel

    return BuiltinModel(settings)


def _backend(choice: ModelChoice, settings: Settings) -> ChatBackend:
    match choice.provider:
        case "ollama":
            from novaberg.models import ollama

            told = settings.model_url or os.environ.get("OLLAMA_HOST", "") or ollama.DEFAULT_ADDRESS
            address = normal_address(told, default_port=OLLAMA_PORT, drop=("/api", "/v1"))
            return ollama.OllamaBackend(choice.name, address=address, context_window=settings.context_window)
        case "openai":
            from novaberg.models import openai

            told = settings.model_url or os.environ.get("OPENAI_BASE_URL", "") or openai.DEFAULT_ADDRESS
            return openai.OpenAIBackend(choice.name, address=_with_version(normal_address(told)))
        case "anthropic":
            from novaberg.models import anthropic

            told = settings.model_url or os.environ.get("ANTHROPIC_BASE_URL", "") or anthropic.DEFAULT_ADDRESS
            return anthropic.AnthropicBackend(choice.name, address=normal_address(told, drop=("/v1",)))
        case "gguf":
            from novaberg.models import gguf

            path = Path(choice.name).expanduser().absolute()
            return gguf.GgufBackend(path, context_window=settings.context_window)
        case "builtin":
            raise ValueError("the built-in model has no backend")


def _with_version(address: str) -> str:
    """An address without any path gets the one that all these servers use."""
    _, _, rest = address.partition("://")
    return address if "/" in rest else f"{address}/v1"
