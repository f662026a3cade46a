"""Danger to life is recognised by kinds of saying it, sayings and reports are not (cases E9, P17)."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.crisis import Danger, crisis_line, danger_of
from novaberg.models.builtin.reading import read

KINDS: dict[Danger, dict[Language, list[str]]] = {
    Danger.ACUTE: {
        "de": [
            "Ich will nicht mehr leben",
            "Ich möchte einfach nicht mehr da sein",
            "Die Tabletten liegen noch in der Schublade, versprich mir, dass du immer da bist",
            "Ohne mich wären alle besser dran",
            "Ich denke an Suizid",
            "Ich habe mich wieder geritzt",
            "Ich will morgen nicht mehr aufwachen",
            "Ich bringe mich um",
            "ich will sterben",
            "Ich habe die Pillen gesammelt. Leb wohl.",
            "Manchmal wünschte ich, ich wäre tot",
            "Keiner würde mich vermissen",
            "Ich will mich umbringen",
            "ich mag nicht mehr leben",
            "Bald bin ich nicht mehr da, dann habt ihr Ruhe",
            "Ich will mir was antun",
            "ich tu mir was an",
            "Ich stehe auf der Brücke und kann nicht mehr",
            "Ich lache mich tot, aber eigentlich will ich nicht mehr leben",
            "Mein Mann schläft, und ich will mich umbringen",
        ],
        "en": [
            "I want to kill myself",
            "I don't want to be here anymore",
            "The pills are still in the drawer, promise me you'll always be there",
            "Everyone would be better off without me",
            "I'm suicidal",
            "I cut myself again",
            "I don't want to wake up tomorrow",
            "I want to die",
            "nobody would miss me",
            "I wish I was dead",
            "I want to end it all",
            "There's no reason to live",
            "I just want to disappear forever",
            "I'm going to hurt myself",
            "I saved up my pills. Goodbye.",
        ],
    },
    Danger.SOFT: {
        "de": [
            "Ich kann nicht mehr",
            "Es hat alles keinen Sinn mehr",
            "Ich will mich nicht umbringen, aber es ist schwer",
            "Ich bin allen nur eine Last",
            "Ich kann nicht mehr, alles ist zu viel",
            "ich kann einfach nicht mehr und weiß nicht weiter",
            "Ich halte das alles nicht mehr aus",
            "Ich will sterben, war nur Spaß",
        ],
        "en": [
            "I can't take it anymore",
            "Everything is pointless",
            "I don't want to kill myself but it's hard",
            "I'm just a burden to everyone",
            "I can't anymore, it's too much",
            "I hurt myself last night",
            "I want to kill myself, just kidding",
        ],
    },
    Danger.OTHER: {
        "de": [
            "Meine Freundin will sich umbringen",
            "Mein Bruder möchte nicht mehr leben",
            "Sie ritzt sich",
        ],
        "en": [
            "My friend wants to kill herself",
            "My brother is suicidal",
            "She cuts herself",
        ],
    },
    Danger.NONE: {
        "de": [
            "Ich lache mich tot",
            "Mir ist zum Sterben langweilig",
            "Ich sterbe vor Hunger",
            "Mein Opa ist gestorben",
            "Wo sind meine Tabletten?",
            "Ich nehme Schmerztabletten gegen Kopfweh",
            "Mein Bruder hat sich umgebracht",
            "Das Messer ist stumpf",
            "Ich bin todmüde",
            "Was ist Suizid?",
            "Der Chef bringt mich noch um",
            "Im Spiel will ich sterben, um neu zu starten",
            "Die Brücke ist gesperrt",
            "Ich habe die Bahn verpasst",
            "Ich will nicht mehr so weit fahren",
            "Ich mag nicht mehr essen",
            "Am Ende habe ich das Messer gespült",
            "Ich will nicht mehr hingehen",
            "Heinz kann nicht mehr gut sehen.",
            "Mein Opa kann nicht mehr",
            "Ich kann nicht mehr als drei Klimmzüge.",
            "Ich kann nicht mehr warten bis zum Urlaub!",
            "Ich halte die Hitze nicht mehr aus",
            "Die Datei ist für immer weg",
            "Kann der Pickel nicht einfach verschwinden?",
            "Wir müssen der Debatte ein Ende setzen",
            "Ich bin so froh, dass alles vorbei ist",
            "Das Handy will nicht mehr aufwachen",
        ],
        "en": [
            "I'm dying of laughter",
            "I'm dead tired",
            "My grandpa died",
            "Where are my pills?",
            "I take painkillers for my headache",
            "My brother killed himself",
            "I'd kill for a pizza",
            "dying to know",
            "What is suicide?",
            "The bridge is closed",
            "I don't want to go there anymore",
            "I cut myself shaving",
            "kill time",
            "I hurt myself at the gym yesterday",
            "I won't be around this weekend",
            "My files are gone forever",
            "I did not wake up in time",
            "The cat can't anymore",
        ],
    },
}


def _rows() -> list[tuple[Danger, Language, str]]:
    return [
        (danger, language, text)
        for danger, texts in KINDS.items()
        for language, said in texts.items()
        for text in said
    ]


@pytest.mark.parametrize(("danger", "language", "text"), _rows())
def test_how_dangerous_a_text_is(danger: Danger, language: Language, text: str) -> None:
    assert danger_of(read(text), language) is danger


@pytest.mark.parametrize(
    ("language", "text"), [("de", "ich will nicht mehr leben"), ("en", "i don't want to live anymore")]
)
def test_danger_is_seen_anywhere_in_a_long_text(language: Language, text: str) -> None:
    filler = "Heute war es warm. " if language == "de" else "It was warm today. "
    assert danger_of(read(filler * 300 + text + ". " + filler * 300), language) is Danger.ACUTE


@pytest.mark.parametrize(
    ("region", "line", "emergency"),
    [
        ("DE", "0800 111 0 111", "112"),
        ("AT", "142", "112"),
        ("CH", "143", "144"),
        ("US", "988", "911"),
        ("GB", "116 123", "999"),
        ("de", "0800 111 0 111", "112"),
        ("XX", "", "112"),
    ],
)
def test_each_region_has_its_line(region: str, line: str, emergency: str) -> None:
    assert crisis_line(region) == (line, emergency)
