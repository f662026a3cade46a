"""The whole built-in perception: trained heads and word rules, each where it knows more (spec 02 §3.17–3.19).

The heads read any wording but were trained on other people's texts; the rules know set phrases, negation, irony, danger
and the topic, and are silent about most of what people say. The scores of the heads are lifted by what the rules found;
where a rule must hold (danger, a call for help that names nothing) it decides alone and the origin says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from novaberg.models.builtin import fields
from novaberg.models.builtin.arithmetic import has_sum
from novaberg.models.builtin.crisis import Danger
from novaberg.models.builtin.perception import Perception, Signs, signs_of
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.material import PerceptionMaterial
from novaberg.models.perceiver.perceiver import LocalReading, shared_perceiver
from novaberg.vocabulary import EMOTION_CANON, EMOTION_SECTOR, NEUTRAL, POSITIVE_EMOTIONS

Origin = Literal["gelernt", "gelernt_ohne_e5", "regel", "unsicher", "leer"]
"""How a reading came about: heads and rules; the same with one encoder; a rule that must hold; nothing stands out or the
language is a foreign one; there was nothing to read."""

_LEAST: Final = 1e-4
"""Score under which no head's word counts as smaller still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceivingCalibration:
    """Weights of the rules beside the heads, on the logarithms of the scores; fitted on held-out sentences."""

    winner: float = 0.4
    """For the emotion that the rules name."""
    neutral: float = 0.3
    """For ``neutral``, if the rules see nothing."""
    factual: float = 1.5
    """For ``neutral``, if the text asks for a fact or orders something and names no feeling."""
    points: float = 1.3
    """Per point of an emotion word."""
    most_points: float = 2.0
    irony: float = 3.0
    """Taken from every positive emotion if the rules hear irony."""
    own_words: float = 1.5
    """As ``winner``, for Nova's text: the rules were written for her way of speaking."""
    field: float = 0.4
    """For the value of a field that the rules name."""
    certain_field: float = 2.0
    """The same for a value that a plain cue names (an order, an attack, a thank-you)."""
    unsure_below: float = 0.2
    """Score of the best emotion under which nothing is claimed."""
    agreed_arousal: float = 0.4
    """Share of the rules in the arousal of a short text in which both see the same sector."""
    short_words: int = 15
    """Words up to which the rules have a say in the arousal: in a long text one strong word is no strong feeling."""
    neutral_arousal: float = 0.3
    """Highest arousal of a question of fact or an order that stirs nothing (spec 02 §9.4, P4)."""


DEFAULT_PERCEIVING: Final = PerceivingCalibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReading:
    """A perception with what stands behind it."""

    perception: Perception
    scores: Mapping[str, float]
    """All 17 emotions, summing to 1."""
    confidence: float
    """0 to 1: how often a reading like this is right about the emotion."""
    herkunft: Origin
    learnt: LocalReading
    """What the heads alone made of it."""


def read_fully(
    material: PerceptionMaterial, calibration: PerceivingCalibration = DEFAULT_PERCEIVING
) -> FullReading:
    """The eight fields of ``material.text`` by heads and rules. Deterministic; about 30 ms, 1 s more at the first call.

    Raises:
        BrokenWeightsError: the weights of the heads are missing or damaged.
    """
    signs = signs_of(material.text, material.language)
    ruled = perceive(material)
    learnt = shared_perceiver().perceive(
        material.text, role=material.role, language=material.language, history=material.history
    )
    scores = _scores(signs, ruled, learnt, material, calibration)
    if _rules_alone(signs, ruled, learnt, material):
        return FullReading(
            perception=ruled,
            scores=_led_by(scores, ruled.emotion),
            confidence=max(scores[ruled.emotion], 0.9),
            herkunft="regel",
            learnt=learnt,
        )
    about_nova = (
        material.role == "assistant"
    )  # her fields have rules of their own, the heads know people only
    fused = ruled if about_nova else _fused_fields(signs, ruled, learnt, calibration)
    best = max(EMOTION_CANON, key=lambda emotion: scores[emotion])
    unsure = _unsure(scores[best], signs, learnt, calibration)
    emotion = NEUTRAL if unsure else best
    arousal = _arousal(emotion, signs, ruled, learnt, calibration)
    return FullReading(
        perception=replace(fused, emotion=emotion, arousal=round(arousal, 2)),
        scores={name: round(scores[name], 4) for name in EMOTION_CANON},
        confidence=round(scores[best], 4),
        herkunft=_origin(learnt, unsure=unsure),
        learnt=learnt,
    )


def _rules_alone(signs: Signs, ruled: Perception, learnt: LocalReading, material: PerceptionMaterial) -> bool:
    """Danger, a call for help that names nothing, and texts in which the heads see nothing at all."""
    if material.role == "user" and (signs.danger is not Danger.NONE):
        return True
    if material.role == "user" and signs.stuck and ruled.emotion == "unsicherheit":
        return True
    return learnt.herkunft == "leer" and signs.feeling.recognised


