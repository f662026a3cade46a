"""Salience, summary, and the protocol of the built-in model."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from novaberg.language import Language
from novaberg.models.builtin import BuiltinModel
from novaberg.models.builtin.salience import rate
from novaberg.models.builtin.summary import summarise
from novaberg.models.material import (
    Material,
    PerceptionMaterial,
    ReplyMaterial,
    SalienceMaterial,
    Speaker,
    SummaryMaterial,
    Utterance,
)
from novaberg.models.protocol import ChatRequest, Message
from novaberg.models.replies import PerceptionReply, SalienceReply
from novaberg.personality import Emotion, InternalPersonality, Personality
from novaberg.settings import Settings

# ── salience ─────────────────────────────────────────────────────────────────

SCALE = [
    (("Ich habe solche Angst, es ist ein Notfall!", "I'm so afraid, it's an emergency!"), 0.8, 1.0),
    (
        ("Ich bin total begeistert von der neuen Stelle!", "I'm absolutely thrilled about the new job!"),
        0.7,
        1.0,
    ),
    (("Merk dir bitte, dass ich keine Nüsse vertrage.", "Please remember that I can't eat nuts."), 0.7, 0.8),
    (("Meine Schwester Anna wohnt in Köln.", "My sister Anna lives in Leeds."), 0.7, 0.8),
    (
        (
            "Ich denke darüber nach, ein Projekt mit meinem Bruder anzufangen.",
            "I'm thinking of starting a project with my brother.",
        ),
        0.5,
        0.7,
    ),
    (("Heute war es im Büro ruhig, sonst nichts weiter passiert.", "We had soup at noon."), 0.3, 0.6),
    (("Wie hoch ist der Eiffelturm?", "How tall is the Eiffel Tower?"), 0.2, 0.4),
    (("Hallo Nova", "Hello Nova"), 0.1, 0.2),
]


def salience(
    text: str, language: Language = "de", role: Speaker = "user", situation: str = ""
) -> dict[str, object]:
    found = rate(
        SalienceMaterial(text=text, situation=situation, role=role, language=language, emotion=Emotion())
    )
    return dict(found.to_json())


@pytest.mark.parametrize(("texts", "low", "high"), SCALE)
@pytest.mark.parametrize("index", [0, 1])
def test_the_scale_of_the_persons_words(texts: tuple[str, str], low: float, high: float, index: int) -> None:
    """spec 05 §3.12.3, first column."""
    score = salience(texts[index], "en" if index else "de")["salienz"]
    assert isinstance(score, float)
    assert low <= score <= high


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Ich merke mir das und denke an dich.", 0.7, 0.9),
        ("Ich bin ein Programm, kein Mensch.", 0.6, 0.9),
        ("Mir ist aufgefallen, dass du abends ruhiger wirst.", 0.8, 1.0),
        ("Was hat er denn?", 0.4, 0.6),
        ("Gern geschehen.", 0.1, 0.2),
    ],
)
def test_the_scale_of_novas_words(text: str, low: float, high: float) -> None:
    """spec 05 §3.12.3, second column."""
    score = salience(text, role="assistant")["salienz"]
    assert isinstance(score, float)
    assert low <= score <= high


def test_an_echo_of_the_person_is_worth_little() -> None:
    score = salience("Dein Hund Bruno ist krank.", role="assistant", situation="Mein Hund Bruno ist krank.")[
        "salienz"
    ]
    assert isinstance(score, float)
    assert score <= 0.3


def test_exclamation_capitals_and_repetition_amplify() -> None:
    """spec 05 §3.12.3: + 0.1 each."""
    plain, loud = salience("Heute war es ruhig."), salience("HEUTE WAR ES SEHR SEHR RUHIG!")
    assert isinstance(plain["salienz"], float)
    assert isinstance(loud["salienz"], float)
    assert loud["salienz"] >= plain["salienz"] + 0.2


@pytest.mark.parametrize(
    ("language", "text", "intention"),
    [
        ("de", "Bitte hilf mir.", "hilferuf"),
        ("de", "Tschüss, bis morgen!", "abschluss"),
        ("de", "Schreib mir ein Gedicht.", "anweisung"),
        ("de", "Ich bin so traurig.", "emotionaler_ausdruck"),
        ("de", "Wie hoch ist der Eiffelturm?", "information_erfragen"),
        ("de", "Hallo!", "smalltalk"),
        ("de", "Haha, der war gut", "humor"),
        ("de", "Das stimmt nicht.", "widerspruch"),
        ("de", "Was denkst du darüber?", "feedback_erfragen"),
        ("de", "Was ist der Sinn des Lebens?", "reflexion"),
        ("de", "Soll ich umziehen oder bleiben?", "gemeinsam_eruieren"),
        ("de", "Du bist echt lieb.", "feedback_geben"),
        ("de", "Morgen gehe ich zum Zahnarzt.", "planung"),
        ("de", "Ja, genau.", "bestaetigung"),
        ("de", "Ich wohne in Köln.", "information_teilen"),
        ("de", "Wie funktioniert das eigentlich? Ich bin so neugierig.", "recherche_vertiefen"),
        ("en", "Please help me.", "hilferuf"),
        ("en", "Bye, see you tomorrow!", "abschluss"),
        ("en", "I'm so sad.", "emotionaler_ausdruck"),
        ("en", "I live in Leeds.", "information_teilen"),
        ("en", "That's wrong.", "widerspruch"),
    ],
)
def test_each_intention_is_recognised(language: Language, text: str, intention: str) -> None:
    """spec 05 §3.12.3: the sixteen intentions."""
    found = salience(text, language)["intentionen"]
    assert isinstance(found, list)
    assert intention in found


@pytest.mark.parametrize(
    ("language", "text", "names", "time"),
    [
        ("de", "Meine Schwester Anna kommt am Freitag um 15 Uhr.", ["Anna"], "am Freitag um 15 Uhr"),
        ("en", "My sister Anna is coming on Friday.", ["Anna"], "on Friday"),
        ("de", "Mir ist kalt.", [], ""),
    ],
)
def test_names_and_times_are_taken_as_written(
    language: Language, text: str, names: list[str], time: str
) -> None:
    found = salience(text, language)
    assert found["entitaeten_roh"] == names
    assert found["zeitausdruck_roh"] == time


# ── summary ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "facts", "noise"),
    [
        (
            "de",
            [
                "Mein Hund heißt Bruno.",
                "Ich wohne in Köln.",
                "Ich bin 34 Jahre alt.",
                "Meine Schwester Lena hat am 3. Mai Geburtstag.",
            ],
            ["Hallo!", "Ja", "Ok", "haha", "Wie spät ist es?", "Danke"],
        ),
        (
            "en",
            [
                "My dog is called Bruno.",
                "I live in Leeds.",
                "I am 34 years old.",
                "My sister Lena's birthday is on May 3rd.",
            ],
            ["Hello!", "Yes", "Ok", "lol", "What time is it?", "Thanks"],
        ),
    ],
)
def test_a_summary_keeps_names_places_and_numbers(
    language: Language, facts: list[str], noise: list[str]
) -> None:
    """spec 03 §3.1.2: three to five sentences that keep names, facts, places, numbers."""
    turns = [Utterance("user", text) for pair in zip(noise, facts, strict=False) for text in pair]
    turns += [Utterance("assistant", "Das ist ja spannend!"), Utterance("user", noise[-1])]
    found = summarise(SummaryMaterial(previous="", turns=tuple(turns), language=language))
    assert all(fact in found for fact in facts)
    assert "spannend" not in found
    assert 3 <= found.count(". ") + 1 <= 6


def test_an_earlier_summary_lives_on() -> None:
    first = summarise(
        SummaryMaterial(previous="", turns=(Utterance("user", "Mein Hund heißt Bruno."),), language="de")
    )
    later = tuple(
        Utterance("user", text) for text in ["Ich habe gut geschlafen.", "Es regnet.", "Gestern war es kalt."]
    )
    assert "Bruno" in summarise(SummaryMaterial(previous=first, turns=later, language="de"))


def test_a_summary_of_nothing_but_courtesies_is_still_something() -> None:
    turns = (Utterance("user", "Hallo"), Utterance("assistant", "Hallo!"))
    assert summarise(SummaryMaterial(previous="", turns=turns, language="de"))


# ── protocol ─────────────────────────────────────────────────────────────────


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
