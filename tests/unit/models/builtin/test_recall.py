"""What was said in the session is known afterwards, in whatever words it was said."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from tests.unit.models.builtin.talk import Talk

GERMAN_ANIMALS = [
    ("mein Hund", "Hund"),
    ("meine Katze", "Katze"),
    ("mein Kaninchen", "Kaninchen"),
    ("mein Papagei", "Papagei"),
    ("meine Schildkröte", "Schildkröte"),
    ("mein Axolotl", "Axolotl"),
    ("meine Stute", "Stute"),
    ("mein Frettchen", "Frettchen"),
]
GERMAN_PEOPLE = [
    ("meine Schwester", "Schwester"),
    ("mein Onkel", "Onkel"),
    ("meine Chefin", "Chefin"),
    ("mein Nachbar", "Nachbar"),
    ("meine beste Freundin", "Freundin"),
    ("mein Therapeut", "Therapeut"),
    ("meine Patentante", "Patentante"),
]
ENGLISH_BEINGS = [
    "dog",
    "cat",
    "parrot",
    "guinea pig",
    "sister",
    "uncle",
    "boss",
    "neighbour",
    "best friend",
    "axolotl",
]
NAMES = ["Bruno", "Frieda", "Zoltan", "Mimi", "Oskar"]


def _form(owned: str, accusative: str = "") -> str:
    """``mein Hund`` → ``meinen Hund``."""
    determiner, rest = owned.split(" ", 1)
    masculine = determiner == "mein" and not rest.endswith("chen")
    return f"{'einen' if masculine else 'ein' if determiner == 'mein' else 'eine'} {rest}"


GERMAN_TELLINGS = [
    "{Owned} {name} ist krank.",
    "{Owned} heißt {name}.",
    "{name}, {owned}, ist krank.",
    "{name} ist {owned}.",
    "{Owned}, {name}, schläft gerade.",
    "{Owned} heißt übrigens {name} und schläft viel.",
    "Gestern hat {owned} {name} den ganzen Tag geschlafen.",
    "Das ist {name}, {owned}.",
    "{name} heißt {owned}.",
]


@pytest.mark.parametrize("telling", GERMAN_TELLINGS)
@pytest.mark.parametrize(("owned", "noun"), GERMAN_ANIMALS + GERMAN_PEOPLE)
@pytest.mark.parametrize("name", NAMES[:3])
def test_a_german_name_is_known_from_every_way_of_telling(
    telling: str, owned: str, noun: str, name: str
) -> None:
    """issue 2, acceptance: the third answer names the dog, for any being, any name, any wording."""
    talk = Talk("de")
    talk.say(telling.format(owned=owned, Owned=owned[0].upper() + owned[1:], name=name))
    assert name in talk.say(f"Wie heißt {owned}?")


@pytest.mark.parametrize(
    "telling",
    ["Ich habe {a} namens {name}.", "Ich habe {a}, {der} {name} heißt.", "Ich habe {a}. {Er} heißt {name}."],
)
@pytest.mark.parametrize(("owned", "noun"), GERMAN_ANIMALS)
def test_a_being_that_is_introduced_is_known_by_name(telling: str, owned: str, noun: str) -> None:
    masculine = owned.startswith("mein ")
    neuter = noun.endswith("chen")
    text = telling.format(
        a=_form(owned),
        name="Bruno",
        der="das" if neuter else "der" if masculine else "die",
        Er="Es" if neuter else "Er" if masculine else "Sie",
    )
    talk = Talk("de")
    talk.say(text)
    assert "Bruno" in talk.say(f"Wie heißt {owned}?")


@pytest.mark.parametrize(
    "question",
    [
        "Wie heißt mein Hund?",
        "wie heisst mein hund",
        "Wie hieß nochmal mein Hund?",
        "Weißt du noch, wie mein Hund heißt?",
        "Was ist der Name meines Hundes?",
        "Wie heißt mein Haustier?",
        "Sag mir, wie mein Hund heißt?",
        "Wie lautet der Name von meinem Hund?",
    ],
)
def test_the_name_is_found_however_it_is_asked_for(question: str) -> None:
    talk = Talk("de")
    talk.tell("Mein Hund Bruno ist krank, ich mache mir Sorgen.", "Er schläft jetzt.")
    assert "Bruno" in talk.say(question)


ENGLISH_TELLINGS = [
    "My {noun} {name} is ill.",
    "My {noun}'s name is {name}.",
    "My {noun} is called {name}.",
    "{name}, my {noun}, is ill.",
    "{name} is my {noun}.",
    "My {noun}, {name}, is asleep.",
    "The name of my {noun} is {name}.",
    "This is {name}, my {noun}.",
]


@pytest.mark.parametrize("telling", ENGLISH_TELLINGS)
@pytest.mark.parametrize("noun", ENGLISH_BEINGS)
@pytest.mark.parametrize("name", NAMES[:3])
def test_an_english_name_is_known_from_every_way_of_telling(telling: str, noun: str, name: str) -> None:
    talk = Talk("en")
    talk.say(telling.format(noun=noun, name=name))
    assert name in talk.say(f"What's my {noun}'s name?")


@pytest.mark.parametrize(
    "telling",
    [
        "I have a {noun} called Bruno.",
        "I have a {noun} named Bruno.",
        "I have a {noun}. His name is Bruno.",
        "We have a {noun}, Bruno.",
    ],
)
@pytest.mark.parametrize("noun", ["dog", "cat", "parrot", "guinea pig", "horse"])
def test_an_english_being_that_is_introduced_is_known_by_name(telling: str, noun: str) -> None:
    talk = Talk("en")
    talk.say(telling.format(noun=noun))
    assert "Bruno" in talk.say(f"What is my {noun} called?")


@pytest.mark.parametrize(
    ("language", "told", "corrected", "question"),
    [
        ("de", "Mein Hund heißt Bruno.", "Nein, er heißt doch Bello.", "Wie heißt mein Hund?"),
        (
            "de",
            "Meine Katze Minka ist süß.",
            "Meine Katze heißt nicht Minka, sondern Bello.",
            "Wie heißt meine Katze?",
        ),
        (
            "de",
            "Meine Schwester heißt Anna.",
            "Quatsch, meine Schwester heißt Bello.",
            "Wie heißt meine Schwester?",
        ),
        ("en", "My dog is called Bruno.", "No, he's actually called Bello.", "What's my dog's name?"),
        ("en", "My cat's name is Minka.", "My cat isn't called Minka but Bello.", "What's my cat's name?"),
    ],
)
def test_a_correction_wins_over_what_was_said_before(
    language: Language, told: str, corrected: str, question: str
) -> None:
    talk = Talk(language)
    talk.tell(told, corrected)
    answer = talk.say(question)
    assert "Bello" in answer
    assert "Bruno" not in answer
    assert "Minka" not in answer


@pytest.mark.parametrize(
    ("language", "told", "question", "expected"),
    [
        ("de", "Ich wohne in Köln.", "Wo wohne ich?", "Köln"),
        ("de", "Seit 2010 lebe ich mit meiner Frau in Graz.", "Wo wohne ich?", "Graz"),
        ("de", "Ich bin 34 Jahre alt.", "Wie alt bin ich?", "34"),
        ("de", "Meine Schwester Lena ist 12.", "Wie alt ist Lena?", "12"),
        ("de", "Meine Schwester Lena ist 12.", "Wie alt ist meine Schwester?", "12"),
        ("de", "Ich habe am 3. Mai Geburtstag.", "Wann habe ich Geburtstag?", "3. Mai"),
        ("de", "Mein Bruder hat am 12.4. Geburtstag.", "Wann hat mein Bruder Geburtstag?", "12.4."),
        ("de", "Ich arbeite als Krankenpfleger.", "Was arbeite ich?", "Krankenpfleger"),
        ("de", "Ich mag Pizza.", "Was mag ich?", "Pizza"),
        ("de", "Ich hasse Rosenkohl.", "Was mag ich nicht?", "Rosenkohl"),
        ("de", "Ich esse gern Nudeln.", "Was esse ich gern?", "Nudeln"),
        ("de", "Mein Lieblingsessen ist Lasagne.", "Was ist mein Lieblingsessen?", "Lasagne"),
        ("de", "Mein Auto ist rot.", "Welche Farbe hat mein Auto?", "rot"),
        ("de", "Am Freitag habe ich einen Zahnarzttermin.", "Wann ist mein Zahnarzttermin?", "Freitag"),
        ("de", "Gestern war ich mit Petra im Kino.", "Mit wem war ich im Kino?", "Petra"),
        ("de", "Mein Hund Bruno ist krank.", "Wer ist krank?", "Bruno"),
        ("de", "Ich heiße Anna.", "Wie heiße ich?", "Anna"),
        ("de", "Mein Name ist Anna.", "Wer bin ich?", "Anna"),
        ("de", "Mein Hund Bruno ist krank.", "Wer ist Bruno?", "Hund"),
        ("de", "Mein Hund Bruno ist krank.", "Habe ich ein Haustier?", "Bruno"),
        ("en", "I live in Leeds.", "Where do I live?", "Leeds"),
        ("en", "I am 34 years old.", "How old am I?", "34"),
        ("en", "My sister Lena is 12.", "how old is my sister?", "12"),
        ("en", "My birthday is on May 3rd.", "When is my birthday?", "May 3rd"),
        ("en", "I work as a nurse.", "What do I do for a living?", "nurse"),
        ("en", "I like pizza.", "What do I like?", "pizza"),
        ("en", "I hate olives.", "Do I like olives?", "olives"),
        ("en", "My favourite food is lasagna.", "What's my favourite food?", "lasagna"),
        ("en", "My car is red.", "What color is my car?", "red"),
        ("en", "I have a dentist appointment on Friday.", "When is my dentist appointment?", "Friday"),
        ("en", "Yesterday I went to the cinema with Petra.", "Who did I go to the cinema with?", "Petra"),
        ("en", "My dog Bruno is ill.", "Who is ill?", "Bruno"),
        ("en", "My name is Anna.", "What's my name?", "Anna"),
        ("en", "My dog Bruno is ill.", "Do I have a pet?", "Bruno"),
    ],
)
def test_what_was_told_is_answered(language: Language, told: str, question: str, expected: str) -> None:
    talk = Talk(language)
    talk.say(told)
    talk.say("Okay." if language == "en" else "Na ja.")
    assert expected.lower() in talk.say(question).lower()


@pytest.mark.parametrize(
    ("language", "question", "honest"),
    [
        ("de", "Wie heißt meine Katze?", ("noch nicht", "noch nichts", "nicht die Rede", "nur, was")),
        ("de", "Wo wohne ich?", ("noch nicht", "noch nichts", "nicht die Rede", "nur, was")),
        ("de", "Wie alt ist meine Tante?", ("noch nicht", "noch nichts", "nicht die Rede", "nur, was")),
        ("de", "Wann habe ich Geburtstag?", ("noch nicht", "noch nichts", "nicht die Rede", "nur, was")),
        ("en", "What's my cat's name?", ("haven't", "hasn't", "only keep")),
        ("en", "Where do I live?", ("haven't", "hasn't", "only keep")),
    ],
)
def test_what_was_not_told_is_not_invented(
    language: Language, question: str, honest: tuple[str, ...]
) -> None:
    answer = Talk(language).say(question)
    assert any(part in answer for part in honest), answer


def test_a_taken_back_taste_is_no_taste_any_more() -> None:
    """cases A7: the current preference is the new one."""
    talk = Talk("de")
    talk.tell("Ich mag Pizza.", "Ich mag keine Pizza mehr.")
    assert "nicht" in talk.say("Mag ich Pizza?").lower() or "Nein" in talk.history[-1].text


def test_two_beings_of_one_kind_are_told_apart() -> None:
    talk = Talk("de")
    talk.tell("Mein kleiner Bruder heißt Tim.", "Mein großer Bruder heißt Jan.")
    assert "Tim" in talk.say("Wie heißt mein kleiner Bruder?")
    assert "Jan" in talk.say("Wie heißt mein großer Bruder?")


def test_novas_own_words_are_not_what_the_person_told() -> None:
    """cases B1: what the companion says is no fact about the person."""
    talk = Talk("de")
    from novaberg.models.material import Utterance

    talk.history.append(Utterance("assistant", "Mein Hund heißt Rex, sagte einmal jemand."))
    assert "Rex" not in talk.say("Wie heißt mein Hund?")


@pytest.mark.parametrize(
    "summary",
    ["Der Nutzer hat einen Hund namens Bruno.", "Sein Hund Bruno ist krank.", "Mein Hund Bruno ist krank."],
)
def test_the_rolling_summary_is_remembered_too(summary: str) -> None:
    """spec 03 §3.1.2: what left the session lives on in the summary."""
    assert "Bruno" in Talk("de", summary=summary).say("Wie heißt mein Hund?")


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Was habe ich dir heute erzählt?"),
        ("de", "Was weißt du über mich?"),
        ("en", "What did I tell you earlier?"),
        ("en", "What do you know about me?"),
    ],
)
def test_a_look_back_names_what_was_told(language: Language, question: str) -> None:
    talk = Talk(language)
    talk.say("Mein Hund Bruno ist krank." if language == "de" else "My dog Bruno is ill.")
    talk.say("Erzähl mir einen Witz" if language == "de" else "Tell me a joke")
    answer = talk.say(question)
    assert "Bruno" in answer
    assert "Witz" not in answer
    assert "joke" not in answer


@pytest.mark.parametrize(
    "question",
    ["Wie heißt die Hauptstadt von Peru?", "Wie lange lebt ein Hund?", "Wer hat die Glühbirne erfunden?"],
)
def test_a_question_about_the_world_is_not_answered_from_the_session(question: str) -> None:
    talk = Talk("de")
    talk.say("Mein Hund Bruno ist krank.")
    assert "Bruno" not in talk.say(question)


@pytest.mark.parametrize(
    ("language", "told", "question", "expected"),
    [
        ("de", ("Meine Tochter heißt Lina und mein Sohn Max.",), "Wie heißt mein Sohn?", "Max"),
        ("de", ("Meine Tochter heißt Lina und mein Sohn Max.",), "Wie heißt meine Tochter?", "Lina"),
        ("de", ("Wir haben eine Katze. Die heißt Mimi.",), "Wie heißt meine Katze?", "Mimi"),
        ("de", ("ich hab nen hund, der heißt bruno",), "wie heißt mein hund?", "Bruno"),
        ("de", ("Ich habe eine kleine Schwester, sie heißt Ida",), "Wie heißt meine Schwester?", "Ida"),
        ("de", ("Der Name meiner Oma war Hilde.",), "Wie hieß meine Oma?", "Hilde"),
        ("de", ("Meine Freunde Tom und Jerry kommen heute.",), "Wie heißen meine Freunde?", "Jerry"),
        ("de", ("Ich bin die Petra.",), "Wie heiße ich?", "Petra"),
        ("de", ("Ich wohne nicht mehr in Köln, sondern in Bonn.",), "Wo wohne ich?", "Bonn"),
        ("de", ("Ich bin nach Bonn umgezogen.",), "Wo wohne ich?", "Bonn"),
        ("de", ("Ich komme ursprünglich aus Peru.",), "Woher komme ich?", "Peru"),
        ("de", ("Ich spiele seit 5 Jahren Klavier.",), "Was spiele ich?", "Klavier"),
        ("de", ("Ich fahre einen alten Golf.",), "Welches Auto fahre ich?", "Golf"),
        ("de", ("Meine Lieblingsfarbe ist Blau.",), "Was ist meine Lieblingsfarbe?", "Blau"),
        ("de", ("Mein Zug geht um 14:32.",), "Wann geht mein Zug?", "14:32"),
        (
            "de",
            ("Ich habe morgen um 8 einen Termin bei Dr. Weber.",),
            "Bei wem habe ich morgen einen Termin?",
            "Weber",
        ),
        ("de", ("Mein Mann Karl arbeitet bei Siemens.",), "Wo arbeitet mein Mann?", "Siemens"),
        ("de", ("Mein Mann Karl arbeitet bei Siemens.",), "Wie heißt mein Mann?", "Karl"),
        ("de", ("Meine Mutter wird am Sonntag 70.",), "Wie alt wird meine Mutter?", "70"),
        ("de", ("Ich bin allergisch gegen Nüsse.",), "Wogegen bin ich allergisch?", "Nüsse"),
        ("de", ("Unser Sohn geht in die dritte Klasse.",), "In welche Klasse geht mein Sohn?", "dritte"),
        ("de", ("Ich trinke keinen Kaffee.",), "Trinke ich Kaffee?", "kein"),
        ("de", ("Mein Passwort-Hinweis ist Sonnenblume.",), "Was ist mein Passwort-Hinweis?", "Sonnenblume"),
        ("de", ("Ich heiße Anna.", "Nein, nenn mich lieber Anni."), "Wie heiße ich?", "Anni"),
        ("de", ("Mein Kater heißt Moritz.",), "Wie heißt meine Katze?", "Moritz"),
        ("de", ("Mein Vater ist Arzt.",), "Was ist mein Vater von Beruf?", "Arzt"),
        ("de", ("Ich studiere Biologie in Jena.",), "Was studiere ich?", "Biologie"),
        ("de", ("Mein Geburtstag ist der 5. August.",), "Wann habe ich Geburtstag?", "5. August"),
        ("de", ("Ich bin am 3.4.1990 geboren.",), "Wann bin ich geboren?", "3.4.1990"),
        (
            "de",
            ("Gestern habe ich mir beim Fußball den Knöchel verstaucht.",),
            "Was habe ich mir verstaucht?",
            "Knöchel",
        ),
        (
            "de",
            ("Meine beste Freundin heißt Svenja, sie ist Ärztin.",),
            "Was macht Svenja beruflich?",
            "Ärztin",
        ),
        ("de", ("Am liebsten esse ich Sushi.",), "Was esse ich am liebsten?", "Sushi"),
        ("de", ("Mein Hund Bruno frisst nur Hühnchen.",), "Was frisst Bruno?", "Hühnchen"),
        (
            "de",
            ("Ich war letztes Jahr in Norwegen im Urlaub.",),
            "Wo war ich letztes Jahr im Urlaub?",
            "Norwegen",
        ),
        ("de", ("Mein Arzt heißt Dr. Kowalski.",), "Wie heißt mein Arzt?", "Kowalski"),
        ("en", ("I've got two kids, Tom and Lea.",), "What are my kids' names?", "Lea"),
        ("en", ("My wife's name is Sue.",), "What's my wife's name?", "Sue"),
        ("en", ("Our dog Rex is old.",), "What's my dog's name?", "Rex"),
        ("en", ("I have a dog. The dog's name is Rex.",), "What's my dog called?", "Rex"),
        ("en", ("I'm allergic to nuts.",), "What am I allergic to?", "nuts"),
        ("en", ("I drive an old Volvo.",), "What car do I drive?", "Volvo"),
        ("en", ("I have a meeting with Dr. Smith at 3.",), "When is my meeting?", "3"),
        ("en", ("My husband Karl works at Siemens.",), "Where does my husband work?", "Siemens"),
        ("en", ("My mother turns 70 on Sunday.",), "How old is my mother turning?", "70"),
        ("en", ("I don't live in Leeds anymore, I live in York now.",), "Where do I live?", "York"),
        ("en", ("My favorite color is blue.",), "What's my favorite color?", "blue"),
        ("en", ("My train leaves at 14:32.",), "When does my train leave?", "14:32"),
        ("en", ("I study biology in Bristol.",), "What do I study?", "biology"),
        ("en", ("My best friend Tom is a doctor.",), "What does Tom do?", "doctor"),
        ("en", ("I was in Norway last year on holiday.",), "Where was I last year?", "Norway"),
        ("en", ("My daughter is called Lina and my son is called Max.",), "What is my son called?", "Max"),
        ("en", ("I play the piano.",), "What instrument do I play?", "piano"),
        ("en", ("Call me Anni, please.",), "What's my name?", "Anni"),
        ("en", ("I was born on 3 April 1990.",), "When was I born?", "3 April"),
        ("en", ("My dog Bruno only eats chicken.",), "What does Bruno eat?", "chicken"),
        ("en", ("I grew up in Cork.",), "Where did I grow up?", "Cork"),
        ("en", ("My doctor's name is Dr. Kowalski.",), "What's my doctor's name?", "Kowalski"),
    ],
)
def test_everyday_facts_are_known_in_the_words_people_use(
    language: Language, told: tuple[str, ...], question: str, expected: str
) -> None:
    talk = Talk(language)
    talk.tell(*told)
    assert expected.lower() in talk.say(question).lower()
