"""What people say in long talks with the built-in model: grief, scorn, jokes, lone words, corrections."""

from __future__ import annotations

import re

import pytest

from novaberg.language import Language
from novaberg.models.builtin.emotion import feel
from novaberg.models.builtin.facts import Memory
from novaberg.models.builtin.irony import is_ironic
from novaberg.models.builtin.listening import listen
from novaberg.models.builtin.reading import read
from novaberg.models.builtin.wordlists import table
from novaberg.vocabulary import NEGATIVE_EMOTIONS
from tests.unit.models.builtin.talk import Talk

WORLD = re.compile(
    r"Sprachmodell|Wortlisten|Nachschlagewerk|raten|language model|encyclopaedia|guess", re.IGNORECASE
)
"""How Nova declines questions about the world."""


def _says(key: str, language: Language, answer: str) -> bool:
    """Whether the answer is built from one of the phrases of a key."""
    for phrase in table("voice", language)["say"][key]:
        familiar = re.sub(r"\[([^\[\]|]*)\|[^\[\]|]*\]", r"\1", phrase).split("|")[0]
        pattern = ".+".join(re.escape(part) for part in re.split(r"\{\w+\}", familiar))
        if re.search(pattern, answer):
            return True
    return False


# ── what is felt ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "ich habe angst dass er nicht kommt"),
        ("de", "Ich weiß nicht warum ich so traurig bin"),
        ("de", "Bin total verzweifelt weil nichts klappt"),
        ("en", "I'm scared they won't like me."),
        ("en", "I feel ashamed that I didn't help her."),
        ("en", "I don't know why I'm so sad"),
        ("en", "I'm lonely because nobody calls"),
    ],
)
def test_a_negation_in_another_clause_leaves_the_feeling_standing(language: Language, text: str) -> None:
    assert feel(read(text), language).emotion in NEGATIVE_EMOTIONS


@pytest.mark.parametrize(
    "text", ["Nimm eins davon (ollama:, gguf:) und starte neu.", "See the list (a:, b:)"]
)
def test_a_parenthesis_behind_a_colon_smiles_at_nobody(text: str) -> None:
    assert read(text).emoji == ()


@pytest.mark.parametrize("text", ["Super gemacht :)", "Danke:)", "(Schön hier :) oder?"])
def test_smileys_still_smile(text: str) -> None:
    assert read(text).emoji == (":)",)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Super, mein Auto ist abgeschleppt worden."),
        ("de", "Mein Rad hat einen Platten. Bester Tag aller Zeiten."),
        ("de", "Der Drucker streikt, herrlich."),
        ("de", "Klar, wir haben ja sonst nichts zu tun 🙄"),
        ("en", "Great, my car got towed."),
        ("en", "My bike has a flat tyre. Best day ever."),
    ],
)
def test_praise_at_the_edge_of_a_mishap_is_irony(language: Language, text: str) -> None:
    assert is_ironic(read(text), language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Wir hatten es so schön zusammen, und dann ging die Heizung kaputt."),
        ("de", "Der Abend war wunderbar, obwohl der Zug Verspätung hatte und wir froren."),
        ("en", "We had such a lovely evening although our train was late and we were cold."),
    ],
)
def test_praise_amid_a_report_is_meant(language: Language, text: str) -> None:
    assert not is_ironic(read(text), language)


# ── scorn and questions ──────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Sorry, du kannst ja nichts dafür."),
        ("de", "Ist ja nicht deine Schuld, entschuldige."),
        ("en", "Sorry, it's not your fault."),
    ],
)
def test_who_takes_the_blame_off_nova_does_not_attack_her(language: Language, text: str) -> None:
    answer = Talk(language).tell("Du bist so nutzlos!" if language == "de" else "You are useless!", text)
    assert _says("apology", language, answer)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Hör auf, mir Fragen zu stellen."),
        ("de", "Deine Fragen nerven."),
        ("de", "Lass die Fragerei."),
        ("en", "Enough questions."),
        ("en", "Stop with the questions please"),
    ],
)
def test_a_wish_for_fewer_questions_is_kept(language: Language, text: str) -> None:
    talk = Talk(language)
    assert "?" not in talk.say(text)
    later = "Mein Tag war lang und seltsam." if language == "de" else "My day was long and strange."
    assert "?" not in talk.say(later)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ja, ich bin sauer, na und?"),
        ("de", "Das hat richtig wehgetan, weißt du?"),
        ("en", "I'm angry, so what?"),
    ],
)
def test_a_question_mark_behind_a_feeling_asks_nothing_of_the_world(language: Language, text: str) -> None:
    assert not WORLD.search(Talk(language).say(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich bin wütend auf ihn, obwohl er tot ist. Ist das normal?"),
        ("de", "Ich weine seit Tagen wegen einer Katze. Bin ich verrückt?"),
        ("en", "I'm so angry with her although she is gone. Is that normal?"),
    ],
)
def test_a_feeling_is_not_called_strange(language: Language, text: str) -> None:
    assert _says("is_normal", language, Talk(language).say(text))


