"""The tails of both graphs, when a turn is taken up again after its event or its answer (design §3)."""

from __future__ import annotations

import json

import pytest

from novaberg.conversation.events import human_payload
from novaberg.conversation.late import HumanSalience, finished_tail
from novaberg.conversation.payload import emotion_from_payload
from novaberg.conversation.resume import dump_answer_state, load_answer_state
from novaberg.conversation.state import ConversationState, human_tail_state
from novaberg.errors import RedisUnavailableError
from novaberg.graph.character_graph import ANSWER_IS_APPROVED, build_character_tail
from novaberg.graph.human_graph import ANSWER_MAY_START, build_human_tail
from novaberg.graph.nodes.enricher import last_intentions
from tests.support.exchange import CHARACTER, HUMAN, perceive
from tests.support.house import PAIR, House, heard, perceived, rated, spoken_to, stores_on
from tests.support.scripted_model import ScriptedChatModel

CHARACTER_TAIL = build_character_tail()
HUMAN_TAIL = build_human_tail()
FORMAL = "Sehr geehrte Damen und Herren, ich würde mich freuen, wenn Sie mir bitte Bescheid geben könnten."
LATE = HumanSalience(0.8, ("hilferuf",))


def model() -> ScriptedChatModel:
    """Nova perceives herself so that mode and style must be corrected."""
    return ScriptedChatModel(
        {
            "perzeption": perceived(emotion="neutral", arousal=0.5, tone="sachlich"),
            "salienz": rated(),
            "responder": "Oh je.",
        }
    )


async def remember_formal_answers(house: House) -> None:
    for number in range(3):
        await house.stores.sessions.store_turn(
            PAIR,
            {
                "rolle": "assistant",
                "inhalt": FORMAL,
                "turn_id": f"a{number}",
                "emotion": "freude",
                "arousal": 0.6,
            },
        )


async def until(house: House, node: str, state: ConversationState) -> ConversationState:
    """The state of path 2 right after ``node``, as the life of a turn sees it; then the process dies."""
    context = house.context(state["turn_id"], tail=finished_tail(LATE))
    async for chunk in CHARACTER.astream(state, context=context, stream_mode="updates"):
        for name, update in chunk.items():
            state = {**state, **(update or {})}
            if name == node:
                return state
    raise AssertionError(f"{node} never ran")


async def left_behind(house: House) -> tuple[object, ...]:
    """Everything that a turn leaves in the stores."""
    rows = [row for row in await house.rows() if row[0] == "turn_roh"]
    return await house.hash(), await house.stores.sessions.retrieve(PAIR), rows


async def test_a_tail_after_a_kill_leaves_exactly_what_the_whole_run_leaves(house: House) -> None:
    """A-062, A-093: the corrections, the state, the session turn and the raw turn, byte for byte."""
    house = House(house.stores, model(), house.clock)
    start = spoken_to(empfangen_am=5.0, current_emotion="wut")

    await remember_formal_answers(house)
    await house.graph(CHARACTER, start, tail=finished_tail(LATE))
    whole = await left_behind(house)

    await house.stores.redis.flushdb()
    await house.execute("TRUNCATE pipeline_log")
    await remember_formal_answers(house)
    killed = await until(house, ANSWER_IS_APPROVED, start)
    saved = json.loads(json.dumps(dump_answer_state(killed)))
    again = House(stores_on(house.stores.database, house.stores.redis, house.clock), model(), house.clock)
    resumed = load_answer_state(spoken_to(empfangen_am=5.0, current_emotion="wut"), saved)
    await again.graph(CHARACTER_TAIL, resumed, tail=finished_tail(LATE))

    assert await left_behind(again) == whole
    assert whole[0]["language_style"] == "formell"  # type: ignore[index]
    assert [request.caller for request in again.model.requests] == ["perzeption", "salienz"]


