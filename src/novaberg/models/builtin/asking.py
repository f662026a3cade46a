"""The one fitting question of an answer, or a word instead of it.

A question comes from what was just told; from the story that is being told if it goes on; from a new name or fact; from
the feeling; and only then from nothing in particular. None is asked that was asked before or is answered already.
"""

from __future__ import annotations

from typing import Any, Final

from novaberg.models.builtin.errands import LIGHT
from novaberg.models.builtin.events import Event
from novaberg.models.builtin.facts import Fact
from novaberg.models.builtin.nouns import kind_of, stem
from novaberg.models.builtin.reading import fold, read
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording
from novaberg.models.builtin.wordlists import grammar, section, table, words
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL, POSITIVE_EMOTIONS

FACT_KEYS: Final = {"work": "job", "origin": "home"}
"""Attributes that share the phrases of another."""
_AHEAD: Final = grammar("any", "words_of_intent")
_HEAVY: Final = ("death", "illness", "breakup", "accident")
"""Beside these no question makes small talk of a new name."""
_NEEDS_WORD: Final = "@"
"""``@tierarzt …`` is asked only if the word was told."""
_NEEDS_SELF: Final = "!own "
"""… only if the event is the speaker's own."""
_CONTENT_LETTERS: Final = 6
"""Letters from which a word of a question says what it asks for."""


def question(scene: Scene, wording: Wording, event: Event | None) -> str:
    """The one question of an answer, ``""`` if none fits."""
    thread = event or (scene.thread if story_goes_on(scene) else None)
    if scene.signs.feeling.ironic and (thread is None or thread.kind in LIGHT):
        return ""
    about_new = (scene.news.facts or scene.news.named) and thread is not event
    if thread is not None and not (about_new and thread.kind in LIGHT):
        found = _event_question(scene, wording, thread)
        if found:
            return found
    return (
        _news_question(scene, wording) or _feeling_question(scene, wording) or _open_question(scene, wording)
    )


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


def closing(scene: Scene, wording: Wording, event: Event | None) -> str:
    """A word instead of a question."""
    told = event or (scene.thread if story_goes_on(scene) else None)
    if told is None or scene.emotion in POSITIVE_EMOTIONS or scene.signs.feeling.ironic:
        return ""
    return wording.say("close", room=f"event.{told.kind}", file="replies", **scene.fillings(told.being))


def story_goes_on(scene: Scene) -> bool:
    """Whether a text without an event of its own belongs to the story before: it names or means the one in it, or follows
    it directly without a feeling of its own."""
    thread = scene.thread
    if thread is None:
        return False
    if thread.being is not None and any(being is thread.being for being in scene.beings):
        return True
    heavy = thread.kind.startswith(_HEAVY) and scene.emotion in NEGATIVE_EMOTIONS
    return thread is scene.events[-2] and (heavy or not scene.signs.feeling.recognised)


def names_a_plan(scene: Scene) -> bool:
    """A time that lies ahead."""
    lows = scene.reading.vocabulary
    return bool(lows & _times(scene, "ahead")) and not lows & _times(scene, "past")


# ── where a question comes from ──────────────────────────────────────────────


def _news_question(scene: Scene, wording: Wording) -> str:
    burden = scene.mourning or scene.thread
    if burden is not None and burden.kind.startswith(_HEAVY):
        return ""
    if scene.news.named and kind_of(scene.news.named[0].noun):
        return _first_new(scene, wording, _said("being_ask", scene), scene.fillings(scene.news.named[0]))
    for fact in scene.news.facts:
        found = _fact_question(fact, scene, wording)
        if found:
            return found
    return ""


def _fact_question(fact: Fact, scene: Scene, wording: Wording) -> str:
    if fact.owner is not None:
        return _first_new(scene, wording, _said("being_ask", scene), scene.fillings(fact.owner))
    key = FACT_KEYS.get(fact.attribute, fact.attribute)
    return _first_new(scene, wording, _said(f"fact_{key}_ask", scene), {})


def _feeling_question(scene: Scene, wording: Wording) -> str:
    if scene.emotion == NEUTRAL or scene.signs.feeling.ironic:
        return ""
    if scene.mourning is not None and scene.emotion in POSITIVE_EMOTIONS:
        return ""
    phrases: list[str] = table("replies", scene.language)["feel"][scene.feel_room.partition(".")[2]]["ask"]
    return _first_new(scene, wording, phrases, {}) or wording.say("go_on")


def _open_question(scene: Scene, wording: Wording) -> str:
    if scene.open_thread is not None and scene.seed_bit:
        return wording.say("thread", **scene.fillings(scene.open_thread.being))
    if scene.news.own_name:
        return "" if scene.memory.own_name else wording.say("open_question")
    lows = scene.reading.vocabulary
    if names_a_plan(scene) or lows & _AHEAD:
        return wording.say("ask_future")
    if lows & _times(scene, "past"):
        return wording.say("ask_past")
    return wording.say("ask_plain") if not scene.was_asked else ""


def _event_question(scene: Scene, wording: Wording, event: Event) -> str:
    content: dict[str, Any] = table("replies", scene.language)["event"].get(event.kind, {})
    phrases = content.get("ask", [])
    own = event.own or scene.speaks_of_self(event)
    fitting = [
        phrase.removeprefix(_NEEDS_SELF) for phrase in phrases if own or not phrase.startswith(_NEEDS_SELF)
    ]
    return _first_new(scene, wording, fitting, scene.fillings(event.being))


def _said(key: str, scene: Scene) -> list[str]:
    phrases: list[str] = table("voice", scene.language)["say"].get(key, [])
    return phrases


# ── what need not be asked ───────────────────────────────────────────────────


def _first_new(scene: Scene, wording: Wording, phrases: list[str], slots: dict[str, str]) -> str:
    """One of the first two questions that were not asked yet and are not answered by what was told."""
    told = _told_stems(scene)
    fresh = []
    for phrase in phrases:
        needed, _, text = phrase.partition(" ") if phrase.startswith(_NEEDS_WORD) else ("", "", phrase)
        if needed and stem(needed[1:]) not in told:
            continue
        if wording.is_used(text, **slots) or (not needed and _answered(text, told, scene)):
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


def _answered(phrase: str, told: frozenset[str], scene: Scene) -> bool:
    """Whether the question's own content words, or its "when", were in what was told."""
    stop = words("cues", scene.language, "topic", "stop")
    reading = read(phrase.partition("|")[0])
    content = {
        stem(token.low)
        for token in reading.words
        if token.low not in stop and len(token.low) >= _CONTENT_LETTERS
    }
    if content & told:
        return True
    asks_when = reading.lows[:1] in (("wann",), ("when",))
    return asks_when and _names_a_time(scene)


def _names_a_time(scene: Scene) -> bool:
    times = words("recall", scene.language, "target", "times")
    return any(token.kind == "number" or token.low in times for token in scene.reading.words)


def _times(scene: Scene, which: str) -> frozenset[str]:
    return frozenset(fold(word) for word in section("recall", scene.language, "target")[which].split())
