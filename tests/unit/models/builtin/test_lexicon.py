"""Word lists: stems, suffixes, phrases with gaps, and the longest entry wins."""

from __future__ import annotations

from itertools import pairwise

import pytest

from novaberg.models.builtin.lexicon import Lexicon
from novaberg.models.builtin.reading import fold, read

LISTS = Lexicon(
    [
        ("traurig*", "stem"),
        ("*angst", "suffix"),
        ("halt*_~_nicht_mehr_aus", "gap"),
        ("schlecht", "bad"),
        ("nicht_schlecht", "good"),
        ("müde", "exact"),
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ich bin traurig", ["stem"]),
        ("ihre TRAURIGKEIT", ["stem"]),
        ("die Prüfungsangst", ["suffix"]),
        ("ich halte das wirklich nicht mehr aus", ["gap"]),
        ("ich halte das alles hier jetzt nicht mehr aus", []),
        ("schlecht", ["bad"]),
        ("gar nicht schlecht", ["good"]),
        ("so müüüde", ["exact"]),
        ("muede", ["exact"]),
        ("ermüdend", []),
    ],
)
def test_an_entry_is_found_in_any_spelling(text: str, found: list[str]) -> None:
    assert [hit.value for hit in LISTS.find(read(text).words)] == found


def test_hits_do_not_overlap_and_keep_their_order() -> None:
    words = read("nicht schlecht, traurig und schlecht").words
    hits = LISTS.find(words)
    assert [hit.value for hit in hits] == ["good", "stem", "bad"]
    assert all(first.end <= second.start for first, second in pairwise(hits))


@pytest.mark.parametrize(
    ("word", "folded"), [("Ärger", "aerger"), ("SÜß", "suess"), ("don’t", "don't"), ("Café", "cafe")]
)
def test_spellings_are_folded(word: str, folded: str) -> None:
    assert fold(word) == folded


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Hallo. Wie geht's?", ["Hallo", "Wie geht's"]),
        ("Am 3. Mai um 14.30 Uhr.", ["Am 3. Mai um 14.30 Uhr"]),
        ("Am 12.4. habe ich Zeit.", ["Am 12.4. habe ich Zeit"]),
        ("Dr. Weber kommt.", ["Dr. Weber kommt"]),
        ("Erste Zeile\nzweite Zeile", ["Erste Zeile", "zweite Zeile"]),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    assert [sentence.source for sentence in read(text).sentences] == sentences
