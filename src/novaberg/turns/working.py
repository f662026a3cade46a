"""What a process adds to an open home in order to answer: graphs, a worker that takes turns, and the daily chores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from novaberg.clock import Clock
from novaberg.conversation.intake import cut_block
from novaberg.graph.context import Scene, Services
from novaberg.memory.stores import Stores
from novaberg.models.protocol import ChatModel
from novaberg.prompts import load_prompts
from novaberg.settings import Settings
from novaberg.turns.calibration import load_ageing
from novaberg.turns.housekeeping import Housekeeping, keeping_house
from novaberg.turns.lifecycle import TurnLifecycle
from novaberg.turns.worker import run_worker


@asynccontextmanager
async def working(
    settings: Settings, clock: Clock, stores: Stores, *, model: ChatModel, perception: ChatModel
) -> AsyncIterator[None]:
    """Take turns beside the body of the ``async with``; leaving lets those under way finish within their grace.

    Raises:
        SettingsError: a constant in the environment is unusable.
        DatabaseUnavailableError: the database does not answer.
    """
    lifecycle = TurnLifecycle(_services(settings, clock, stores, model=model, perception=perception))
    housekeeping = Housekeeping(stores.pipeline_log, retention_days=settings.log_retention_days)
    async with (
        run_worker(
            database=stores.database,
            store=stores.turns,
            handle=lifecycle.handle,
            on_failed=lifecycle.failed,
            cut=partial(cut_block, window=settings.intake_window),
            deadline_s=settings.turn_deadline,
        ),
        keeping_house(housekeeping, clock),
    ):
        yield


def _services(
    settings: Settings, clock: Clock, stores: Stores, *, model: ChatModel, perception: ChatModel
) -> Services:
    return Services(
        stores=stores,
        model=model,
        perception_model=perception,
        prompts=load_prompts(),
        clock=clock,
        scene=Scene(
            name=settings.character_name,
            language=settings.language,
            timezone=settings.timezone,
            region=settings.region,
        ),
        ageing=load_ageing(),
    )
