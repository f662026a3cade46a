"""The fields of a salience object beside its score: intentions, names, dimension, time (spec 05 §3.12.3)."""

from __future__ import annotations

from typing import Final

from novaberg.language import Language
from novaberg.models.builtin import fields
from novaberg.models.builtin.crisis import Danger
from novaberg.models.builtin.facts import Memory
from novaberg.models.builtin.moves import moves_in
from novaberg.models.builtin.perception import Perception, Signs
from novaberg.models.builtin.phrases_de import is_name as is_german_name
from novaberg.models.builtin.phrases_en import is_name as is_english_name
from novaberg.models.builtin.reading import fold
from novaberg.models.builtin.topic import starts_sentence
from novaberg.models.builtin.wordlists import grammar, lexicon, section, words
from novaberg.models.material import SalienceMaterial
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL


def intentions_of(signs: Signs, perceived: Perception, material: SalienceMaterial) -> tuple[str, ...]:
    """One to three of the sixteen intentions, the leading one first."""
    moves = moves_in(signs.reading, material.language)
    small = {
        hit.value
        for sentence in signs.reading.sentences
        for hit in lexicon("moves", material.language, "small").find(sentence.words)
    }
    found: list[str] = []

    def add(name: str, condition: object) -> None:
        if condition and name not in found:
            found.append(name)

    felt = signs.feeling.own and signs.feeling.recognised
    add("hilferuf", signs.danger is not Danger.NONE or perceived.dynamic == "hilfesuchend")
    add("abschluss", "farewell" in small)
    add("anweisung", perceived.intent in {"task", "creative"} or "remember_this" in moves)
    add("feedback_erfragen", "opinion" in moves and signs.reading.is_question)
    add(
        "widerspruch",
        "wrong" in moves
        or ("no" in moves and len(signs.reading.words) <= 4)
        or perceived.dynamic == "angriff",
    )
    add("humor", "laugh" in moves or "kidding" in moves or perceived.mode == "spielerisch")
    add("emotionaler_ausdruck", felt or perceived.emotion in NEGATIVE_EMOTIONS)
    add("reflexion", perceived.mode == "philosophischer_austausch")
    add("feedback_geben", "compliment" in moves or perceived.dynamic in {"angriff", "dankbar"})
    add(
        "recherche_vertiefen",
        signs.question is not fields.QuestionKind.NONE and perceived.emotion == "neugierig",
    )
    add("information_erfragen", signs.question is not fields.QuestionKind.NONE and not small)
    add("gemeinsam_eruieren", perceived.mode == "beratend")
    add("planung", _plans(signs))
    add("smalltalk", small or perceived.intent == "smalltalk")
    add("bestaetigung", "yes" in moves and len(signs.reading.words) <= 3)
    add("information_teilen", perceived.intent == "personal" and not signs.reading.is_question)
    return tuple(found[:3]) or ("information_teilen",)


def _plans(signs: Signs) -> bool:
    ahead = {fold(word) for word in section("recall", signs.language, "target")["ahead"].split()}
    return bool(signs.reading.vocabulary & ahead) and signs.speaks_of_self and not signs.reading.is_question


def emotions_of(signs: Signs, emotion: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is said outright, and what is only felt in it."""
    points = signs.feeling.points
    explicit = tuple(name for name in sorted(points, key=lambda name: -points[name]) if points[name] >= 0.9)[
        :3
    ]
    implicit = () if emotion == NEUTRAL or emotion in explicit else (emotion,)
    return explicit, implicit


def dimension_of(signs: Signs, perceived: Perception, emotion: str, memory: Memory) -> str:
    """Which side of the person the text belongs to."""
    if perceived.mode == "philosophischer_austausch":
        return "werte"
    if emotion != NEUTRAL and signs.feeling.own:
        return "emotion"
    if any(fact.attribute in {"like", "dislike"} for fact in memory.facts):
        return "interessen"
    if perceived.intent in {"knowledge", "task"}:
        return "kognition"
    return "kommunikation" if perceived.intent in {"smalltalk", "meta"} else "kontext"


_TITLES: Final = frozenset({"herr", "frau", "herrn", "doktor", "dr."})
"""German nouns are capitalised too: before these a capital tells a name."""


def entities_of(signs: Signs, memory: Memory) -> tuple[str, ...]:
    """Proper names: those of beings, and capitalised words that can only be names."""
    found = dict.fromkeys((*memory.own_names, *memory.names()))
    german = signs.language == "de"
    places = {
        part
        for fact in memory.facts
        if fact.attribute in {"home", "origin"}
        for part in fact.value.split()[1:]
    }
    for sentence in signs.reading.sentences[:20]:
        before = ""
        for token in sentence.words:
            titled, before = before in _TITLES, token.low
            if token.text in places and token.capital:
                found.setdefault(token.text)
            elif not german and is_english_name(token) and not starts_sentence(token, sentence):
                found.setdefault(token.text.removesuffix("'s"))
            elif german and titled and is_german_name(token):
                found.setdefault(token.text)
    return tuple(found)[:10]


def time_expression_of(signs: Signs) -> str:
    """The first expression of time with its direction word, as written."""
    tokens = signs.reading.words
    times = words("recall", signs.language, "target", "times")
    leads = _LEADS[signs.language]
    for index, token in enumerate(tokens):
        if token.low not in times:
            continue
        begin = index
        while (
            begin > 0
            and (tokens[begin - 1].low in leads or tokens[begin - 1].kind == "number")
            and index - begin < 3
        ):
            begin -= 1
        end = index + 1
        while (
            end < len(tokens)
            and (tokens[end].low in times | leads or tokens[end].kind == "number")
            and end - index <= 4
        ):
            end += 1
        while end > index + 1 and tokens[end - 1].low in leads:
            end -= 1
        last = tokens[end - 1]
        return signs.reading.text[tokens[begin].start : last.start + len(last.text)]
    return ""


_LEADS: Final[dict[Language, frozenset[str]]] = {
    "de": grammar("de", "before_a_time"),
    "en": grammar("en", "before_a_time"),
}
