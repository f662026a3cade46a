"""``emotionale_gravitation``: what memories do to Nova's course (spec 02 §3.11)."""

from __future__ import annotations

import logging

import pytest

from novaberg.conversation.state import ConversationState
from novaberg.ei.gravitation import GravitationPoint
from novaberg.graph.character_graph import build_character_graph
from novaberg.graph.nodes.emotionale_gravitation import emotionale_gravitation
from novaberg.personality import Emotion, InternalPersonality
from tests.support.house import PAIR, House, spoken_to, thinking

POINTS: tuple[GravitationPoint, ...] = (
    {"emotion": "zufriedenheit", "arousal": 0.6, "gravitation": 0.69, "quelle": "kzg"},
    {"emotion": "neugierig", "arousal": 0.5, "gravitation": 0.53, "quelle": "lzg"},
)
LEAD: GravitationPoint = {"emotion": "freude", "arousal": 1.0, "gravitation": 0.9, "quelle": "kzg"}


def felt(start: ConversationState, *points: GravitationPoint) -> ConversationState:
    return {
        **start,
        "internal": InternalPersonality(
            emotion=Emotion(emotion="zufriedenheit", arousal=0.45, mode="beratend", emotions_vector="plateau")
        ),
        "nova_emotions_verlauf": (
            {"emotion": "zufriedenheit", "gewicht": 0.46, "arousal": 0.45},
            {"emotion": "freude", "gewicht": 0.40, "arousal": 0.3},
        ),
        "emotionale_gravitationspunkte": points,
    }


def lines(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno == level and record.name.endswith("emotionale_gravitation")
    ]


async def test_a_memory_can_take_the_lead_and_her_emotion_follows_at_once(mute_house: House) -> None:
    """B-108, spec 02 §5.2, §8 no. 9: course and emotion speak of one moment; everything else of her stays."""
    before = felt(spoken_to(), LEAD)
    after = await mute_house.node(emotionale_gravitation, before)
    leading, emotion = after["nova_emotions_verlauf"][0], after["internal"].emotion
    assert (leading["emotion"], leading["gewicht"], leading["arousal"]) == ("freude", 0.9, 0.9)
    assert (emotion.emotion, emotion.arousal) == (leading["emotion"], leading["arousal"])
    assert (emotion.mode, emotion.emotions_vector) == ("beratend", "plateau")
    assert before["nova_emotions_verlauf"][0]["emotion"] == "zufriedenheit"


async def test_the_line_names_the_lead_before_and_after_and_every_memory(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.11: not a mere count."""
    caplog.set_level(logging.INFO)
    await mute_house.node(emotionale_gravitation, felt(spoken_to(), *POINTS, LEAD))
    (line,) = lines(caplog, logging.INFO)
    assert "zufriedenheit 0.46 → freude 0.90" in line
    for told in ("zufriedenheit (kzg, g 0.690)", "neugierig (lzg, g 0.530)", "freude (kzg, g 0.900)"):
        assert told in line


async def test_no_memory_changes_nothing_and_says_nothing(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.11: the normal case."""
    caplog.set_level(logging.DEBUG)
    for before in (felt(spoken_to()), spoken_to()):
        assert await mute_house.node(emotionale_gravitation, before) == before
    assert not lines(caplog, logging.INFO) + lines(caplog, logging.ERROR)
    assert len(lines(caplog, logging.DEBUG)) == 2


async def test_an_own_impulse_is_not_tinted(mute_house: House, caplog: pytest.LogCaptureFixture) -> None:
    """B-110."""
    caplog.set_level(logging.INFO)
    before = felt(thinking(), LEAD)
    assert await mute_house.node(emotionale_gravitation, before) == before
    (line,) = lines(caplog, logging.INFO)
    assert "own impulse" in line


async def test_memories_without_a_course_are_a_defect(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §7."""
    before: ConversationState = {**felt(spoken_to(), LEAD), "nova_emotions_verlauf": ()}
    assert await mute_house.node(emotionale_gravitation, before) == before
    assert "1 memories" in lines(caplog, logging.ERROR)[0]


async def test_without_her_personality_the_course_alone_is_tinted(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 02 §3.11."""
    state = felt(spoken_to(), LEAD)
    del state["internal"]
    after = await mute_house.node(emotionale_gravitation, state)
    assert after["nova_emotions_verlauf"][0]["emotion"] == "freude"
    assert "internal" not in after
    assert "EmGrav" in lines(caplog, logging.ERROR)[0]


async def test_a_whole_run_carries_the_memories_to_the_words(house: House) -> None:
    """Spec 02 §5.2: the key is a declared channel, and what is worded after it sees the tinted course."""
    await house.stores.sessions.store_turn(
        PAIR,
        {"rolle": "assistant", "inhalt": "…", "turn_id": "a1", "emotion": "zufriedenheit", "arousal": 0.2},
    )
    start: ConversationState = {**spoken_to(), "emotionale_gravitationspunkte": (LEAD, LEAD)}
    await house.graph(build_character_graph(), start)
    (request,) = house.model.asked("responder")
    material = request.material
    assert material.nova_course[0] == material.internal.emotion.emotion == "freude"  # type: ignore[union-attr]
