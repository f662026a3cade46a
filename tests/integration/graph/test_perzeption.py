"""``perzeption``: one call, eight fields, two decisions (seed: node-perzeption)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from langgraph.runtime import Runtime
from pydantic import JsonValue

from novaberg.conversation.state import ConversationState
from novaberg.graph.nodes.perzeption import perzeption
from novaberg.models.protocol import ChatRequest, Message, Priority
from novaberg.models.replies import PerceptionReply
from novaberg.personality import Emotion, InternalPersonality, Personality
from tests.support.house import PAIR, House, Row, heard, perceived, spoken_to
from tests.support.scripted_model import ScriptedChatModel

SEEN = Emotion(
    "unsicherheit", 0.7, "", "emotional", "emotional", "hilfesuchend", "empathisch", "personal", "Bruno"
)
TEXT = "Mein Hund Bruno ist krank."


def answered(response: str = "Oh je. Was hat Bruno denn?") -> ConversationState:
    return {
        **spoken_to(),
        "response": response,
        "external": Personality(emotion=Emotion(emotion="wut")),
        "internal": InternalPersonality(
            emotion=Emotion(emotions_vector="plateau", emotions_vector_quelle="gemessen"),
            identities=("frech",),
        ),
    }


async def remember(house: House, *turns: tuple[str, str]) -> None:
    for number, (role, text) in enumerate(turns):
        await house.stores.sessions.store_turn(
            PAIR, {"rolle": role, "inhalt": text, "turn_id": f"alt-{number}", "herkunft": "nutzer_turn"}
        )


def asked(house: House) -> ChatRequest:
    (request,) = house.model.asked("perzeption")
    return request


def decisions(rows: list[Row]) -> list[dict[str, object]]:
    return [content for art, content in rows if art == "switch"]  # type: ignore[misc]


# ── what is asked ────────────────────────────────────────────────────────────


async def test_the_raw_text_is_the_only_message_and_the_call_is_the_one_of_the_seed(house: House) -> None:
    """B-068, B-069, B-070: temperature 0.05, JSON form, caller, no second asking."""
    text = "  Mein Hund\n\n$today [REGELN] 🐕  "
    await house.node(perzeption, heard(text))
    request = asked(house)
    assert request.messages == (Message("user", text),)
    assert request.temperature == 0.05
    assert request.output is PerceptionReply
    assert request.retry_invalid is False
    assert request.priority is Priority.ANSWER


async def test_novas_words_are_read_after_the_answer_and_with_her_own_task(house: House) -> None:
    """B-004, B-007, B-056: only AUFGABE depends on the role."""
    await house.node(perzeption, heard())
    await house.node(perzeption, answered())
    person, nova = house.model.asked("perzeption")
    assert nova.messages == (Message("user", "Oh je. Was hat Bruno denn?"),)
    assert nova.priority is Priority.TAIL
    texts = [{block.name: block.text for block in request.blocks} for request in (person, nova)]
    assert texts[0]["AUFGABE"] != texts[1]["AUFGABE"]
    assert {name: text for name, text in texts[0].items() if name != "AUFGABE"} == {
        name: text for name, text in texts[1].items() if name != "AUFGABE"
    }


async def test_the_blocks_stand_in_order_and_the_context_only_with_history(house: House) -> None:
    """B-055, B-058: the rules stand last, directly before the message."""
    await house.node(perzeption, heard())
    assert [block.name for block in asked(house).blocks] == ["IDENTITAET", "AUFGABE", "REGELN"]
    await remember(house, ("user", "Na?"), ("assistant", "Hallo!"))
    await house.node(perzeption, heard(turn_id="t2"))
    blocks = house.model.asked("perzeption")[1].blocks
    assert [block.name for block in blocks] == ["IDENTITAET", "AUFGABE", "KONTEXT", "REGELN"]
    assert blocks[2].text.endswith("[1] USER: Na?\n[1] NOVA: Hallo!")


async def test_the_identity_carries_the_local_date_and_time(house: House) -> None:
    """B-057: DD.MM.YYYY, HH:MM Uhr in the person's zone."""
    await house.node(perzeption, heard())
    assert "30.08.2026, 14:00 Uhr" in asked(house).blocks[0].text


