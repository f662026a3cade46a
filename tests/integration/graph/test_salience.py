"""``salience``: rates and hands on; what cannot be determined is never zero (spec 05 §3.12)."""

from __future__ import annotations

import logging

import pytest

from novaberg.conversation.state import ConversationState
from novaberg.errors import ModelError, ModelReplyError, ModelServerError, ModelTimeoutError
from novaberg.graph.nodes.salience import salience
from novaberg.models.protocol import ChatRequest, Priority
from novaberg.models.replies import SalienceReply
from novaberg.personality import Emotion, InternalPersonality, Personality
from novaberg.vocabulary import EMOTION_CANON, INTENTION_CANON, MODE_CANON
from tests.support.house import House, heard, rated, spoken_to, thinking
from tests.support.scripted_model import Scripted, ScriptedChatModel

TEXT = "Mein Hund Bruno ist krank."
ANSWER = "Oh je. Was hat Bruno denn?"


def says(house: House, *replies: Scripted) -> House:
    return House(house.stores, ScriptedChatModel({"salienz": list(replies)}), house.clock)


def answered() -> ConversationState:
    return {
        **spoken_to(),
        "response": ANSWER,
        "internal": InternalPersonality(emotion=Emotion(emotion="hoffnung")),
    }


def asked(house: House) -> ChatRequest:
    (request,) = house.model.asked("salienz")
    return request


# ── what is rated ────────────────────────────────────────────────────────────


async def test_the_human_graph_rates_what_was_said(house: House) -> None:
    """Spec 05 §3.12.1, §3.12.3: identity, task, rules; the object alone, because there is no answer yet."""
    await house.node(salience, {**heard(), "external": Personality(emotion=Emotion(emotion="wut"))})
    request = asked(house)
    assert [block.name for block in request.blocks] == ["IDENTITAET", "AUFGABE", "REGELN"]
    assert request.output is SalienceReply
    assert request.priority is Priority.TAIL
    (message,) = request.messages
    assert message.content.endswith(TEXT)
    assert "[LAGEBILD]" not in message.content


async def test_the_character_graph_rates_the_answer_and_knows_the_stimulus_as_background(
    house: House,
) -> None:
    """Spec 05 §3.12.1, §3.12.3: situation first, object last."""
    await house.node(salience, answered())
    content = asked(house).messages[0].content
    assert content.index("[LAGEBILD]") < content.index(TEXT) < content.index("[BEWERTUNGSOBJEKT]")
    assert content.endswith(ANSWER)


async def test_what_is_rated_hangs_on_the_graph_and_not_on_the_ei_role(house: House) -> None:
    """Spec 05 §3.12.1."""
    await house.node(salience, {**heard(), "ei_calc_rolle": "character"})
    assert asked(house).messages[0].content.endswith(TEXT)


async def test_an_impulse_is_rated_against_its_own_thought(house: House) -> None:
    """Spec 01 §3.2: text only through the stimulus access."""
    await house.node(salience, {**thinking("Ob es regnet?"), "response": ANSWER})
    assert "Ob es regnet?" in asked(house).messages[0].content


async def test_the_prompt_offers_the_canons(house: House) -> None:
    """Spec 05 §3.12.3: sixteen intentions, seventeen emotions, ten modes."""
    await house.node(salience, heard())
    rules = asked(house).blocks[-1].text
    for canon in (INTENTION_CANON, EMOTION_CANON, MODE_CANON):
        assert ", ".join(canon) in rules


# ── what comes of it ─────────────────────────────────────────────────────────


async def test_the_rating_of_the_utterance_is_handed_on_with_its_intentions(house: House) -> None:
    """Spec 05 §3.12.8."""
    house = says(house, rated(0.72, "hilferuf", "humor", " hilferuf "))
    after = await house.node(salience, heard())
    assert (after["salienz_human"], after["user_intentionen"]) == (0.72, ("hilferuf", "humor"))
    assert [(art, content.get("schritt")) for art, content in await house.rows()] == [
        ("span_start", None),
        ("switch", None),
        ("prompt", None),
        ("token", None),
        ("ausgabe", None),
        ("berechnung", "bewertung"),
        ("berechnung", "salienz_human"),
        ("span_end", None),
    ]
    rows = await house.stores.pipeline_log.rows("t1")
    assert {(row.node, row.quelle) for row in rows} == {("salienz", "user")}
    assert rows[1].inhalt == {
        "graph_rolle": "human",
        "eingabe_label": "reiz",
        "bewertungs_laenge": len(TEXT),
        "lagebild_laenge": 0,
        "aufgaben_block": "salienz.task",
    }


