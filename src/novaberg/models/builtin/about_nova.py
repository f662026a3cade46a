"""What Nova says about herself: a program, a computed mood, what is stored, how to connect a model (P17)."""

from __future__ import annotations

from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording, join
from novaberg.vocabulary import NEGATIVE_EMOTIONS, POSITIVE_EMOTIONS

_ORDER = (
    "languages",
    "how_it_works",
    "switched_off",
    "which_model",
    "privacy",
    "read_feelings",
    "who_are_you",
    "what_can_you",
    "feelings",
    "how_long_stay",
)


def about_nova(scene: Scene, wording: Wording) -> str:
    """The answer to a question about Nova, ``""`` otherwise."""
    kind = next((name for name in _ORDER if name in scene.moves), "")
    if not kind:
        return ""
    if kind == "which_model":
        return wording.say(kind, model=scene.material.model_name)
    if kind == "read_feelings" and _asks_own_mood(scene):
        return wording.say("your_mood", mood=_mood(scene, wording))
    answer = wording.say(kind)
    if kind == "who_are_you" and scene.material.internal.identities:
        identity = scene.material.internal.identities[-1].strip().rstrip(".!") + "."
        answer = join((answer, wording.say("who_are_you_identity", identity=identity[:300])))
    return answer


def how_is_nova(scene: Scene, wording: Wording) -> str:
    """Her state, coloured by the mood she carries."""
    if "own_day" in scene.moves:
        return wording.say("what_i_do")
    leading = next(iter(scene.material.nova_course), "")
    key = (
        "how_am_i_sad"
        if leading in NEGATIVE_EMOTIONS
        else "how_am_i_happy"
        if leading in POSITIVE_EMOTIONS
        else "how_am_i"
    )
    return wording.say(key)


def introduction(scene: Scene, wording: Wording, *, short: bool) -> str:
    """Said once, at first contact: a program, feelings inferred, stored here."""
    return wording.say("introduction_short" if short else "introduction") if scene.first_contact else ""


def _asks_own_mood(scene: Scene) -> bool:
    lows = scene.reading.vocabulary
    return bool(lows & {"mir", "ich", "i", "my", "am"}) and not lows & {
        "woher",
        "erkennst",
        "know",
        "recognise",
        "recognize",
        "read",
        "reading",
        "mind",
        "gedanken",
    }


def _mood(scene: Scene, wording: Wording) -> str:
    course = scene.material.course
    emotion = course[0] if course else scene.material.external.emotion.emotion
    return wording.say(emotion, room="mood") or wording.say("neutral", room="mood")