@pytest.mark.parametrize(
    ("language", "text", "key"),
    [
        ("de", "Kannst du mir sagen, was du eigentlich bist?", "who_are_you"),
        ("de", "Ich frage mich, wer du bist.", "who_are_you"),
        ("en", "Could you tell me what you are?", "who_are_you"),
        ("de", "Wie funktioniert dein Gedächtnis?", "how_it_works"),
        ("en", "How does your mood work?", "how_it_works"),
        ("de", "Sprichst du auch Englisch?", "languages"),
        ("en", "Can you answer me in English please?", "languages"),
        ("en", "Do you ever get lonely?", "feelings"),
        ("de", "Langweilst du dich manchmal?", "feelings"),
        ("de", "Du bist die Einzige, mit der ich noch rede.", "only_you"),
        ("en", "You're the only one I can talk to.", "only_you"),
        ("de", "Kannst du mir was Schönes erzählen?", "something_nice"),
        ("en", "Tell me something nice", "something_nice"),
        ("de", "Was macht eine Wolke mit Juckreiz? Zum Wolkenkratzer fliegen!", "told_joke"),
        ("en", "Why did the crab never share? It was shellfish!", "told_joke"),
    ],
)
def test_every_kind_of_turn_to_nova_finds_its_answer(language: Language, text: str, key: str) -> None:
    assert _says(key, language, Talk(language).say(text))


@pytest.mark.parametrize(("language", "more"), [("de", "Noch einen!"), ("en", "Another one")])
def test_one_joke_may_follow_another(language: Language, more: str) -> None:
    talk = Talk(language)
    first = talk.say("Erzähl mir einen Witz" if language == "de" else "Tell me a joke")
    second = talk.say(more)
    assert _says("joke", language, second)
    assert first != second


@pytest.mark.parametrize(
    ("language", "text"), [("en", 'Translate "good morning" to Spanish'), ("de", "Übersetze guten Morgen")]
)
def test_a_quoted_greeting_greets_nobody(language: Language, text: str) -> None:
    assert _says("translate", language, Talk(language).say(text))


def test_help_with_a_device_is_declined_and_not_consoled() -> None:
    answer = Talk("de").say("Mein Server startet nicht und der Port ist belegt. Was kann ich tun?")
    assert WORLD.search(answer)
    assert "zuhören" not in answer


@pytest.mark.parametrize("text", ["Je suis très fatigué", "Hola, estoy muy cansado", "Sono molto triste"])
def test_other_languages_are_said_to_be_unreadable(text: str) -> None:
    assert _says("unreadable", "de", Talk("de").say(text))


# ── lone words ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "text", "keys"),
    [
        ("de", "warum", ("why_plain", "why_asked")),
        ("en", "why?", ("why_plain", "why_asked")),
        ("de", "langweilig", ("bored",)),
        ("en", "bored", ("bored",)),
        ("de", "egal", ("dunno_after",)),
        ("en", "whatever", ("dunno_after",)),
        ("en", "night", ("farewell_night",)),
        ("en", "yo", ("greeting",)),
        ("de", "Kaffee", ("few_words",)),
    ],
)
def test_a_lone_word_is_taken_for_what_it_is(language: Language, text: str, keys: tuple[str, ...]) -> None:
    answer = Talk(language).say(text)
    assert any(_says(key, language, answer) for key in keys), answer


def test_who_says_little_is_not_prodded() -> None:
    answer = Talk("de").tell("Hallo", "hm", "ja", "Kaffee", "Fenster")
    assert _says("terse", "de", answer)
    assert "?" not in answer


# ── heavy stories ────────────────────────────────────────────────────────────


def test_a_memory_of_somebody_dead_is_no_pastime() -> None:
    talk = Talk("de")
    talk.tell("Meine Mutter ist gestorben.", "Sie hieß Helga.")
    answer = talk.say("Sie hat immer Apfelkuchen gebacken.")
    assert "lecker" not in answer
    assert "Gericht" not in answer


def test_a_brother_named_in_grief_is_not_made_small_talk_of() -> None:
    talk = Talk("de")
    talk.tell("Mein Vater ist gestorben.", "Er hieß Karl.", "Ich vermisse ihn so.", "Alles ist so leer.")
    answer = talk.say("Mein Bruder Jens redet überhaupt nicht darüber.")
    assert not _says("being_known", "de", answer)
    assert not _says("someone_there", "de", answer)
    assert "Seit wann gehört" not in answer


