"""``GET /health`` (spec 01 §5.2): quick, whatever hangs."""

from __future__ import annotations

import asyncio
import time

import pytest

from novaberg.models.protocol import ModelHealth
from novaberg.server import health
from novaberg.server.health import ModelWatch
from tests.support.program import StubProgram
from tests.unit.server.conftest import Talk


async def test_all_lamps_are_green(talk: Talk) -> None:
    """Spec 01 §5.2."""
    body = (await talk(StubProgram()).get("/health")).json()
    assert [body[lamp] for lamp in ("server", "postgres", "redis", "modell")] == ["ok"] * 4


async def test_a_part_that_is_away_turns_its_lamp_red(talk: Talk) -> None:
    """Spec 01 §5.2: ``fehler``."""
    program = StubProgram()
    program.stores["redis"] = False
    program.model = ModelHealth(False, "gone", "start it")
    answer = await talk(program).get("/health")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["postgres"], body["redis"], body["modell"]) == ("ok", "fehler", "fehler")


async def test_a_hanging_model_server_does_not_hold_health_up(talk: Talk) -> None:
    """P13: hanging servers."""
    program = StubProgram()
    program.model_hangs = True
    client = talk(program)
    start = time.monotonic()
    body = (await client.get("/health")).json()
    assert time.monotonic() - start < health.MODEL_WAIT_S + 1.0
    assert body["modell"] == "fehler"


async def test_looks_at_the_model_are_shared_and_believed_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page that asks every few seconds does not ask the model server every time."""
    looks = 0

    async def look() -> ModelHealth:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0.01)
        return ModelHealth(True, "fine")

    watch = ModelWatch(look)
    assert await asyncio.gather(*(watch.ok() for _ in range(5))) == [True] * 5
    assert await watch.ok()
    assert looks == 1
    monkeypatch.setattr(health, "MODEL_FRESH_S", -1.0)
    assert await watch.ok()
    assert looks == 2


async def test_a_look_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs forever does not keep the first finding alive for ever."""
    monkeypatch.setattr(health, "MODEL_LIMIT_S", 0.01)
    hanging = asyncio.Event()

    async def look() -> ModelHealth:
        await hanging.wait()
        return ModelHealth(True, "fine")

    watch = ModelWatch(look)
    assert not await watch.ok()
    hanging.set()
    monkeypatch.setattr(health, "MODEL_FRESH_S", -1.0)
    assert await watch.ok()
    await watch.close()
