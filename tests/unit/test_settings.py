"""Every setting, read once and checked (README, section "Settings")."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

import pytest

from novaberg.ei.ageing import AgeingCalibration
from novaberg.errors import SettingsError
from novaberg.pair import Pair
from novaberg.settings import Settings, default_home, load_settings, unknown_variables


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the machine reaches these tests."""
    for name in [name for name in os.environ if name.startswith("NOVABERG_")]:
        monkeypatch.delenv(name)


def test_without_any_variable_the_program_runs_on_this_machine_alone() -> None:
    """Promise P9 and design §7: loopback, built-in model, own stores."""
    settings = load_settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8642)
    assert settings.model == "builtin"
    assert settings.database_url == settings.redis_url == ""
    assert settings.token.get_secret_value() == ""
    assert settings.pair == Pair("meister", "nova")
    assert settings.home.is_absolute()


def test_the_defaults_of_the_specs_stand() -> None:
    """Spec 01 §5.5: EINGANG_FENSTER, flush and retention of the log; 16,000 characters."""
    settings = load_settings()
    assert settings.intake_window == 30.0
    assert settings.log_flush_seconds == 10.0
    assert settings.log_retention_days == 365
    assert settings.max_prompt_chars == 16_000
    assert settings.timezone == "Europe/Berlin"


def test_a_variable_wins_over_the_default_and_an_option_over_the_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NOVABERG_HOME", str(tmp_path))
    monkeypatch.setenv("NOVABERG_USER", "ida")
    monkeypatch.setenv("NOVABERG_REGION", "at")
    assert load_settings().home == tmp_path
    assert load_settings().pair == Pair("ida")
    assert load_settings().region == "AT"
    assert load_settings(user="mia").pair == Pair("mia")


def test_an_empty_home_is_the_default_and_never_the_folder_one_stands_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Compose files and shells hand on empty variables; the stores must not be laid out in a checkout."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOVABERG_HOME", "")
    assert load_settings().home == default_home().absolute()


@pytest.mark.parametrize("token", [" ", "   ", "secret ", "\tsecret"])
def test_a_token_that_no_client_could_send_is_refused(token: str) -> None:
    """Promise P9: a token of blanks would open the network and let nobody in."""
    with pytest.raises(SettingsError, match="NOVABERG_TOKEN"):
        load_settings(token=token)


def test_a_misspelt_variable_is_named_with_what_was_meant() -> None:
    found = unknown_variables(
        {"NOVABERG_LANGUAGES": "en", "NOVABERG_MODEL": "builtin", "HOME": "/", "NOVABERG_X": ""}
    )
    assert found == ("NOVABERG_LANGUAGES (did you mean NOVABERG_LANGUAGE?)", "NOVABERG_X")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("timezone", "Europe/Atlantis"),
        ("region", "Germany"),
        ("database_url", "mysql://x"),
        ("redis_url", "http://x"),
        ("user", "a:b"),
        ("user", ""),
        ("port", 70_000),
        ("port", "acht"),
        ("model_concurrency", 0),
        ("intake_window", 0),
        ("turn_deadline", "inf"),
        ("character_name", "  "),
        ("log_retention_days", -1),
        ("language", "fr"),
        ("log_level", "LOUD"),
        ("perception", "guess"),
    ],
)
def test_a_bad_value_is_refused_with_the_name_of_its_variable(field: str, value: object) -> None:
    """Work order "bad input": a clear error that names the variable."""
    with pytest.raises(SettingsError, match=f"NOVABERG_{field.upper()}"):
        load_settings(**{field: value})


def test_all_bad_values_are_told_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(port=-1, region="x")
    assert "NOVABERG_PORT" in caught.value.message
    assert "NOVABERG_REGION" in caught.value.message


def test_a_token_is_never_shown() -> None:
    """Promise P9."""
    assert "geheim" not in repr(load_settings(token="geheim"))
    with pytest.raises(SettingsError) as caught:
        load_settings(token="geheim", port=-1)
    assert "geheim" not in caught.value.message


def test_every_setting_is_described() -> None:
    """Work order: every variable of design §7 documented."""
    text = inspect.getsource(Settings)
    for name in Settings.model_fields:
        assert f"``NOVABERG_{name.upper()}``" in text, name


def test_every_setting_stands_in_the_readme() -> None:
    """Work order: every variable of design §7 documented."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    settings = [f"NOVABERG_{name.upper()}" for name in Settings.model_fields]
    constants = re.findall(r"``(EIGENZEIT_[A-Z_]+)``", inspect.getsource(AgeingCalibration))
    assert len(constants) == 7
    for name in (*settings, *constants):
        assert f"`{name}`" in readme, name