# ── emotion ──────────────────────────────────────────────────────────────────


def _scores(
    signs: Signs,
    ruled: Perception,
    learnt: LocalReading,
    material: PerceptionMaterial,
    calibration: PerceivingCalibration,
) -> dict[str, float]:
    logs = {emotion: math.log(max(score, _LEAST)) for emotion, score in learnt.scores.items()}
    for emotion, points in signs.feeling.points.items():
        logs[emotion] += calibration.points * min(points, calibration.most_points)
    if ruled.emotion != NEUTRAL:
        logs[ruled.emotion] += calibration.own_words if material.role == "assistant" else calibration.winner
    elif _asks_or_orders(signs, ruled):
        logs[NEUTRAL] += calibration.factual
    else:
        logs[NEUTRAL] += calibration.neutral
    if signs.feeling.ironic:
        for emotion in POSITIVE_EMOTIONS:
            logs[emotion] -= calibration.irony
    highest = max(logs.values())
    grown = {emotion: math.exp(value - highest) for emotion, value in logs.items()}
    total = sum(grown.values())
    return {emotion: value / total for emotion, value in grown.items()}


def _asks_or_orders(signs: Signs, ruled: Perception) -> bool:
    asks = signs.question is fields.QuestionKind.FACTUAL and ruled.intent == "knowledge"
    calm = not signs.reading.exclamations and not signs.reading.shouted
    return calm and (asks or ruled.intent == "task") and not signs.feeling.points


def _unsure(score: float, signs: Signs, learnt: LocalReading, calibration: PerceivingCalibration) -> bool:
    lost = learnt.foreign and learnt.emotion == NEUTRAL and not signs.feeling.recognised
    return lost or score < calibration.unsure_below


def _origin(learnt: LocalReading, *, unsure: bool) -> Origin:
    if learnt.herkunft == "leer":
        return "leer"
    if unsure or learnt.foreign:
        return "unsicher"
    return "gelernt" if shared_perceiver().heads == "both" else "gelernt_ohne_e5"


def _arousal(
    emotion: str,
    signs: Signs,
    ruled: Perception,
    learnt: LocalReading,
    calibration: PerceivingCalibration,
) -> float:
    if learnt.in_context or len(signs.reading.words) > calibration.short_words:
        return learnt.arousal
    if emotion == NEUTRAL:
        if not _asks_or_orders(signs, ruled):
            return learnt.arousal
        return min((learnt.arousal + ruled.arousal) / 2, calibration.neutral_arousal)
    if EMOTION_SECTOR.get(ruled.emotion) == EMOTION_SECTOR[emotion]:
        share = calibration.agreed_arousal
        return (1 - share) * learnt.arousal + share * ruled.arousal
    return learnt.arousal


def _led_by(scores: Mapping[str, float], emotion: str) -> dict[str, float]:
    """The scores with ``emotion`` at 0.9 at least, the others in their proportions."""
    own = max(scores[emotion], 0.9)
    rest = 1 - scores[emotion]
    factor = (1 - own) / rest if rest > 0 else 0.0
    return {
        name: round(own if name == emotion else score * factor, 4)
        for name, score in ((name, scores[name]) for name in EMOTION_CANON)
    }


# ── fields ───────────────────────────────────────────────────────────────────


def _fused_fields(
    signs: Signs, ruled: Perception, learnt: LocalReading, calibration: PerceivingCalibration
) -> Perception:
    if not learnt.field_scores:
        return ruled
    certain = set(_certain_fields(signs, ruled))

    def fused(field: str, named: str) -> str:
        lift = calibration.certain_field if field in certain else calibration.field
        logs = {value: math.log(max(score, _LEAST)) for value, score in learnt.field_scores[field].items()}
        logs[named] += lift
        return max(logs, key=lambda value: logs[value])

    return replace(
        ruled,
        intent=fused("intent", ruled.intent),
        tone=fused("tone", ruled.tone),
        mode=fused("modus", ruled.mode),
        style=fused("sprach_stil", ruled.style),
        dynamic=fused("beziehungs_dynamik", ruled.dynamic),
    )


def _certain_fields(signs: Signs, ruled: Perception) -> Sequence[str]:
    """Fields for which a plain cue stands in the text."""
    found: list[str] = []
    cues = signs.cues("intent")
    if ruled.intent in {"meta", "creative", "task"} and (ruled.intent in cues or has_sum(signs.reading)):
        found.append("intent")
    if ruled.dynamic in {"angriff", "distanz", "dankbar"}:
        found.append("beziehungs_dynamik")
    if ruled.style == "formell":
        found.append("sprach_stil")
    if ruled.mode == "philosophischer_austausch":
        found.append("modus")
    return found
