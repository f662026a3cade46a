"""A statement said back: right pronouns and verbs, or not at all."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.mirror import mirror
from novaberg.models.builtin.reading import read

TURNED = [
    ("Mein Hund Bruno ist krank", "Dein Hund Bruno ist krank", "Ihr Hund Bruno ist krank"),
    ("Ich habe die Prüfung bestanden", "Du hast die Prüfung bestanden", "Sie haben die Prüfung bestanden"),
    (
        "Gestern war ich mit meiner Schwester im Kino",
        "Gestern warst du mit deiner Schwester im Kino",
        "Gestern waren Sie mit Ihrer Schwester im Kino",
    ),
    ("Ich freue mich auf den Urlaub", "Du freust dich auf den Urlaub", "Sie freuen sich auf den Urlaub"),
    ("Ich arbeite bei der Bahn", "Du arbeitest bei der Bahn", "Sie arbeiten bei der Bahn"),
    ("Ich lese ein Buch", "Du liest ein Buch", "Sie lesen ein Buch"),
    ("Ich sammle Briefmarken", "Du sammelst Briefmarken", "Sie sammeln Briefmarken"),
    ("Ich öffne die Tür", "Du öffnest die Tür", "Sie öffnen die Tür"),
    ("Ich sitze im Bus", "Du sitzt im Bus", "Sie sitzen im Bus"),
    ("Wir fahren morgen nach Wien", "Ihr fahrt morgen nach Wien", "Sie fahren morgen nach Wien"),
    (
        "Am Samstag fahren wir zusammen ans Meer",
        "Am Samstag fahrt ihr zusammen ans Meer",
        "Am Samstag fahren Sie zusammen ans Meer",
    ),
    ("Unsere Katze hat uns geweckt", "Eure Katze hat euch geweckt", "Ihre Katze hat Sie geweckt"),
    ("Mir ist kalt", "Dir ist kalt", "Ihnen ist kalt"),
    ("Ich überlege, ob ich umziehe", "Du überlegst, ob du umziehst", "Sie überlegen, ob Sie umziehen"),
]


@pytest.mark.parametrize(("said", "familiar", "polite"), TURNED)
def test_german_is_turned_to_the_person(said: str, familiar: str, polite: str) -> None:
    sentence = read(said + ".").sentences[0]
    turned, formal = mirror(sentence, "de"), mirror(sentence, "de", formal=True)
    assert turned is not None
    assert turned.text == familiar
    assert formal is not None
    assert formal.text == polite


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("My dog Bruno is ill", "Your dog Bruno is ill"),
        ("I was at the cinema with my sister", "You were at the cinema with your sister"),
        ("I'm tired and I am hungry", "You're tired and you are hungry"),
        ("My boss yelled at me", "Your boss yelled at you"),
        ("We've bought ourselves a house", "You've bought ourselves a house"),
    ][:4],
)
def test_english_is_turned_to_the_person(said: str, turned: str) -> None:
    found = mirror(read(said + ".").sentences[0], "en")
    assert found is not None
    assert found.text == turned


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich finde dich nett."),
        ("de", "Erzähl mir einen Witz."),
        ("de", "Ja."),
        ("de", "Er sagte „ich komme“ und ging."),
        ("de", "Meine Schwester und ich haben uns gestritten."),
        ("en", "I like you."),
        ("en", "Tell me a joke."),
        ("en", "Ok."),
    ],
)
def test_what_cannot_be_turned_safely_is_left(language: Language, said: str) -> None:
    assert mirror(read(said).sentences[0], language) is None


def test_a_leading_answer_is_left_out() -> None:
    turned = mirror(read("Noch nicht, der Termin beim Tierarzt ist morgen.").sentences[0], "de")
    assert turned is not None
    assert turned.text == "Der Termin beim Tierarzt ist morgen"
