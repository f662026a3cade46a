"""The running program as its surfaces see it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from novaberg.clock import SystemClock
from novaberg.memory.stores import Stores
from novaberg.models.protocol import ModelHealth
from novaberg.settings import load_settings
from novaberg.turns.program import Program
from tests.support.scripted_model import ScriptedChatModel

STORES = cast("Stores", SimpleNamespace(turns=None))


class SilentModel(ScriptedChatModel):
    """An open model that cannot answer just now."""

    async def check(self) -> ModelHealth:
        return ModelHealth(False, "Der Server schweigt.")


async def test_a_program_that_answers_asks_the_model_that_is_open() -> None:
    """Case J1: what is told is told of the model in use, and no model file is loaded a second time."""
    program = Program(load_settings(), SystemClock(), STORES, model=SilentModel())
    assert (await program.check_model()).detail == "Der Server schweigt."


async def test_a_program_that_only_looks_asks_the_model_of_the_settings() -> None:
    """Case J1."""
    program = Program(load_settings(model="gguf:/nowhere.gguf"), SystemClock(), STORES)
    health = await program.check_model()
    assert not health.ok
    assert "nowhere.gguf" in health.detail
