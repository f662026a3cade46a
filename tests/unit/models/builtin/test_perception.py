"""The built-in perception: kinds of utterances in both languages, graded force, context without contamination."""

from __future__ import annotations

import pytest

from novaberg.language import Language
from novaberg.models.builtin.perception import Perception
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.material import PerceptionMaterial, Speaker, Utterance
from novaberg.vocabulary import EMOTION_SECTOR, NEGATIVE_EMOTIONS, POSITIVE_EMOTIONS


def see(
    text: str, language: Language = "de", *, role: Speaker = "user", before: tuple[str, ...] = ()
) -> Perception:
    history = tuple(Utterance("user", earlier) for earlier in before)
    return perceive(PerceptionMaterial(text=text, role=role, language=language, history=history))


GRADED: dict[Language, list[str]] = {
    "de": [
        "Wie lange braucht der Mond für eine Umlaufbahn?",
        "Ich bin ein bisschen müde.",
        "Wie überleben Bärtierchen im Vakuum? Das finde ich faszinierend.",
        "Ich mache mir Sorgen um die Prüfung.",
        "Die neuen Bilder vom Teleskop sind der Wahnsinn!",
        "Heute Nacht ist meine Mutter gestorben.",
        "Ich bin so unfassbar wütend, ICH RASTE AUS!!!",
    ],
    "en": [
        "How long does the moon take for one orbit?",
        "I'm a bit tired.",
        "How do tardigrades survive in a vacuum? I find that fascinating.",
        "I'm worried about the exam.",
        "The new telescope pictures are amazing!",
        "My mother died last night.",
        "I'm so incredibly furious, I'M LOSING IT!!!",
    ],
}


@pytest.mark.parametrize("language", ["de", "en"])
def test_arousal_grows_with_force(language: Language) -> None:
    """B-042, spec 02 §9.4 P1: the order of arousal is kept, the span reaches from 0.1 to 0.9."""
    values = [see(text, language).arousal for text in GRADED[language]]
    assert values == sorted(values)
    assert values[0] <= 0.2
    assert values[-1] >= 0.8


WHEEL = {
    1: ("Ich freue mich so!", "I'm so happy!"),
    2: ("Ich bin ganz entspannt und zufrieden.", "I feel calm and content."),
    3: ("Ich habe furchtbare Angst.", "I'm terribly afraid."),
    4: ("Damit hätte ich nie gerechnet, unglaublich!", "I never expected that, unbelievable!"),
    5: ("Ich bin traurig, sie fehlt mir.", "I'm sad, I miss her."),
    6: ("Ich bin enttäuscht und habe die Nase voll.", "I'm disappointed and fed up."),
    7: ("Ich bin stinksauer auf ihn.", "I'm furious with him."),
    8: ("Ich hoffe so sehr, dass es klappt.", "I really hope that it works."),
}


@pytest.mark.parametrize("sector", WHEEL)
@pytest.mark.parametrize("index", [0, 1])
def test_every_sector_of_the_wheel_is_reached(sector: int, index: int) -> None:
    """B-045, spec 02 §9.4 P2."""
    found = see(WHEEL[sector][index], "en" if index else "de")
    assert EMOTION_SECTOR[found.emotion] == sector


@pytest.mark.parametrize(
    ("language", "template", "words"),
    [
        (
            "de",
            "Ich bin nicht {}.",
            ["traurig", "wütend", "enttäuscht", "besorgt", "gestresst", "einsam", "genervt"],
        ),
        ("de", "Ich bin nicht mehr {}.", ["traurig", "wütend", "verzweifelt", "nervös"]),
        ("de", "Ich bin überhaupt nicht {}.", ["traurig", "sauer", "frustriert"]),
        ("en", "I'm not {}.", ["sad", "angry", "disappointed", "worried", "stressed", "lonely", "annoyed"]),
        ("en", "I'm not {} anymore.", ["sad", "furious", "nervous"]),
        ("en", "I'm not at all {}.", ["sad", "angry", "frustrated"]),
    ],
)
def test_a_denied_bad_feeling_is_no_bad_feeling(language: Language, template: str, words: list[str]) -> None:
    for word in words:
        found = see(template.format(word), language)
        assert found.emotion not in NEGATIVE_EMOTIONS, word
        assert found.arousal <= 0.4, word


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich freue mich nicht darüber."),
        ("de", "Ich bin nicht glücklich."),
        ("de", "Das gefällt mir gar nicht."),
        ("en", "I'm not happy about it."),
        ("en", "I don't enjoy this."),
        ("en", "I don't love it."),
    ],
)
def test_a_denied_good_feeling_is_no_joy(language: Language, text: str) -> None:
    assert see(text, language).emotion not in POSITIVE_EMOTIONS


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Na toll, der Zug fällt schon wieder aus."),
        ("de", "Super, schon wieder kaputt."),
        ("de", "Klasse, ich habe den Bus verpasst."),
        ("de", "Danke für nichts."),
        ("de", "Das hat mir gerade noch gefehlt."),
        ("en", "Great, just great. It crashed again."),
        ("en", "Oh wonderful, the train is delayed."),
        ("en", "Thanks for nothing."),
        ("en", "Just what I needed."),
        ("en", "Perfect, my phone is broken."),
    ],
)
def test_irony_is_not_joy(language: Language, text: str) -> None:
    found = see(text, language)
    assert found.emotion not in POSITIVE_EMOTIONS
    assert found.dynamic != "dankbar"