async def test_a_tail_that_failed_in_the_middle_can_be_run_again(house: House, without_redis: House) -> None:
    """Design §3: idempotent by (turn_id, step); the answer is not asked for again."""
    house = House(house.stores, model(), house.clock)
    answered = await until(house, ANSWER_IS_APPROVED, spoken_to(empfangen_am=5.0))
    lame = House(without_redis.stores, house.model, house.clock)
    with pytest.raises(RedisUnavailableError):
        await lame.graph(CHARACTER_TAIL, answered, tail=finished_tail(LATE))
    for _ in range(2):
        await house.graph(CHARACTER_TAIL, answered, tail=finished_tail(LATE))
    assert len(house.model.asked("responder")) == 1
    assert [turn["rolle"] for turn in await house.stores.sessions.retrieve(PAIR)] == ["assistant"]
    assert [art for art, _ in await house.rows()].count("turn_roh") == 1


async def test_path_1_after_its_event_goes_on_at_the_salience_and_perceives_nobody_again(
    house: House,
) -> None:
    """Design §3: the person's side comes from the event."""
    house = House(house.stores, model(), house.clock)
    context = house.context("t1")
    state = heard()
    async for chunk in HUMAN.astream(state, context=context, stream_mode="updates"):
        for name, update in chunk.items():
            state = {**state, **(update or {})}
            reached = name == ANSWER_MAY_START
        if reached:
            break
    assert "salienz_human" in state
    assert await house.stores.sessions.retrieve(PAIR) == ()

    payload = json.loads(json.dumps(human_payload(state, received_at=5.0, message_ids=["a"])))
    resumed = human_tail_state(
        payload=payload, user_id=PAIR.user_id, character_id=PAIR.character_id, turn_id="t1"
    )
    after = await house.graph(HUMAN_TAIL, resumed)
    assert (after["salienz_human"], after["user_intentionen"]) == (0.7, ("emotionaler_ausdruck",))
    (turn,) = await house.stores.sessions.retrieve(PAIR)
    assert (turn["rolle"], turn["emotion"]) == ("user", emotion_from_payload(payload).emotion)
    assert len(house.model.asked("perzeption")) == 1


async def test_a_person_whose_perception_broke_off_is_stored_as_not_perceived(house: House) -> None:
    """Spec 01 §7, spec 03 §2.2: the words stay, and later nobody takes the defaults for a measurement."""
    house = House(house.stores, model(), house.clock)
    state = human_tail_state(
        payload={"user_prompt": "Mein Hund Bruno ist krank.", "pfad1_ausfall": "ModelTimeoutError: …"},
        user_id=PAIR.user_id,
        character_id=PAIR.character_id,
        turn_id="t1",
    )
    after = await house.graph(HUMAN_TAIL, state)
    assert after["salienz_human"] == 0.7
    turns = await house.stores.sessions.retrieve(PAIR)
    assert (turns[0]["inhalt"], turns[0]["modus"]) == ("Mein Hund Bruno ist krank.", "")
    assert last_intentions(turns) == ()


async def test_a_broken_perception_is_answered_all_the_same(house: House) -> None:
    """Spec 01 §9.2 case 12: the answer follows; nothing describes the person by defaults."""
    house = House(house.stores, model(), house.clock)
    state = await house.graph(
        CHARACTER,
        spoken_to(
            empfangen_am=5.0,
            pfad1_ausfall="ModelTimeoutError: …",
            wahrnehmung_herkunft="nicht_wahrgenommen",
        ),
    )
    assert state["response"] == "Oh je."
    assert state["external_herkunft"] == "nicht_wahrgenommen"
    (request,) = house.model.asked("responder")
    assert "MENSCH GERADE" not in [block.name for block in request.blocks]


async def test_the_event_of_a_whole_path_1_carries_what_the_answer_needs(house: House) -> None:
    """A-010: through both graphs the nine values are the same."""
    house = House(house.stores, model(), house.clock)
    human, payload = await perceive(house, "Mein Hund Bruno ist krank.", "t1")
    state = await house.graph(CHARACTER, spoken_to(**payload), tail=finished_tail(LATE))
    assert state["external"].emotion == human["external"].emotion
    assert state["emotions_verlauf"] == human["emotions_verlauf"]
