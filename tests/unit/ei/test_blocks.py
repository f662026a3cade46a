from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given

from novaberg.ei.blocks import (
    DEFAULT_EI,
    EiCalibration,
    consolidate_nova,
    nova_block,
    transfer_leading_emotion,
    user_block,
)
from novaberg.ei.space import SpaceCalibration
from novaberg.personality import Emotion, Space
from tests.unit.ei.strategies import characters, emotion_values, quick, spaces, turns


def _turn(role: str, emotion: str, arousal: float, text: str = "Aha.") -> Any:
    return {"rolle": role, "emotion": emotion, "arousal": arousal, "inhalt": text}


JOYFUL = [_turn("user", "freude", 0.6), _turn("assistant", "freude", 0.6), _turn("user", "freude", 0.6)]


def test_the_vector_of_this_turn_already_shows_the_change_of_direction() -> None:
    """B-082, spec 02 §9.3, turn 0."""
    block = user_block(JOYFUL, Emotion(emotion="traurigkeit", arousal=0.7), None)
    assert (block.emotion.emotions_vector, block.emotion.emotions_vector_quelle) == ("absturz", "gemessen")
    assert block.trajectory.entries[0]["emotion"] == "traurigkeit"
    assert block.emotion.mode == "emotional"
    assert block.consolidation.mode_before == "alltag"
    assert block.emotion.arousal == 0.7


def test_the_persons_emotion_reaches_nova_only_when_the_person_spoke() -> None:
    """Spec 02 §9.3: changing only the user's emotion changes Nova's course on the user's path and not otherwise."""
    shared: Any = {"internal": Emotion(), "space": Space()}
    sad, glad = Emotion(emotion="verzweiflung", arousal=0.9), Emotion(emotion="hoffnung", arousal=0.9)
    spoken = [nova_block(JOYFUL, external=who, person_spoke=True, **shared) for who in (sad, glad)]
    alone = [nova_block(JOYFUL, external=who, person_spoke=False, **shared) for who in (sad, glad)]
    assert spoken[0].trajectory != spoken[1].trajectory
    assert spoken[0].conflict
    assert not spoken[1].conflict
    assert alone[0] == alone[1]
    assert alone[0].trajectory == alone[0].base.entries
    assert alone[0].empathy is None


def test_novas_lead_and_her_emotion_agree() -> None:
    """Spec 02 §8 trap 9: one moment in one node."""
    block = nova_block(
        JOYFUL,
        external=Emotion(emotion="wut", arousal=0.9),
        internal=Emotion(emotion="neugierig", arousal=0.1),
        space=Space(),
        person_spoke=True,
    )
    lead = block.trajectory[0]
    assert (block.emotion.emotion, block.emotion.arousal) == (lead["emotion"], lead["arousal"])
    assert block.transferred


def test_an_empty_course_keeps_the_stale_emotion_and_says_so() -> None:
    """Spec 02 §3.13 step 6."""
    stale = Emotion(emotion="neugierig", arousal=0.7)
    block = nova_block([], external=None, internal=stale, space=Space(), person_spoke=False)
    assert (block.emotion.emotion, block.emotion.arousal, block.transferred) == ("neugierig", 0.7, False)
    assert (block.emotion.emotions_vector, block.emotion.emotions_vector_quelle) == (
        "plateau",
        "zu_wenig_turns",
    )
    assert block.base.turns == 0


def test_a_lead_without_arousal_keeps_the_present_one() -> None:
    lead: Any = [{"emotion": "wut", "gewicht": 0.8}]
    assert transfer_leading_emotion(Emotion(arousal=0.33), lead).emotion == Emotion(
        emotion="wut", arousal=0.33
    )