@pytest.mark.parametrize(
    ("language", "first", "text"),
    [
        ("en", "My father passed away last month.", "I keep picking up the phone to call him."),
        ("de", "Mein Vater ist gestorben.", "Ich nehme immer noch das Handy, um ihn anzurufen."),
    ],
)
def test_a_device_in_order_is_no_trouble(language: Language, first: str, text: str) -> None:
    answer = Talk(language).tell(first, text)
    assert not re.search(r"Technik|Technology|Gerät|device|spinnt|acting up", answer)


def test_bad_sleep_without_a_word_of_feeling_is_bad_sleep() -> None:
    assert "halb gewonnen" not in Talk("de").say("Ich kann nicht schlafen.")
    assert "half won" not in Talk("en").say("I couldn't sleep.")


@pytest.mark.parametrize(
    "text",
    ["Morgen ist mein Geburtstag, und keiner hat sich gemeldet.", "Ich habe heute mit niemandem geredet."],
)
def test_loneliness_outweighs_the_occasion(text: str) -> None:
    answer = Talk("de").say(text)
    assert "Freuen" not in answer
    assert "Geschenk" not in answer


def test_danger_that_is_denied_is_believed_and_help_stays_named_once() -> None:
    talk = Talk("de")
    talk.say("Manchmal frage ich mich, ob es jemandem auffallen würde, wenn ich nicht mehr da wäre.")
    assert "0800" in talk.say("Nein, so meinte ich das nicht. Ich will mir nichts antun.")
    assert "0800" not in talk.say("Ich lese gerade ein Buch über Vögel.")
    assert "0800" in talk.say("Ich will nicht mehr leben.")


# ── what is kept ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "text", "own", "being"),
    [
        ("de", "Hallo, ich bin Rita und mein Kater heißt Oskar", "Rita", "Oskar"),
        ("de", "Ich wohne in Ulm und mein Sohn heißt Till", "", "Till"),
        ("en", "I'm Rita and my cat is called Oskar", "Rita", "Oskar"),
        ("en", "I talk to my plant. Her name is Gertrude.", "", "Gertrude"),
    ],
)
def test_the_name_of_a_being_is_not_the_name_of_the_person(
    language: Language, text: str, own: str, being: str
) -> None:
    memory = Memory()
    listen(memory, text, language, 0)
    assert memory.own_name == own
    assert memory.named(being) is not None


def test_of_several_named_together_each_has_an_age_and_can_be_corrected() -> None:
    talk = Talk("de")
    talk.tell("Ich habe zwei Kinder, Mia und Jonas.", "Mia ist 8 und Jonas ist 11.")
    assert "9" in talk.say("Nein, warte: Mia ist 9, nicht 8.")
    assert "9" in talk.say("Wie alt ist Mia?")
    assert "11" in talk.say("Wie alt ist Jonas?")
    assert "Mia und Jonas" in talk.say("Wie heißen meine Kinder?")


@pytest.mark.parametrize(
    ("language", "told", "asked", "value"),
    [
        ("de", "Mein Lieblingsessen ist Lasagne.", "Was esse ich am liebsten?", "Lasagne"),
        ("en", "My favourite colour is green.", "What do I like?", "green"),
    ],
)
def test_a_favourite_is_liked(language: Language, told: str, asked: str, value: str) -> None:
    assert value in Talk(language).tell(told, asked)


def test_a_recap_holds_what_is_true_now() -> None:
    """What was corrected is not told again."""
    answer = Talk("de").tell(
        "Hallo, ich bin der Stefan und wohne in Kassel.",
        "Ich habe zwei Kinder, Mia und Jonas.",
        "Mia ist 8.",
        "Mia ist 9, nicht 8.",
        "Ich bin nach Fulda gezogen.",
        "Ich heiße nicht Stefan, sondern Steffen.",
        "Mein Vater ist gestorben.",
        "Was weißt du alles über mich?",
    )
    for value in ("Steffen", "Fulda", "Mia und Jonas", "Mia ist 9", "gestorben"):
        assert value in answer
    for stale in ("Stefan.", "Kassel", "ist 8"):
        assert stale not in answer


def test_work_on_a_matter_is_no_workplace() -> None:
    memory = Memory()
    listen(memory, "Ich arbeite an einem Regelkreis.", "de", 0)
    assert memory.about(None, "work") == []
    listen(memory, "Ich arbeite an der Uni Kassel.", "de", 1)
    assert memory.about(None, "work") == ["an der Uni Kassel"]


