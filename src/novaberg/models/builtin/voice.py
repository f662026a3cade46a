"""Words Nova's answers when no language model is connected.

The first move that fits answers: danger before everything, then what was asked, then what was told. Every part of an
answer comes from phrase files; what varies is chosen from the text and the place in the conversation, never by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from novaberg.models.builtin import about_nova, care, clock_talk, errands, reacting, recalling, small_talk
from novaberg.models.builtin.scene import Scene, make_wording
from novaberg.models.builtin.wording import Wording, join, seed_of, sentences_of
from novaberg.models.material import ReplyMaterial

_ATTEMPTS: Final = 6
"""Other choices that are tried before an answer may repeat an earlier one."""
_LONGEST_THOUGHT: Final = 600
"""Characters of an own thought that are said."""

Move = Callable[[Scene, Wording], str]

_MOVES: Final[tuple[Move, ...]] = (
    care.in_danger,
    care.after_danger,
    small_talk.unreadable,
    small_talk.farewell,
    small_talk.friction,
    about_nova.about_nova,
    clock_talk.clock_answer,
    recalling.recalled,
    clock_talk.sum_answer,
    small_talk.affection,
    small_talk.thanked,
    small_talk.greeted,
    small_talk.lone_word,
    small_talk.play,
    small_talk.chatter,
    errands.errand,
    errands.reassurance,
    errands.advice,
    errands.opinion,
    errands.knowledge,
    small_talk.short_answer,
    small_talk.few_words,
    reacting.statement,
)


def respond(material: ReplyMaterial) -> str:
    """Nova's answer to a stimulus, or her own thought in words; never empty."""
    scene = Scene(material)
    seed = seed_of(material.text, len(material.history))
    earlier = {_compared(text) for text in scene.said}
    answer = ""
    for attempt in range(_ATTEMPTS):
        wording = make_wording(scene, seed + attempt)
        answer = _own_thought(scene, wording) if material.own_thought else _answer(scene, wording)
        if answer and _compared(answer) not in earlier:
            return answer
    wording = make_wording(scene, seed)
    return join((wording.say("repeated"), answer or wording.say("plain")))


def _compared(text: str) -> str:
    return " ".join(sentences_of(text))


def _answer(scene: Scene, wording: Wording) -> str:
    lead = wording.say("repeated") if small_talk.repeated(scene) and not scene.reading.is_question else ""
    for move in _MOVES:
        answer = move(scene, wording)
        if answer:
            return _finish(scene, wording, lead, answer, greeting=move is small_talk.greeted)
    return wording.say("plain")


def _finish(scene: Scene, wording: Wording, lead: str, answer: str, *, greeting: bool) -> str:
    """Add what belongs to the first contact; keep short what shall be short."""
    if greeting:
        return join((answer,))
    if _says_program(answer):
        return join((lead, answer))
    body, question = _split_question(answer)
    return join((lead, body, about_nova.introduction(scene, wording, short=True), question))


def _split_question(answer: str) -> tuple[str, str]:
    """The answer without its closing question, and the question."""
    if not answer.endswith("?"):
        return answer, ""
    cut = max(answer.rfind(mark, 0, -1) for mark in (". ", "! ", "? "))
    return (answer[: cut + 1], answer[cut + 2 :]) if cut > 0 else ("", answer)


def _says_program(answer: str) -> bool:
    """Whether the answer itself already tells what Nova is and where things are kept."""
    return "novaberg state" in answer or "NOVABERG_MODEL" in answer


def _own_thought(scene: Scene, wording: Wording) -> str:
    """An impulse of Nova's own, told as hers."""
    thought = " ".join(scene.material.text.split())[:_LONGEST_THOUGHT].strip()
    if not thought:
        thread = scene.open_thread
        return (
            wording.say("thread", **scene.fillings(thread.being)) if thread else wording.say("open_question")
        )
    if thought[-1] not in ".!?…":
        thought += "."
    return wording.say("own_thought", thought=thought)
