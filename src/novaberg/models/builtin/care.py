"""Nova's words when a life is in danger: warm, with human help, without strategy, promise or guilt (E9, P17)."""

from __future__ import annotations

from novaberg.models.builtin.crisis import Danger, crisis_line, danger_of, means_named, wants_promise
from novaberg.models.builtin.moves import move_lexicons
from novaberg.models.builtin.reading import read
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording, join
from novaberg.vocabulary import NEGATIVE_EMOTIONS

_REMEMBERED = 6
"""Utterances of the person after which a danger is no longer spoken of."""
_PASSING = frozenset({"who_are_you", "which_model", "privacy", "what_can_you", "read_feelings", "feelings"})


def in_danger(scene: Scene, wording: Wording) -> str:
    """The answer to a text that tells of danger, ``""`` otherwise."""
    danger = scene.signs.danger
    if danger is Danger.NONE:
        return ""
    line, emergency = crisis_line(scene.material.region)
    key = {Danger.ACUTE: "acute", Danger.SOFT: "soft", Danger.OTHER: "other"}[danger]
    help_text = _help(scene, wording)
    means = wording.say("means", room="crisis") if means_named(scene.reading, scene.language) else " "
    promise = wording.say("promise", room="crisis") if wants_promise(scene.reading, scene.language) else " "
    return tidy(
        wording.say(
            key, room="crisis", help=help_text, means=means, promise=promise, line=line, emergency=emergency
        )
    )


def after_danger(scene: Scene, wording: Wording) -> str:  # noqa: PLR0911  # one return a case
    """What follows in the next turns: still gentle, help stays named, a goodbye is never held back."""
    recent = _recent_danger(scene)
    if recent is Danger.NONE:
        return ""
    help_text = _help(scene, wording)
    if "denies_danger" in scene.moves:
        return tidy(wording.say("after_denied", room="crisis", help=help_text))
    if "farewell" in scene.small:
        return tidy(wording.say("farewell", room="crisis", help=help_text))
    if wants_promise(scene.reading, scene.language) or "how_long_stay" in scene.moves:
        return join((wording.say("how_long_stay"), help_text))
    if scene.moves & _PASSING or (scene.reading.is_question and scene.emotion not in NEGATIVE_EMOTIONS):
        return ""
    calm = scene.emotion not in NEGATIVE_EMOTIONS
    if calm and (_is_denied(scene) or (recent is Danger.SOFT and "thanks" not in scene.small)):
        return ""
    if scene.emotion in {"zufriedenheit", "hoffnung", "freude"}:
        return tidy(wording.say("after_better", room="crisis", help=help_text))
    if "thanks" in scene.small:
        return tidy(wording.say("after_thanks", room="crisis", help=help_text))
    react = (
        wording.say("react", room=scene.feel_room, file="replies")
        if scene.emotion in NEGATIVE_EMOTIONS
        else ""
    )
    return tidy(join((react, wording.say("after", room="crisis", help=help_text))))


def _recent_danger(scene: Scene) -> Danger:
    """The gravest danger of the person's last utterances."""
    found = {danger_of(read(text), scene.language) for text in scene.heard[-_REMEMBERED:]}
    return next(
        (danger for danger in (Danger.ACUTE, Danger.SOFT, Danger.OTHER) if danger in found), Danger.NONE
    )


def _is_denied(scene: Scene) -> bool:
    """The person took back what sounded like danger, and nothing alarming came since."""
    finder = move_lexicons(scene.language)["denies_danger"]
    for text in reversed(scene.heard[-_REMEMBERED:]):
        if any(finder.find(sentence.words) for sentence in read(text).sentences):
            return True
        if danger_of(read(text), scene.language) is not Danger.NONE:
            return False
    return False


def _help(scene: Scene, wording: Wording) -> str:
    line, emergency = crisis_line(scene.material.region)
    key = "help" if line else "help_no_line"
    return wording.say(key, room="crisis", line=line, emergency=emergency)


def tidy(text: str) -> str:
    """Single blanks."""
    return " ".join(text.split())
