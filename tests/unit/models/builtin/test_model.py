"""The built-in model behind the common protocol."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from novaberg.models.builtin import BuiltinModel
from novaberg.models.material import (
    Material,
    PerceptionMaterial,
    ReplyMaterial,
    SalienceMaterial,
    SummaryMaterial,
    Utterance,
)
from novaberg.models.protocol import ChatRequest, Message
from novaberg.models.replies import PerceptionReply, SalienceReply
from novaberg.personality import Emotion, InternalPersonality, Personality
from novaberg.settings import Settings


def request(
    material: Material, output: type[PerceptionReply] | type[SalienceReply] | None = None
) -> ChatRequest:
    return ChatRequest(
        caller="test", blocks=(), messages=(Message("user", "x"),), material=material, output=output
    )


def reply_material(text: str) -> ReplyMaterial:
    return ReplyMaterial(
        text=text,
        own_thought=False,
        language="de",
        name="Nova",
        now=datetime(2026, 11, 30, 15, 45),
        region="DE",
        model_name="builtin",
        external=Personality(),
        internal=InternalPersonality(),
    )


@pytest.fixture
def model() -> BuiltinModel:
    return BuiltinModel(Settings())


async def test_a_classification_is_json_and_the_demanded_form(model: BuiltinModel) -> None:
    material = PerceptionMaterial(text="Ich bin traurig.", role="user", language="de")
    reply = await model.complete(request(material, PerceptionReply))
    assert json.loads(reply.text) == reply.data
    assert isinstance(reply.parsed, PerceptionReply)
    assert isinstance(reply.data, dict)
    assert set(reply.data) == {"rational", "emotional", "psychologisch"}
    assert reply.model == model.name == "builtin"


async def test_a_salience_reply_has_every_demanded_field(model: BuiltinModel) -> None:
    material = SalienceMaterial(
        text="Mein Hund heißt Bruno.", situation="", role="user", language="de", emotion=Emotion()
    )
    reply = await model.complete(request(material, SalienceReply))
    assert isinstance(reply.data, dict)
    assert set(SalienceReply.demanded["required"]) == set(reply.data)
    assert json.loads(reply.text) == reply.data


async def test_a_stream_is_the_whole_answer_in_pieces(model: BuiltinModel) -> None:
    asked = request(reply_material("Mein Hund Bruno ist krank."))
    pieces = [piece async for piece in model.stream(asked)]
    assert len(pieces) > 3
    assert "".join(pieces) == (await model.complete(asked)).text


async def test_a_summary_goes_through_the_protocol(model: BuiltinModel) -> None:
    material = SummaryMaterial(
        previous="", turns=(Utterance("user", "Mein Hund heißt Bruno."),), language="de"
    )
    assert "Bruno" in (await model.complete(request(material))).text


async def test_the_built_in_model_is_always_ready(model: BuiltinModel) -> None:
    assert (await model.check()).ok
    await model.close()
