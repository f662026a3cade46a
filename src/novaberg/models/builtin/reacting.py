"""Answers to what the person tells: react to what happened and how they feel, then at most one fitting question."""

from __future__ import annotations

from typing import Final

from novaberg.language import Language
from novaberg.models.builtin.asking import FACT_KEYS, closing, names_a_plan, question
from novaberg.models.builtin.errands import LIGHT
from novaberg.models.builtin.events import Event, has_trouble
from novaberg.models.builtin.facts import Fact
from novaberg.models.builtin.mirror import Mirrored, mirror, mirror_clause
from novaberg.models.builtin.nouns import kind_of, stem
from novaberg.models.builtin.reading import read
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording, join
from novaberg.models.builtin.wordlists import grammar, words
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL, POSITIVE_EMOTIONS

_LETTERS_TOLD: Final = 3
"""Letters that a word has more than if it carries meaning."""
_LONGEST_SAID_BACK: Final = 12
"""Words of a statement that is said back."""
LONG_TEXT: Final = 60
"""Words from which a message is answered by its weightiest sentence."""
_OF_SOMEBODY: Final = grammar("any", "events_of_somebody")
_TROUBLE_UNLESS_GOOD: Final = frozenset({"transit", "sleep"})
"""Told without a feeling, these mean trouble."""
_STRONGLY_FELT: Final = 0.5
"""Arousal from which the feeling is answered and not the matter."""
_FELT_FIRST: Final = frozenset({"quarrel", "rejection", "transit", "technology", "work", "school", "money"})
"""A strong feeling is answered before the matter."""
_SUPPORT: Final = ("lonely", "breakup", "death", "job_lost", "illness_self")
_GLAD: Final = frozenset({"exam_passed", "job_new", "love", "birth", "success", "luck", "travel", "pet_new"})
"""News that are good unless the feeling beside them is not."""
_STILL_FRESH: Final = 4
"""Utterances after which a pastime may be a subject again beside a death."""
_TODAY: Final = frozenset({"heute", "today"})
_ILL: Final = ("illness", "accident", "lost")
_GRIEF: Final = ("death", "breakup")
_GOOD: Final = frozenset({"exam_passed", "job_new", "success", "interview"})


def statement(scene: Scene, wording: Wording) -> str:
    """The answer to something told."""
    event = None if _outweighed(scene) else scene.event
    first = _reaction(scene, wording, event)
    if scene.manner.brief:
        return first
    ask = question(scene, wording, event) if scene.may_ask else closing(scene, wording, event)
    return join((first, ask))


def _outweighed(scene: Scene) -> bool:
    """A pastime is named in passing while the feeling, or the story that goes on, is heavy."""
    light = scene.event is not None and scene.event.kind in LIGHT
    thread = scene.thread
    if light and thread is not None and thread.kind.startswith(_BAD) and thread.being in scene.beings:
        return True
    lost = scene.mourning
    if light and lost is not None and (lost.being in scene.beings or lost in scene.events[-_STILL_FRESH:]):
        return True
    heavy = (
        scene.emotion in NEGATIVE_EMOTIONS
        and scene.signs.feeling.own
        and scene.emotion not in {"aerger", "frustration"}
    )
    return heavy and scene.event is not None and scene.event.kind in LIGHT - {"work", "school"}


# ── the reaction ─────────────────────────────────────────────────────────────


def _reaction(  # noqa: PLR0911  # one return a case
    scene: Scene, wording: Wording, event: Event | None
) -> str:
    if scene.signs.feeling.ironic:
        return wording.say("ironic")
    if len(scene.reading.words) >= LONG_TEXT:
        return _long(scene, wording)
    own_day = event is not None and event.kind == "birthday" and scene.speaks_of_self(event)
    if own_day and scene.reading.vocabulary & _TODAY:
        return wording.say("birthday_today")
    learnt = _learnt(scene, wording, event)
    if learnt:
        return learnt
    if event is None and _goes_on(scene):
        return _follow_up(scene, wording, scene.thread or scene.mourning)
    if event is not None and scene.is_follow_up and event.kind.startswith(_BAD):
        return _follow_up(scene, wording, event)
    if event is not None:
        react = _event_reaction(scene, wording, event)
        if react:
            return react
    denied = scene.signs.feeling.negated & NEGATIVE_EMOTIONS
    if denied and scene.emotion == "zufriedenheit":
        return wording.say("relief")
    if scene.emotion != NEUTRAL:
        return _felt(scene, wording)
    return _plain(scene, wording)


