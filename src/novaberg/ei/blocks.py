"""What the EI nodes compute: the person's block, Nova's block, Nova's consolidation (spec 02 §3.13, §3.16).

Each takes stored turns and immutable values and gives new ones, with everything the node needs to log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from novaberg.ei.empathy import DEFAULT_EMPATHY, EmpathyCalibration, EmpathyResult, empathise
from novaberg.ei.gate import DEFAULT_GATE, GateCalibration, GatedArousal, ei_arousal
from novaberg.ei.mood import DEFAULT_MOOD, MoodCalibration, MoodVector, mood_vector
from novaberg.ei.plausibility import (
    DEFAULT_PLAUSIBILITY,
    PlausibilityCalibration,
    plausible_mode,
    plausible_style,
)
from novaberg.ei.records import CourseEntry, TurnRecord
from novaberg.ei.space import DEFAULT_SPACE, SpaceCalibration, SpaceTarget, move_space, target_of
from novaberg.ei.style import DEFAULT_STYLE, CharacterHash, RuleStyle, StyleCalibration, detect_style
from novaberg.ei.trajectory import (
    DEFAULT_TRAJECTORY,
    Trajectory,
    TrajectoryCalibration,
    emotion_trajectory,
)
from novaberg.personality import Emotion, Space
from novaberg.vocabulary import ROLE_ASSISTANT, ROLE_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class EiCalibration:
    """The calibrations of all steps."""

    trajectory: TrajectoryCalibration = DEFAULT_TRAJECTORY
    mood: MoodCalibration = DEFAULT_MOOD
    gate: GateCalibration = DEFAULT_GATE
    plausibility: PlausibilityCalibration = DEFAULT_PLAUSIBILITY
    style: StyleCalibration = DEFAULT_STYLE
    empathy: EmpathyCalibration = DEFAULT_EMPATHY
    space: SpaceCalibration = DEFAULT_SPACE


DEFAULT_EI: Final = EiCalibration()


# ── plausibility of one side ─────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """One side's emotion after the plausibility rules, with each step."""

    emotion: Emotion
    """With corrected mode and style; its arousal stays raw."""
    gate: GatedArousal
    mode_before: str
    style_before: str
    rule_style: RuleStyle


def consolidate_nova(
    turns: Sequence[TurnRecord],
    emotion: Emotion,
    character: CharacterHash | None,
    calibration: EiCalibration = DEFAULT_EI,
) -> Consolidation:
    """Step 1 of ``ei_calc_persist``: gate, mode, style of Nova's self-perception.

    Without a usable turn of hers the rule style is only a default, so the perceived style stays.
    """
    consolidated = _consolidate(turns, emotion, character, role=ROLE_ASSISTANT, calibration=calibration)
    if consolidated.rule_style.texts:
        return consolidated
    unstyled = replace(consolidated.emotion, language_style=emotion.language_style)
    return replace(consolidated, emotion=unstyled)


def _consolidate(
    turns: Sequence[TurnRecord],
    emotion: Emotion,
    character: CharacterHash | None,
    *,
    role: str,
    calibration: EiCalibration,
) -> Consolidation:
    gate = ei_arousal(
        emotion.arousal,
        relationship_dynamic=emotion.relationship_dynamic,
        intent=emotion.intent,
        tone=emotion.tone,
        calibration=calibration.gate,
    )
    rule = detect_style(turns, character, role=role, calibration=calibration.style)
    mode = plausible_mode(emotion.emotion, gate.value, emotion.mode, calibration.plausibility)
    style = plausible_style(
        emotion.emotion,
        gate.value,
        perceived=emotion.language_style,
        rule=rule.style,
        tone=emotion.tone,
        calibration=calibration.plausibility,
    )
    return Consolidation(
        emotion=replace(emotion, mode=mode, language_style=style),
        gate=gate,
        mode_before=emotion.mode,
        style_before=emotion.language_style,
        rule_style=rule,
    )


# ── the person ───────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class UserBlock:
    """Outcome of the person's block."""

    emotion: Emotion
    """The perception with vector, its source, corrected mode and style."""
    trajectory: Trajectory
    mood: MoodVector
    consolidation: Consolidation