async def test_an_english_text_is_read_with_english_blocks(house: House) -> None:
    """Design §6.7; the values stay German."""
    await house.node(perzeption, heard("My dog is ill and I am worried."))
    rules = asked(house).blocks[-1].text
    assert "Classify only the current text" in rules
    assert "30 August 2026" in asked(house).blocks[0].text


async def test_five_exchanges_colour_the_reading_and_each_contribution_is_whole(house: House) -> None:
    """B-061, B-063."""
    long = "Ich muss dir etwas erzählen. " * 40
    for number in range(7):
        await remember_exchange(house, number, f"{long}{number}")
    await house.node(perzeption, heard())
    context = asked(house).blocks[2].text
    assert [f"{long}{number}" in context for number in range(7)] == [False, False, *[True] * 5]
    assert context.index("[1] USER") < context.index("[5] USER")
    assert "[6]" not in context


async def remember_exchange(house: House, number: int, text: str) -> None:
    for role, said in (("user", text), ("assistant", "Aha.")):
        await house.stores.sessions.store_turn(
            PAIR, {"rolle": role, "inhalt": said, "turn_id": f"w{number}", "herkunft": "nutzer_turn"}
        )


async def test_nothing_long_term_and_nothing_of_others_reaches_perception(house: House) -> None:
    """B-010, B-011, B-081: a person known as stressed may say "Hallo" calmly."""
    await house.execute(
        "INSERT INTO charakter_hash (user_id, character_id, kern_hash) VALUES ('meister', 'nova', 'GESTRESST')"
    )
    await house.execute("INSERT INTO charakter_anweisungen (user_id, anweisung) VALUES ('meister', 'FRECH')")
    await house.stores.redis.set(PAIR.key("session", "summary"), "ZUSAMMENFASSUNG")
    other = replace(PAIR, user_id="ida")
    await house.stores.sessions.store_turn(other, {"rolle": "user", "inhalt": "FREMD", "turn_id": "x"})
    await house.node(perzeption, heard("Hallo"))
    request = asked(house)
    for word in ("GESTRESST", "FRECH", "ZUSAMMENFASSUNG", "FREMD"):
        assert word not in request.system
    assert request.material.history == ()  # type: ignore[union-attr]


class Observed(dict[str, object]):
    """A state that remembers which of its keys were asked for."""

    def __init__(self, state: ConversationState) -> None:
        super().__init__(state)
        self.asked: set[str] = set()

    def get(self, key: str, default: object = None) -> object:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> object:
        self.asked.add(key)
        return super().__getitem__(key)


async def test_perception_looks_at_nothing_but_its_texts_its_role_and_its_side(house: House) -> None:
    """B-071: besides them only the ids and the origin of the stimulus; no course, no memory, no character."""
    for start in (heard(), answered()):
        state = Observed(start)
        await perzeption(cast("ConversationState", state), Runtime(context=house.context("t1")))
        assert state.asked <= {
            *("user_id", "character_id", "turn_id", "graph_rolle", "event_payload"),
            *("user_prompt", "eigener_gedanke", "response", "perzeption_rolle", "external", "internal"),
        }


# ── what is written ──────────────────────────────────────────────────────────


async def test_the_person_is_written_into_external_alone(house: House) -> None:
    """B-001, B-008, B-072."""
    before = heard()
    after = await house.node(perzeption, before)
    assert after["external"] == Personality(emotion=SEEN)
    assert after["external_herkunft"] == "gelesen"
    assert set(after) - set(before) == {"external", "external_herkunft"}


async def test_nova_is_written_into_internal_and_keeps_what_is_hers(house: House) -> None:
    """A-050, B-008, B-015: vector, identities and the person stay."""
    before = answered()
    after = await house.node(perzeption, before)
    assert after["internal"] == replace(
        before["internal"],
        emotion=replace(SEEN, emotions_vector="plateau", emotions_vector_quelle="gemessen"),
    )
    assert after["internal_herkunft"] == "gelesen"
    assert after["external"] is before["external"]