def _event_reaction(scene: Scene, wording: Wording, event: Event) -> str:
    room = f"event.{event.kind}"
    slots = scene.fillings(event.being)
    if event.kind in _GLAD and scene.emotion in NEGATIVE_EMOTIONS:
        return _felt(scene, wording)
    if (
        event.kind in _FELT_FIRST
        and scene.signs.feeling.recognised
        and scene.signs.feeling.arousal >= _STRONGLY_FELT
    ):
        return _felt(scene, wording)
    if event.being is not None and event.kind in _OF_SOMEBODY and not scene.speaks_of_self(event):
        return wording.say("for_being_good" if event.kind in _GOOD else "for_being_bad", **slots)
    bad = scene.emotion in NEGATIVE_EMOTIONS
    keys = ["react"]
    if event.being is None:
        keys.insert(0, "react_unknown")
    unwell = bad or (scene.emotion == NEUTRAL and (event.kind in _TROUBLE_UNLESS_GOOD or has_trouble(event)))
    keys.append("react_bad" if unwell else "react_good")
    say = wording.fresh if event.kind in LIGHT else wording.say
    for key in keys:
        found = say(key, room=room, file="replies", **slots)
        if found:
            return found
    return ""


_BAD: Final = (
    "illness",
    "death",
    "job_lost",
    "breakup",
    "lost",
    "accident",
    "quarrel",
    "rejection",
    "exam_failed",
    "money",
    "lonely",
    "guilt",
)


def _follow_up(scene: Scene, wording: Wording, event: Event | None) -> str:
    """The story goes on: no second condolence, but an ear for where it is heading."""
    grieving = event is not None and event.kind.startswith(_GRIEF) and _concerns(scene, event)
    if scene.emotion in POSITIVE_EMOTIONS or "relief" in scene.moves:
        return wording.say("follow_grief" if grieving else "follow_good")
    if grieving:
        return wording.say("follow_grief")
    if names_a_plan(scene) and scene.emotion not in NEGATIVE_EMOTIONS:
        return wording.say("follow_plan")
    worse = scene.emotion in NEGATIVE_EMOTIONS or (
        scene.event is not None and scene.event.kind.startswith(_ILL)
    )
    turned = _told(scene)
    lead = f"{turned.text}." if turned is not None and scene.seed_bit else ""
    return join((lead, wording.say("follow_bad" if worse else "follow_story")))


def _means(scene: Scene, lost: Event) -> bool:
    """The statement speaks of the one who is gone, by name or, where no name was told, as "he" or "she"."""
    if lost.being is not None:
        return lost.being in scene.beings
    return not scene.beings and bool(scene.reading.vocabulary & grammar("any", "he_or_she"))


def _concerns(scene: Scene, event: Event) -> bool:
    """The statement speaks of the one whom the event concerns, or of nobody else."""
    others = [being for being in scene.beings if being is not event.being]
    return event.being in scene.beings or not others


def _goes_on(scene: Scene) -> bool:
    """A heavy story is told further without a telling word."""
    thread = scene.thread
    told = scene.emotion not in NEGATIVE_EMOTIONS and scene.statement is not None
    follows = thread is not None and (thread is scene.events[-2] or thread.being in scene.beings)
    lost = scene.mourning
    if told and lost is not None and (_means(scene, lost) or lost in scene.events[-_STILL_FRESH:]):
        return True
    return thread is not None and thread.kind.startswith(_BAD) and told and follows


def _felt(scene: Scene, wording: Wording) -> str:
    react = wording.say("react", room=scene.feel_room, file="replies")
    turned = _told(scene)
    if turned is None or len(turned.text) > 90 or scene.reading.exclamations > 1:
        return react
    lead = f"{turned.text}."
    return join((lead, react)) if scene.seed_bit and not _belittles(scene) else react


def _belittles(scene: Scene) -> bool:
    """ "Ich schaffe das nicht" is not said back."""
    negators = words("cues", scene.language, "scope", "negators")
    return scene.emotion in NEGATIVE_EMOTIONS and bool(scene.reading.vocabulary & negators)