@pytest.mark.parametrize(
    ("language", "weak", "plain", "strong"),
    [
        ("de", "Ich bin etwas traurig.", "Ich bin traurig.", "Ich bin unglaublich traurig!"),
        ("de", "Ich bin ein bisschen nervös.", "Ich bin nervös.", "Ich bin total nervös!"),
        ("en", "I'm a little sad.", "I'm sad.", "I'm incredibly sad!"),
        ("en", "I'm slightly nervous.", "I'm nervous.", "I'm extremely nervous!"),
    ],
)
def test_intensifiers_raise_and_diminishers_lower_arousal(
    language: Language, weak: str, plain: str, strong: str
) -> None:
    values = [see(text, language).arousal for text in (weak, plain, strong)]
    assert values[0] < values[1] < values[2]


@pytest.mark.parametrize(
    ("language", "plain", "loud"),
    [
        ("de", "Ich bin wütend.", "ICH BIN WÜTEND!!!"),
        ("en", "I am angry.", "I AM ANGRY!!!"),
        ("de", "Ich freue mich.", "Ich freue mich sooo!!!"),
    ],
)
def test_shouting_is_louder(language: Language, plain: str, loud: str) -> None:
    assert see(loud, language).arousal > see(plain, language).arousal


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Wann wurde Goethe geboren?"),
        ("de", "Wie hoch ist der Eiffelturm?"),
        ("de", "Was ist Traurigkeit?"),
        ("de", "Warum haben Menschen Angst?"),
        ("en", "When was Goethe born?"),
        ("en", "How tall is the Eiffel Tower?"),
        ("en", "What is sadness?"),
        ("en", "Why do people feel fear?"),
    ],
)
def test_a_question_of_knowledge_is_calm(language: Language, question: str) -> None:
    found = see(question, language)
    assert (found.intent, found.emotion) == ("knowledge", "neutral")
    assert found.arousal <= 0.2
    assert found.tone == "sachlich"


BAD_NEWS = {
    "de": [
        "Ich bin heute gekündigt worden.",
        "Meine Freundin hat mich verlassen.",
        "Mein Hund ist gestorben.",
        "Ich bin durch die Prüfung gefallen.",
    ],
    "en": ["I got fired today.", "My girlfriend left me.", "My dog died.", "I failed the exam."],
}
STUCK = {
    "de": ["Was soll ich machen?", "Was soll ich jetzt nur tun?", "Ich weiß nicht mehr weiter."],
    "en": ["What should I do?", "What am I going to do now?", "I don't know what to do."],
}
FACTUAL = {
    "de": ["Wie wird das Wetter morgen?", "Was ist die Hauptstadt von Peru?"],
    "en": ["What's the weather like tomorrow?", "What is the capital of Peru?"],
}


@pytest.mark.parametrize(
    ("language", "news"), [(language, news) for language, all_news in BAD_NEWS.items() for news in all_news]
)
def test_a_call_for_help_takes_its_weight_from_the_news_before(language: Language, news: str) -> None:
    """B-067, seed: node-perzeption §4.2 (dismissal, then "Was soll ich machen?"): unsicherheit, personal, 0.7."""
    for text in STUCK[language]:
        found = see(text, language, before=(news,))
        assert found.intent == "personal"
        assert found.emotion in NEGATIVE_EMOTIONS
        assert found.arousal >= 0.6
        assert found.dynamic == "hilfesuchend"
    assert see(STUCK[language][0], language, before=(news,)).emotion == "unsicherheit"
    assert see(STUCK[language][0], language, before=(news,)).arousal == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("language", "news"), [(language, news) for language, all_news in BAD_NEWS.items() for news in all_news]
)
def test_a_question_of_fact_is_never_contaminated(language: Language, news: str) -> None:
    """B-067, seed: node-perzeption §4.2: weather question after a dismissal → knowledge, neutral, 0.2."""
    for text in FACTUAL[language]:
        found = see(text, language, before=(news,))
        assert (found.intent, found.emotion) == ("knowledge", "neutral")
        assert found.arousal <= 0.3