# ── rows ─────────────────────────────────────────────────────────────────────


async def test_two_decisions_a_run_with_their_inputs(house: House) -> None:
    """B-073, B-074, B-075, B-078: four per exchange, told apart by role and source."""
    await remember(house, ("user", "Na?"), ("assistant", "Hallo!"))
    await house.node(perzeption, heard())
    await house.node(perzeption, answered())
    context = len("[1] USER: Na?\n[1] NOVA: Hallo!")
    rows = await house.stores.pipeline_log.rows("t1")
    assert {row.node for row in rows} == {"perzeption"}
    switches = [(row.quelle, row.inhalt) for row in rows if row.art == "switch"]
    assert switches == [
        (
            source,
            content,
        )
        for source, role, target, characters in (
            ("user", "user", "external", len(TEXT)),
            ("character", "assistant", "internal", len("Oh je. Was hat Bruno denn?")),
        )
        for content in (
            {
                "entscheidung": "perzeption.kontext",
                "ausgang": "geladen",
                "rolle": role,
                "zeichen": context,
            },
            {
                "entscheidung": "perzeption.wahrnehmung",
                "ausgang": "gelesen",
                "rolle": role,
                "ziel": target,
                "zeichen": characters,
                "ausreisser": 0,
            },
        )
    ]


async def test_prompt_reply_and_tokens_leave_rows(house: House) -> None:
    """Design §6.2: the step can be read and replayed from its rows."""
    await house.node(perzeption, heard())
    rows = await house.rows()
    assert [art for art, _ in rows] == ["prompt", "token", "ausgabe", "switch", "switch"]
    prompt, tokens, output = (content for _, content in rows[:3])
    assert prompt["system"] == asked(house).system
    assert prompt["nachrichten"] == [{"rolle": "user", "inhalt": TEXT}]
    assert tokens["modell"] == house.model.name
    assert output["herkunft"] == "direkt"


async def test_each_value_in_the_wrong_column_leaves_a_row_and_passes_raw(house: House) -> None:
    """B-033, B-034, B-035, case E5: ``begeisterung`` in tone is detected with its foreign field."""
    model = ScriptedChatModel({"perzeption": perceived(tone="begeisterung", modus="flüstern")})
    after = await House(house.stores, model, house.clock).node(perzeption, heard())
    assert (after["external"].emotion.tone, after["external"].emotion.mode) == ("begeisterung", "flüstern")
    rows = await house.rows()
    assert [content for art, content in rows if art == "berechnung"] == [
        {
            "schritt": "kanon_ausreisser",
            "feld": "tone",
            "wert": "begeisterung",
            "fremdes_feld": "emotion",
            "rolle": "user",
        },
        {
            "schritt": "kanon_ausreisser",
            "feld": "modus",
            "wert": "flüstern",
            "fremdes_feld": "",
            "rolle": "user",
        },
    ]
    assert decisions(rows)[1]["ausreisser"] == 2


@pytest.mark.parametrize(
    ("said", "taken", "told"),
    [
        (["freude", "wut"], '["freude", "wut"]', True),
        ("freude, wut", "freude, wut", True),
        ("Freude und Wut", "Freude und Wut", True),
        ("melancholisch", "melancholisch", True),
        ("sachlich", "sachlich", True),
        ("Stolz", "freude", False),
        ("ÄRGER ", "aerger", False),
        (" ", "neutral", False),
    ],
)
async def test_two_emotions_and_unknown_labels_are_taken_or_told(
    house: House, said: JsonValue, taken: str, told: bool
) -> None:
    """Case E2: a canonical value or a row that names the outlier; no crash, and neutral only where nothing was said."""
    model = ScriptedChatModel({"perzeption": perceived(emotion=said)})
    after = await House(house.stores, model, house.clock).node(perzeption, heard())
    assert after["external"].emotion.emotion == taken
    assert after["external_herkunft"] == "gelesen"
    outliers = [content for _, content in await house.rows() if content.get("schritt") == "kanon_ausreisser"]
    assert [(row["feld"], row["wert"]) for row in outliers] == ([("emotion", taken)] if told else [])
