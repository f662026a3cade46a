"""Which waiting messages become one turn (spec 01 §3.1.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.conversation.intake import INTAKE_WINDOW_S, Block, cut_block

Entry = dict[str, object]
MOMENTS = st.none() | st.floats(allow_nan=True) | st.integers(0, 200) | st.just("12.5") | st.booleans()


def entries(*moments: object) -> list[Entry]:
    return [
        {"nachrichten_id": str(number), "prompt": f"Satz {number}", "empfangen_am": moment}
        for number, moment in enumerate(moments)
    ]


def test_a_pause_of_exactly_the_window_still_belongs_to_the_block() -> None:
    """Spec 01 §9.2 case 10."""
    assert cut_block(entries(0.0, 30.0, 61.0)).ids == ("0", "1")
    assert INTAKE_WINDOW_S == 30.0


def test_each_message_is_held_against_its_immediate_predecessor() -> None:
    """Spec 01 §3.1.3: a long chain of short pauses is one block."""
    assert len(cut_block(entries(*(20.0 * n for n in range(10)))).ids) == 10


@pytest.mark.parametrize("unusable", [None, "5.0", True, float("nan")])
def test_a_message_without_usable_time_stands_alone(unusable: object) -> None:
    """Spec 01 §9.2 case 10: first alone, later as the end of the block before it."""
    assert cut_block(entries(unusable, 1.0)).ids == ("0",)
    assert cut_block(entries(0.0, unusable, 1.0)).ids == ("0",)


def test_an_empty_message_keeps_its_id_and_adds_no_line() -> None:
    """Golden intake_block: ids of the whole block."""
    messages = entries(0.0, 1.0, 2.0)
    messages[1]["prompt"] = ""
    assert cut_block(messages) == Block(("0", "1", "2"), "Satz 0\nSatz 2")


def test_nothing_waiting_is_an_empty_block() -> None:
    """Golden intake_block."""
    assert cut_block([]) == Block((), "")


@given(st.lists(MOMENTS, max_size=8), st.floats(0.1, 100))
def test_cutting_again_and_again_takes_every_message_once_and_in_order(
    moments: list[object], window: float
) -> None:
    """Promise P2: one message, exactly one turn; and progress is made in every round."""
    waiting = entries(*moments)
    taken: list[str] = []
    while waiting:
        block = cut_block(waiting, window=window)
        assert block.ids == tuple(entry["nachrichten_id"] for entry in waiting[: len(block.ids)])
        assert block.ids
        taken += block.ids
        waiting = waiting[len(block.ids) :]
    assert taken == [str(number) for number in range(len(moments))]