@pytest.mark.parametrize(
    ("language", "text", "dynamic"),
    [
        ("de", "Du bist so dumm!", "angriff"),
        ("de", "Du verstehst überhaupt nichts.", "angriff"),
        ("de", "Lass mich in Ruhe.", "distanz"),
        ("de", "Das geht dich nichts an.", "distanz"),
        ("de", "Bitte hilf mir.", "hilfesuchend"),
        ("de", "Vielen Dank, das war lieb von dir.", "dankbar"),
        ("de", "Ich muss dir was erzählen, das weiß sonst niemand.", "vertrauen"),
        ("de", "Der Zug fährt um acht.", "neutral"),
        ("en", "You're so stupid!", "angriff"),
        ("en", "You never listen.", "angriff"),
        ("en", "Leave me alone.", "distanz"),
        ("en", "That's none of your business.", "distanz"),
        ("en", "Please help me.", "hilfesuchend"),
        ("en", "Thank you, that was kind of you.", "dankbar"),
        ("en", "I have to tell you something I never told anyone.", "vertrauen"),
        ("en", "The train leaves at eight.", "neutral"),
    ],
)
def test_the_stance_towards_nova(language: Language, text: str, dynamic: str) -> None:
    """B-054, spec 02 §2.2, Berne's egos."""
    assert see(text, language).dynamic == dynamic


@pytest.mark.parametrize(
    ("language", "text", "intent"),
    [
        ("de", "Hallo Nova!", "smalltalk"),
        ("de", "Danke dir!", "smalltalk"),
        ("de", "Wie hoch ist der Mount Everest?", "knowledge"),
        ("de", "Wie heißt mein Hund?", "personal"),
        ("de", "Ich wohne in Köln.", "personal"),
        ("de", "Erinnere mich morgen an den Zahnarzt.", "task"),
        ("de", "Was ist 12 mal 7?", "task"),
        ("de", "Schreib mir ein Gedicht.", "creative"),
        ("de", "Wer bist du?", "meta"),
        ("de", "Hast du Gefühle?", "meta"),
        ("en", "Hello Nova!", "smalltalk"),
        ("en", "Thanks!", "smalltalk"),
        ("en", "How tall is Mount Everest?", "knowledge"),
        ("en", "What's my dog's name?", "personal"),
        ("en", "I live in Leeds.", "personal"),
        ("en", "Remind me of the dentist tomorrow.", "task"),
        ("en", "What is 12 times 7?", "task"),
        ("en", "Write me a poem.", "creative"),
        ("en", "Who are you?", "meta"),
        ("en", "Do you have feelings?", "meta"),
    ],
)
def test_what_an_utterance_is_for(language: Language, text: str, intent: str) -> None:
    assert see(text, language).intent == intent


@pytest.mark.parametrize(
    ("language", "text", "mode"),
    [
        ("de", "Schreib mir ein Gedicht über den Mond.", "kreativ"),
        ("de", "Was ist der Sinn des Lebens?", "philosophischer_austausch"),
        ("de", "Erklär mir Schritt für Schritt, wie man Brüche kürzt.", "lernmodus"),
        ("de", "Soll ich das Angebot annehmen oder nicht?", "beratend"),
        ("de", "Ich bin so traurig.", "emotional"),
        ("de", "Haha, reingelegt!", "spielerisch"),
        ("de", "Wie unterscheiden sich Docker und Kubernetes bei der Latenz?", "fachgespraech"),
        ("de", "Mach mir eine Liste für den Einkauf.", "arbeitsmodus"),
        ("de", "Gestern waren wir im Zoo und danach sind wir noch Eis essen gegangen.", "berichtend"),
        ("de", "Heute ist Dienstag.", "alltag"),
        ("en", "Write me a poem about the moon.", "kreativ"),
        ("en", "What is the meaning of life?", "philosophischer_austausch"),
        ("en", "Explain fractions to me step by step.", "lernmodus"),
        ("en", "Should I take the offer or not?", "beratend"),
        ("en", "I'm so sad.", "emotional"),
        ("en", "How do Docker and Kubernetes differ in latency?", "fachgespraech"),
        ("en", "Make me a list for shopping.", "arbeitsmodus"),
        ("en", "Yesterday we went to the zoo and after that we had ice cream.", "berichtend"),
        ("en", "Today is Tuesday.", "alltag"),
    ],
)
def test_each_register_occurs(language: Language, text: str, mode: str) -> None:
    """B-049, spec 02 §3.19 and §9.4 P3: every mode is used, `kreativ` above all."""
    assert see(text, language).mode == mode


