"""The numbered formatter (spec 03 §3.1.5, seed: node-perzeption §4.2)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from novaberg.memory.session_format import format_session_turns_numbered, group_turns, last_exchanges
from novaberg.memory.session_window import SessionTurn

NO_LIMIT = 10**9

TEXTS = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=0, max_size=40)


@st.composite
def sessions(draw: st.DrawFn) -> list[SessionTurn]:
    """Sessions whose contributions carry unique markers, so that each can be found again in the text."""
    turns: list[SessionTurn] = []
    for position in range(draw(st.integers(0, 12))):
        blank = draw(st.integers(0, 9)) == 0
        turn: SessionTurn = {
            "rolle": draw(st.sampled_from(["user", "assistant", "assistant", "system"])),
            "inhalt": " " if blank else f"«{position}»{draw(TEXTS)}«/{position}»",
        }
        herkunft = draw(st.sampled_from(["nutzer_turn", "eigener_impuls", "", "sonstwas", None]))
        if herkunft is not None:
            turn["herkunft"] = herkunft
        turns.append(turn)
    return turns


def spoken(turns: list[SessionTurn]) -> list[SessionTurn]:
    return [turn for turn in turns if turn["inhalt"].strip() and turn["rolle"] in ("user", "assistant")]


def markers(text: str) -> list[int]:
    return [int(marker) for marker in re.findall(r"«(\d+)»", text)]


@given(sessions(), st.integers(0, 6), st.integers(0, 600))
def test_no_contribution_is_ever_cut(turns: list[SessionTurn], max_turns: int, max_chars: int) -> None:
    """Seed: every contribution complete, or not there at all."""
    text = format_session_turns_numbered(turns, max_turns=max_turns, max_window_chars=max_chars)
    for position in markers(text):
        assert turns[position]["inhalt"] in text


@given(sessions())
def test_nothing_that_was_said_is_filtered_out(turns: list[SessionTurn]) -> None:
    """Seed: impulses and unproven origins reach the prompt too (8 of 24 turns once did not)."""
    text = format_session_turns_numbered(turns, max_turns=len(turns) + 1, max_window_chars=NO_LIMIT)
    assert sorted(markers(text)) == sorted(
        position for position, turn in enumerate(turns) if turn in spoken(turns)
    )


@given(sessions(), st.integers(1, 6), st.integers(0, 600))
def test_numbers_ascend_from_one_without_gaps(
    turns: list[SessionTurn], max_turns: int, max_chars: int
) -> None:
    """Seed: higher numbers are closer to the present; after a drop the groups are numbered anew."""
    text = format_session_turns_numbered(turns, max_turns=max_turns, max_window_chars=max_chars)
    numbers = [int(number) for number in re.findall(r"^\[(\d+)\] ", text, re.MULTILINE)]
    assert numbers == sorted(numbers)
    assert sorted(set(numbers)) == list(range(1, len(set(numbers)) + 1))
    assert all(numbers.count(number) <= 2 for number in numbers)


@given(sessions(), st.integers(1, 6), st.integers(0, 600))
def test_the_window_limit_drops_oldest_groups_entirely(
    turns: list[SessionTurn], max_turns: int, max_chars: int
) -> None:
    """Spec 03 §3.1.5 step 6: the kept groups are a suffix, and one group more would not have fitted."""
    unlimited = last_exchanges(group_turns(turns), max_turns)
    text = format_session_turns_numbered(turns, max_turns=max_turns, max_window_chars=max_chars)
    positions = [[markers(utterance.text)[0] for utterance in group.utterances] for group in unlimited]
    kept = [group for group in positions if set(group) & set(markers(text))]
    assert positions[len(positions) - len(kept) :] == kept
    assert [position for group in kept for position in group] == markers(text)
    if len(text) > max_chars:
        assert len(kept) == 1


@given(sessions(), st.integers(1, 6))
def test_the_newest_group_stays_whole_at_any_limit(turns: list[SessionTurn], max_turns: int) -> None:
    """Spec 03 §3.1.5 step 6: a question that alone exceeds the window is still shown."""
    groups = group_turns(turns)
    text = format_session_turns_numbered(turns, max_turns=max_turns, max_window_chars=0)
    expected = [utterance.text for utterance in groups[-1].utterances] if groups else []
    assert [markers(said)[0] for said in expected] == markers(text)


@given(sessions(), st.integers(1, 6))
def test_only_exchanges_count_against_max_turns(turns: list[SessionTurn], max_turns: int) -> None:
    """Seed: max_turns counts exchanges, not groups."""
    groups = group_turns(turns)
    kept = last_exchanges(groups, max_turns)
    assert sum(group.is_exchange for group in kept) == min(
        max_turns, sum(group.is_exchange for group in groups)
    )
    assert groups[len(groups) - len(kept) :] == kept


def test_an_impulse_between_question_and_answer_does_not_close_the_exchange() -> None:
    """Spec 03 §3.1.5 step 3."""
    turns: list[SessionTurn] = [
        {"rolle": "user", "inhalt": "Wie spät?", "herkunft": "nutzer_turn", "emotion": "neugierig"},
        {"rolle": "assistant", "inhalt": "Mir fällt etwas ein.", "herkunft": "eigener_impuls"},
        {"rolle": "assistant", "inhalt": "Acht.", "herkunft": "nutzer_turn"},
        {"rolle": "assistant", "inhalt": "Und noch eins.", "herkunft": "nutzer_turn"},
    ]
    assert format_session_turns_numbered(turns) == (
        "[1] USER (neugierig): Wie spät?\n[1] NOVA: Acht.\n"
        "[2] NOVA (von sich aus): Mir fällt etwas ein.\n[3] NOVA: Und noch eins."
    )


def test_the_outcome_of_a_service_stands_at_the_persons_line() -> None:
    """Spec 03 §3.1.5 step 2: the marker tells what the service reported."""
    done: SessionTurn = {
        "rolle": "user",
        "inhalt": "Lösch sie",
        "aktion_erledigt": True,
        "aktion_erfolgreich": True,
    }
    failed: SessionTurn = {"rolle": "user", "inhalt": "Lösch sie", "aktion_erledigt": True}
    asked: SessionTurn = {"rolle": "user", "inhalt": "Lösch sie", "aktion_erfolgreich": True}
    assert format_session_turns_numbered([done]) == "[1] USER [ERLEDIGT]: Lösch sie"
    assert format_session_turns_numbered([failed]) == "[1] USER [FEHLGESCHLAGEN]: Lösch sie"
    assert format_session_turns_numbered([asked]) == "[1] USER: Lösch sie"


def test_no_turns_and_no_exchanges_give_no_text() -> None:
    assert format_session_turns_numbered([]) == ""
    assert format_session_turns_numbered([{"rolle": "user", "inhalt": "Hallo"}], max_turns=0) == ""
