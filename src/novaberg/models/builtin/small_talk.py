"""Greetings, goodbyes, thanks, jokes back, short answers, and everything else that keeps a talk going."""

from __future__ import annotations

import re
from typing import Final

from novaberg.language import Language
from novaberg.models.builtin import about_nova
from novaberg.models.builtin.asking import thread_question
from novaberg.models.builtin.reading import fold, read
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording, join
from novaberg.models.builtin.wordlists import grammar, table, words
from novaberg.vocabulary import NEGATIVE_EMOTIONS, NEUTRAL, POSITIVE_EMOTIONS

_CODE: Final = re.compile(
    r"```|</?\w+[^>]*>|\bdef \w+\(|\bfunction\b.*\{|[;{}]\s*\n|=>|\bimport \w+|#include|"
    r"SELECT .{0,200} FROM |\\d|\(\?:|\[\^",
    re.IGNORECASE,
)
_CODE_SEARCHED: Final = 2000
"""Characters in which code is looked for."""
_WISHED: Final = grammar("any", "events_with_good_wishes")
"""What one sends good wishes for at a goodbye."""
_ERRANDS: Final = frozenset(
    {"translate", "poem", "code", "draft", "remind", "joke", "weather", "news", "music"}
)
"""Wishes that weigh more than a greeting beside them."""
_BORED_WORDS: Final = frozenset({"langweilig", "bored", "boring"})
_RIDDLE_OPENERS: Final = (
    ("was", "ist"),
    ("was", "macht"),
    ("wie", "nennt"),
    ("warum", "können"),
    ("what", "do"),
    ("what's",),
    ("what", "is"),
    ("why", "did"),
    ("why", "do"),
)
"""How a riddle begins that is answered at once."""
_FEW: Final = 2
"""Words up to which a message hardly tells anything."""
_TERSE: Final = 3
"""Messages of few words in a row after which Nova stops prodding."""
_LETTERS_OF_A_WORD: Final = 3
"""Letters that a lone word has more than."""
_SHORT_QUESTION: Final = 3
"""Words of a "what do you mean?"; what is longer has a subject of its own."""
_FOREIGN: Final = re.compile(r"[\u0370-\u1fff\u3040-\uffef]")


def unreadable(scene: Scene, wording: Wording) -> str:
    """Nothing to read: emoji alone, other scripts, code, bare signs."""
    text = scene.material.text
    if not text.strip():
        return wording.say("go_on")
    if scene.reading.letters == 0 and scene.reading.emoji:
        return _emoji(scene, wording)
    if _CODE.search(text[:_CODE_SEARCHED]):
        return wording.say("looks_like_code")
    head = text[:_CODE_SEARCHED]
    foreign = len(_FOREIGN.findall(head))
    if foreign * 2 > len(head.replace(" ", "")) or scene.reading.letters == 0 or _other_language(scene):
        return wording.say("unreadable")
    return ""


def _other_language(scene: Scene) -> bool:
    """Words of another European language, and none of German or English."""
    spoken = scene.reading.vocabulary
    others = spoken & grammar("any", "words_of_other_languages")
    languages: tuple[Language, Language] = ("de", "en")
    known = {word for language in languages for word in words("cues", language, "topic", "stop")}
    return bool(others) and len(spoken) > 1 and not (spoken - others) & known


def _emoji(scene: Scene, wording: Wording) -> str:
    emotion = scene.signs.feeling.emotion
    if emotion in NEGATIVE_EMOTIONS:
        return wording.say("emoji_negative")
    return wording.say("emoji_positive" if emotion in POSITIVE_EMOTIONS else "emoji_other")


def farewell(scene: Scene, wording: Wording) -> str:
    """A goodbye is answered with a goodbye, never with a reason to stay."""
    night_alone = len(scene.reading.words) == 1 and bool(scene.reading.vocabulary & {"nacht", "night"})
    if ("farewell" not in scene.small and not night_alone) or scene.reading.is_question:
        return ""
    night = bool(scene.reading.vocabulary & grammar("any", "bedtime_words"))
    wished = next(
        (event for event in reversed(scene.events) if event and event.being and event.kind in _WISHED), None
    )
    wish = wording.say("farewell_wish", **scene.fillings(wished.being)) if wished else ""
    return join((wording.say("farewell_night" if night else "farewell"), wish))


def friction(scene: Scene, wording: Wording) -> str:
    """Insults, a wish for distance, a wish for fewer questions."""
    if "stop_asking" in scene.moves:
        return wording.say("stop_asking")
    if scene.signs.has("dynamic", "attack"):
        return wording.say("attack")
    return wording.say("distance") if scene.signs.has("dynamic", "distance") else ""


def affection(scene: Scene, wording: Wording) -> str:
    """Kind words to Nova, leaning on her alone, and apologies."""
    if "only_you" in scene.moves:
        return wording.say("only_you")
    for kind in ("love_you", "compliment"):
        if kind in scene.moves and scene.emotion not in NEGATIVE_EMOTIONS:
            return wording.say(kind)
    if "apology" in scene.moves and len(scene.reading.words) <= 12:
        return wording.say("apology")
    return ""


def thanked(scene: Scene, wording: Wording) -> str:
    """Thanks, unless more was said."""
    short = len(scene.reading.words) <= 8
    if "thanks" not in scene.small or not short or scene.signs.feeling.ironic or scene.reading.is_question:
        return ""
    return wording.say("thanks")


