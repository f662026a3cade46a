"""Every word that the page says, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from novaberg.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Fields with ``{…}`` are filled with ``str.format`` by whoever shows them."""

    html_language: Literal["de", "en-US"]
    """BCP 47."""
    decimal_mark: str

    # header
    no_state: str
    state_unreadable: str
    state_failed: str
    mood: str
    mood_title: str
    arousal: tuple[str, str, str]
    """Words for low, middle and high."""
    emotions: Mapping[str, str]

    # empty page
    empty_heading: str
    empty_being: str
    empty_feelings: str
    kept_here: str
    kept_elsewhere: str
    model_here: str
    model_elsewhere: str
    empty_start: str

    # conversation
    conversation: str
    you: str
    own_impulse: str
    via_client: str
    doubtful: str
    older: str
    to_the_end: str
    loading_failed: str
    listening_failed: str
    load_again: str

    # one message on its way
    received: str
    queued: str
    answering: str
    requeued: str
    no_answer_yet: str
    failed: str
    failed_cause: str
    failed_safe: str
    failed_after_answer: str
    try_again: str
    unexpected: str

    # field
    field_label: str
    placeholder: str
    send: str
    hint: str
    too_long: str
    sending: str
    not_arrived: str
    send_again: str
    edit_again: str
    connected: str
    disconnected: str

    # strip and trace
    step: str
    steps: str
    strip: str
    strip_title: str
    trace_heading: str
    trace_loading: str
    trace_empty: str
    trace_failed: str
    trace_columns: tuple[str, str, str, str]
    stage_labels: Mapping[str, str]
    """By node; a node that is missing keeps the label that came with it."""
    perception_default: str
    perception_missing: str
    self_perception_default: str
    self_perception_missing: str

    # time
    today: str
    yesterday: str
    date: str
    date_with_year: str
    months: tuple[str, ...]

    # other pages
    no_such_page: str
    back: str


_EMOTIONS_DE: Final = {
    "begeisterung": "begeistert",
    "freude": "froh",
    "dankbarkeit": "dankbar",
    "zufriedenheit": "zufrieden",
    "stress": "gestresst",
    "unsicherheit": "unsicher",
    "ueberrascht": "überrascht",
    "verwundert": "verwundert",
    "verzweiflung": "verzweifelt",
    "traurigkeit": "traurig",
    "frustration": "frustriert",
    "enttaeuschung": "enttäuscht",
    "wut": "wütend",
    "aerger": "verärgert",
    "hoffnung": "hoffnungsvoll",
    "neugierig": "neugierig",
    "neutral": "ausgeglichen",
}
_EMOTIONS_EN: Final = {
    "begeisterung": "enthusiastic",
    "freude": "glad",
    "dankbarkeit": "grateful",
    "zufriedenheit": "content",
    "stress": "stressed",
    "unsicherheit": "unsure",
    "ueberrascht": "surprised",
    "verwundert": "puzzled",
    "verzweiflung": "desperate",
    "traurigkeit": "sad",
    "frustration": "frustrated",
    "enttaeuschung": "disappointed",
    "wut": "furious",
    "aerger": "annoyed",
    "hoffnung": "hopeful",
    "neugierig": "curious",
    "neutral": "even-tempered",
}

