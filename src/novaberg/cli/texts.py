"""The words of the command line, German and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from novaberg.language import Language


@dataclass(frozen=True, slots=True)
class Texts:
    """Everything that the interactive chat and the long-running commands say."""

    greeting: str
    """``{name}``: the figure."""
    opening: str
    person: str
    """Prompt of the input line."""
    help: str
    unknown_command: str
    """``{command}``."""
    waiting: str
    interrupted: str
    goodbye: str
    serving: str
    """``{url}``."""
    working: str
    stopping: str
    queued: str
    """``{turn_id}``."""
    no_trouble: str
    no_state_yet: str
    stopped: str
    none_ran: str
    all_well: str
    broken: str
    warned: str


TEXTS: Final[Mapping[Language, Texts]] = {
    "de": Texts(
        greeting="{name} hört zu. Schreibe etwas; /hilfe zeigt die Befehle, /ende oder Strg-D beendet.",
        opening="Novaberg wird geöffnet …",
        person="Du: ",
        help="/hilfe  diese Liste\n/ende   beenden (auch Strg-D)\n"
        "Alles andere wird gesagt; mehrere eingefügte Zeilen sind eine Nachricht.",
        unknown_command="{command} kenne ich nicht; /hilfe zeigt die Befehle.",
        waiting="denkt nach …",
        interrupted="Deine Nachricht ist gespeichert; die Antwort folgt, sobald wieder ein Programm läuft.",
        goodbye="Bis bald.",
        serving="Novaberg läuft: {url}  (Strg-C beendet)",
        working="Novaberg arbeitet (Strg-C beendet)",
        stopping="Novaberg beendet sich; laufende Antworten dürfen noch fertig werden (noch einmal Strg-C: sofort).",
        queued="Turn {turn_id} ist wieder eingereiht; er wird beantwortet, sobald ein Programm läuft.",
        no_trouble="Kein Turn ist offen oder gescheitert.",
        no_state_yet="Noch ist nichts gespeichert. Beginne mit „novaberg chat“.",
        stopped="Die Speicher sind beendet.",
        none_ran="Es liefen keine Speicher.",
        all_well="Alles in Ordnung.",
        broken="Etwas ist defekt: siehe oben.",
        warned="Alles läuft; siehe die Hinweise oben.",
    ),
    "en": Texts(
        greeting="{name} is listening. Write something; /help shows the commands, /quit or Ctrl-D ends.",
        opening="Opening Novaberg …",
        person="You: ",
        help="/help  this list\n/quit  end (or Ctrl-D)\nAnything else is said; several pasted lines are one message.",
        unknown_command="I do not know {command}; /help shows the commands.",
        waiting="is thinking …",
        interrupted="Your message is stored; the answer follows as soon as a program runs again.",
        goodbye="See you.",
        serving="Novaberg runs: {url}  (Ctrl-C ends)",
        working="Novaberg is working (Ctrl-C ends)",
        stopping="Novaberg is ending; running answers may still finish (Ctrl-C again: at once).",
        queued="Turn {turn_id} is queued again; it will be answered as soon as a program runs.",
        no_trouble="No turn is open or failed.",
        no_state_yet='Nothing is stored yet. Begin with "novaberg chat".',
        stopped="The stores are stopped.",
        none_ran="No stores were running.",
        all_well="Everything is fine.",
        broken="Something is broken: see above.",
        warned="Everything runs; see the hints above.",
    ),
}

ENGLISH_STAGES: Final[Mapping[str, str]] = {
    "perzeption": "Perception — listening",
    "enricher": "Enricher — loading context",
    "ei_calc": "EI-Calc — emotional intelligence",
    "salience": "Salience — weighing",
    "dispatcher": "Dispatcher — storing",
    "db_zugriff": "DB access — loading identity",
    "emotionale_gravitation": "Gravitation — memories tinting the mood",
    "reducer": "Reducer — ordering memory",
    "responder": "Responder — wording the answer",
    "perzeption_assistant": "Self-perception — her own words",
    "ei_calc_persist": "EI-Persist — keeping the state",
}
"""The wire carries German labels only (spec 01 §5.4)."""


def stage_line(message: Mapping[str, object], language: Language) -> str:
    """The line of a ``character_stage`` message (spec 07 §3.3)."""
    node, label, detail = (str(message.get(key, "")) for key in ("node", "label", "detail"))
    if language == "en":
        return ENGLISH_STAGES.get(node, node)
    return f"{label} · {detail}" if detail and detail != "—" else label