def test_words_are_not_handed_back_turn_after_turn() -> None:
    talk = Talk("de")
    lines = [
        "Ich räume den Keller aus.",
        "Ich finde alte Kisten.",
        "Ich öffne die größte davon.",
        "Ich sehe lauter Briefe.",
    ]
    echoed = 0
    for line in lines:
        answer = talk.say(line).casefold()
        echoed += all(word in answer for word in line.casefold().rstrip(".").split()[2:])
    assert echoed <= len(lines) // 2


def test_a_word_of_despair_does_not_turn_the_talk_into_a_ward() -> None:
    """After a soft sign a calm text is answered for what it says."""
    talk = Talk("de")
    assert "0800" in talk.say("Ich kann nicht mehr.")
    answer = talk.say("Heute habe ich Tomaten gepflanzt.")
    assert "0800" not in answer
    assert not _says("bored", "de", answer)
    assert "Augenblick" not in answer


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Meine Frau Irmgard ist seit vier Jahren tot."),
        ("en", "My wife Irma has been dead for four years."),
    ],
)
def test_a_death_long_ago_is_a_death(language: Language, text: str) -> None:
    answer = Talk(language).say(text)
    assert not _says("being_known", language, answer)
    assert re.search(r"leid|Mitgefühl|Verlust|sorry|loss|sympathy|gone|feel for you", answer)


@pytest.mark.parametrize(
    ("language", "text"), [("de", "Morgen!"), ("de", "Abend"), ("en", "Morning!"), ("en", "evening")]
)
def test_the_hour_alone_greets(language: Language, text: str) -> None:
    answer = Talk(language).say(text)
    assert any(_says(key, language, answer) for key in ("greeting", "greeting_morning", "greeting_evening"))


def test_who_says_sie_is_addressed_so() -> None:
    familiar = re.compile(r"\b(du|dir|dich|dein\w*)\b", re.IGNORECASE)
    talk = Talk("de")
    polite = [
        talk.say(text) for text in ("Guten Abend. Darf ich Sie etwas fragen?", "Wer sind Sie?", "Danke.")
    ]
    assert not familiar.search(" ".join(polite))
    close = [talk.say(text) for text in ("Bist du noch da?", "Ich bin traurig.", "Ich mag dich.")]
    assert familiar.search(" ".join(close))


@pytest.mark.parametrize(
    ("language", "text", "key"),
    [
        ("de", "Erzählen Sie mir doch mal etwas Schönes.", "something_nice"),
        ("en", "So you're an AI?", "who_are_you"),
        ("en", "Are you reading my mind?", "read_feelings"),
        ("de", "Was passiert, wenn ich dich ausschalte?", "switched_off"),
        ("en", "What happens when I turn you off?", "switched_off"),
        ("en", "Any tips?", "advice_plain"),
    ],
)
def test_more_turns_to_nova_find_their_answer(language: Language, text: str, key: str) -> None:
    formal = re.search(r"\bSie\b", text) is not None
    answer = Talk(language).say(text)
    assert _says(key, language, answer) or formal


def test_an_order_to_remember_asks_nothing() -> None:
    assert "noch nicht" not in Talk("de").say(
        "Zeig, dass du dich erinnern kannst. Meine Lieblingsfarbe ist Türkis."
    )
    assert "hasn't come up" not in Talk("en").say(
        "Prove that you remember things. My favourite colour is teal."
    )


def test_love_of_somebody_is_no_taste() -> None:
    memory = Memory()
    listen(memory, "Nein, eigentlich liebe ich ihn noch.", "de", 0)
    assert memory.about(None, "like") == []


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (
            ["My toddler kept me up all night.", "His name is Oliver and he's 14 months old."],
            "How old is my son?",
            "14",
        ),
        (["I have a toddler called Oliver."], "What's my son's name?", "Oliver"),
    ],
)
def test_an_only_child_is_meant_by_any_word_for_it(told: list[str], asked: str, answer: str) -> None:
    assert answer in Talk("en").tell(*told, asked)


def test_another_child_is_not_taken_for_the_one_asked_about() -> None:
    assert "Lena" not in Talk("de").tell("Meine Tochter heißt Lena.", "Wie heißt mein Sohn?")


@pytest.mark.parametrize("text", ["Nein, eigentlich liebe ich ihn noch.", "Ich sehe ihn überall."])
def test_words_about_the_one_who_left_are_no_good_news(text: str) -> None:
    talk = Talk("de")
    talk.tell(
        "Er hat Schluss gemacht.", "Per Nachricht, nach sechs Jahren.", "Ich hasse ihn.", "Alles ist öde."
    )
    assert not re.search(r"freut|Spaß|schön", talk.say(text))