def _plain(scene: Scene, wording: Wording) -> str:
    turned = _told(scene)
    telling = scene.statement is not None and len(scene.statement.sentence.words) >= 3
    if turned is not None and telling and not _said_back_last(scene):
        return wording.say("mirror_plain", clause=turned.embedded(scene.language))
    return wording.say("plain")


def _said_back_last(scene: Scene) -> bool:
    """Nova's last answer already handed the person's words back."""
    if not scene.said or not scene.heard:
        return False
    heard = {stem(word) for word in read(scene.heard[-1]).lows if len(word) > _LETTERS_TOLD}
    answered = {stem(word) for word in read(scene.said[-1]).lows}
    return bool(heard) and len(heard & answered) * 2 >= len(heard)


def _told(scene: Scene) -> Mirrored | None:
    """The statement turned to the person, if it is short, safe to turn, and not just what they said."""
    clause = scene.statement
    if clause is None or clause.language != scene.language or scene.reading.is_question:
        return None
    if _in_two_languages(scene) or scene.signs.swears or scene.reading.lowercase_writer:
        return None
    formal = scene.manner.formal
    turned = mirror(clause.sentence, scene.language, formal=formal, longest=_LONGEST_SAID_BACK)
    if turned is None and scene.event is not None:
        turned = mirror_clause(clause.sentence, scene.event.position, scene.language, formal=formal)
    if turned is None or turned.text.casefold() in clause.sentence.source.casefold():
        return None
    return turned if len(turned.text.split()) > 2 else None


def _in_two_languages(scene: Scene) -> bool:
    """Function words of both languages: turned around, that becomes a muddle."""
    other: Language = "en" if scene.language == "de" else "de"
    own = words("cues", scene.language, "topic", "stop")
    foreign = words("cues", other, "topic", "stop") - own
    return len(scene.reading.vocabulary & foreign) > 1


def _long(scene: Scene, wording: Wording) -> str:
    turned = _told(scene)
    if turned is not None:
        return wording.say("long_text", clause=turned.embedded(scene.language))
    react = wording.say("react", room=scene.feel_room, file="replies") if scene.emotion != NEUTRAL else ""
    return join((wording.say("long_text_plain"), react))


def _learnt(  # noqa: PLR0911  # one return a kind of news
    scene: Scene, wording: Wording, event: Event | None
) -> str:
    """A word on a new name or fact, unless something weightier was told."""
    news = scene.news
    if news.renamed:
        return wording.say("corrected", **scene.fillings(news.renamed[0]))
    if (event is not None and event.kind not in LIGHT) or scene.emotion in NEGATIVE_EMOTIONS:
        return ""
    burden = scene.mourning or scene.thread
    if news.named and burden is not None and burden.kind.startswith(_BAD):
        near = kind_of(news.named[0].noun) not in {"", "animals"} and news.named[0] is not burden.being
        if near:
            negators = words("cues", scene.language, "scope", "negators")
            answers = _asked_for_company(scene) and not scene.reading.vocabulary & negators
            helps = burden.kind.startswith(_SUPPORT) and answers
            return wording.say("someone_there", **scene.fillings(news.named[0])) if helps else ""
        return wording.say("named_now", **scene.fillings(news.named[0]))
    if news.own_name and scene.memory.own_name:
        return wording.say("corrected", names=news.own_name)
    if news.own_name:
        return wording.say("own_name_known", name=news.own_name)
    if news.named and event is None and kind_of(news.named[0].noun):
        return wording.say("being_known", **scene.fillings(news.named[0]))
    for fact in news.facts:
        found = _fact(fact, scene, wording)
        if found:
            return found
    return ""


def _asked_for_company(scene: Scene) -> bool:
    """Nova's last question asked for people."""
    last = read(scene.said[-1]).vocabulary if scene.was_asked else frozenset()
    return bool(last & grammar("any", "words_that_ask_for_company"))


def _fact(fact: Fact, scene: Scene, wording: Wording) -> str:
    key = FACT_KEYS.get(fact.attribute, fact.attribute)
    if fact.owner is not None:
        return wording.say(f"fact_being_{key}", **{key: fact.value}, **scene.fillings(fact.owner))
    return wording.say(f"fact_{key}", **{key: fact.value})


# ── the question ─────────────────────────────────────────────────────────────
