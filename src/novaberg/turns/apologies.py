"""What a person is told when a turn could not be answered: cause, what is safe, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from novaberg import errors
from novaberg.errors import (
    DiskFullError,
    EmptyReplyError,
    ModelCredentialsError,
    ModelError,
    ModelNotFoundError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnreachableError,
    NovabergError,
    StoreError,
    TurnDeadlineError,
)
from novaberg.language import Language, detect_language
from novaberg.memory.turn_store import Turn

_CAUSES: Final[Mapping[Language, Mapping[type[BaseException], str]]] = {
    "de": {
        ModelTimeoutError: "Das Sprachmodell hat nicht rechtzeitig geantwortet.",
        ModelUnreachableError: "Das Sprachmodell ist nicht erreichbar.",
        ModelNotFoundError: "Der Modellserver kennt das eingestellte Modell nicht.",
        ModelCredentialsError: "Der Modellserver verlangt einen gültigen Schlüssel.",
        ModelServerError: "Der Modellserver hat einen Fehler gemeldet.",
        EmptyReplyError: "Das Sprachmodell hat eine leere Antwort gegeben.",
        ModelError: "Das Sprachmodell hat nicht brauchbar geantwortet.",
        TurnDeadlineError: "Die Antwort hat zu lange gedauert und wurde abgebrochen.",
        DiskFullError: "Die Festplatte ist voll. Schaffe Platz.",
        StoreError: "Ein Speicher antwortet gerade nicht.",
        BaseException: "Beim Antworten ist ein unerwarteter Fehler aufgetreten.",
    },
    "en": {
        ModelTimeoutError: "The language model did not answer in time.",
        ModelUnreachableError: "The language model cannot be reached.",
        ModelNotFoundError: "The model server does not know the configured model.",
        ModelCredentialsError: "The model server wants a valid key.",
        ModelServerError: "The model server reported an error.",
        EmptyReplyError: "The language model gave an empty answer.",
        ModelError: "The language model gave no usable answer.",
        TurnDeadlineError: "The answer took too long and was stopped.",
        DiskFullError: "The disk is full. Free some space.",
        StoreError: "A store does not answer right now.",
        BaseException: "An unexpected error came up while answering.",
    },
}
_SAFE: Final[Mapping[Language, str]] = {
    "de": "Deine Nachricht ist gespeichert und geht nicht verloren. Ist die Ursache behoben, "
    "beantwortet „novaberg turns requeue {turn_id}“ sie erneut.",
    "en": "Your message is stored and will not be lost. Once the cause is mended, "
    '"novaberg turns requeue {turn_id}" answers it again.',
}
_ANSWERED: Final[Mapping[Language, str]] = {
    "de": "Die Antwort steht und bleibt; was danach kommt, das Merken, ist nicht fertig geworden. Ist die Ursache "
    "behoben, holt „novaberg turns requeue {turn_id}“ es nach.",
    "en": "The answer stands and stays; what follows it, the remembering, was not finished. Once the cause is "
    'mended, "novaberg turns requeue {turn_id}" makes up for it.',
}
_CAUSE: Final[Mapping[Language, str]] = {"de": "Ursache: {message}", "en": "Cause: {message}"}


_SAY_ALL: Final = (DiskFullError,)
"""Errors of the intake: their message says that nothing was stored, which does not hold once a turn runs."""


def apology(error: BaseException, *, turn: Turn, fallback: Language) -> str:
    """The text for the person. A cause that carries a remedy of its own is quoted.

    Args:
        turn: with its answer, if there is one already: then only what follows it is missing.
        fallback: language if the person's words do not decide.
    """
    message = error.message if isinstance(error, NovabergError) else ""
    return _worded(type(error), message, turn, fallback)


def kept_apology(turn: Turn, *, fallback: Language) -> str:
    """The same words for a turn that was given up before, out of the failure that is kept with it."""
    name, _, message = (turn.error or "").partition(": ")
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, NovabergError):
        return _worded(kind, message, turn, fallback)
    return _worded(Exception, "", turn, fallback)


def _worded(kind: type[BaseException], message: str, turn: Turn, fallback: Language) -> str:
    language = detect_language(turn.prompt, fallback)
    causes = _CAUSES[language]
    cause = next(causes[ancestor] for ancestor in kind.__mro__ if ancestor in causes)
    consequence = _SAFE[language] if turn.answer is None else _ANSWERED[language]
    parts = [cause, consequence.format(turn_id=turn.turn_id)]
    if message and not issubclass(kind, _SAY_ALL):
        parts.append(_CAUSE[language].format(message=message))
    return " ".join(parts)