GERMAN: Final = Texts(
    html_language="de",
    decimal_mark=",",
    no_state="noch kein Gespräch",
    state_unreadable="Zustand nicht lesbar",
    state_failed="Zustand gerade nicht abrufbar",
    mood="{emotion}, {arousal}",
    mood_title="{name} ist {emotion}, {arousal} (Erregung {value}). Stand: {time}",
    arousal=("ruhig", "bewegt", "stark bewegt"),
    emotions=MappingProxyType(_EMOTIONS_DE),
    empty_heading="Ein erstes Wort genügt.",
    empty_being="{name} ist ein Programm, kein Mensch.",
    empty_feelings="Aus dem, was du schreibst, schließt es auf Gefühle, auf deine und auf eigene. "
    "Das sind Vermutungen, und sie werden mit dem Gespräch gespeichert.",
    kept_here="Gespeichert wird auf diesem Rechner, in {home}. "
    "Wer das nicht mehr will, beendet das Programm und löscht diesen Ordner.",
    kept_elsewhere="Gespeichert wird in den Datenbanken, die NOVABERG_DATABASE_URL und NOVABERG_REDIS_URL nennen, "
    "der Rest in {home}.",
    model_here="Auch das Sprachmodell läuft hier; kein Wort verlässt diesen Rechner.",
    model_elsewhere="Zum Antworten gehen deine Worte an das eingestellte Sprachmodell: {model}.",
    empty_start="Schreib unten, was dir gerade durch den Kopf geht.",
    conversation="Gespräch",
    you="Du",
    own_impulse="von sich aus",
    via_client="über {client}",
    doubtful="Diese Antwort gehört vielleicht zu einer anderen Frage.",
    older="Früheres zeigen",
    to_the_end="Zum Ende",
    loading_failed="Das Gespräch ist gerade nicht abrufbar. {reason}",
    listening_failed="Neues kommt gerade nicht von selbst an. Was du schreibst, wird trotzdem gespeichert. {reason}",
    load_again="erneut laden",
    received="angekommen",
    queued="angekommen, wartet auf die Antwort davor",
    answering="wird beantwortet",
    requeued="wird noch einmal versucht",
    no_answer_yet="noch keine Antwort; deine Nachricht ist gespeichert",
    failed="Darauf gab es keine Antwort.",
    failed_cause="Ursache: {error}",
    failed_safe="Deine Nachricht ist gespeichert und geht nicht verloren.",
    failed_after_answer="Die Antwort steht und bleibt. Was danach kommt, das Merken, ist nicht fertig geworden.",
    try_again="erneut versuchen",
    unexpected="Ein unerwarteter Fehler ist aufgetreten; das Protokoll des Servers nennt die Ursache. "
    "Gespeichertes ist sicher.",
    field_label="Deine Nachricht",
    placeholder="Schreib {name} …",
    send="Senden",
    hint="Enter sendet, Umschalt + Enter bricht um",
    too_long="Zu lang: {count} Zeichen, erlaubt sind {limit}. "
    "Kürze den Text oder sende ihn in Teilen; gesendet wurde nichts.",
    sending="wird gesendet",
    not_arrived="Noch nicht angekommen. Der Text bleibt hier, bis er angekommen ist.",
    send_again="erneut senden",
    edit_again="bearbeiten",
    connected="verbunden",
    disconnected="getrennt, neuer Versuch …",
    step="1 Schritt",
    steps="{count} Schritte",
    strip="{steps}, {time}",
    strip_title="Antwort nach {answer}, ganzer Ablauf {total}",
    trace_heading="Ablauf",
    trace_loading="wird geladen …",
    trace_empty="Zu diesem Ablauf gibt es keine Zeilen mehr. Aufbewahrt werden sie {days} Tage.",
    trace_failed="Der Ablauf ist gerade nicht abrufbar. {reason}",
    trace_columns=("Zeit", "Knoten", "Art", "Inhalt"),
    stage_labels=MappingProxyType({}),
    perception_default="Wahrnehmung: nicht lesbar, Standardwerte",
    perception_missing="Wahrnehmung: ausgefallen, keine Werte",
    self_perception_default="Selbstwahrnehmung: nicht lesbar, Standardwerte",
    self_perception_missing="Selbstwahrnehmung: ausgefallen, keine Werte",
    today="Heute, {time}",
    yesterday="Gestern, {time}",
    date="{day}. {month}, {time}",
    date_with_year="{day}. {month} {year}, {time}",
    months=(
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
    no_such_page="Diese Seite gibt es nicht.",
    back="Zum Gespräch",
)

ENGLISH: Final = Texts(
    html_language="en-US",
    decimal_mark=".",
    no_state="no conversation yet",
    state_unreadable="state not readable",
    state_failed="state not available right now",
    mood="{emotion}, {arousal}",
    mood_title="{name} is {emotion}, {arousal} (arousal {value}). As of: {time}",
    arousal=("calm", "stirred", "strongly stirred"),
    emotions=MappingProxyType(_EMOTIONS_EN),
    empty_heading="A first word is enough.",
    empty_being="{name} is a program, not a person.",
    empty_feelings="From what you write it infers feelings, yours and its own. "
    "These are guesses, and they are stored with the conversation.",
    kept_here="Everything is stored on this machine, in {home}. "
    "If you no longer want that, stop the program and delete this folder.",
    kept_elsewhere="Everything is stored in the databases named by NOVABERG_DATABASE_URL and NOVABERG_REDIS_URL, "
    "the rest in {home}.",
    model_here="The language model runs here too; no word leaves this machine.",
    model_elsewhere="To be answered, your words go to the configured language model: {model}.",
    empty_start="Write below what is on your mind.",
    conversation="Conversation",
    you="You",
    own_impulse="unasked",
    via_client="via {client}",
    doubtful="This answer may belong to another question.",
    older="Show earlier",
    to_the_end="To the end",
    loading_failed="The conversation cannot be loaded right now. {reason}",
    listening_failed="News does not arrive by itself right now. What you write is stored all the same. {reason}",
    load_again="load again",
    received="received",
    queued="received, waits for the answer before",
    answering="being answered",
    requeued="being tried again",
    no_answer_yet="no answer yet; your message is stored",
    failed="There was no answer to this.",
    failed_cause="Cause: {error}",
    failed_safe="Your message is stored and will not be lost.",
    failed_after_answer="The answer stands and stays. What follows it, the remembering, was not finished.",
    try_again="try again",
    unexpected="An unexpected error came up; the log of the server has the cause. What was stored is safe.",
    field_label="Your message",
    placeholder="Write to {name} …",
    send="Send",
    hint="Enter sends, Shift + Enter starts a new line",
    too_long="Too long: {count} characters, {limit} are allowed. "
    "Shorten the text or send it in parts; nothing was sent.",
    sending="being sent",
    not_arrived="Not arrived yet. The text stays here until it has.",
    send_again="send again",
    edit_again="edit",
    connected="connected",
    disconnected="disconnected, trying again …",
    step="1 step",
    steps="{count} steps",
    strip="{steps}, {time}",
    strip_title="Answer after {answer}, the whole turn {total}",
    trace_heading="Trace",
    trace_loading="loading …",
    trace_empty="There are no rows of this turn any more. They are kept for {days} days.",
    trace_failed="The trace cannot be loaded right now. {reason}",
    trace_columns=("Time", "Node", "Kind", "Content"),
    stage_labels=MappingProxyType(
        {
            "perzeption": "Perception — what is heard",
            "enricher": "Enricher — load context",
            "ei_calc": "EI-Calc — emotional intelligence",
            "salience": "Salience — what matters",
            "dispatcher": "Dispatcher — store",
            "db_zugriff": "DB access — load identity",
            "emotionale_gravitation": "Gravitation — memories tint the mood",
            "reducer": "Reducer — order memory",
            "responder": "Responder — word the answer",
            "perzeption_assistant": "Self-perception — own words",
            "ei_calc_persist": "EI-Persist — keep the state",
        }
    ),
    perception_default="Perception: not readable, default values",
    perception_missing="Perception: failed, no values",
    self_perception_default="Self-perception: not readable, default values",
    self_perception_missing="Self-perception: failed, no values",
    today="Today, {time}",
    yesterday="Yesterday, {time}",
    date="{day} {month}, {time}",
    date_with_year="{day} {month} {year}, {time}",
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    no_such_page="There is no such page.",
    back="To the conversation",
)

TEXTS: Final[Mapping[Language, Texts]] = MappingProxyType({"de": GERMAN, "en": ENGLISH})
