from __future__ import annotations

import pytest

from novaberg.ei.sectors import sector_distance, sector_exponent
from novaberg.vocabulary import (
    EMOTION_CANON,
    NEGATIVE_EMOTIONS,
    PASSIVE_NEGATIVE_EMOTIONS,
    POSITIVE_EMOTIONS,
    SECTOR_EMOTIONS,
    group_of,
)

RING = range(1, 9)


@pytest.mark.parametrize("a", RING)
def test_the_matrix_is_symmetric_and_opposites_lie_four_apart(a: int) -> None:
    """Spec 02 §3.2: generated from the ring and four constants."""
    row = [sector_exponent(a, b) for b in RING]
    assert row == [sector_exponent(b, a) for b in RING]
    assert sector_exponent(a, a) is None
    assert sector_exponent(a, (a + 3) % 8 + 1) == 1.4
    assert sorted(value for value in row if value is not None) == [0.7, 0.7, 1.0, 1.0, 1.2, 1.2, 1.4]


@pytest.mark.parametrize("outside", [0, 9, -1])
def test_a_sector_that_does_not_exist_is_refused(outside: int) -> None:
    with pytest.raises(ValueError, match="no sector"):
        sector_distance(1, outside)


def test_groups_partition_the_canon() -> None:
    """Spec 02 §2.3, §8 trap 3: derived from the sectors, all eight negative ones included."""
    assert {
        "begeisterung",
        "freude",
        "dankbarkeit",
        "zufriedenheit",
        "hoffnung",
        "neugierig",
    } == POSITIVE_EMOTIONS
    assert len(NEGATIVE_EMOTIONS) == 8
    assert {"verzweiflung", "traurigkeit"} == PASSIVE_NEGATIVE_EMOTIONS
    neutral = {emotion for emotion in EMOTION_CANON if group_of(emotion) == "neutral"}
    assert neutral == {*SECTOR_EMOTIONS[4], "neutral"}