def greeted(scene: Scene, wording: Wording) -> str:
    """Hello, perhaps with "how are you"; at first contact Nova says what she is."""
    asked = "how_are_you" in scene.small or "own_day" in scene.moves
    greets = "greeting" in scene.small or _greets_by_the_hour(scene)
    if not greets and not asked:
        return ""
    if len(scene.reading.words) > 9 or scene.event is not None or scene.moves & _ERRANDS:
        return ""
    hello = _hello(scene, wording) if greets else ""
    state = about_nova.how_is_nova(scene, wording) if asked else ""
    back = wording.say("and_you") if asked and scene.may_ask else ""
    if not asked and scene.may_ask:
        back = _opening_question(scene, wording)
    return join((hello, about_nova.introduction(scene, wording, short=False), state, back))


def _greets_by_the_hour(scene: Scene) -> bool:
    """ "Morgen!", "Evening": the hour alone, unless Nova asked for a time."""
    lone = len(scene.reading.words) == 1 and not scene.was_asked
    return lone and bool(scene.reading.vocabulary & grammar("any", "hours_that_greet"))


def _hello(scene: Scene, wording: Wording) -> str:
    if any(word in scene.said[-1] for word in ("Hallo", "Hello", "Hey", "Hi!")) if scene.said else False:
        return wording.say("greeting_again")
    hour = scene.material.now.hour
    lows = scene.reading.vocabulary
    if scene.name:
        return wording.say("greeting_name", name=scene.name)
    if lows & {"morgen", "morning", "moin"} and hour < 12:
        return wording.say("greeting_morning")
    if lows & {"abend", "evening"}:
        return wording.say("greeting_evening")
    return wording.say("greeting")


def _opening_question(scene: Scene, wording: Wording) -> str:
    if scene.open_thread is not None:
        return wording.say("thread", **scene.fillings(scene.open_thread.being))
    return wording.say("open_question")


def chatter(scene: Scene, wording: Wording) -> str:
    """Boredom, laughter, teasing, "are you there?", "can I ask you something?"."""
    short = len(scene.reading.words) <= 9
    for kind in (
        "question_ahead",
        "are_you_there",
        "so_so",
        "kidding",
        "agree",
        "repeat_please",
        "wrong",
        "bored",
        "laugh",
    ):
        if kind == "repeat_please" and len(scene.reading.words) > _SHORT_QUESTION:
            continue
        if kind in scene.moves and short:
            if kind == "wrong" and scene.news.renamed:
                return ""
            return wording.say(kind)
    return ""


def lone_word(scene: Scene, wording: Wording) -> str:
    """ "Warum?", "langweilig": one word that is a move by itself."""
    if len(scene.reading.words) > _FEW:
        return ""
    if "why" in scene.moves:
        return wording.say("why_asked" if scene.was_asked else "why_plain")
    return wording.say("bored") if scene.reading.vocabulary & _BORED_WORDS else ""


def play(scene: Scene, wording: Wording) -> str:
    """A riddle that the person answers themselves, or the wish for something nice."""
    if "something_nice" in scene.moves or _asks_for_something_nice(scene):
        return wording.say("something_nice")
    return wording.say("told_joke") if _told_riddle(scene) else ""


def _asks_for_something_nice(scene: Scene) -> bool:
    """ "Erzählen Sie mir doch mal etwas Schönes": an order with the wish anywhere behind it."""
    nice = scene.reading.vocabulary & grammar("any", "nice_things_to_hear")
    return bool(nice) and scene.reading.lows[0].startswith(("erzaehl", "sag", "tell", "say"))


def _told_riddle(scene: Scene) -> bool:
    """A riddle that the person answers at once, without themselves in it: a joke."""
    sentences = [sentence for sentence in scene.reading.sentences if sentence.words]
    if len(sentences) < 2 or not sentences[0].is_question or sentences[-1].is_question:
        return False
    if scene.reading.vocabulary & words("cues", scene.language, "scope", "self"):
        return False
    heads = tuple(token.low for token in sentences[0].words[:2])
    return any(heads[: len(opener)] == tuple(map(fold, opener)) for opener in _RIDDLE_OPENERS)


def few_words(scene: Scene, wording: Wording) -> str:
    """A word or two that tell nothing by themselves."""
    if len(scene.reading.words) > _FEW or scene.reading.is_question or scene.emotion != NEUTRAL:
        return ""
    if scene.event is not None or scene.news.named or scene.news.facts or scene.news.own_name:
        return ""
    before = [len(read(text).words) for text in scene.heard[-_TERSE:]]
    if len(before) == _TERSE and max(before) <= _FEW:
        return wording.say("terse")
    if len(scene.reading.words) == 1 and not scene.was_asked and scene.reading.letters > _LETTERS_OF_A_WORD:
        opening, closing = ("„", "“") if scene.language == "de" else ('"', '"')
        return wording.say("few_words", thing=f"{opening}{scene.reading.words[0].text}{closing}")
    return ""


def short_answer(scene: Scene, wording: Wording) -> str:
    """Yes, no, don't know — to a question of Nova's or just so."""
    if not scene.is_short or scene.event is not None or scene.reading.is_question:
        return ""
    for kind, key in (("dunno", "dunno_after"), ("no", "no_after"), ("yes", "yes_after")):
        if kind in scene.moves and _leads(scene, kind):
            back = (
                thread_question(scene, wording)
                if scene.may_ask
                else wording.say("go_on")
                if not scene.was_asked
                else ""
            )
            unasked = kind == "yes" and not scene.was_asked
            return join((wording.say("agree_after" if unasked else key), back))
    return ""


def _leads(scene: Scene, kind: str) -> bool:
    """The message begins with the answer."""
    listed = table("moves", scene.language)["moves"][kind].split()
    heads = {entry.split("_")[0] for entry in listed}
    return bool(scene.reading.words) and scene.reading.words[0].text.casefold() in heads


def repeated(scene: Scene) -> bool:
    """The person says the very same as the time before."""
    return bool(scene.heard) and scene.heard[-1].strip() == scene.material.text.strip()
