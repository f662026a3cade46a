"""What a person is told when a turn could not be answered: cause, what is safe, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from novaberg.errors import (
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
from novaberg.language import Language

_CAUSES: Final[Mapping[Language, Mapping[type[BaseException], str]]] = {
    "de": {
        ModelTimeoutError: "Das Sprachmodell hat nicht rechtzeitig geantwortet.",
        ModelUnreachableError: "Das Sprachmodell ist nicht erreichbar.",
        ModelNotFoundError: "Der Modellserver kennt das eingestellte Modell nicht.",
        ModelCredentialsError: "Der Modellserver hat den Schlüssel abgelehnt.",
        ModelServerError: "Der Modellserver hat einen Fehler gemeldet.",
        EmptyReplyError: "Das Sprachmodell hat eine leere Antwort gegeben.",
        ModelError: "Das Sprachmodell hat nicht brauchbar geantwortet.",
        TurnDeadlineError: "Die Antwort hat zu lange gedauert und wurde abgebrochen.",
        StoreError: "Ein Speicher antwortet gerade nicht.",
        BaseException: "Beim Antworten ist ein unerwarteter Fehler aufgetreten.",
    },
    "en": {
        ModelTimeoutError: "The language model did not answer in time.",
        ModelUnreachableError: "The language model cannot be reached.",
        ModelNotFoundError: "The model server does not know the configured model.",
        ModelCredentialsError: "The model server refused the key.",
        ModelServerError: "The model server reported an error.",
        EmptyReplyError: "The language model gave an empty answer.",
        ModelError: "The language model gave no usable answer.",
        TurnDeadlineError: "The answer took too long and was stopped.",
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
_CAUSE: Final[Mapping[Language, str]] = {"de": "Ursache: {message}", "en": "Cause: {message}"}


def apology(error: BaseException, *, turn_id: str, language: Language) -> str:
    """The text for the person. A cause that carries a remedy of its own is quoted."""
    causes = _CAUSES[language]
    cause = next(causes[kind] for kind in type(error).__mro__ if kind in causes)
    parts = [cause, _SAFE[language].format(turn_id=turn_id)]
    if isinstance(error, NovabergError):
        parts.append(_CAUSE[language].format(message=error.message))
    return " ".join(parts)
