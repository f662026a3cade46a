"""The application over a stub program, spoken to without a network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import httpx
import pytest
import pytest_asyncio

from novaberg.server.app import create_app
from tests.support.program import StubProgram

Talk = Callable[[StubProgram], httpx.AsyncClient]


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.startswith("NOVABERG_")]:
        monkeypatch.delenv(name)


@pytest_asyncio.fixture
async def talk() -> AsyncIterator[Talk]:
    """Gives a client of the application over a program."""
    async with AsyncExitStack() as stack:

        def client_of(program: StubProgram) -> httpx.AsyncClient:
            app = create_app(program, page=False)
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642")
            stack.push_async_callback(client.aclose)
            return client

        yield client_of