async def test_the_rating_of_an_answer_stays_in_its_rows(house: House) -> None:
    """Spec 01 §2.3: path 2 never sets the salience of what the person said."""
    before = answered()
    assert await house.node(salience, before) == before
    rows = await house.rows()
    assert [content["salienz"] for _, content in rows if content.get("schritt") == "bewertung"] == [0.7]
    assert rows[1][1]["aufgaben_block"] == "salienz.assistant_task"


@pytest.mark.parametrize(("said", "heard_as"), [(1.23, 1.0), (-0.17, 0.0)])
async def test_a_rating_outside_the_span_is_clipped_with_a_warning(
    house: House, caplog: pytest.LogCaptureFixture, said: float, heard_as: float
) -> None:
    """Spec 05 §3.12.8."""
    after = await says(house, rated(said)).node(salience, heard())
    assert after["salienz_human"] == heard_as
    assert [r.levelno for r in caplog.records if r.levelno >= logging.WARNING] == [logging.WARNING]


async def test_irrelevant_is_a_rating_and_not_the_lack_of_one(house: House) -> None:
    """Spec 01 §2.3."""
    after = await says(house, rated(0.0)).node(salience, heard())
    assert after["salienz_human"] == 0.0
    assert [art for art, _ in await house.rows()].count("fehler") == 0


@pytest.mark.parametrize("said", ["hoch", None, [0.4], "nan"])
async def test_an_unreadable_rating_is_not_zero_and_keeps_the_intentions(house: House, said: object) -> None:
    """Spec 05 §3.12.4, §3.12.8: ``None``, ERROR, ``salienz_human_unermittelbar``."""
    house = says(house, rated(said, "hilferuf"))  # type: ignore[arg-type]
    after = await house.node(salience, heard())
    assert after["salienz_human"] is None
    assert after["user_intentionen"] == ("hilferuf",)
    failures = [content["grund"] for art, content in await house.rows() if art == "fehler"]
    assert failures == ["salienz_human_unermittelbar"]


@pytest.mark.parametrize(
    "reply", ["Das ist wichtig!", "", SalienceReply.model_json_schema(), ModelReplyError()]
)
async def test_an_unreadable_reply_costs_the_rating_and_not_the_turn(
    house: House, caplog: pytest.LogCaptureFixture, reply: Scripted
) -> None:
    """Spec 05 §3.12.9, A-102: ``json_parsing``; the span is closed and the dispatcher can follow."""
    house = says(house, reply)
    after = await house.node(salience, heard())
    assert after["salienz_human"] is None
    assert after["user_intentionen"] == ()
    rows = await house.rows()
    assert "json_parsing" in [content.get("grund") for art, content in rows if art == "fehler"]
    assert rows[-1] == ("span_end", {"abbruch": False})
    assert any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("error", [ModelTimeoutError(), ModelServerError("500")])
async def test_a_failing_server_is_not_called_a_parse_error(house: House, error: ModelError) -> None:
    """Trap T6: the log never claims what it cannot know."""
    house = says(house, error)
    after = await house.node(salience, heard())
    assert after["salienz_human"] is None
    reasons = [content.get("grund") for art, content in await house.rows() if art == "fehler"]
    assert reasons == ["modell", "salienz_human_unermittelbar"]


async def test_nothing_to_rate_asks_nobody_and_closes_the_span(
    mute_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 05 §3.12.1: ``bewertungsobjekt_leer``, ``abbruch``."""
    for state in ({**answered(), "response": "  "}, {**heard("  "), "turn_id": "t2"}):
        after = await mute_house.node(salience, state)  # type: ignore[arg-type]
        assert after == state
        rows = await mute_house.rows(str(state["turn_id"]))
        assert [content.get("grund") for art, content in rows if art == "fehler"] == ["bewertungsobjekt_leer"]
        assert rows[-1] == ("span_end", {"abbruch": True})
    assert logging.ERROR in [record.levelno for record in caplog.records]
