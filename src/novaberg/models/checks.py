"""Whether the configured model could answer, for `novaberg doctor` (case J1)."""

from __future__ import annotations

from novaberg.errors import SettingsError
from novaberg.models.protocol import ModelHealth
from novaberg.models.registry import build_model
from novaberg.settings import Settings


async def check_model(settings: Settings) -> ModelHealth:
    """Cause and remedy, one line each, of whatever keeps NOVABERG_MODEL from answering; never raises for that."""
    try:
        model = build_model(settings)
    except SettingsError as error:
        return ModelHealth(False, *_cause_and_remedy(error.message))
    try:
        return await model.check()
    finally:
        await model.close()


def _cause_and_remedy(message: str) -> tuple[str, str]:
    cause, semicolon, remedy = message.partition("; ")
    return (f"{cause}.", f"{remedy[0].upper()}{remedy[1:]}") if semicolon else (message, "")
