"""``responder``: words the answer from what is known and nothing else (spec 05 §3.10, as far as its inputs exist)."""

from __future__ import annotations

import logging

import pytest

from novaberg.conversation.state import ConversationState
from novaberg.ei.adaptation import ADAPTABLE_STYLES
from novaberg.errors import EmptyReplyError, ModelTimeoutError
from novaberg.graph.nodes.responder import responder
from novaberg.memory.session import SessionTurn
from novaberg.models.material import ReplyMaterial
from novaberg.models.protocol import ChatRequest, Message, Priority
from novaberg.personality import Character, Directive, Emotion, InternalPersonality, Personality
from tests.support.house import House, heard, spoken_to, thinking
from tests.support.scripted_model import ScriptedChatModel

TEXT = "Mein Hund Bruno ist krank."
HISTORY: tuple[SessionTurn, ...] = (
    {"rolle": "user", "inhalt": "Na?", "herkunft": "nutzer_turn"},
    {"rolle": "assistant", "inhalt": "Hallo!", "herkunft": "nutzer_turn"},
    {"rolle": "assistant", "inhalt": "Mir fiel Bruno ein.", "herkunft": "eigener_impuls"},
)
ALWAYS = ["ROLLE", "SZENE", "REGELN"]


def ready(start: ConversationState | None = None, **keys: object) -> ConversationState:
    """Where path 2 stands before the answer, with nothing known yet."""
    state: ConversationState = {
        **(start or spoken_to()),
        "external": Personality(),
        "internal": InternalPersonality(),
        "external_herkunft": "nicht_wahrgenommen",
        "memory_context": "",
        "session_turns": (),
        "session_summary": "",
    }
    return {**state, **keys}  # type: ignore[typeddict-item]


async def asked(house: House, state: ConversationState) -> ChatRequest:
    await house.node(responder, state)
    return house.model.asked("responder")[-1]


def names(request: ChatRequest) -> list[str]:
    return [block.name for block in request.blocks]


def block(request: ChatRequest, name: str) -> str:
    (text,) = [block.text for block in request.blocks if block.name == name]
    return text


# ── the conversation ─────────────────────────────────────────────────────────


async def test_the_conversation_carries_novas_answers_and_ends_with_the_person(house: House) -> None:
    """Case F12: history is never user-only; her impulses are hers."""
    request = await asked(house, ready(session_turns=HISTORY))
    assert request.messages == (
        Message("user", "Na?"),
        Message("assistant", "Hallo!"),
        Message("assistant", "Mir fiel Bruno ein."),
        Message("user", TEXT),
    )


async def test_the_call_is_the_one_of_the_spec(house: House) -> None:
    """Spec 05 §3.10.6."""
    request = await asked(house, ready())
    assert (request.temperature, request.max_output_tokens, request.top_p) == (0.7, 2048, 0.9)
    assert (request.repeat_penalty, request.presence_penalty) == (1.1, 0.3)
    assert request.output is None
    assert request.priority is Priority.ANSWER


async def test_an_own_thought_is_material_and_never_the_persons_message(house: House) -> None:
    """A-041, trap T14, spec 05 §3.10.2–3: its own block; the message is an order without stimulus. Nova is both sides
    then, and her character is not told as the person's."""
    nova = Character(core="ist frech")
    both_sides = {"external": Personality(nova), "internal": InternalPersonality(nova)}
    state = ready(thinking("Ob Bruno wieder gesund ist?"), session_turns=HISTORY, **both_sides)
    request = await asked(house, state)
    assert "Ob Bruno wieder gesund ist?" in block(request, "EIGENER GEDANKE")
    assert "Bruno wieder" not in request.messages[-1].content
    assert not {"MENSCH", "MENSCH GERADE"} & set(names(request))
    assert request.messages[-1].role == "user"


# ── the blocks ───────────────────────────────────────────────────────────────


async def test_a_block_stands_only_if_its_source_carries_something(house: House) -> None:
    """A-054: no identity block, no directive block, nothing about an unperceived person."""
    assert names(await asked(house, ready())) == ALWAYS


async def test_everything_known_stands_in_its_order_and_what_binds_stands_last(house: House) -> None:
    """A-049, A-054, spec 05 §3.10.2."""
    state = ready(
        external=Personality(Character(core="mag Hunde"), Emotion(emotion="unsicherheit", arousal=0.7)),
        external_herkunft="gelesen",
        internal=InternalPersonality(
            Character(core="ist frech"),
            Emotion(emotions_vector="erholung"),
            identities=("Sei neugierig.", "Sei kühn."),
            directives=(Directive("Sag du.", "immer"), Directive("Kurz.")),
        ),
        nova_emotions_verlauf=({"emotion": "hoffnung", "gewicht": 1.0, "arousal": 0.4},),
        nova_emotion_konflikt=True,
        memory_context="[Charakter] mag Hunde",
    )
    request = await asked(house, state)
    assert names(request) == [
        "ROLLE",
        "NOVA",
        "MENSCH",
        "GEDAECHTNIS",
        "SZENE",
        "NOVAS EMOTION",
        "MENSCH GERADE",
        "DIREKTIVEN",
        "WESEN",
        "REGELN",
    ]
    assert "ist frech" in block(request, "NOVA")
    assert "mag Hunde" in block(request, "MENSCH")
    assert "hoffnung (100%, a=40%)" in block(request, "NOVAS EMOTION")
    assert "weit auseinander" in block(request, "NOVAS EMOTION")
    assert "unsicherheit" in block(request, "MENSCH GERADE")
    assert block(request, "DIREKTIVEN").endswith("- Sag du. (immer)\n- Kurz.")
    assert block(request, "WESEN").endswith("- Sei neugierig.\n- Sei kühn.")