def test_her_space_follows_the_person_or_on_an_impulse_herself() -> None:
    """Spec 02 §3.13 step 7: the character factor acts on the person's path only."""
    inert = replace(DEFAULT_EI, space=SpaceCalibration(character_factor=0.0))
    deep = Emotion(
        mode="philosophischer_austausch", relationship_dynamic="vertrauen", language_style="locker"
    )
    shallow = Emotion(mode="alltag", relationship_dynamic="distanz", language_style="formell")

    def moved(spoke: bool, calibration: EiCalibration) -> Space:
        return nova_block(
            [],
            external=deep,
            internal=shallow,
            space=Space(0.6, 0.6),
            person_spoke=spoke,
            calibration=calibration,
        ).space

    assert moved(True, DEFAULT_EI) == Space(0.7, 0.72)
    assert moved(True, inert) == Space(0.6, 0.6)
    assert moved(False, DEFAULT_EI) == moved(False, inert) == Space(0.4, 0.34)


def test_a_missing_person_leaves_the_default_target_and_is_told() -> None:
    """Spec 02 §3.14."""
    block = nova_block([], external=None, internal=Emotion(), space=Space(0.9, 0.9), person_spoke=True)
    assert block.target_missing
    assert block.target.space == Space(0.3, 0.5)
    assert block.trajectory == ()


def test_without_a_turn_of_hers_novas_perceived_style_stays() -> None:
    """Spec 02 §3.16, seed node-ei-calc-persist §10: empty history, no style correction."""
    perceived = Emotion(emotion="freude", arousal=0.5, language_style="emotional", tone="sachlich")
    unread = consolidate_nova([_turn("user", "freude", 0.5)], perceived, None)
    assert unread.rule_style.texts == 0
    assert unread.emotion.language_style == unread.style_before == "emotional"
    read = consolidate_nova([_turn("assistant", "freude", 0.5, "safe bro safe")], perceived, None)
    assert (read.rule_style.style, read.emotion.language_style) == ("jugendlich", "jugendlich")


def test_novas_mode_is_corrected_and_her_arousal_stays_raw() -> None:
    """Spec 02 §3.16 step 1."""
    perceived = Emotion(
        emotion="wut",
        arousal=0.8,
        mode="alltag",
        relationship_dynamic="angriff",
        intent="personal",
        tone="direkt",
    )
    done = consolidate_nova([], perceived, None)
    assert (done.mode_before, done.emotion.mode) == ("alltag", "emotional")
    assert done.gate.value == 0.8 * (0.4 * 1.3 + 0.35 + 0.25 * 0.5)
    assert done.emotion.arousal == 0.8


@quick
@given(turns, emotion_values, characters)
def test_the_persons_block_touches_only_vector_mode_and_style(
    history: Any, emotion: Emotion, character: Any
) -> None:
    after = user_block(history, emotion, character).emotion
    assert after == replace(
        emotion,
        emotions_vector=after.emotions_vector,
        emotions_vector_quelle=after.emotions_vector_quelle,
        mode=after.mode,
        language_style=after.language_style,
    )


@quick
@given(turns, emotion_values, emotion_values, spaces)
def test_novas_block_leaves_her_labels_to_perception(
    history: Any, external: Emotion, internal: Emotion, space: Space
) -> None:
    after = nova_block(history, external=external, internal=internal, space=space, person_spoke=True).emotion
    assert after == replace(
        internal,
        emotion=after.emotion,
        arousal=after.arousal,
        emotions_vector=after.emotions_vector,
        emotions_vector_quelle=after.emotions_vector_quelle,
    )


@quick
@given(turns, emotion_values, characters)
def test_nova_is_consolidated_by_the_rules_of_the_person(
    history: Any, emotion: Emotion, character: Any
) -> None:
    """A-059: with the roles swapped both sides come to the same; only a missing text is read otherwise."""
    swapped: Any = [{**turn, "rolle": "assistant" if turn["rolle"] == "user" else "user"} for turn in history]
    person = user_block(history, emotion, character).consolidation
    nova = consolidate_nova(swapped, emotion, character)
    assert (nova.gate, nova.emotion.mode, nova.rule_style) == (
        person.gate,
        person.emotion.mode,
        person.rule_style,
    )
    if nova.rule_style.texts:
        assert nova.emotion.language_style == person.emotion.language_style
