"""Whose a stored thing is (spec 01 §2.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.errors import InvalidPairError
from novaberg.pair import DEFAULT_CHARACTER, MAX_ID_LENGTH, Pair, pair_or_none

IDS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P"), exclude_characters=":"),
    min_size=1,
    max_size=MAX_ID_LENGTH,
)


def test_the_default_pair_has_the_keys_of_the_seed() -> None:
    """A-086: ``redis-cli HGETALL "nova_state:meister:nova"``."""
    assert Pair("meister").key("nova_state") == "nova_state:meister:nova"
    assert Pair("meister").key("session", "turns") == "session:meister:nova:turns"
    assert DEFAULT_CHARACTER == "nova"


@given(IDS, IDS, IDS, IDS)
def test_two_pairs_never_share_a_key(a: str, b: str, c: str, d: str) -> None:
    """Promise P16: a colon in an id could name another person's data, so there is none."""
    first, second = Pair(a, b), Pair(c, d)
    assert (first.key("session") == second.key("session")) == (first == second)


@pytest.mark.parametrize("bad", ["", "a:b", "x" * 51, " a", "a ", "a\nb", "a\x00", "a\u202eb"])
def test_an_unusable_id_is_refused_by_name(bad: str) -> None:
    with pytest.raises(InvalidPairError, match="user_id"):
        Pair(bad)
    with pytest.raises(InvalidPairError, match="character_id"):
        Pair("meister", bad)


def test_an_incomplete_pair_is_none_and_a_broken_one_is_still_refused() -> None:
    """Spec 01 §3.6.1: empty ids are a case of the nodes; anything else is bad input."""
    assert pair_or_none("", "nova") is None
    assert pair_or_none("meister", "") is None
    assert pair_or_none("meister", "nova") == Pair("meister")
    with pytest.raises(InvalidPairError):
        pair_or_none("a:b", "nova")
