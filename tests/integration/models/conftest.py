from collections.abc import AsyncIterator

import pytest
from bench.fake_model_server import FakeModelServer

from novaberg.models.protocol import ChatModel
from novaberg.models.registry import open_model
from novaberg.settings import Settings, load_settings

WIRES = ("ollama", "openai", "anthropic")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and addresses of the machine must not reach the clients, a proxy must not be asked."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def server() -> AsyncIterator[FakeModelServer]:
    """A model server that answers at once."""
    async with FakeModelServer(models=("fake", "llama3.2:latest")) as running:
        yield running


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    """Which client asks."""
    return str(request.param)


@pytest.fixture
async def model(wire: str, server: FakeModelServer) -> AsyncIterator[ChatModel]:
    """The real client of a wire, asking the fake server."""
    async with open_model(settings_for(wire, server.url)) as opened:
        yield opened


def settings_for(wire: str, url: str, *, name: str = "fake", **more: object) -> Settings:
    """Settings that point at a server; timeouts are short, because only hanging servers reach them."""
    wanted: dict[str, object] = {
        "model_timeout": 5.0,
        "classify_timeout": 5.0,
        "model_concurrency": 1,
        **more,
    }
    return load_settings(model=f"{wire}:{name}", model_url=url, **wanted)
