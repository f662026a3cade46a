"""What the doctor says (cases J1, issue "Bad input")."""

from __future__ import annotations

import socket

import pytest

from novaberg.cli import examination
from novaberg.cli.examination import Finding, examine
from novaberg.memory.checks import CheckResult
from novaberg.models.protocol import ModelHealth
from novaberg.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _stores_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stores(_: Settings) -> list[CheckResult]:
        return [CheckResult("home", True, "fine")]

    async def model(_: Settings) -> ModelHealth:
        return ModelHealth(False, "nothing answers", "start it")

    monkeypatch.setattr(examination, "check_stores", stores)
    monkeypatch.setattr(examination, "check_model", model)


async def _finding(part: str, **settings: object) -> Finding:
    return next(found for found in await examine(load_settings(**settings)) if found.part == part)


async def test_a_free_port_is_fine() -> None:
    """Brief: port free or served."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert await _finding("port", port=port) == Finding("port", True, f"127.0.0.1:{port} is free")


async def test_a_port_of_another_program_is_named_with_a_remedy() -> None:
    """Cause and remedy in one line."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        found = await _finding("port", port=port)
    assert not found.ok
    assert str(port) in found.detail
    assert "--port" in found.remedy


async def test_an_unsafe_address_is_found_before_it_is_tried() -> None:
    """I3."""
    found = await _finding("settings", host="0.0.0.0", port=0)
    assert not found.ok
    assert "NOVABERG_TOKEN" in found.remedy
    assert (await _finding("settings", host="0.0.0.0", port=0, token="x")).ok


async def test_a_variable_that_is_no_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt setting changes nothing; without a word nobody would notice."""
    monkeypatch.setenv("NOVABERG_MODELL", "ollama:x")
    found = await _finding("settings", port=0)
    assert found.ok
    assert "NOVABERG_MODELL (did you mean NOVABERG_MODEL?)" in found.detail
    assert found.remedy


async def test_marks_out_of_order_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec 01 §3.6.3: EIGENZEIT marks ascend."""
    assert (await _finding("eigenzeit")).ok
    monkeypatch.setenv("EIGENZEIT_KIPPPUNKT_SEKUNDEN", "99999")
    found = await _finding("eigenzeit")
    assert not found.ok
    assert found.remedy
    monkeypatch.setenv("EIGENZEIT_KIPPPUNKT_SEKUNDEN", "bald")
    assert "EIGENZEIT_KIPPPUNKT_SEKUNDEN" in (await _finding("eigenzeit")).detail


async def test_a_model_that_is_away_takes_perception_with_it_unless_that_is_local() -> None:
    """Design §5: perception can be read without the model."""
    assert not (await _finding("model")).ok
    away = await _finding("perception")
    assert not away.ok
    assert "NOVABERG_PERCEPTION=local" in away.remedy
    assert (await _finding("perception", perception="local")).ok