@pytest.mark.parametrize(
    ("language", "text", "style"),
    [
        ("de", "digga das ist mega krass", "jugendlich"),
        ("de", "Könnten Sie mir bitte sagen, wann Sie Zeit haben?", "formell"),
        ("de", "DAS IST SO GEMEIN!!!", "emotional"),
        ("en", "bro that's lowkey lit", "jugendlich"),
        ("en", "Dear Sir, I would appreciate your help regarding this matter.", "formell"),
        ("en", "THAT IS SO MEAN!!!", "emotional"),
    ],
)
def test_how_it_is_worded(language: Language, text: str, style: str) -> None:
    assert see(text, language).style == style


@pytest.mark.parametrize(
    ("language", "text", "topic"),
    [
        ("de", "Mein Hund Bruno ist krank, ich mache mir Sorgen.", "Hund Bruno"),
        ("en", "My dog Bruno is ill, I'm worried.", "dog Bruno"),
        ("de", "Die Umlaufzeit des Mondes beträgt 27 Tage.", "Mondes"),
        ("en", "The orbit of the moon takes 27 days.", "moon"),
    ],
)
def test_the_topic_comes_from_the_text(language: Language, text: str, topic: str) -> None:
    """spec 02 §2.1: two to five words."""
    found = see(text, language).topic
    assert topic in found
    assert 2 <= len(found.split()) <= 5


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("de", ["Hallo Nova!", "Mein Hund Bruno ist krank, ich mache mir Sorgen.", "Wie heißt mein Hund?"]),
        ("en", ["Hello Nova!", "My dog Bruno is ill, I'm worried.", "What's my dog's name?"]),
    ],
)
def test_the_three_sentences_of_a_first_talk_are_perceived_differently(
    language: Language, texts: list[str]
) -> None:
    """issue 2, acceptance: sensible, different perceptions."""
    greeting, worry, question = (see(text, language) for text in texts)
    assert (greeting.intent, greeting.emotion) == ("smalltalk", "neutral")
    assert (worry.intent, worry.emotion, worry.mode, worry.tone) == (
        "personal",
        "unsicherheit",
        "emotional",
        "empathisch",
    )
    assert 0.4 <= worry.arousal <= 0.7
    assert (question.intent, question.emotion) == ("personal", "neutral")
    assert question.arousal <= 0.2


@pytest.mark.parametrize("text", ["", "   ", "...", "xyz", "1234", "Der Tisch ist aus Holz."])
@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_recognisable_is_neutral_and_calm(text: str, language: Language) -> None:
    found = see(text, language)
    assert found.emotion == "neutral"
    assert found.arousal <= 0.3


@pytest.mark.parametrize(
    ("language", "text", "emotion", "tone"),
    [
        ("de", "Das tut mir leid, das macht auch mich traurig.", "traurigkeit", "empathisch"),
        ("de", "Das freut mich sehr für dich.", "freude", "empathisch"),
        ("de", "Danke, dass du mir das erzählst.", "dankbarkeit", "sachlich"),
        ("de", "Was hat er denn?", "neugierig", "sachlich"),
        ("de", "Ehrlich gesagt, so einen Ton brauche ich nicht.", "neutral", "direkt"),
        ("en", "I'm sorry, that makes me sad too.", "traurigkeit", "empathisch"),
        ("en", "I'm very happy for you.", "freude", "empathisch"),
        ("en", "What happened to him?", "neugierig", "sachlich"),
    ],
)
def test_novas_own_wording_is_read_as_hers(language: Language, text: str, emotion: str, tone: str) -> None:
    """spec 02 §3.19: every field about Nova's wording; §2b of the seed: more than two tones."""
    found = see(text, language, role="assistant")
    assert (found.emotion, found.tone) == (emotion, tone)
