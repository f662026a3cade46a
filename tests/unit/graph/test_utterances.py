"""Session turns in the form in which models are given them (case F12)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novaberg.graph.utterances import chat_messages, utterances
from novaberg.memory.session import SessionTurn
from novaberg.models.material import Utterance
from tests.support.strategies import TEXTS


def _turn(role: str, text: str, origin: str) -> SessionTurn:
    return {"rolle": role, "inhalt": text, "herkunft": origin}


TURNS = st.lists(
    st.builds(
        _turn,
        st.sampled_from(["user", "assistant", "system"]),
        TEXTS,
        st.sampled_from(["", "eigener_impuls"]),
    ),
    max_size=8,
)


@given(TURNS)
def test_every_contribution_of_both_sides_reaches_the_model_in_order(turns: list[SessionTurn]) -> None:
    """Case F12 and B-065: neither Nova's answers nor her impulses are dropped."""
    expected = [(t["rolle"], t["inhalt"]) for t in turns if t["inhalt"] and t["rolle"] != "system"]
    assert [(u.speaker, u.text) for u in utterances(turns)] == expected


@given(TURNS, TEXTS)
def test_messages_hold_every_contribution_and_end_with_the_stimulus(
    turns: list[SessionTurn], last: str
) -> None:
    """Case F12."""
    history = utterances(turns)
    messages = chat_messages(history, last)
    assert [(m.role, m.content) for m in messages] == [
        *((u.speaker, u.text) for u in history),
        ("user", last),
    ]


@given(TURNS, TEXTS)
def test_a_conversation_with_answers_is_never_user_only(turns: list[SessionTurn], last: str) -> None:
    """Case F12."""
    history = utterances(turns)
    spoken = any(entry.speaker == "assistant" for entry in history)
    assert any(message.role == "assistant" for message in chat_messages(history, last)) == spoken


def test_an_utterance_knows_its_feeling_and_its_occasion() -> None:
    """B-065: the occasion comes from the field and not from the position; unknown stays unknown."""
    turns: list[SessionTurn] = [
        {"rolle": "assistant", "inhalt": "Mir fiel ein …", "emotion": "freude", "herkunft": "eigener_impuls"},
        {"rolle": "user", "inhalt": "Aha", "emotion": None},
    ]
    assert utterances(turns) == (
        Utterance("assistant", "Mir fiel ein …", "freude", "eigener_impuls"),
        Utterance("user", "Aha", "", ""),
    )
