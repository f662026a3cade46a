"""History, session, trace and mending over HTTP (spec 01 §5.1, 07 §7 and §9)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from novaberg import errors
from novaberg.memory.pipeline_log import LogRow
from novaberg.memory.turn_store import HistoryTurn, InboxMessage, StoredAnswer
from novaberg.pair import Pair
from novaberg.turns.program import StateView
from tests.support.program import StubProgram
from tests.unit.server.conftest import Talk

WHEN = datetime(2026, 8, 30, 12, tzinfo=UTC)


def _message(name: str) -> InboxMessage:
    return InboxMessage(
        nachrichten_id=name, prompt=f"Text {name}", empfangen_am=WHEN, client_id="tab", message_id=None
    )


def _answer(number: int) -> StoredAnswer:
    return StoredAnswer(
        number=number,
        turn_id=f"t{number}",
        text=f"Antwort {number}",
        payload={"typ": "character_response"},
        resume={"inner": 1},
        created_at=WHEN,
    )


async def test_the_history_tells_turns_and_what_still_waits(talk: Talk) -> None:
    """Design §4: what people see comes from inbox and answers."""
    program = StubProgram()
    program.turns = (
        HistoryTurn(
            number=7, turn_id="t7", state="erledigt", messages=(_message("a"),), answer=_answer(3), error=None
        ),
        HistoryTurn(
            number=None, turn_id=None, state=None, messages=(_message("b"),), answer=None, error=None
        ),
    )
    body = (await talk(program).get("/verlauf/meister")).json()
    assert body["anzahl"] == 2
    done, waiting = body["verlauf"]
    assert (done["nummer"], done["zustand"], done["nachrichten"][0]["text"]) == (7, "erledigt", "Text a")
    assert done["antwort"] == {
        "nummer": 3,
        "turn_id": "t3",
        "text": "Antwort 3",
        "zeit": "2026-08-30T12:00:00Z",
        "meldung": {"typ": "character_response"},
    }
    assert (waiting["nummer"], waiting["antwort"]) == (None, None)
    assert "resume" not in str(body)


async def test_a_client_that_comes_back_asks_for_what_it_missed(talk: Talk) -> None:
    """Design §3: answers are fetched from the table on reconnect."""
    program = StubProgram()
    program.answers = (_answer(3), _answer(4), _answer(9))
    body = (await talk(program).get("/verlauf/meister", params={"seit": 3})).json()
    assert [answer["nummer"] for answer in body["antworten"]] == [4, 9]
    assert body["anzahl"] == 2


async def test_many_missed_answers_come_page_by_page(talk: Talk) -> None:
    """Design §3: none is lost to a client that was away for long."""
    program = StubProgram()
    program.answers = tuple(map(_answer, (3, 4, 9)))
    client = talk(program)
    got: list[int] = []
    while True:
        params = {"seit": got[-1] if got else 0, "limit": 2}
        page = (await client.get("/verlauf/meister", params=params)).json()["antworten"]
        got += [answer["nummer"] for answer in page]
        if len(page) < 2:
            break
    assert got == [3, 4, 9]


async def test_nothing_yet_is_an_empty_list(talk: Talk) -> None:
    """Spec 07 §9: empty results are empty lists with status 200, never 404."""
    client = talk(StubProgram())
    assert (await client.get("/verlauf/meister")).json() == {"verlauf": [], "anzahl": 0}
    assert (await client.get("/pipeline/nie")).json() == {"turn_id": "nie", "zeilen": [], "anzahl": 0}
    assert (await client.get("/session/kontext/meister")).json() == {
        "zusammenfassung": "",
        "turns": [],
        "anzahl_turns": 0,
    }


async def test_the_session_can_be_seen_from_one_side(talk: Talk) -> None:
    """Spec 01 §5.1: ``beobachter`` filters ``rolle``."""
    program = StubProgram()
    turns = ({"rolle": "user", "inhalt": "a"}, {"rolle": "assistant", "inhalt": "b"})
    program.view = StateView(nova_state={}, session=turns, summary="Davor: nichts.")  # type: ignore[arg-type]
    client = talk(program)
    both = (await client.get("/session/kontext/meister")).json()
    assert (both["zusammenfassung"], both["anzahl_turns"]) == ("Davor: nichts.", 2)
    for side, text in (("user", "a"), ("assistant", "b")):
        seen = (await client.get("/session/kontext/meister", params={"beobachter": side})).json()
        assert [turn["inhalt"] for turn in seen["turns"]] == [text]
    assert (await client.get("/session/kontext/meister", params={"beobachter": "x"})).status_code == 400


async def test_the_session_can_be_reset(talk: Talk) -> None:
    """Spec 01 §5.1."""
    body = (await talk(StubProgram()).post("/session/reset/meister")).json()
    assert body["status"] == "ok"
    assert body["nachricht"]


@pytest.mark.parametrize(
    "path",
    [
        "/verlauf/a:b",
        "/verlauf/meister?character_id=" + "x" * 51,
        "/verlauf/meister?seit=-1",
        "/verlauf/meister?seit=99999999999999999999",
        "/verlauf/meister?limit=0",
        "/verlauf/meister?limit=alle",
        "/session/kontext/" + "x" * 51,
        "/session/kontext/%00",
    ],
)
async def test_unusable_parameters_are_400(talk: Talk, path: str) -> None:
    """Brief: 422 is told as 400, in problem details."""
    answer = await talk(StubProgram()).get(path)
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"


async def test_a_failed_turn_is_queued_again(talk: Talk) -> None:
    """Spec 01 §3.4 [gap]."""
    program = StubProgram()
    answer = await talk(program).post("/admin/events/requeue", json={"turn_id": "t1", "user_id": "anna"})
    assert answer.json()["status"] == "ok"
    assert program.requeued == [(Pair("anna", "nova"), "t1")]


@pytest.mark.parametrize(
    ("error", "status"), [(errors.UnknownTurnError(), 404), (errors.TurnNotFailedError(), 409)]
)
async def test_what_cannot_be_queued_again_says_so(
    talk: Talk, error: errors.NovabergError, status: int
) -> None:
    """Nothing changes."""
    program = StubProgram()
    program.fails_with = error
    answer = await talk(program).post("/admin/events/requeue", json={"turn_id": "t1"})
    assert answer.status_code == status


async def test_the_rows_of_a_turn_come_as_in_the_table(talk: Talk) -> None:
    """Spec 07 §4.12."""
    program = StubProgram()
    program.rows = [
        LogRow(
            id=1,
            erstellt_am=WHEN,
            turn_id="t1",
            span_id=None,
            quelle="user",
            node="perzeption",
            art="switch",
            inhalt={"a": 1},
            user_id="meister",
            character_id="nova",
        )
    ]
    body = (await talk(program).get("/pipeline/t1")).json()
    assert body["anzahl"] == 1
    assert body["zeilen"][0]["node"] == "perzeption"