@pytest.mark.parametrize("style", ADAPTABLE_STYLES)
async def test_the_wording_meets_the_persons_style_in_length_and_vocabulary(house: House, style: str) -> None:
    """Spec 02 §3.20: never grammar, form of address or who she is; the mood stands before the style."""
    state = ready(
        external=Personality(emotion=Emotion(language_style=style, relationship_dynamic="vertrauen")),
        external_herkunft="gelesen",
    )
    for text, kept in (
        (TEXT, ("Grammatik", "Anrede", "sie selbst")),
        ("My dog is ill.", ("grammar", "address", "herself")),
    ):
        request = await asked(house, {**state, "user_prompt": text})
        assert names(request)[-3:] == ["MENSCH GERADE", "SPRACHSTIL", "REGELN"]
        assert all(word in block(request, "SPRACHSTIL") for word in kept)


@pytest.mark.parametrize(
    ("style", "dynamic", "origin"),
    [
        ("neutral", "vertrauen", "gelesen"),
        ("", "vertrauen", "gelesen"),
        ("sachlich", "vertrauen", "gelesen"),
        ("jugendlich", "angriff", "gelesen"),
        ("locker", "vertrauen", "standardwerte"),
    ],
)
async def test_a_neutral_style_an_attack_and_defaults_leave_the_wording_alone(
    house: House, style: str, dynamic: str, origin: str
) -> None:
    """Spec 02 §3.20: an attack goes before youthful words; defaults are no reading."""
    emotion = Emotion(language_style=style, relationship_dynamic=dynamic)
    state = ready(external=Personality(emotion=emotion), external_herkunft=origin)
    assert "SPRACHSTIL" not in names(await asked(house, state))


async def test_on_an_impulse_there_is_no_style_to_meet(house: House) -> None:
    """Spec 02 §3.20: nobody spoke."""
    casual = Personality(emotion=Emotion(language_style="locker"))
    assert "SPRACHSTIL" not in names(await asked(house, ready(thinking(), external=casual)))


@pytest.mark.parametrize("origin", ["standardwerte", "nicht_wahrgenommen"])
async def test_a_person_who_was_not_perceived_is_left_out_and_the_log_says_why(
    house: House, caplog: pytest.LogCaptureFixture, origin: str
) -> None:
    """Trap T5: rendered, deliberately omitted with its reason, or failed aloud."""
    with caplog.at_level(logging.INFO):
        request = await asked(house, ready(external_herkunft=origin))
    assert "MENSCH GERADE" not in names(request)
    assert "was not perceived" in caplog.text


async def test_the_scene_names_weekday_date_and_local_time(house: House) -> None:
    """Spec 05 §3.10.2: from a table, not from the machine's locale."""
    assert block(await asked(house, ready()), "SZENE") == "Es ist Sonntag, der 30.08.2026, 14:00 Uhr."
    english = ready({**spoken_to(), "user_prompt": "My dog is ill and I am worried."})
    assert "Sunday, 30 August 2026, 14:00" in block(await asked(house, english), "SZENE")


async def test_a_house_rule_is_an_honest_one(house: House) -> None:
    """Promise P17: a programme that says so, human help by the person's region, nothing confirmed that was not done."""
    request = await asked(house, ready())
    assert "Programm" in block(request, "ROLLE")
    assert "DE" in block(request, "REGELN")


async def test_the_material_says_the_same_as_the_prompt(house: House) -> None:
    """The built-in model reads the material, servers read the blocks."""
    state = ready(
        session_turns=HISTORY,
        session_summary="Es ging um Bruno.",
        emotions_verlauf=({"emotion": "wut", "gewicht": 1.0, "arousal": 0.5},),
        nova_emotions_verlauf=({"emotion": "hoffnung", "gewicht": 1.0, "arousal": 0.4},),
        nova_emotion_konflikt=True,
    )
    material = (await asked(house, state)).material
    assert isinstance(material, ReplyMaterial)
    assert (material.text, material.own_thought, material.language) == (TEXT, False, "de")
    assert (material.course, material.nova_course, material.conflict) == (("wut",), ("hoffnung",), True)
    assert [entry.text for entry in material.history] == ["Na?", "Hallo!", "Mir fiel Bruno ein."]
    assert (material.summary, material.region, material.name) == ("Es ging um Bruno.", "DE", "Nova")
    assert material.now.hour == 14


# ── the answer ───────────────────────────────────────────────────────────────


async def test_answer_model_and_tokens_are_handed_on(house: House) -> None:
    """Spec 01 §2.3."""
    after = await house.node(responder, ready(token_total=5))
    assert after["response"] == "Oh je. Was hat Bruno denn?"
    assert after["model"] == house.model.name
    assert after["token_total"] > 5


@pytest.mark.parametrize("error", [ModelTimeoutError(), EmptyReplyError()])
async def test_without_an_answer_the_turn_is_kept_and_not_filled(
    house: House, error: ModelTimeoutError | EmptyReplyError
) -> None:
    """Case F10: the failure reaches whoever runs the turn; nothing stands in for an answer."""
    house = House(house.stores, ScriptedChatModel({"responder": error}), house.clock)
    with pytest.raises(type(error)):
        await house.node(responder, ready())
    assert [c["aufrufer"] for art, c in await house.rows() if art == "fehler"] == ["responder"]


async def test_memory_and_names_with_dollar_signs_stay_what_they_are(house: House) -> None:
    """Design §6.4: memory is data and never a placeholder."""
    request = await asked(house, ready(memory_context="[Charakter] verdient 5 $today ${name}"))
    assert "verdient 5 $today ${name}" in block(request, "GEDAECHTNIS")


def test_the_start_of_path_1_has_no_answer() -> None:
    """A-002."""
    assert "response" not in heard()
