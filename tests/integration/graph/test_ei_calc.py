"""``ei_calc``: the emotion mathematics of one side (spec 02 §3.13)."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from novaberg.conversation.state import ConversationState
from novaberg.graph.nodes.ei_calc import ei_calc
from novaberg.personality import Emotion, InternalPersonality, Personality, Space
from tests.support.house import PAIR, House, heard, spoken_to, thinking

JOYFUL = ("freude", 0.6)
SAD = Emotion(emotion="traurigkeit", arousal=0.8, intent="personal", tone="empathisch")


async def remember(house: House, *turns: tuple[str, str, float]) -> None:
    for number, (role, emotion, arousal) in enumerate(turns):
        await house.stores.sessions.store_turn(
            PAIR,
            {"rolle": role, "inhalt": "…", "turn_id": f"a{number}", "emotion": emotion, "arousal": arousal},
        )


def nova(start: ConversationState, external: Emotion = SAD) -> ConversationState:
    return {
        **start,
        "external": Personality(emotion=external),
        "internal": InternalPersonality(
            emotion=Emotion(emotion="hoffnung", arousal=0.3), space=Space(0.3, 0.5)
        ),
    }


# ── the person ───────────────────────────────────────────────────────────────


async def test_a_change_of_direction_shows_in_the_same_turn(mute_house: House) -> None:
    """B-082, spec 02 §9.3: joyful history, sad now; the utterance is the virtual newest turn."""
    turns = tuple({"rolle": "user", "inhalt": "…", "emotion": "freude", "arousal": 0.6} for _ in range(4))
    calm: ConversationState = {
        **heard(),
        "external": Personality(emotion=Emotion(emotion="freude", arousal=0.6)),
        "raw_turns": turns,  # type: ignore[typeddict-item]
    }
    before = await mute_house.node(ei_calc, calm)
    after = await mute_house.node(ei_calc, {**calm, "external": Personality(emotion=SAD)})
    assert before["external"].emotion.emotions_vector == "plateau"
    assert after["external"].emotion.emotions_vector in ("absturz", "einbruch", "spirale")
    assert "traurigkeit" in [entry["emotion"] for entry in after["emotions_verlauf"]]


async def test_the_persons_block_touches_the_person_alone(mute_house: House) -> None:
    """B-087, spec 02 §3.13: nothing is read, nobody is asked, Nova stays."""
    before: ConversationState = {**heard(), "external": Personality(emotion=SAD), "raw_turns": ()}
    after = await mute_house.node(ei_calc, before)
    assert set(after) - set(before) == {"emotions_verlauf"}
    assert after["external"].emotion.mode == "emotional"
    assert after["external"].emotion.arousal == 0.8
    assert after["external"].emotion.emotions_vector_quelle == "zu_wenig_turns"


async def test_values_outside_the_gate_are_reported_once_each(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """B-037, B-039."""
    odd = replace(SAD, tone="begeisterung", intent="philosophischer_austausch")
    await mute_house.node(ei_calc, {**heard(), "external": Personality(emotion=odd)})
    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == 2
    assert any("begeisterung" in line for line in errors)


async def test_an_emotion_that_nobody_knows_is_said_once_and_takes_part_as_written(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """B-021: a synonym is resolved in silence, an unknown word is an ERROR line; case E2: no crash, no silent neutral."""
    turns = tuple(
        {"rolle": "user", "inhalt": "…", "emotion": emotion, "arousal": 0.8}
        for emotion in ("mitgefuehl", "stolz", "mitgefuehl")
    )
    state: ConversationState = {**heard(), "external": Personality(emotion=SAD), "raw_turns": turns}  # type: ignore[typeddict-item]
    after = await mute_house.node(ei_calc, state)
    (error,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert "'mitgefuehl'" in error
    assert {"mitgefuehl", "freude"} <= {entry["emotion"] for entry in after["emotions_verlauf"]}


async def test_novas_own_unknown_emotion_is_said_too(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """B-021."""
    await remember(mute_house, ("assistant", "mitgefuehl", 0.8))
    await mute_house.node(ei_calc, nova(thinking()))
    (error,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert "'mitgefuehl'" in error


async def test_an_unknown_role_is_the_person_and_says_so(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §7."""
    after = await mute_house.node(ei_calc, {**heard(), "ei_calc_rolle": "pixie", "external": Personality()})
    assert "emotions_verlauf" in after
    assert "pixie" in caplog.text


# ── Nova ─────────────────────────────────────────────────────────────────────


