"""The canon of every value field, the eight sectors of Plutchik's wheel, and the synonyms (spec 02 §2).

Persisted words stay German. Every canon is declared once, here; prompts, factor tables and tests are checked against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Field = Literal["intent", "tone", "emotion", "modus", "sprach_stil", "beziehungs_dynamik"]
"""The six perception fields that have a canon; ``thema`` is free text."""

Group = Literal["positiv", "negativ", "neutral"]

# ── canons ───────────────────────────────────────────────────────────────────

INTENT_CANON: Final = ("smalltalk", "knowledge", "personal", "task", "creative", "meta")
TONE_CANON: Final = ("empathisch", "sachlich", "kreativ", "direkt")
MODE_CANON: Final = (
    "fachgespraech",
    "philosophischer_austausch",
    "alltag",
    "arbeitsmodus",
    "emotional",
    "spielerisch",
    "lernmodus",
    "kreativ",
    "beratend",
    "berichtend",
)
STYLE_CANON: Final = ("locker", "formell", "fachlich", "emotional", "jugendlich", "neutral")
DYNAMIC_CANON: Final = ("vertrauen", "distanz", "angriff", "hilfesuchend", "dankbar", "neutral")
INTENTION_CANON: Final = (
    "emotionaler_ausdruck",
    "information_teilen",
    "information_erfragen",
    "recherche_vertiefen",
    "gemeinsam_eruieren",
    "reflexion",
    "smalltalk",
    "feedback_geben",
    "feedback_erfragen",
    "planung",
    "anweisung",
    "bestaetigung",
    "widerspruch",
    "abschluss",
    "hilferuf",
    "humor",
)
"""The salience node's sixteen intentions; another field than the perception's ``intent``."""

# ── Plutchik's wheel ─────────────────────────────────────────────────────────

NEUTRAL: Final = "neutral"

SECTOR_EMOTIONS: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        1: ("begeisterung", "freude"),
        2: ("dankbarkeit", "zufriedenheit"),
        3: ("stress", "unsicherheit"),
        4: ("ueberrascht", "verwundert"),
        5: ("verzweiflung", "traurigkeit"),
        6: ("frustration", "enttaeuschung"),
        7: ("wut", "aerger"),
        8: ("hoffnung", "neugierig"),
    }
)
"""Clockwise; of each pair the intense one first. Opposites are four sectors apart."""

SECTOR_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: "Freude",
        2: "Zuversicht",
        3: "Angst",
        4: "Überraschung",
        5: "Trauer",
        6: "Enttäuschung",
        7: "Ärger",
        8: "Neugier",
    }
)

SECTOR_GROUP: Final[Mapping[int, Group]] = MappingProxyType(
    {
        1: "positiv",
        2: "positiv",
        3: "negativ",
        4: "neutral",
        5: "negativ",
        6: "negativ",
        7: "negativ",
        8: "positiv",
    }
)
"""The only source of positive and negative: the sectors are interleaved, half of the circle says nothing."""

EMOTION_SECTOR: Final[Mapping[str, int]] = MappingProxyType(
    {emotion: sector for sector, pair in SECTOR_EMOTIONS.items() for emotion in pair}
)
EMOTION_CANON: Final = (*EMOTION_SECTOR, NEUTRAL)
"""16 + 1."""


def group_of(emotion: str) -> Group:
    """Group of an emotion as written (no canon pull); ``neutral`` without a sector (spec 02 §3.2)."""
    sector = EMOTION_SECTOR.get(emotion)
    return "neutral" if sector is None else SECTOR_GROUP[sector]


POSITIVE_EMOTIONS: Final = frozenset(e for e in EMOTION_SECTOR if group_of(e) == "positiv")
NEGATIVE_EMOTIONS: Final = frozenset(e for e in EMOTION_SECTOR if group_of(e) == "negativ")
PASSIVE_NEGATIVE_EMOTIONS: Final = frozenset(SECTOR_EMOTIONS[5])
"""Sector 5, grief: the negative emotions that withdraw (seed name ``EI_PASSIV_NEGATIVE``)."""

# ── emotions vector ──────────────────────────────────────────────────────────

VECTORS_DOWN: Final = ("absturz", "spirale", "einbruch")
VECTORS_SIDEWAYS: Final = ("abkuehlung", "plateau", "stabilisierung")
VECTORS_UP: Final = ("erholung", "aufbluehen", "eskalation")
VECTOR_CANON: Final = (*VECTORS_DOWN, *VECTORS_SIDEWAYS, *VECTORS_UP)
VECTOR_SOURCE_CANON: Final = ("gemessen", "gleichstand", "zu_wenig_turns", "nicht_gesetzt")

# ── fields ───────────────────────────────────────────────────────────────────

FIELD_CANONS: Final[Mapping[Field, tuple[str, ...]]] = MappingProxyType(
    {
        "intent": INTENT_CANON,
        "tone": TONE_CANON,
        "emotion": EMOTION_CANON,
        "modus": MODE_CANON,
        "sprach_stil": STYLE_CANON,
        "beziehungs_dynamik": DYNAMIC_CANON,
    }
)
"""In the order in which outliers are reported."""


def _synonyms(table: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType({word: canonical for canonical, words in table.items() for word in words.split()})


EMOTION_SYNONYMS: Final = _synonyms(
    {
        "begeisterung": "euphorie ekstase",
        "freude": "glueck heiterkeit stolz triumph genugtuung selbstvertrauen selbstsicherheit",
        "zufriedenheit": "erleichterung gelassenheit geborgenheit vertrauen",
        "stress": "angst furcht panik anspannung",
        "unsicherheit": "sorge nervositaet beklemmung",
        "ueberrascht": "schock ueberraschung fassungslos baff",
        "verwundert": "verbluefft perplex",
        "verzweiflung": "kummer",
        "traurigkeit": "resignation einsamkeit melancholie niedergeschlagenheit nachdenklich leere",
        "frustration": "frust verbitterung abscheu ekel verachtung",
        "enttaeuschung": "ernuechterung desillusionierung langeweile ablehnung desinteresse gleichgueltigkeit",
        "wut": "zorn aggression empoerung hass",
        "aerger": "gereizt genervt groll",
        "hoffnung": "erwartung vorfreude",
        "neugierig": "neugier neugierde interesse gespannt",
    }
)
"""``nachdenklich`` is withdrawal on purpose; the exploring kind is ``neugierig``."""

MODE_SYNONYMS: Final = _synonyms({"kreativ": "creative"})
"""A translation is resolved at the border; in the canon it would meet the defaults of every mode table."""

FIELD_SYNONYMS: Final[Mapping[Field, Mapping[str, str]]] = MappingProxyType(
    {"emotion": EMOTION_SYNONYMS, "modus": MODE_SYNONYMS}
)

# ── origins ──────────────────────────────────────────────────────────────────

ORIGIN_USER_TURN: Final = "nutzer_turn"
ORIGIN_OWN_IMPULSE: Final = "eigener_impuls"

ROLE_USER: Final = "user"
ROLE_ASSISTANT: Final = "assistant"
