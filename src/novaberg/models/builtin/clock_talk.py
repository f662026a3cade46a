"""Time, date and weekday from the moment of the turn, and small sums."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.arithmetic import format_number, solve
from novaberg.models.builtin.lexicon import Lexicon, entries_of
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording
from novaberg.models.builtin.wordlists import section, words

_LONGEST_QUESTION: Final = 16
"""Words of a question about the time."""
_DAYS: Final = (("before_yesterday", -2), ("after_tomorrow", 2), ("yesterday", -1), ("tomorrow", 1))


def clock_answer(scene: Scene, wording: Wording) -> str:
    """Time or date if they were asked for, else ``""``."""
    asked = _asked(scene)
    if "time" in asked:
        return wording.say("time", time=_time(scene.material.now, scene.language))
    if "date" in asked:
        return _date(scene, wording, asked)
    if "year" in asked:
        return wording.say("year", year=str(scene.material.now.year))
    return ""


def sum_answer(scene: Scene, wording: Wording) -> str:
    """The result of a sum if one was asked for, else ``""``."""
    found = solve(scene.reading)
    if found is None:
        return ""
    if found.result is None:
        return wording.say("sum_undefined", sum=found.written)
    return wording.say("sum_result", sum=found.written, result=format_number(found.result, scene.language))


def _asked(scene: Scene) -> frozenset[str]:
    """Time and date words of a short text that asks about nothing of the person's ("um wie viel Uhr ist mein Termin")."""
    own = scene.reading.vocabulary & words("nouns", scene.language, "grammar", "possessives")
    if len(scene.reading.words) > _LONGEST_QUESTION or own:
        return frozenset()
    return frozenset(
        name
        for name, finder in _clock_lexicons(scene.language).items()
        if any(finder.find(sentence.words) for sentence in scene.reading.sentences)
    )


@lru_cache(maxsize=2)
def _clock_lexicons(language: Language) -> dict[str, Lexicon[str]]:
    return {
        name: Lexicon(entries_of({name: listed}))
        for name, listed in section("moves", language, "clock").items()
    }


def _time(now: datetime, language: Language) -> str:
    if language == "de":
        return f"{now.hour}:{now.minute:02d}"
    return f"{(now.hour + 11) % 12 + 1}:{now.minute:02d} {'am' if now.hour < 12 else 'pm'}"


def _date(scene: Scene, wording: Wording, asked: frozenset[str]) -> str:
    names = section("voice", scene.language, "names")
    day, shift = next(((name, days) for name, days in _DAYS if name in asked), ("today", 0))
    moment = scene.material.now + timedelta(days=shift)
    weekday = names["weekdays"].split()[moment.weekday()]
    month = names["months"].split()[moment.month - 1]
    shown = (
        f"{moment.day}. {month} {moment.year}"
        if scene.language == "de"
        else f"{moment.day} {month} {moment.year}"
    )
    if not shift:
        return wording.say("date", weekday=weekday, date=shown)
    verb = names["was"] if shift < 0 else names["is"]
    return wording.say("other_day", day=names[day], was=verb, weekday=weekday, date=shown)
