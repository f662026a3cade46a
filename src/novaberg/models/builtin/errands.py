"""Requests: what Nova can do, and an honest word where she cannot."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from novaberg.models.builtin import fields
from novaberg.models.builtin.mirror import clause_around, mirror_clause, mirror_tokens
from novaberg.models.builtin.mirror_de import turn_pronouns
from novaberg.models.builtin.mirror_en import mirrored_en
from novaberg.models.builtin.reading import Token
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.topic import content_words
from novaberg.models.builtin.wording import Wording, join, sentences_of
from novaberg.models.builtin.wordlists import grammar, table
from novaberg.vocabulary import NEGATIVE_EMOTIONS

LIGHT: Final = grammar("any", "light_events")
"""Pastimes and circumstances: they step back behind a heavy feeling, and are not asked about over and over."""
_HONEST: Final = ("translate", "code", "poem", "draft", "weather", "news", "music")
_MERE_CALL: Final = 6
"""Words up to which a call for help names no matter of its own."""
_LONGEST_OPTION: Final = 7
"""Words of one side of "A or B"."""
_HOPED_FOR: Final = frozenset(
    {"illness_animal", "illness_person", "accident", "lost", "exam_ahead", "interview"}
)
"""Worries about which "do you think …?" asks for hope, not for an opinion."""
_NOVA: Final = frozenset({"du", "dich", "you"})
_PHILOSOPHY: Final = "philosophischer_austausch"


def errand(scene: Scene, wording: Wording) -> str:
    """The answer to a request, ``""`` if there is none."""
    moves = scene.moves
    if "remember_this" in moves:
        return _remember(scene, wording)
    if "remind" in moves:
        return wording.say("remind", note=_note(scene))
    if ("joke" in moves and "laugh" not in moves) or _wants_another_joke(scene, wording):
        return join((wording.say("joke"), wording.say("joke_after")))
    asks = scene.signs.question is not fields.QuestionKind.NONE or _is_order(scene)
    kind = next((name for name in _HONEST if name in moves), "")
    if kind and asks and not scene.signs.feeling.own:
        return wording.say(kind, thing=thing(scene))
    return ""


def _wants_another_joke(scene: Scene, wording: Wording) -> bool:
    """ "Noch einen!" after a joke."""
    if "another" not in scene.moves or not scene.is_short:
        return False
    recent = {sentence for text in scene.said[-2:] for sentence in sentences_of(text)}
    jokes: list[str] = table("voice", scene.language)["say"]["joke"]
    return any(set(sentences_of(wording.fill(joke, {}) or "")[:1]) & recent for joke in jokes)


def reassurance(scene: Scene, wording: Wording) -> str:
    """ "Ist das normal?" about a feeling."""
    felt = scene.signs.feeling.recognised or (scene.thread is not None and scene.thread.kind not in LIGHT)
    return wording.say("is_normal") if "is_normal" in scene.moves and felt else ""


def thing(scene: Scene) -> str:
    """The subject of the text in quotation marks, ``""`` without one."""
    words = content_words(scene.reading, scene.language)
    skipped = grammar("any", "works_asked_for")
    usable = [word for word in words if word.low not in skipped and len(word.low) > 2]
    if scene.language == "de":
        usable = [word for word in usable if word.capital and not _first_word(word, scene)] or [
            word
            for word in usable
            if word.capital and word.low.endswith(("ung", "heit", "keit", "e", "er", "el"))
        ]
    else:
        usable = [
            word for word in usable if word.capital and not _first_word(word, scene)
        ] or _behind_article(scene, usable)
    if not usable:
        return ""
    opening, closing = ("„", "“") if scene.language == "de" else ('"', '"')
    return f"{opening}{usable[-1].text}{closing}"


def _first_word(word: Token, scene: Scene) -> bool:
    return any(sentence.words and sentence.words[0] is word for sentence in scene.reading.sentences)


def _behind_article(scene: Scene, usable: list[Token]) -> list[Token]:
    articles = grammar("any", "english_articles")
    words = scene.reading.words
    starts = {token.start for before, token in pairwise(words) if before.low in articles}
    return [word for word in usable if word.start in starts]


def _is_order(scene: Scene) -> bool:
    return scene.signs.cues("intent").get("task", 0) > 0 or scene.signs.cues("intent").get("creative", 0) > 0


def _remember(scene: Scene, wording: Wording) -> str:
    tokens = _noted_tokens(scene)
    turned = mirror_tokens(tokens, scene.language, formal=scene.manner.formal, longest=14) if tokens else None
    return wording.say("remember_this", clause=turned.embedded(scene.language) if turned else "")


def _noted_tokens(scene: Scene) -> tuple[Token, ...]:
    """What stands behind "remember that" or the colon; German "dass" clauses are not turned (their verb stands last)."""
    sentence = scene.reading.sentences[0] if scene.reading.sentences else None
    if sentence is None:
        return ()
    for index, token in enumerate(sentence.tokens):
        if token.text == ":" or (scene.language == "en" and token.low in {"that", "remember"} and index < 4):
            rest = sentence.tokens[index + 1 :]
            return rest[1:] if rest and rest[0].low == "that" else rest
    return ()


def _note(scene: Scene) -> str:
    text = scene.reading.text.strip()
    opening, closing = ("„", "“") if scene.language == "de" else ('"', '"')
    return f"{opening}{text.rstrip('.!?')}{closing}." if len(text) <= 120 else ""


def advice(scene: Scene, wording: Wording) -> str:
    """ "What should I do?" and "A or B?"."""
    if scene.signs.stuck:
        return wording.say("knowledge", thing=thing(scene)) if _technical(scene) else _stuck(scene, wording)
    if "tips" in scene.moves and scene.reading.is_question:
        return join((wording.say("advice_plain"), wording.say("advice_ask") if scene.may_ask else ""))
    if not scene.reading.is_question or not scene.signs.has("mode", "beratend"):
        return ""
    options = _options(scene)
    if options is not None:
        return wording.say("choice", a=options[0], b=options[1])
    return "" if "opinion" in scene.moves else wording.say("decision")


def _technical(scene: Scene) -> bool:
    """Help is wanted with a device or a subject, not with a feeling."""
    matter = scene.signs.has("mode", "fachgespraech") or (
        scene.event is not None and scene.event.kind == "technology"
    )
    return matter and not scene.signs.feeling.own and len(scene.reading.words) > _MERE_CALL


def _stuck(scene: Scene, wording: Wording) -> str:
    back = ""
    thread = scene.last_event
    if thread is not None and thread.kind.startswith("death"):
        return wording.say("follow_grief")
    ask = wording.say("advice_ask") if scene.may_ask else ""
    if thread is not None:
        turned = mirror_clause(
            thread.clause.sentence, thread.position, scene.language, formal=scene.manner.formal
        )
        back = wording.say("advice_back", clause=turned.embedded(scene.language)) if turned else ""
    if back:
        return join((wording.say("advice_context", back=back), ask))
    react = ""
    if scene.signs.feeling.emotion in NEGATIVE_EMOTIONS:
        react = wording.say("react", room=scene.feel_room, file="replies")
    return join((react or wording.say("advice_plain"), ask))


def _options(scene: Scene) -> tuple[str, str] | None:
    """The two sides of "Soll ich A oder B?", turned to the person."""
    sentence = next((s for s in reversed(scene.reading.sentences) if s.is_question), None)
    if sentence is None:
        return None
    joint = {"oder", "or"}
    joints = [token for token in sentence.tokens if token.low in joint]
    if not joints:
        return None
    begin, end = clause_around(sentence.tokens, joints[-1].start)
    words = [token for token in sentence.tokens[begin:end] if token.kind in {"word", "number"}]
    position = next((i for i, token in enumerate(words) if token.low in joint), None)
    if position is None:
        return None
    skipped = grammar("any", "words_before_an_option")
    left = words[:position]
    while left and left[0].low in skipped:
        left = left[1:]
    right = words[position + 1 :]
    while right and right[0].low in skipped - {"lieber", "rather"}:
        right = right[1:]
    if not (1 <= len(left) <= _LONGEST_OPTION and 1 <= len(right) <= _LONGEST_OPTION):
        return None
    opening, closing = ("„", "“") if scene.language == "de" else ('"', '"')
    return f"{opening}{_turned(left, scene)}{closing}", f"{opening}{_turned(right, scene)}{closing}"


def _turned(tokens: list[Token], scene: Scene) -> str:
    if scene.language == "en":
        return " ".join(mirrored_en(tokens))
    return " ".join(turn_pronouns(token, formal=scene.manner.formal) for token in tokens)


def opinion(scene: Scene, wording: Wording) -> str:
    """ "What do you think of …?"."""
    if "opinion" not in scene.moves or not scene.reading.is_question:
        return ""
    worry = next(
        (e for e in reversed(scene.events) if e and e.kind in _HOPED_FOR and e.being in scene.beings), None
    )
    if worry is not None:
        return wording.say("hope_with", **scene.fillings(worry.being))
    lost = next((e for e in reversed(scene.events) if e and e.kind.startswith("death")), None)
    if lost is not None and (lost.being is None or lost.being in scene.beings):
        return wording.say("hope_beyond", **scene.fillings(lost.being))
    subject = thing(scene)
    return wording.say("opinion", thing=subject) if subject else wording.say("opinion_no_topic")


def knowledge(scene: Scene, wording: Wording) -> str:
    """An honest "I don't know" to questions about the world."""
    if not _asks_the_world(scene):
        return ""
    if scene.signs.has("mode", _PHILOSOPHY):
        return wording.say("philosophy")
    if "able" in scene.moves and scene.reading.is_question:
        return wording.say("cannot")
    if scene.signs.question is fields.QuestionKind.EXPLAINING:
        if scene.signs.feeling.own and scene.beings:
            return wording.say("question_about_person")
        if scene.reading.vocabulary & _NOVA:
            return wording.say("to_nova")
    return wording.say("knowledge", thing=thing(scene))


def _asks_the_world(scene: Scene) -> bool:
    if scene.signs.question is fields.QuestionKind.NONE:
        return scene.signs.has("intent", "explain")
    return fields.asks_at_the_end(scene.reading, scene.language)
