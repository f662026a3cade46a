"""What can go wrong at a model server, said so that a person can act: cause and remedy, one line each (case J1)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from novaberg.errors import (
    ModelCredentialsError,
    ModelError,
    ModelNotFoundError,
    ModelServerError,
    ModelUnreachableError,
)
from novaberg.models.addresses import is_loopback
from novaberg.models.protocol import ModelHealth

_LONGEST_QUOTE: Final = 200
"""Characters of a server's message that are repeated."""
_CONTAINER_MARK: Final = Path("/.dockerenv")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One failure: which error it is, what happened, what to do."""

    error_class: type[ModelError]
    detail: str
    remedy: str

    def error(self) -> ModelError:
        """The exception to raise."""
        return self.error_class(f"{self.detail}; {self.remedy}.")

    def health(self) -> ModelHealth:
        """The same as the outcome of a check."""
        return ModelHealth(False, f"{self.detail}.", f"{self.remedy[0].upper()}{self.remedy[1:]}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """A server as messages name it."""

    title: str
    """``Ollama``, ``the OpenAI-compatible server`` …"""
    model: str
    address: str
    key_variable: str
    start_hint: str
    """How this server is started, as a remedy: ``start it with `ollama serve```."""
    load_hint: str
    """How the model gets there: ``run `ollama pull NAME```."""

    def unreachable(self, cause: str) -> Trouble:
        """Nothing listens, or the connection broke."""
        detail = f"{self.title} is not reachable at {self.address} for {self.model} ({one_line(cause)})"
        remedy = f"{self.start_hint}, or set NOVABERG_MODEL_URL"
        if is_loopback(self.address) and _CONTAINER_MARK.exists():
            remedy += " to the host's address (in a container 127.0.0.1 is the container itself)"
        return Trouble(ModelUnreachableError, detail, remedy)

    def status(self, code: int, body: str) -> Trouble:
        """The server answered with an HTTP error."""
        message = server_message(body)
        asked = f"{self.title} at {self.address} answered {code} for {self.model}"
        if code in (401, 403):
            return self.credentials(
                f"{self.title} at {self.address} refused the key for {self.model} ({code}: {message})"
            )
        if code == 404 and is_json(body):
            return self.no_model(
                f"{self.title} at {self.address} does not have the model {self.model} ({message})"
            )
        if 300 <= code < 400:
            remedy = "set NOVABERG_MODEL_URL to the address to which it points"
            return Trouble(
                ModelServerError, f"{asked}: it redirects, and prompts go to the named host only", remedy
            )
        if code in (404, 405):
            remedy = "correct the path in NOVABERG_MODEL_URL"
            return Trouble(ModelServerError, f"{asked}: there is no such path", remedy)
        if code in (402, 429):
            remedy = "wait, or look at the limits and the credit of the account"
            return Trouble(ModelServerError, f"{asked}: it refuses more for now ({message})", remedy)
        return Trouble(ModelServerError, f"{asked}: {message}", "the log of the server has the cause")

    def no_model(self, detail: str) -> Trouble:
        """The server runs, but not with this model."""
        return Trouble(ModelNotFoundError, detail, f"{self.load_hint}, or name another one in NOVABERG_MODEL")

    def credentials(self, detail: str) -> Trouble:
        """The key is missing or wrong."""
        return Trouble(ModelCredentialsError, detail, f"set {self.key_variable} to a valid key")

    def unreadable(self, cause: str) -> Trouble:
        """Something answered, but not the expected API."""
        detail = f"what answers at {self.address} does not speak the API of {self.title} ({one_line(cause)})"
        return Trouble(
            ModelServerError, detail, "correct NOVABERG_MODEL_URL or the provider in NOVABERG_MODEL"
        )

    def broken_off(self) -> Trouble:
        """A stream ended without its end mark."""
        detail = f"{self.title} at {self.address} broke off the answer of {self.model}"
        return Trouble(ModelServerError, detail, "the log of the server has the cause")


def is_json(body: str) -> bool:
    """Whether the body of an answer is JSON."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def server_message(body: str) -> str:
    """The message inside of an error body, in one short line."""
    if re.search(r"<\s*(!doctype|html|body)\b", body, re.IGNORECASE):
        return "a web page"
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        content = None
    for key in ("error", "message", "detail"):
        if isinstance(content, dict) and key in content:
            content = content[key]
    return one_line(content if isinstance(content, str) else body) or "no message"


def one_line(text: str) -> str:
    """A text on one line, cut to a length that is fit for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1]}…"


def connection_cause(error: BaseException) -> str:
    """The innermost reason of a failed connection, in the words of the system."""
    cause = error
    while (inner := cause.__cause__ or cause.__context__) is not None:
        cause = inner
    return one_line(str(cause)) or type(cause).__name__
