import builtins
import sys
import types
from pathlib import Path

import pytest

from novaberg.errors import SettingsError, UnknownModelError
from novaberg.models.backends import ChatBackend
from novaberg.models.protocol import ChatModel
from novaberg.models.registry import (
    ModelChoice,
    build_model,
    open_model,
    open_perception_model,
    parse_model,
)
from novaberg.models.served import ServedChatModel
from novaberg.settings import Settings, load_settings
from tests.support.scripted_model import ScriptedChatModel


@pytest.fixture(autouse=True)
def _no_addresses_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OLLAMA_HOST", "ANTHROPIC_BASE_URL", "NOVABERG_MODEL_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("builtin", ModelChoice("builtin", "")),
        ("ollama:gemma3:4b", ModelChoice("ollama", "gemma3:4b")),
        (" OpenAI: gpt-x ", ModelChoice("openai", "gpt-x")),
        ("anthropic:claude", ModelChoice("anthropic", "claude")),
        ("gguf:~/m.gguf", ModelChoice("gguf", "~/m.gguf")),
    ],
)
def test_a_model_is_named_by_provider_and_name(text: str, choice: ModelChoice) -> None:
    """Design §7: NOVABERG_MODEL."""
    assert parse_model(text) == choice


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "leave it out"),
        ("builtin:x", "leave it out"),
        ("ollama:", "ollama:NAME"),
        ("openai: ", "openai:NAME"),
        ("gguf", "gguf:NAME"),
        ("llama3.2:3b", "did you mean ollama:llama3.2:3b"),
        ("/m/a.gguf", "did you mean gguf:/m/a.gguf"),
    ],
)
def test_anything_else_is_refused_with_a_hint(text: str, hint: str) -> None:
    """Design §7; a setting error, so that the program says it at the start."""
    with pytest.raises(UnknownModelError, match="NOVABERG_MODEL") as raised:
        parse_model(text)
    assert hint in raised.value.message
    assert isinstance(raised.value, SettingsError)


@pytest.mark.parametrize(
    ("model", "url", "environment", "address"),
    [
        ("ollama:x", "", {}, "http://127.0.0.1:11434"),
        ("ollama:x", "", {"OLLAMA_HOST": "0.0.0.0"}, "http://127.0.0.1:11434"),
        ("ollama:x", "myhost", {"OLLAMA_HOST": "other"}, "http://myhost:11434"),
        ("ollama:x", "http://myhost:1/api/", {}, "http://myhost:1"),
        ("openai:x", "", {}, "https://api.openai.com/v1"),
        ("openai:x", "", {"OPENAI_BASE_URL": "http://h/v2"}, "http://h/v2"),
        ("openai:x", "http://localhost:1234", {}, "http://localhost:1234/v1"),
        ("openai:x", "http://localhost:1234/v1/", {}, "http://localhost:1234/v1"),
        ("openai:x", "http://[::1]:8000", {}, "http://[::1]:8000/v1"),
        ("anthropic:x", "", {}, "https://api.anthropic.com"),
    ],
)
async def test_the_address_comes_from_settings_then_client_then_usage(
    model: str, url: str, environment: dict[str, str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design §7: NOVABERG_MODEL_URL; the clients' own variables count when it is empty."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    async with open_model(load_settings(model=model, model_url=url)) as opened:
        assert backend_of(opened).address == address
        assert opened.name == model


@pytest.mark.parametrize("url", ["ftp://x", "http://", "http://x:port"])
def test_an_unusable_address_is_a_settings_error(url: str) -> None:
    """Rule 5: bad input gets a clear error."""
    with pytest.raises(SettingsError, match="NOVABERG_MODEL_URL"):
        build_model(load_settings(model="ollama:x", model_url=url))


@pytest.mark.parametrize(("provider", "package"), [("anthropic", "anthropic"), ("gguf", "xllamacpp")])
def test_a_missing_extra_names_its_install_command(
    provider: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Design §8: clients of extras; the message names the command."""
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF....")
    real_import = builtins.__import__

    def without_package(name: str, *arguments: object, **more: object) -> object:
        if name == package:
            raise ImportError(name)
        return real_import(name, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.delitem(sys.modules, package, raising=False)
    monkeypatch.setattr(builtins, "__import__", without_package)
    with pytest.raises(SettingsError, match=rf"pip install 'novaberg\[{provider}\]'"):
        build_model(load_settings(model=f"{provider}:{file}"))


@pytest.fixture
def builtin_model(monkeypatch: pytest.MonkeyPatch) -> type[ScriptedChatModel]:
    """Stands for the built-in model, so that only the choice is looked at."""

    class Builtin(ScriptedChatModel):
        def __init__(self, settings: Settings) -> None:
            super().__init__(name=f"builtin:{settings.language}")
            self.warm = False

        def warm_up(self) -> None:
            self.warm = True

    module = types.ModuleType("novaberg.models.builtin")
    module.BuiltinModel = Builtin  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return Builtin


async def test_perception_asks_the_main_model_unless_told_otherwise() -> None:
    """Design §7: NOVABERG_PERCEPTION=model; the main model stays open."""
    main = ScriptedChatModel()
    async with open_perception_model(load_settings(model="ollama:x", perception="model"), main) as model:
        assert model is main
    assert not main.closed


async def test_local_perception_stands_beside_a_large_model(builtin_model: type[ScriptedChatModel]) -> None:
    """Design §5: the built-in perception beside any model; it is closed at the end, the main model is not."""
    main = ScriptedChatModel()
    async with open_perception_model(load_settings(model="ollama:x", perception="local"), main) as model:
        assert isinstance(model, builtin_model)
    assert model.closed
    assert not main.closed


async def test_the_builtin_model_is_not_built_twice(builtin_model: type[ScriptedChatModel]) -> None:
    """It is its own perception."""
    settings = load_settings(model="builtin", perception="local")
    async with open_model(settings) as main, open_perception_model(settings, main) as model:
        assert model is main
        assert isinstance(main, builtin_model)


def backend_of(model: ChatModel) -> ChatBackend:
    assert isinstance(model, ServedChatModel)
    return model._backend