def user_block(
    turns: Sequence[TurnRecord],
    emotion: Emotion,
    character: CharacterHash | None,
    calibration: EiCalibration = DEFAULT_EI,
) -> UserBlock:
    """The person's emotional course, direction, gated arousal, and corrected mode and style.

    Args:
        turns: stored turns, oldest first, without the current utterance; that is ``emotion`` (turn 0).
        emotion: as perceived.
        character: the person's, if known; breaks ties of style.
        calibration: constants.
    """
    trajectory = emotion_trajectory(
        turns,
        role=ROLE_USER,
        current_emotion=emotion.emotion,
        current_arousal=emotion.arousal,
        inject_current=True,
        calibration=calibration.trajectory,
    )
    mood = mood_vector(
        turns,
        role=ROLE_USER,
        current_emotion=emotion.emotion,
        current_arousal=emotion.arousal,
        inject_current=True,
        calibration=calibration.mood,
    )
    directed = _with_vector(emotion, mood)
    consolidation = _consolidate(turns, directed, character, role=ROLE_USER, calibration=calibration)
    return UserBlock(
        emotion=consolidation.emotion, trajectory=trajectory, mood=mood, consolidation=consolidation
    )


def _with_vector(emotion: Emotion, mood: MoodVector) -> Emotion:
    return replace(emotion, emotions_vector=mood.vector, emotions_vector_quelle=mood.source)


# ── Nova ─────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Transfer:
    """Outcome of `transfer_leading_emotion`."""

    emotion: Emotion
    moved: bool
    """False = the course was empty and the emotion is stale (ERROR, naming it)."""


def transfer_leading_emotion(emotion: Emotion, trajectory: Sequence[CourseEntry]) -> Transfer:
    """Nova's emotion and arousal become those of the leading entry (``internal_emotion_uebertragen``).

    Called after every change of her course, so that both always speak of the same moment. An entry without
    arousal keeps the present one.
    """
    if not trajectory:
        return Transfer(emotion, moved=False)
    leading = trajectory[0]
    arousal = leading.get("arousal", emotion.arousal)
    return Transfer(replace(emotion, emotion=leading["emotion"], arousal=arousal), moved=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaBlock:
    """Outcome of Nova's block."""

    emotion: Emotion
    """With vector, its source, and the leading emotion and arousal of the course."""
    space: Space
    trajectory: tuple[CourseEntry, ...]
    """Her course after empathy."""
    conflict: bool
    base: Trajectory
    """Her own course before empathy; worth a line even when empty."""
    mood: MoodVector
    transferred: bool
    """False = the course is empty and her emotion stayed (ERROR)."""
    empathy: EmpathyResult | None
    """``None`` = nobody spoke."""
    target: SpaceTarget
    """Where her space was heading."""
    target_missing: bool
    """The person spoke, but there is no personality to head for (ERROR); the default space was the target."""


def nova_block(
    turns: Sequence[TurnRecord],
    *,
    external: Emotion | None,
    internal: Emotion,
    space: Space,
    person_spoke: bool,
    calibration: EiCalibration = DEFAULT_EI,
) -> NovaBlock:
    """Nova's course, direction, leading emotion and space at the start of her turn.

    Her own history counts; the person's emotion acts through empathy alone, and only if the person spoke.

    Args:
        turns: stored turns of both, oldest first.
        external: the person's emotion; ``None`` = missing.
        internal: Nova's, as loaded.
        space: Nova's, as loaded.
        person_spoke: False on an own impulse, where her space follows her own register.
        calibration: constants; the character factor of the space acts only if the person spoke.
    """
    base = emotion_trajectory(
        turns, role=ROLE_ASSISTANT, inject_current=False, calibration=calibration.trajectory
    )
    mood = mood_vector(turns, role=ROLE_ASSISTANT, inject_current=False, calibration=calibration.mood)
    empathy = _empathy(base, external, calibration) if person_spoke else None
    trajectory = base.entries if empathy is None else empathy.trajectory
    transfer = transfer_leading_emotion(_with_vector(internal, mood), trajectory)
    target = _space_target(external if person_spoke else internal, calibration)
    factor = calibration.space.character_factor if person_spoke else 1.0
    return NovaBlock(
        emotion=transfer.emotion,
        space=move_space(space, target.space, factor, calibration.space),
        trajectory=trajectory,
        conflict=empathy is not None and empathy.conflict,
        base=base,
        mood=mood,
        transferred=transfer.moved,
        empathy=empathy,
        target=target,
        target_missing=person_spoke and external is None,
    )


def _empathy(base: Trajectory, external: Emotion | None, calibration: EiCalibration) -> EmpathyResult:
    felt = external or Emotion()
    return empathise(base.entries, felt.emotion, felt.arousal, calibration.empathy)


def _space_target(source: Emotion | None, calibration: EiCalibration) -> SpaceTarget:
    if source is None:
        return SpaceTarget(Space(calibration.space.missing_depth, calibration.space.missing_closeness))
    return target_of(source, calibration.space)
