"""What `novaberg doctor` says about the model: one cause, one remedy (case J1)."""

import sys

import pytest
from bench.fake_model_server import FakeModelServer

from novaberg.models.checks import check_model
from novaberg.models.protocol import ModelHealth
from tests.integration.models.conftest import settings_for


def _bad(health: ModelHealth) -> ModelHealth:
    assert not health.ok
    assert "\n" not in health.detail + health.remedy
    assert health.detail.endswith(".")
    assert health.remedy.endswith(".")
    return health


async def test_j1_a_model_that_is_there_is_well(wire: str, server: FakeModelServer) -> None:
    """J1: nothing to report; the check costs no chat call."""
    health = await check_model(settings_for(wire, server.url))
    assert health.ok
    assert "fake" in health.detail
    assert server.count() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's table of listening sockets is Linux's")
async def test_j1_ollama_that_listens_elsewhere_on_this_machine_is_found(server: FakeModelServer) -> None:
    """J1: Ollama bound to one address, Novaberg asks another: cause and fix in one line each."""
    port = server.url.rpartition(":")[2]
    health = _bad(await check_model(settings_for("ollama", f"http://127.0.0.2:{port}")))
    assert f"nothing answers at http://127.0.0.2:{port}" in health.detail
    assert f"listens at 127.0.0.1:{port}" in health.detail
    assert f"NOVABERG_MODEL_URL=http://127.0.0.1:{port}" in health.remedy
    assert "OLLAMA_HOST=0.0.0.0" in health.remedy


async def test_j1_ollama_that_does_not_run_here_is_to_be_started(unused_tcp_port: int) -> None:
    """J1: nothing listens at all."""
    health = _bad(await check_model(settings_for("ollama", f"http://127.0.0.1:{unused_tcp_port}")))
    assert "not reachable" in health.detail
    assert "`ollama serve`" in health.remedy


async def test_j1_a_missing_model_is_named_with_those_that_exist(server: FakeModelServer) -> None:
    """J1: the server runs, but not with this model."""
    health = _bad(await check_model(settings_for("ollama", server.url, name="gemma3:4b")))
    assert "it has fake, llama3.2:latest" in health.detail
    assert "`ollama pull gemma3:4b`" in health.remedy


async def test_j1_the_latest_tag_is_understood(server: FakeModelServer) -> None:
    """`llama3.2` is `llama3.2:latest`."""
    assert (await check_model(settings_for("ollama", server.url, name="llama3.2"))).ok


async def test_j1_a_model_that_is_not_listed_is_tried_once() -> None:
    """Some servers answer to any name, others list only what is loaded: one token tells."""
    async with FakeModelServer(models=("other",)) as lenient:
        assert (await check_model(settings_for("openai", lenient.url))).ok
        assert lenient.count() == 1
    async with FakeModelServer(models=("other",), strict=True) as strict:
        health = _bad(await check_model(settings_for("openai", strict.url)))
        assert "does not have the model fake" in health.detail


async def test_j1_an_unknown_model_at_anthropic_is_named(server: FakeModelServer) -> None:
    """J1: the account does not have it."""
    health = _bad(await check_model(settings_for("anthropic", server.url, name="claude-x")))
    assert "does not have the model claude-x" in health.detail


async def test_j1_a_wrong_key_names_its_variable(wire: str, server: FakeModelServer) -> None:
    """J1: 401."""
    server.fail("unauthorised")
    health = _bad(await check_model(settings_for(wire, server.url)))
    assert "refused the key for fake" in health.detail
    assert f"{wire.upper()}_API_KEY" in health.remedy


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
async def test_j1_a_missing_key_is_told_without_a_call(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """P14: nothing is sent without a key."""
    monkeypatch.delenv(f"{wire.upper()}_API_KEY", raising=False)
    health = _bad(await check_model(settings_for(wire, "")))
    assert "there is none" in health.detail
    assert f"Set {wire.upper()}_API_KEY" in health.remedy


async def test_j1_a_web_page_is_no_model_server(wire: str, server: FakeModelServer) -> None:
    """J1: the address of something else."""
    server.fail("html")
    health = _bad(await check_model(settings_for(wire, server.url)))
    assert "does not speak the API" in health.detail
    assert "NOVABERG_MODEL_URL" in health.remedy


@pytest.mark.parametrize("wire", ["ollama", "anthropic"])
async def test_j1_a_wrong_path_is_told(wire: str, server: FakeModelServer) -> None:
    """J1: the server is right, the path is not."""
    health = _bad(await check_model(settings_for(wire, f"{server.url}/nowhere")))
    assert "there is no such path" in health.detail
    assert "path in NOVABERG_MODEL_URL" in health.remedy


async def test_j1_a_wrong_path_at_an_openai_server_is_told(server: FakeModelServer) -> None:
    """J1: a server without `/models` is asked for one token before it is called wrong."""
    health = _bad(await check_model(settings_for("openai", f"{server.url}/nowhere")))
    assert "there is no such path" in health.detail


@pytest.mark.parametrize("ending", ["/v1", "/api", "/"])
async def test_an_address_with_the_path_of_an_api_is_understood(server: FakeModelServer, ending: str) -> None:
    """People paste the address that a tutorial shows."""
    assert (await check_model(settings_for("ollama", f"{server.url}{ending}"))).ok


async def test_j1_a_sick_server_is_told(wire: str, server: FakeModelServer) -> None:
    """J1: 500 with its message."""
    server.fail("error500")
    health = _bad(await check_model(settings_for(wire, server.url)))
    assert "the model runner crashed" in health.detail


@pytest.mark.parametrize(
    ("model", "said", "remedy"),
    [
        ("gguf:/nowhere/x.gguf", "there is no such file", "Give the path"),
        ("ollama:", "a name is missing", "Write ollama:NAME"),
    ],
)
async def test_j1_a_setting_that_names_no_model_is_told(model: str, said: str, remedy: str) -> None:
    """J1: the check never raises."""
    settings = settings_for("ollama", "").model_copy(update={"model": model})
    health = _bad(await check_model(settings))
    assert said in health.detail
    assert remedy in health.remedy
