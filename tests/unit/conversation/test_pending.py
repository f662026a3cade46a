"""The append reducer of ``pending_writes`` (design §3)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novaberg.conversation.pending import CLEAR_WRITES, PendingWrite, merge_pending_writes


def write(number: int) -> PendingWrite:
    return {"ziel": "kzg", "aktion": "create", "daten": {"nummer": number}, "beschreibung": ""}


UPDATES = st.lists(st.integers(0, 3).map(lambda count: tuple(write(n) for n in range(count))), max_size=5)


@given(UPDATES)
def test_nodes_side_by_side_keep_each_others_writes(updates: list[tuple[PendingWrite, ...]]) -> None:
    merged: tuple[PendingWrite, ...] | None = None
    for update in updates:
        merged = merge_pending_writes(merged, update)
    assert (merged or ()) == tuple(entry for update in updates for entry in update)


@given(UPDATES, UPDATES)
def test_only_the_explicit_clear_empties_the_list(
    before: list[tuple[PendingWrite, ...]], after: list[tuple[PendingWrite, ...]]
) -> None:
    """A-136: ``[]`` after the dispatcher, and what comes later counts again."""
    merged: tuple[PendingWrite, ...] = ()
    for update in (*before, CLEAR_WRITES, *after):
        merged = merge_pending_writes(merged, update)
    assert merged == tuple(entry for update in after for entry in update)


def test_an_empty_update_is_no_clear() -> None:
    """A node that decided nothing must not throw away what others decided."""
    assert merge_pending_writes((write(1),), ()) == (write(1),)
    assert CLEAR_WRITES == ()
