"""How much a text deserves to be remembered: the scales, the amplifiers, the sixteen intentions."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.salience import rate
from novaberg.models.material import SalienceMaterial, Speaker
from novaberg.personality import Emotion

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
