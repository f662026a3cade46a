"""``db_zugriff`` and ``ei_calc_persist`` alone, on real stores, with their log rows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import uuid4

from langgraph.runtime import Runtime

from bench.measure import Limit, Result, median, percentile, temporary_home
from novaberg.clock import SystemClock, unix_time
from novaberg.conversation.late import finished_tail
from novaberg.conversation.snapshot import TurnSession
from novaberg.conversation.state import ConversationState, character_state
from novaberg.ei.ageing import DEFAULT_AGEING
from novaberg.graph.context import GraphContext, Scene, Services
from novaberg.graph.nodes.db_zugriff import db_zugriff
from novaberg.graph.nodes.ei_calc_persist import ei_calc_persist
from novaberg.memory.servers.services import open_services
from novaberg.memory.stores import Stores, open_stores
from novaberg.models.builtin import BuiltinModel
from novaberg.pair import Pair
from novaberg.prompts import load_prompts
from novaberg.settings import Settings, load_settings

RUNS = 400
WARM_UP = 50
PAIR = Pair("bench", "nova")

Node = Callable[[ConversationState, Runtime[GraphContext]], Awaitable[ConversationState]]


async def bench_db_zugriff() -> Result:
    return await _bench("db_zugriff", db_zugriff, median_ms=3.0, p95_ms=5.0)


async def bench_ei_calc_persist() -> Result:
    return await _bench("ei_calc_persist", ei_calc_persist, median_ms=1.0, p95_ms=2.0)


async def _bench(name: str, node: Node, *, median_ms: float, p95_ms: float) -> Result:
    with temporary_home() as home:
        settings = load_settings(home=home)
        async with _open(settings) as context:
            await _seed(context.services.stores)
            loaded = {**_start(), **await db_zugriff(_start(), Runtime(context=context))}
            state: ConversationState = {**loaded, "raw_turns": _turns()}
            times = await _timed(node, state, context)
    figures = {"median_ms": median(times), "p95_ms": percentile(times, 0.95), "runs": len(times)}
    limits = (
        Limit("median_ms", figures["median_ms"], median_ms),
        Limit("p95_ms", figures["p95_ms"], p95_ms),
    )
    return Result(name, dict(figures), limits)


async def _timed(node: Node, state: ConversationState, context: GraphContext) -> list[float]:
    times = []
    for run in range(WARM_UP + RUNS):
        start = time.perf_counter()
        await node({**state, "turn_id": uuid4().hex}, Runtime(context=context))
        if run >= WARM_UP:
            times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0)
    return times


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[GraphContext]:
    clock = SystemClock()
    async with open_services(settings) as urls, open_stores(settings, clock, urls) as stores:
        model = BuiltinModel(settings)
        services = Services(
            stores=stores,
            model=model,
            perception_model=model,
            prompts=load_prompts(),
            clock=clock,
            scene=Scene(name="Nova", language="de", timezone=settings.timezone, region=settings.region),
            ageing=DEFAULT_AGEING,
        )
        session = TurnSession(stores.sessions, PAIR, "")
        yield GraphContext(services=services, session=session, human_tail=finished_tail())


async def _seed(stores: Stores) -> None:
    now = unix_time(datetime.now(UTC))
    await stores.nova_states.save(
        PAIR,
        {
            "raum_tiefe": "0.51",
            "raum_naehe": "0.64",
            "emotion": "begeisterung",
            "arousal": "0.9",
            "emotions_vector": "plateau",
            "mode": "fachgespraech",
            "language_style": "locker",
            "relationship_dynamic": "vertrauen",
            "tone": "empathisch",
            "intent": "personal",
            "prompt_topic": "Gefühl des Einklangs",
            "turn_zeit": str(now - 4000),
            "nutzer_zeit": str(now - 4000),
        },
    )


def _start() -> ConversationState:
    return character_state(
        payload={
            "turn_id": uuid4().hex,
            "empfangen_am": unix_time(datetime.now(UTC)),
            "user_prompt": "Mein Hund ist wieder gesund!",
            "current_emotion": "freude",
            "current_arousal": 0.7,
            "wahrnehmung_herkunft": "gelesen",
        },
        source="user",
        user_id=PAIR.user_id,
        character_id=PAIR.character_id,
        turn_id=uuid4().hex,
    )


def _turns() -> tuple[dict[str, object], ...]:
    text = "Das freut mich sehr, und ich würde gern mehr darüber hören, wie es ihm heute geht."
    return tuple(
        {"rolle": role, "inhalt": text, "emotion": "freude", "arousal": 0.6, "herkunft": "nutzer_turn"}
        for _ in range(12)
        for role in ("user", "assistant")
    )