async def test_novas_course_is_read_from_the_session_because_the_enricher_comes_later(
    mute_house: House,
) -> None:
    """Trap T4, spec 02 §8 no. 7: an empty ``raw_turns`` is no empty history."""
    await remember(mute_house, *[("assistant", *JOYFUL)] * 3, ("user", "wut", 0.9))
    after = await mute_house.node(ei_calc, nova(thinking()))
    assert [entry["emotion"] for entry in after["nova_emotions_verlauf"]] == ["freude"]
    assert after["internal"].emotion.emotions_vector_quelle == "gemessen"
    assert "raw_turns" not in after


async def test_the_leading_entry_becomes_her_emotion_and_arousal(mute_house: House) -> None:
    """A-048: both always speak of the same moment."""
    await remember(mute_house, *[("assistant", *JOYFUL)] * 3)
    after = await mute_house.node(ei_calc, nova(thinking()))
    leading = after["nova_emotions_verlauf"][0]
    assert (after["internal"].emotion.emotion, after["internal"].emotion.arousal) == (
        leading["emotion"],
        leading["arousal"],
    )
    assert leading["emotion"] == "freude"


async def test_the_persons_feeling_moves_novas_only_when_the_person_spoke(mute_house: House) -> None:
    """A-041, A-088, spec 02 §9.3: empathy on a person's turn, none on an impulse."""
    await remember(mute_house, *[("assistant", *JOYFUL)] * 3)
    calm = Emotion()
    by_person = [
        (await mute_house.node(ei_calc, nova(spoken_to(), external)))["nova_emotions_verlauf"]
        for external in (calm, SAD)
    ]
    assert by_person[0] != by_person[1]
    by_impulse = [await mute_house.node(ei_calc, nova(thinking(), external)) for external in (calm, SAD)]
    assert by_impulse[0]["nova_emotions_verlauf"] == by_impulse[1]["nova_emotions_verlauf"]
    assert by_impulse[1]["nova_emotion_konflikt"] is False


async def test_the_space_follows_the_person_or_her_own_register(mute_house: House) -> None:
    """Spec 01 §3.5.3: target from ``external`` when the person spoke, else from ``internal``."""
    deep = replace(SAD, mode="philosophischer_austausch", relationship_dynamic="vertrauen")
    person = await mute_house.node(ei_calc, nova(spoken_to(), deep))
    assert person["internal"].space.depth == 0.51
    own = await mute_house.node(ei_calc, nova(thinking(), deep))
    assert own["internal"].space == Space(0.3, 0.5)


async def test_an_empty_course_is_said_and_keeps_her_emotion(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §7: ERROR naming the stale emotion."""
    after = await mute_house.node(ei_calc, nova(thinking()))
    assert after["internal"].emotion.emotion == "hoffnung"
    (error,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert "hoffnung" in error


async def test_a_history_that_cannot_be_read_never_ends_the_turn_and_is_never_silent(
    without_redis: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.13 B1, §7: with traceback; an empty history looks like a calm one."""
    after = await without_redis.node(ei_calc, nova(spoken_to()))
    assert "nova_emotions_verlauf" in after
    assert [record for record in caplog.records if record.exc_info and "session" in record.getMessage()]


async def test_without_a_pair_her_course_starts_empty_and_says_so(
    without_redis: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.13 B1: the store is not even asked."""
    state: ConversationState = {**nova(spoken_to()), "character_id": ""}
    await without_redis.node(ei_calc, state)
    assert "no complete pair" in caplog.text
    assert not [record for record in caplog.records if record.exc_info]


async def test_stirred_in_opposite_directions_is_a_conflict_and_said(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.10: her joy against the person's despair."""
    await remember(mute_house, *[("assistant", "freude", 0.9)] * 3)
    with caplog.at_level(logging.INFO):
        after = await mute_house.node(
            ei_calc, nova(spoken_to(), Emotion(emotion="verzweiflung", arousal=0.9))
        )
    assert after["nova_emotion_konflikt"] is True
    assert "opposite directions" in caplog.text


async def test_a_missing_person_is_said_and_her_space_heads_for_its_default(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.14."""
    await remember(mute_house, *[("assistant", *JOYFUL)] * 3)
    state = nova(spoken_to())
    del state["external"]
    after = await mute_house.node(ei_calc, state)
    assert after["internal"].space == Space(0.3, 0.5)
    assert [record.levelno for record in caplog.records if "no side to follow" in record.getMessage()] == [
        logging.ERROR
    ]
