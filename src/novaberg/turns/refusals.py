"""What a person is told when a surface cannot do what was asked: what happened, what is safe, what to do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Final

from novaberg import errors
from novaberg.errors import NovabergError
from novaberg.settings import Settings

_GERMAN: Final[Mapping[type[NovabergError], str]] = {
    errors.NovabergError: "Etwas ist fehlgeschlagen. „novaberg doctor“ nennt das Teil und die Abhilfe.",
    errors.InputError: "Die Anfrage ist so nicht brauchbar. Korrigiere sie und sende sie noch einmal; "
    "gespeichert wurde nichts.",
    errors.EmptyPromptError: "Die Nachricht ist leer. Schreibe etwas und sende sie noch einmal; "
    "gespeichert wurde nichts.",
    errors.PromptTooLongError: "Die Nachricht ist zu lang, erlaubt sind {max_prompt_chars} Zeichen. "
    "Kürze sie oder sende sie in Teilen; gespeichert wurde nichts.",
    errors.RequestTooLargeError: "Die Anfrage ist zu groß. Kürze sie; gespeichert wurde nichts.",
    errors.InvalidPairError: "Eine Kennung ist unbrauchbar: 1 bis 50 Zeichen, kein Doppelpunkt, keine Steuerzeichen.",
    errors.NoTurnYetError: "Es gibt noch keinen Turn. Beginne mit „novaberg chat“.",
    errors.UnknownTurnError: "Diesen Turn gibt es nicht. „novaberg turns“ zählt die bekannten auf.",
    errors.TurnNotFailedError: "Nur ein gescheiterter Turn kann noch einmal eingereiht werden; "
    "dieser läuft noch oder ist fertig.",
    errors.QueueFullError: "Es warten schon {max_waiting_messages} Nachrichten. "
    "Warte eine Antwort ab und sende dann noch einmal; gespeichert wurde nichts.",
    errors.SettingsError: "Eine Einstellung ist unbrauchbar.",
    errors.UnsafeBindError: "Ohne Token wird nur auf diesem Rechner gelauscht. "
    "Setze NOVABERG_TOKEN oder nimm --host 127.0.0.1.",
    errors.PortUnavailableError: "An dieser Adresse kann der Server nicht lauschen. "
    "Wähle mit --host und --port eine andere.",
    errors.AccessError: "Zugang verweigert. Sende das Token aus NOVABERG_TOKEN als „Authorization: Bearer …“.",
    errors.ForeignRequestError: "Verweigert: Die Anfrage nennt einen fremden Rechner oder kommt von einer fremden Seite. "
    "Öffne Novaberg unter seiner eigenen Adresse.",
    errors.StoreError: "Ein Speicher ist ausgefallen; „novaberg doctor“ nennt ihn und den Grund.",
    errors.EmbeddedServerError: "Ein eingebauter Speicher startet nicht; „novaberg doctor“ nennt den Grund.",
    errors.MissingServerWheelError: "Für diesen Rechner gibt es keinen eingebauten Speicher. "
    "Setze NOVABERG_DATABASE_URL oder NOVABERG_REDIS_URL auf einen eigenen.",
    errors.ServicesInUseError: "Andere Programme von Novaberg nutzen die Speicher noch. "
    "Beende sie zuerst, oder stoppe mit --force.",
    errors.DatabaseUnavailableError: "PostgreSQL antwortet nicht. „novaberg doctor“ nennt den Grund; "
    "verloren ist nichts.",
    errors.RedisUnavailableError: "Das Arbeitsgedächtnis (Redis) antwortet nicht. „novaberg doctor“ nennt den Grund.",
    errors.DiskFullError: "Die Festplatte ist voll. Schaffe Platz und versuche es noch einmal; "
    "was bestätigt wurde, ist sicher, diese Nachricht wurde nicht gespeichert.",
    errors.NotStorableError: "Ein Wert lässt sich nicht speichern; geschrieben wurde nichts.",
    errors.HomeVersionError: "Dieses Verzeichnis gehört zu einer anderen Version von Novaberg. "
    "Nimm jene Version oder ein anderes NOVABERG_HOME.",
    errors.HomeUnusableError: "In NOVABERG_HOME kann nicht geschrieben werden. "
    "Wähle ein anderes Verzeichnis oder ändere den Besitzer.",
    errors.ModelError: "Das Sprachmodell hat versagt; „novaberg doctor“ nennt den Grund. "
    "Die Nachricht ist aufbewahrt.",
    errors.UnknownModelError: "NOVABERG_MODEL ist nicht verständlich. "
    "Möglich sind builtin, ollama:NAME, openai:NAME, anthropic:NAME und gguf:PFAD.",
    errors.ModelUnreachableError: "Der Modellserver ist nicht erreichbar. "
    "Starte ihn oder berichtige NOVABERG_MODEL_URL.",
    errors.TurnError: "Der Turn ließ sich nicht beenden; er ist aufbewahrt und kann mit "
    "„novaberg turns requeue“ wiederholt werden.",
}
"""A class without a text of its own speaks with that of its parent."""

_SAYS_ALL: Final = frozenset(
    {
        errors.EmptyPromptError,
        errors.PromptTooLongError,
        errors.QueueFullError,
        errors.TurnNotFailedError,
        errors.UnsafeBindError,
        errors.ForeignRequestError,
    }
)
"""Classes whose German text already has what the message tells."""


def refusal(error: NovabergError, settings: Settings) -> str:
    """The text for the person in the language of the settings.

    German texts quote the precise message as the cause wherever it tells more than the kind of the error.
    """
    if settings.language == "en":
        return error.message
    kind = next(kind for kind in type(error).__mro__ if kind in _GERMAN)
    text = _GERMAN[kind].format(
        max_prompt_chars=settings.max_prompt_chars, max_waiting_messages=settings.max_waiting_messages
    )
    if type(error) in _SAYS_ALL or error.message == inspect.getdoc(type(error)):
        return text
    return f"{text} Ursache: {error.message}"


def problem_name(kind: type[NovabergError]) -> str:
    """A stable name of a kind of error for programs: ``PromptTooLongError`` → ``prompt-too-long``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__.removesuffix("Error")).lower()
