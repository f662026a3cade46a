"""The one error tree. A class docstring is its default message; a message says what to do next."""

from __future__ import annotations

import inspect


class NovabergError(Exception):
    """Something in Novaberg failed; `novaberg doctor` names the part and the remedy."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or inspect.getdoc(type(self)) or type(self).__name__)

    @property
    def message(self) -> str:
        """The text for the person: what happened and what to do."""
        return str(self.args[0])


# ── what came in ─────────────────────────────────────────────────────────────


class InputError(NovabergError):
    """The request cannot be used as it stands; correct it and send it again. Nothing was stored."""


class EmptyPromptError(InputError):
    """The message is empty. Write something and send it again; nothing was stored."""


class PromptTooLongError(InputError):
    """The message is too long. Shorten it or send it in parts; nothing was stored."""


class InvalidPairError(InputError):
    """A user or character id is unusable: 1 to 50 characters, no colon, no control characters."""


class UnknownTurnError(InputError):
    """There is no such turn. `novaberg turns` lists the turns that are known."""


class NoTurnYetError(UnknownTurnError):
    """There is no turn yet. Begin with "novaberg chat"."""


class TurnNotFailedError(InputError):
    """Only a failed turn can be queued again; this one is still under way or finished."""


class RequestTooLargeError(InputError):
    """The request is larger than any message may be. Shorten it; nothing was stored."""


class QueueFullError(InputError):
    """Too many messages of this person are still waiting. Wait for an answer, then send again; nothing was stored."""


# ── settings and access ──────────────────────────────────────────────────────


class SettingsError(NovabergError):
    """A setting is unusable; the message names the variable. See the README, section "Settings"."""


class UnsafeBindError(SettingsError):
    """Refusing to listen beyond this machine without a token. Set NOVABERG_TOKEN or use --host 127.0.0.1."""


class PortUnavailableError(SettingsError):
    """The server cannot listen at this address. Choose another one with --host and --port."""


class AccessError(NovabergError):
    """Access refused. Send the token of NOVABERG_TOKEN as "Authorization: Bearer …"."""


class ForeignRequestError(AccessError):
    """Refused: the request names a foreign host or comes from another web page. Open Novaberg at its own address."""


# ── stores ───────────────────────────────────────────────────────────────────


class StoreError(NovabergError):
    """A store failed; `novaberg doctor` shows which one and why."""


class EmbeddedServerError(StoreError):
    """An embedded server did not start; its log is named in the message. `novaberg doctor` shows the cause."""


class MissingServerWheelError(StoreError):
    """No embedded server exists for this platform. Set NOVABERG_DATABASE_URL or NOVABERG_REDIS_URL to one of your own."""


class ServicesInUseError(StoreError):
    """Other Novaberg programs still use the stores. End them first, or stop the stores with --force."""


class DatabaseUnavailableError(StoreError):
    """PostgreSQL does not answer. `novaberg doctor` shows the cause; nothing was lost."""


class RedisUnavailableError(StoreError):
    """The working memory (Redis protocol) does not answer. `novaberg doctor` shows the cause."""


class DiskFullError(StoreError):
    """The disk is full. Free some space and try again; what was acknowledged is safe, this message was not stored."""


class NotStorableError(StoreError):
    """A value has no form in which it can be stored; nothing was written."""


class HomeVersionError(StoreError):
    """This home was written by another version of Novaberg. Use that version, or another NOVABERG_HOME."""


class HomeUnusableError(StoreError):
    """NOVABERG_HOME cannot be written. Choose another folder or change its owner."""


# ── models ───────────────────────────────────────────────────────────────────


class ModelError(NovabergError):
    """The language model failed; the message is kept and can be answered later."""


class UnknownModelError(ModelError, SettingsError):
    """NOVABERG_MODEL is not understood. Use builtin, ollama:NAME, openai:NAME, anthropic:NAME or gguf:PATH."""


class ModelUnreachableError(ModelError):
    """The model server cannot be reached. Start it or correct NOVABERG_MODEL_URL; `novaberg doctor` checks it."""


class ModelTimeoutError(ModelError):
    """The model server did not answer in time. The message is kept; try again when the server is free."""


class ModelServerError(ModelError):
    """The model server reported an error. Its own log has the cause."""


class ModelNotFoundError(ModelError):
    """The model server does not have this model. Load it there, or name another one in NOVABERG_MODEL."""


class ModelCredentialsError(ModelError):
    """The model server refused the key. Set the API key that the provider's own client uses."""


class ModelReplyError(ModelError):
    """The model's reply could not be read in the demanded form."""


class BrokenWeightsError(ModelError):
    """The weights of the local perception are missing or damaged. Install Novaberg again; nothing was lost."""


class EmptyReplyError(ModelReplyError):
    """The model answered without any text. The message is kept and can be answered later."""


# ── turns and graphs ─────────────────────────────────────────────────────────


class TurnError(NovabergError):
    """The turn could not be finished; it is kept and can be queued again with `novaberg turns requeue`."""


class TurnDeadlineError(TurnError):
    """The turn took longer than allowed and was stopped; it is kept and can be queued again."""


class LostFenceError(TurnError):
    """Another worker took this turn over; this worker stops without writing."""


class GraphContractError(NovabergError):
    """A graph node broke its contract: it returned keys that the state does not declare, or left out promised ones."""
