"""The one fitting question of an answer, or a word instead of it."""

from __future__ import annotations

from typing import Any, Final

from novaberg.models.builtin.errands import thing
from novaberg.models.builtin.events import Event
from novaberg.models.builtin.nouns import kind_of, stem
from novaberg.models.builtin.reading import Reading, fold, read
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording
from novaberg.models.builtin.wordlists import grammar, section, table, words
from novaberg.vocabulary import NEUTRAL, POSITIVE_EMOTIONS

LIGHT: Final = grammar("any", "asking_light")
"""Pastimes and circumstances: they step back behind a heavy feeling, and are not asked about over and over."""


FACT_KEYS: Final = {"work": "job", "origin": "home"}


def question(scene: Scene, wording: Wording, event: Event | None) -> str:  # noqa: PLR0911  # one return a source
    """The one question of an answer, ``""`` if none fits."""
    news = scene.news
    asked = event or scene.thread
    if scene.signs.feeling.ironic and (asked is None or asked.kind in LIGHT):
        return ""
    if asked is not None and not (asked is not event and (news.facts or news.named) and asked.kind in LIGHT):
        found = _event_question(scene, wording, asked)
        if found:
            return found
    if news.named and kind_of(news.named[0].noun):
        return _first_new(
            scene, wording, table("voice", scene.language)["say"]["being_ask"], scene.fillings(news.named[0])
        )
    for fact in news.facts:
        key = FACT_KEYS.get(fact.attribute, fact.attribute)
        if fact.owner is not None:
            found = _first_new(
                scene, wording, table("voice", scene.language)["say"]["being_ask"], scene.fillings(fact.owner)
            )
            if found:
                return found
            continue
        phrases = table("voice", scene.language)["say"].get(f"fact_{key}_ask", [])
        found = _first_new(scene, wording, phrases, {})
        if found:
            return found
    if scene.emotion != NEUTRAL and not scene.signs.feeling.ironic:
        phrases = table("replies", scene.language)["feel"][scene.emotion]["ask"]
        return _first_new(scene, wording, phrases, {}) or wording.say("go_on")
    if scene.open_thread is not None and scene.seed_bit:
        return wording.say("thread", **scene.fillings(scene.open_thread.being))
    subject = thing(scene)
    if subject and not scene.seed_bit:
        return wording.say("ask_thing", thing=subject)
    lows = scene.reading.vocabulary
    if names_a_plan(scene) or lows & _AHEAD:
        return wording.say("ask_future")
    past = {fold(word) for word in section("recall", scene.language, "target")["past"].split()}
    return wording.say("ask_past" if lows & past else "ask_plain")


_AHEAD: Final = grammar("any", "asking_ahead")


def thread_question(scene: Scene, wording: Wording) -> str:
    """The next question of the running subject, else back to something unfinished, else something open."""
    asked = scene.thread
    if asked is not None and asked.kind not in LIGHT:
        found = _event_question(scene, wording, asked)
        if found:
            return found
    if scene.open_thread is not None:
        return wording.say("thread", **scene.fillings(scene.open_thread.being))
    return wording.say("go_on")


def _event_question(scene: Scene, wording: Wording, event: Event) -> str:
    content: dict[str, Any] = table("replies", scene.language)["event"].get(event.kind, {})
    slots = {**scene.fillings(event.being), "thing": thing(scene)}
    return _first_new(scene, wording, content.get("ask", []), slots)


def _first_new(scene: Scene, wording: Wording, phrases: list[str], slots: dict[str, str]) -> str:
    """The first question that was not asked yet and is not answered by what was told."""
    told = _told_stems(scene)
    fresh = []
    for phrase in phrases:
        needed, _, text = phrase.partition(" ") if phrase.startswith("@") else ("", "", phrase)
        if needed and stem(needed[1:]) not in told:
            continue
        if wording.is_used(text, **slots) or (not needed and _answered(text, slots, told, scene)):
            continue
        fresh.append(text)
    return wording.choose(fresh[:2], **slots) if fresh else ""


def _told_stems(scene: Scene) -> frozenset[str]:
    texts = (*scene.heard[-3:], scene.material.text)
    stop = words("cues", scene.language, "topic", "stop")
    return frozenset(
        stem(token.low)
        for text in texts
        for token in read(text).words[:120]
        if token.low not in stop and len(token.low) >= 4
    )


def _answered(phrase: str, slots: dict[str, str], told: frozenset[str], scene: Scene) -> bool:
    """Whether the question's own content words, or its "when", were in what was told."""
    stop = words("cues", scene.language, "topic", "stop")
    reading: Reading = read(phrase.partition("|")[0])
    content = {stem(token.low) for token in reading.words if token.low not in stop and len(token.low) >= 6}
    if content & told:
        return True
    asks_when = reading.lows[:1] in (("wann",), ("when",))
    return asks_when and _names_a_time(scene)


def _names_a_time(scene: Scene) -> bool:
    times = words("recall", scene.language, "target", "times")
    return any(token.kind == "number" or token.low in times for token in scene.reading.words)


def names_a_plan(scene: Scene) -> bool:
    """A time that lies ahead."""
    lows = scene.reading.vocabulary
    listed = section("recall", scene.language, "target")
    return bool(lows & set(map(fold, listed["ahead"].split()))) and not lows & set(
        map(fold, listed["past"].split())
    )


def closing(scene: Scene, wording: Wording, event: Event | None) -> str:
    """A word instead of a question."""
    asked = event or scene.thread
    if asked is None or scene.emotion in POSITIVE_EMOTIONS or scene.signs.feeling.ironic:
        return ""
    return wording.say("close", room=f"event.{asked.kind}", file="replies", **scene.fillings(asked.being))
