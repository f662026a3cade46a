"""What is said twice is said once (spec 05 §3.2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novaberg.conversation.entries import ContextEntry
from novaberg.graph.nodes.reducer import memory_context, without_contained, without_repeated

WORDS = st.lists(st.sampled_from(["Bruno", "der Hund", "ist krank", "HEUTE", " "]), max_size=4).map(" ".join)
ENTRIES = st.lists(
    st.builds(ContextEntry, st.sampled_from(["summary", "charakter"]), WORDS, st.sampled_from([0.5, 1.0])),
    max_size=6,
)


@given(ENTRIES)
def test_equal_texts_stand_once_at_the_place_of_the_first_with_the_heaviest_weight(
    entries: list[ContextEntry],
) -> None:
    """Step 1: lower case, white space collapsed; ties keep the first."""
    keys = [" ".join(entry.inhalt.lower().split()) for entry in entries]
    kept = without_repeated(entries)
    assert [" ".join(entry.inhalt.lower().split()) for entry in kept] == list(dict.fromkeys(keys))
    for entry in kept:
        same = [
            e for e, key in zip(entries, keys, strict=True) if key == " ".join(entry.inhalt.lower().split())
        ]
        assert entry.gewicht == max(e.gewicht for e in same)
        assert entry == next(e for e in same if e.gewicht == entry.gewicht)


@given(ENTRIES)
def test_a_text_inside_a_longer_one_goes_and_nothing_is_lost_by_it(entries: list[ContextEntry]) -> None:
    """Step 2: every dropped text stands in a kept one; order stays; texts below ten characters always stay."""
    kept = without_contained(entries)
    texts = [" ".join(entry.inhalt.lower().split()) for entry in kept]
    positions = [next(i for i, e in enumerate(entries) if e is entry) for entry in kept]
    assert positions == sorted(positions)
    for entry in entries:
        text = " ".join(entry.inhalt.lower().split())
        if any(entry is other for other in kept):
            continue
        assert len(text) >= 10
        assert any(text in other for other in texts)


def test_of_two_equal_entries_one_stays() -> None:
    """Step 2 alone: an entry contained in its equal is contained."""
    entry = ContextEntry("summary", "Bruno ist der Hund")
    assert without_contained([entry, ContextEntry("summary", "Bruno ist der Hund")]) == (entry,)


def test_the_summary_stands_before_the_character() -> None:
    """Spec 05 §3.2.1."""
    entries = [ContextEntry("charakter", "mag Hunde"), ContextEntry("summary", "Es ging um Bruno.")]
    assert memory_context(entries) == (
        "═══ BISHERIGER GESPRÄCHSVERLAUF ═══\nEs ging um Bruno.\n[Charakter] mag Hunde"
    )
    assert memory_context([]) == ""
