"""The rolling summary keeps what was told, in the words in which it was told."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.summary import summarise
from novaberg.models.material import SummaryMaterial, Utterance


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
