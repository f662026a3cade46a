"""What an open page makes of the tables and of what is announced (spec 07 §3, §11, §13; design §3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from pydantic import JsonValue

from novaberg.errors import DatabaseUnavailableError, TurnNotFailedError
from novaberg.turns.messages import Message
from novaberg.turns.program import StateView
from novaberg.web.chat import PAGE_TURNS, PATIENCE_S
from tests.support.program import START
from tests.unit.web.conftest import OpenPage, PageProgram, inbox_message, past_turn

Open = Callable[[], Awaitable[OpenPage]]
MARK = "Heute, 14:00"


def about(typ: str, turn_id: str, *ids: str, **more: JsonValue) -> Message:
    return {"typ": typ, "turn_id": turn_id, "nachrichten_ids": list(ids), **more}


def stage(turn_id: str, *ids: str, label: str = "Enricher", detail: str = "—") -> Message:
    return about("character_stage", turn_id, *ids, node="enricher", label=label, detail=detail)


def answer(turn_id: str, *ids: str, text: str = "Ja.", **more: JsonValue) -> Message:
    return about("character_response", turn_id, *ids, nachricht=text, **more)


def ending(turn_id: str, *ids: str, **more: JsonValue) -> Message:
    timings: JsonValue = {"answer_ms": 400.0, "total_ms": 600.0}
    return about("turn_complete", turn_id, *ids, timings=timings, **more)


async def test_an_empty_page_tells_what_this_is_and_asks_for_a_word(open_page: Open) -> None:
    """Promise P17: an honest program, feelings are inferred and stored, how to end it."""
    page = await open_page()
    words = " ".join(page.shown)
    for piece in ("Ein erstes Wort genügt.", "Programm, kein Mensch", "Vermutungen", "löscht diesen Ordner"):
        assert piece in words
    assert str(page.program.settings.home) in words
    assert "kein Wort verlässt diesen Rechner" in words


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"model": "openai:gpt", "model_url": "https://modell.example/v1"},
            "openai:gpt (https://modell.example/v1)",
        ),
        ({"database_url": "postgresql://fern/nova"}, "NOVABERG_DATABASE_URL"),
        ({"language": "en"}, "is a program, not a person"),
    ],
)
async def test_the_empty_page_is_honest_about_what_leaves_the_machine(
    open_page: Open, program: PageProgram, settings: dict[str, str], told: str
) -> None:
    program.__init__(**settings)  # type: ignore[misc]
    assert told in " ".join((await open_page()).shown)


async def test_a_message_is_shown_its_stages_replace_each_other_and_give_way_to_the_answer(
    open_page: Open,
) -> None:
    """Design §11: stages are one line under the message; they replace each other and fade."""
    page = await open_page()
    await page.say("Hallo")
    assert page.verdicts == {"m-1": ""}
    assert page.shown[2:] == [MARK, "Hallo", "angekommen"]
    assert "Ein erstes Wort genügt." not in page.shown
    await page.hear(stage("t1", "id-1"), stage("t1", "id-1", label="Router", detail="Intent"))
    assert "Router · Intent" in page.shown
    assert "Enricher" not in page.shown
    page.program.clock.move(0.4)
    await page.hear(answer("t1", "id-1", text="Ja, *gern*."))
    assert "Router · Intent" not in page.shown
    assert "Nova: Ja, gern." in page.shown
    assert "2 Schritte, 0,4 s" in page.shown
    await page.hear(stage("t1", "id-1"), ending("t1", "id-1"))
    assert "3 Schritte, 0,4 s" in page.shown


async def test_an_answer_that_comes_twice_is_shown_once(open_page: Open) -> None:
    """Design §3: clients drop repeats by turn_id."""
    page = await open_page()
    await page.say("Hallo")
    await page.hear(answer("t1", "id-1"), answer("t1", "id-1"), ending("t1", "id-1"), answer("t1", "id-1"))
    assert page.shown.count("Nova: Ja.") == 1


async def test_several_questions_may_be_open_and_one_answer_may_close_them(open_page: Open) -> None:
    """Spec 07 §3.1, §3.2."""
    page = await open_page()
    await page.say("eins", "m-1")
    await page.say("zwei", "m-2")
    await page.say("drei", "m-3")
    assert page.shown.count("angekommen, wartet auf die Antwort davor") == 2
    await page.hear(stage("t1", "id-1", "id-2"))
    assert [element._text for element in page.css("nb-bubble-text")] == ["eins", "zwei", "drei"]
    assert len(page.css("nb-exchange")) == 2
    await page.hear(answer("t1", "id-1", "id-2"))
    assert page.shown.index("zwei") < page.shown.index("Nova: Ja.") < page.shown.index("drei")


async def test_the_same_message_twice_is_one_message(open_page: Open) -> None:
    """Spec 07 §12.6: a retry does not speak twice."""
    page = await open_page()
    await page.say("Hallo", "m-1")
    page.program.turns = (past_turn(None, inbox_message("id-1", "Hallo")),)
    await page.say("Hallo", "m-1")
    assert len(page.program.inbox.messages) == 1
    assert page.shown.count("Hallo") == 1
    assert page.verdicts == {"m-1": ""}


async def test_what_another_client_says_appears_with_its_sender_and_its_answer(
    open_page: Open, program: PageProgram
) -> None:
    """Spec 07 §13.2 and §7.1."""
    page = await open_page()
    program.turns = (past_turn(1, inbox_message("x", "Von unterwegs", client_id="telegram"), state="offen"),)
    await page.hear(about("user_message", "t1", "x", nachricht="Von unterwegs", client_id="telegram"))
    assert page.shown.count("Von unterwegs") == 1
    assert "über telegram" in page.shown
    await page.hear(answer("t1", "x"))
    assert "Nova: Ja." in page.shown
    assert not page.css("nb-doubtful")


async def test_an_answer_to_a_question_that_nobody_knows_is_marked_while_one_is_open(open_page: Open) -> None:
    """Spec 07 §13.1."""
    page = await open_page()
    await page.say("Hallo")
    await page.hear(answer("t9", "fremd", text="Wer fragt?"))
    assert len(page.css("nb-doubtful")) == 1
    assert "Diese Antwort gehört vielleicht zu einer anderen Frage." in page.shown
    await page.hear(answer("t1", "id-1", text="Hallo!"))
    assert page.shown.index("Hallo") < page.shown.index("Nova: Hallo!")
    assert len(page.css("nb-doubtful")) == 1


async def test_an_unobserved_answer_is_shown_as_any_other(open_page: Open) -> None:
    page = await open_page()
    await page.hear(answer("t9", "fremd", text="Wer fragt?"))
    assert "Nova: Wer fragt?" in page.shown
    assert not page.css("nb-doubtful")


async def test_an_impulse_closes_no_question(open_page: Open) -> None:
    """Spec 07 §12.3."""
    page = await open_page()
    await page.say("Hallo")
    await page.hear(answer("t5", text="Mir fiel etwas ein.", reiz_herkunft="eigener_impuls"))
    assert "von sich aus" in page.shown
    assert "angekommen" in page.shown
    await page.hear(answer("t1", "id-1", text="Hallo!"))
    assert "Nova: Hallo!" in page.shown
    assert not page.css("nb-doubtful")


async def test_another_figure_is_not_heard(open_page: Open) -> None:
    """Spec 07 §7.6: two figures never mix in one chat."""
    page = await open_page()
    await page.hear(answer("t9", "x"), character_id="andere")
    assert "Nova: Ja." not in page.shown


async def test_history_and_what_is_still_open_are_there_on_load(
    open_page: Open, program: PageProgram
) -> None:
    """Design §4: what people see as history comes from inbox and answers."""
    program.turns = (
        past_turn(1, inbox_message("a", "eins"), answer="auf eins"),
        past_turn(2, inbox_message("b", "zwei"), state="offen"),
        past_turn(None, inbox_message("c", "drei")),
    )
    page = await open_page()
    assert page.shown[2:] == [
        MARK,
        "eins",
        "Ablauf, 0 ms",
        "Nova: auf eins",
        "zwei",
        "wird beantwortet",
        "drei",
        "angekommen, wartet auf die Antwort davor",
    ]
    await page.hear(stage("t2", "b", label="Router"), answer("t2", "b", text="auf zwei"))
    assert page.shown.index("zwei") < page.shown.index("Nova: auf zwei") < page.shown.index("drei")


async def test_older_pages_are_put_above(open_page: Open, program: PageProgram) -> None:
    program.turns = tuple(
        past_turn(number, inbox_message(f"n{number}", f"Frage {number}"), answer=f"Antwort {number}")
        for number in range(1, PAGE_TURNS + 3)
    )
    page = await open_page()
    assert "Frage 2" not in page.shown
    await page.click("Früheres zeigen")
    assert program.asked_before == [None, 3]
    bubbles = [element._text for element in page.css("nb-bubble-text")]
    assert bubbles == [f"Frage {number}" for number in range(1, PAGE_TURNS + 3)]
    assert not page.css("nb-older")
    assert page.shown.count(MARK) == 1


async def test_what_was_missed_is_fetched_and_shown_once(open_page: Open, program: PageProgram) -> None:
    """Design §3: fetch from the answers table on reconnect, drop repeats."""
    page = await open_page()
    await page.say("Hallo")
    program.turns = (past_turn(1, inbox_message("id-1", "Hallo"), answer="Da bin ich."),)
    assert program.on_gap is not None
    program.on_gap()
    await page.settle()
    await page.hear(answer("t1", "id-1", text="Da bin ich."), ending("t1", "id-1"))
    assert page.shown.count("Nova: Da bin ich.") == 1
    assert page.shown.count("Hallo") == 1


async def test_an_end_without_its_answer_makes_the_page_look(open_page: Open, program: PageProgram) -> None:
    page = await open_page()
    await page.say("Hallo")
    program.turns = (past_turn(1, inbox_message("id-1", "Hallo"), answer="Da bin ich."),)
    await page.hear(ending("t1", "id-1"))
    assert "Nova: Da bin ich." in page.shown


async def test_a_failed_turn_says_so_and_can_be_tried_again(open_page: Open, program: PageProgram) -> None:
    """Design §3: failed, visible, requeueable; the person gets an honest message."""
    page = await open_page()
    await page.say("Hallo")
    await page.hear(stage("t1", "id-1"), about("error", "t1", "id-1", fehler="Das Modell schweigt."))
    assert page.shown[3:] == ["Hallo", "1 Schritt", "Das Modell schweigt.", "erneut versuchen"]
    await page.click("erneut versuchen")
    assert program.requeued == [(page.chat._pair, "t1")]
    assert page.shown[3:] == ["Hallo", "wird noch einmal versucht"]
    await page.hear(answer("t1", "id-1"), ending("t1", "id-1"))
    assert "Nova: Ja." in page.shown
    assert "erneut versuchen" not in page.shown


async def test_a_failed_turn_is_told_after_a_reload_too(open_page: Open, program: PageProgram) -> None:
    failed = past_turn(
        1, inbox_message("a", "Hallo"), state="gescheitert", error="ModelTimeoutError: The model is silent."
    )
    program.turns = (failed,)
    page = await open_page()
    (text,) = [text for text in page.shown if "keine Antwort" in text]
    assert text == (
        "Darauf gab es keine Antwort. Deine Nachricht ist gespeichert und geht nicht verloren. "
        "Ursache: The model is silent."
    )


async def test_an_answer_whose_tail_failed_stays(open_page: Open, program: PageProgram) -> None:
    page = await open_page()
    await page.say("Hallo")
    await page.hear(answer("t1", "id-1"))
    program.turns = (
        past_turn(
            1, inbox_message("id-1", "Hallo"), answer="Ja.", state="gescheitert", error="StoreError: Voll."
        ),
    )
    await page.hear(about("error", "t1", "id-1", fehler="Ein Speicher antwortet nicht."))
    assert "Nova: Ja." in page.shown
    assert any(
        text.startswith("Die Antwort steht und bleibt.") and text.endswith("Voll.") for text in page.shown
    )


async def test_a_turn_that_runs_again_already_is_just_looked_up(
    open_page: Open, program: PageProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.turns = (past_turn(1, inbox_message("a", "Hallo"), state="gescheitert"),)
    page = await open_page()

    async def refuse(*_: object) -> None:
        raise TurnNotFailedError

    monkeypatch.setattr(program, "requeue", refuse)
    program.turns = (past_turn(1, inbox_message("a", "Hallo"), answer="Doch."),)
    await page.click("erneut versuchen")
    assert "Nova: Doch." in page.shown
    assert "erneut versuchen" not in page.shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [("   ", "Die Nachricht ist leer."), ("x" * 16_001, "Die Nachricht ist zu lang"), ("a\x00b", "NUL")],
)
async def test_a_refused_message_is_told_its_reason_and_not_shown_as_said(
    open_page: Open, text: str, reason: str
) -> None:
    page = await open_page()
    await page.say(text)
    assert reason in page.verdicts["m-1"]
    assert not page.css("nb-bubble")


@pytest.mark.parametrize(
    "args", [None, {}, {"id": "", "text": "x"}, {"id": "x" * 65, "text": "x"}, {"id": 1, "text": 2}]
)
async def test_a_forged_event_changes_nothing(open_page: Open, args: object) -> None:
    page = await open_page()
    await page.act(page.chat._on_say, args)
    assert page.program.inbox.messages == []
    assert page.verdicts == {}


async def test_the_sender_is_this_tab(open_page: Open) -> None:
    """Spec 07 §2.1: ``web-{random}``."""
    one, other = await open_page(), await open_page()
    await one.say("Hallo", "m-1")
    await other.say("Hallo", "m-2")
    first, second = (str(message["client_id"]) for message in one.program.inbox.messages)
    assert first.startswith("web-")
    assert second.startswith("web-")
    assert first != second


async def test_a_store_that_is_away_is_told_and_the_page_comes_back(
    open_page: Open, program: PageProgram
) -> None:
    """Spec 07 §11."""
    program.turns = (past_turn(1, inbox_message("a", "Hallo"), answer="Ja."),)
    page = await open_page()
    program.fails_with = DatabaseUnavailableError()
    await page.act(page.chat._on_reload)
    assert any(text.startswith("Das Gespräch ist gerade nicht abrufbar.") for text in page.shown)
    assert "Nova: Ja." in page.shown
    program.fails_with = None
    await page.click("erneut laden")
    assert "erneut laden" not in page.shown


async def test_a_message_that_a_store_refuses_keeps_its_reason(open_page: Open, program: PageProgram) -> None:
    page = await open_page()
    program.inbox.fails_with = DatabaseUnavailableError()
    await page.say("Hallo")
    assert "PostgreSQL antwortet nicht" in page.verdicts["m-1"]
    program.inbox.fails_with = None
    await page.say("Hallo")
    assert page.verdicts["m-1"] == ""
    assert "Hallo" in page.shown


async def test_messages_that_the_browser_kept_over_a_reload_are_settled_if_they_had_arrived(
    open_page: Open, program: PageProgram
) -> None:
    program.turns = (past_turn(1, inbox_message("a", "Hallo"), answer="Ja."),)
    page = await open_page()
    await page.act(page.chat._on_restored, {"ids": ["m-a", "m-verloren"]})
    assert page.verdicts == {"m-a": ""}


async def test_values_that_were_not_perceived_are_told_live_and_after_a_reload(
    open_page: Open, program: PageProgram
) -> None:
    """Design §6 rule 1: never a silent neutral."""
    page = await open_page()
    await page.say("Hallo")
    last = ending("t1", "id-1", external={"herkunft": "standardwerte"})
    await page.hear(answer("t1", "id-1"), last)
    assert "Wahrnehmung: nicht lesbar, Standardwerte" in page.shown
    program.turns = (past_turn(1, inbox_message("id-1", "Hallo"), answer="Ja."),)
    program.endings = {"t1": last}
    assert "Wahrnehmung: nicht lesbar, Standardwerte" in (await open_page()).shown


async def test_the_trace_opens_under_its_turn_and_closes_again(open_page: Open, program: PageProgram) -> None:
    program.turns = (past_turn(1, inbox_message("a", "Hallo"), answer="Ja."),)
    page = await open_page()
    await page.click("Ablauf, 0 ms")
    assert "Zu diesem Ablauf gibt es keine Zeilen mehr. Aufbewahrt werden sie 365 Tage." in page.shown
    await page.click("Ablauf, 0 ms")
    assert not any("Aufbewahrt" in text for text in page.shown)


async def test_the_octagon_follows_the_state_after_each_turn(open_page: Open, program: PageProgram) -> None:
    """Design §11: drawn from her real values; spec 07 §3.5: the message is a trigger, not the data."""
    page = await open_page()
    assert "noch kein Gespräch" in page.shown
    await page.say("Hallo")
    program.view = StateView(
        nova_state={"emotion": "neugierig", "arousal": "0.5", "turn_zeit": "1780000000"},
        session=(),
        summary="",
    )
    await page.hear(answer("t1", "id-1"), ending("t1", "id-1", internal={"emotion": "wut"}))
    assert "neugierig, bewegt" in page.shown


async def test_a_question_without_an_answer_is_not_forgotten(open_page: Open) -> None:
    """Spec 07 §11: after 180 s a grey line."""
    page = await open_page()
    await page.say("Hallo")
    page.program.turns = (past_turn(1, inbox_message("id-1", "Hallo"), state="offen"),)
    page.program.clock.move(PATIENCE_S + 1)
    await page.chat._look()
    assert "noch keine Antwort; deine Nachricht ist gespeichert" in page.shown


async def test_a_silence_while_something_is_open_is_looked_into(
    open_page: Open, program: PageProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A net under the live channel: nothing waits for a message that was lost."""
    monkeypatch.setattr("novaberg.web.chat.LOOK_AFTER_S", 0.0)
    page = await open_page()
    await page.say("Hallo")
    program.turns = (past_turn(1, inbox_message("id-1", "Hallo"), answer="Da bin ich."),)
    await page.settle()
    assert "Nova: Da bin ich." in page.shown


async def test_new_days_and_silences_are_marked(open_page: Open, program: PageProgram) -> None:
    yesterday = START - timedelta(days=1)
    program.turns = (
        past_turn(1, inbox_message("a", "gestern", at=yesterday), answer="Ja."),
        past_turn(2, inbox_message("b", "jetzt")),
    )
    assert [element._text for element in (await open_page()).css("nb-mark")] == ["Gestern, 14:00", MARK]
