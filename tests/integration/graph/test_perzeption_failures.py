"""What goes wrong at perception stays visible and never looks like a calm turn (seed: node-perzeption §4.4, §5a)."""

from __future__ import annotations

import logging

import pytest
from pydantic import JsonValue

from novaberg.conversation.state import ConversationState
from novaberg.errors import (
    EmptyReplyError,
    ModelError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnreachableError,
)
from novaberg.graph.nodes.perzeption import perzeption
from novaberg.models.replies import PerceptionReply
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.support.house import House, heard, spoken_to
from tests.support.scripted_model import Scripted, ScriptedChatModel

ECHOED_SCHEMA = PerceptionReply.model_json_schema()
UNREADABLE: list[Scripted] = [
    "Der Mensch klingt traurig.",
    "",
    "null",
    "[1, 2]",
    '{"vater": "Bruno"}',
    ECHOED_SCHEMA,
    EmptyReplyError(),
]


def says(house: House, reply: Scripted) -> House:
    """The same house with a model that answers perception like this, again and again."""
    return House(house.stores, ScriptedChatModel({"perzeption": reply}), house.clock)


async def outcome(house: House, name: str) -> JsonValue:
    (found,) = [c["ausgang"] for _, c in await house.rows() if c.get("entscheidung") == name]
    return found


def answered() -> ConversationState:
    return {
        **spoken_to(),
        "response": "Oh je.",
        "internal": InternalPersonality(emotion=Emotion(emotion="freude", emotions_vector="plateau")),
    }


@pytest.mark.parametrize("reply", UNREADABLE, ids=repr)
async def test_an_unreadable_reply_gives_defaults_with_their_origin_and_is_not_asked_again(
    house: House, caplog: pytest.LogCaptureFixture, reply: Scripted
) -> None:
    """B-014, B-070, B-076, case F1: one call, a WARNING, ``standardwerte``."""
    house = says(house, reply)
    after = await house.node(perzeption, heard())
    assert after["external"] == Personality()
    assert after["external_herkunft"] == "standardwerte"
    assert len(house.model.requests) == 1
    assert await outcome(house, "perzeption.wahrnehmung") == "standardwerte"
    assert logging.WARNING in [record.levelno for record in caplog.records]


async def test_the_echoed_schema_is_not_read_as_a_calm_turn(house: House) -> None:
    """Design §5: it decodes and is an object, and still says nothing about anybody."""
    after = await says(house, ECHOED_SCHEMA).node(perzeption, heard())
    assert after["external_herkunft"] == "standardwerte"


async def test_a_valid_but_empty_object_is_a_reading(house: House) -> None:
    """Spec 02 §3.17 step 7: the same values, another origin."""
    house = says(house, {})
    after = await house.node(perzeption, heard())
    assert after["external"] == Personality()
    assert after["external_herkunft"] == "gelesen"
    assert await outcome(house, "perzeption.wahrnehmung") == "gelesen"


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"emotional": {"emotion": "wut", "arousal": 0.8}}\n```',
        'Gern! {"emotional": {"emotion": "wut", "arousal": 0.8}} Passt das?',
        '{"emotional": {"emotion": "wut", "arousal": 0.8,},}',
        '{"emotional": {"emotion": "wut", "arousal": 0.8',
    ],
)
async def test_a_reply_that_can_be_mended_is_read(house: House, reply: str) -> None:
    """Case F1: fenced, in prose, trailing commas, truncated."""
    after = await says(house, reply).node(perzeption, heard())
    assert (after["external"].emotion.emotion, after["external"].emotion.arousal) == ("wut", 0.8)
    assert after["external_herkunft"] == "gelesen"


@pytest.mark.parametrize("arousal", ["hoch", None, [], {}])
async def test_an_unreadable_arousal_falls_back_alone(house: House, arousal: JsonValue) -> None:
    """Spec 02 §7: 0.5 for this field only."""
    reply: JsonValue = {"emotional": {"emotion": "wut", "arousal": arousal}}
    after = await says(house, reply).node(perzeption, heard())  # type: ignore[arg-type]
    assert (after["external"].emotion.emotion, after["external"].emotion.arousal) == ("wut", 0.5)


@pytest.mark.parametrize("error", [ModelTimeoutError(), ModelUnreachableError(), ModelServerError("500")])
async def test_a_failing_server_breaks_off_the_reading_of_the_person_visibly(
    house: House, error: ModelError
) -> None:
    """Spec 02 §3.17 step 7, spec 01 §7: path 1 aborts; whoever runs it sends the event anyway."""
    house = says(house, error)
    with pytest.raises(type(error)):
        await house.node(perzeption, heard())
    failures = [content for art, content in await house.rows() if art == "fehler"]
    assert [(row["grund"], row["aufrufer"]) for row in failures] == [("modell", "perzeption")]


async def test_a_failing_server_does_not_undo_an_answer_that_is_out(house: House) -> None:
    """Design §3: after the delivery Nova's self-perception stands on defaults and says so."""
    house = says(house, ModelServerError("500"))
    after = await house.node(perzeption, answered())
    assert after["internal"].emotion == Emotion(emotions_vector="plateau")
    assert after["internal_herkunft"] == "standardwerte"
    assert await outcome(house, "perzeption.wahrnehmung") == "standardwerte"


async def test_a_failed_read_of_the_history_is_no_empty_history(
    house: House, without_redis: House, caplog: pytest.LogCaptureFixture
) -> None:
    """B-077, B-074, B-076: for the prompt both look alike; the decision tells them apart."""
    after = await without_redis.node(perzeption, heard())
    assert after["external_herkunft"] == "gelesen"
    assert await outcome(without_redis, "perzeption.kontext") == "ausgefallen"
    assert "session could not be read" in caplog.text
    await house.node(perzeption, heard(turn_id="t2"))
    assert [c["ausgang"] for _, c in await house.rows("t2") if "entscheidung" in c] == ["leer", "gelesen"]


async def test_without_a_person_no_history_is_read(without_redis: House) -> None:
    """B-074: ``ohne_nutzer``, and Redis is not even asked."""
    state: ConversationState = {**heard(), "user_id": ""}
    await without_redis.node(perzeption, state)
    assert await outcome(without_redis, "perzeption.kontext") == "ohne_nutzer"
