"""What the doctor looks at. No look raises, starts a model or changes anything but starting the stores."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import asdict, dataclass
from typing import Final

import httpx
from pydantic import JsonValue

from novaberg.errors import NovabergError, PortUnavailableError, SettingsError, UnsafeBindError
from novaberg.memory.checks import check_stores
from novaberg.models.checks import check_model
from novaberg.server.access import check_bind
from novaberg.server.listening import bind
from novaberg.settings import Settings, unknown_variables
from novaberg.turns.calibration import load_ageing

log = logging.getLogger(__name__)

ASK_SERVER_S: Final = 2.0
"""Seconds for the server that holds the port to say who it is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How a part is. ``ok`` with a ``remedy`` is a hint."""

    part: str
    ok: bool
    detail: str
    remedy: str = ""

    def as_json(self) -> dict[str, JsonValue]:
        """For ``doctor --json``."""
        return asdict(self)


async def examine(settings: Settings) -> list[Finding]:
    """All parts, in the order in which they depend on each other."""
    stores, model, port = await asyncio.gather(
        check_stores(settings), check_model(settings), _check_port(settings)
    )
    return [
        _check_settings(settings),
        _check_eigenzeit(),
        *(Finding(found.part, found.ok, found.detail, found.remedy) for found in stores),
        Finding("model", model.ok, model.detail, model.remedy),
        _check_perception(settings, model_ok=model.ok),
        port,
    ]


def unusable_settings(error: SettingsError) -> Finding:
    """The one finding when nothing else can be looked at."""
    return Finding("settings", False, error.message, 'See the README, section "Settings".')


def _check_settings(settings: Settings) -> Finding:
    try:
        check_bind(settings.host, settings.token.get_secret_value())
    except UnsafeBindError as error:
        return _failed("settings", error)
    unknown = unknown_variables(os.environ)
    if unknown:
        return Finding(
            "settings",
            True,
            f"set, but no setting: {', '.join(unknown)}",
            'Correct the name, or remove it; see the README, section "Settings".',
        )
    given = sorted(f"NOVABERG_{name.upper()}" for name in settings.model_fields_set)
    return Finding("settings", True, f"set: {', '.join(given)}" if given else "all at their defaults")


def _check_eigenzeit() -> Finding:
    """The marks of Nova's own time must ascend, their factors descend (spec 01 §3.6.3)."""
    try:
        problems = load_ageing().problems()
    except SettingsError as error:
        return _failed("eigenzeit", error)
    if problems:
        return Finding(
            "eigenzeit", False, "; ".join(problems), "Correct or remove the EIGENZEIT_* variables."
        )
    return Finding("eigenzeit", True, "marks ascend, factors descend")


def _check_perception(settings: Settings, *, model_ok: bool) -> Finding:
    if settings.perception == "local":
        return Finding("perception", True, "the built-in perception reads the person")
    if model_ok:
        return Finding("perception", True, f"{settings.model} reads the person")
    return Finding(
        "perception",
        False,
        "the model that should read the person cannot answer",
        "Mend the model, or set NOVABERG_PERCEPTION=local.",
    )


async def _check_port(settings: Settings) -> Finding:
    where = f"{settings.host}:{settings.port}"
    try:
        bind(settings.host, settings.port).close()
    except PortUnavailableError as error:
        version = await _version_of_server(settings)
        if version is None:
            return _failed("port", error)
        return Finding("port", True, f"{where} is served by Novaberg {version}")
    return Finding("port", True, f"{where} is free")


async def _version_of_server(settings: Settings) -> str | None:
    """The version of the Novaberg that holds the port, ``None`` if it is something else."""
    token = settings.token.get_secret_value()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=ASK_SERVER_S) as client:
            answer = await client.get(f"http://{host}:{settings.port}/health", headers=headers)
            found = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        log.debug("the server at the port did not say who it is: %s", error)
        return None
    return str(found["version"]) if isinstance(found, dict) and found.get("server") == "ok" else None


def _failed(part: str, error: NovabergError) -> Finding:
    """Our messages end with the sentence that says what to do."""
    detail, stop, remedy = error.message.rpartition(". ")
    return Finding(part, False, detail + stop.rstrip(), remedy)
