"""The octagon shows what is stored and nothing else (design §11, spec 07 §2.2, case E1)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.vocabulary import EMOTION_CANON, EMOTION_SECTOR, SECTOR_EMOTIONS
from novaberg.web.octagon import (
    DEFAULT_OCTAGON,
    NEUTRAL_COLOUR,
    SECTOR_COLOURS,
    corners,
    mark_svg,
    octagon_of,
    polygon_points,
    size_of,
    state_moment,
)
from novaberg.web.texts import ENGLISH, GERMAN


def stored(emotion: str = "freude", arousal: str = "0.35", **more: str) -> dict[str, str]:
    return {"emotion": emotion, "arousal": arousal, "turn_zeit": "1780000000.0", **more}


def draw(state: dict[str, str], texts=GERMAN):  # type: ignore[no-untyped-def]
    return octagon_of(state, name="Nova", time="30.08.2026 14:00", texts=texts)


def test_the_eight_corners_lie_on_a_circle_the_first_on_top_then_clockwise() -> None:
    points = corners(46)
    assert points[0] == (0, -46)
    assert points[2] == (46, 0)
    assert points[4] == (0, 46)
    assert [round(math.hypot(x, y), 1) for x, y in points] == [46.0] * 8
    assert len(polygon_points(46).split()) == 8


def test_every_sector_has_the_colour_of_the_specification() -> None:
    assert SECTOR_COLOURS == {
        1: "#FFD700",
        2: "#2E8B57",
        3: "#556B2F",
        4: "#00CED1",
        5: "#4169E1",
        6: "#9932CC",
        7: "#DC143C",
        8: "#FF8C00",
    }
    assert SECTOR_COLOURS.keys() == SECTOR_EMOTIONS.keys()


@pytest.mark.parametrize("emotion", EMOTION_CANON)
def test_each_emotion_is_drawn_in_its_sector_and_told_in_words(emotion: str) -> None:
    drawn = draw(stored(emotion))
    sector = EMOTION_SECTOR.get(emotion)
    assert drawn.colour == (SECTOR_COLOURS[sector] if sector else NEUTRAL_COLOUR)
    assert drawn.pointer == (corners(DEFAULT_OCTAGON.rim)[sector - 1] if sector else None)
    assert GERMAN.emotions[emotion] in drawn.title
    assert ENGLISH.emotions[emotion] in draw(stored(emotion), ENGLISH).words


def test_the_title_tells_emotion_arousal_and_moment() -> None:
    assert draw(stored("traurigkeit", "0.5")).title == (
        "Nova ist traurig, bewegt (Erregung 0,50). Stand: 30.08.2026 14:00"
    )
    assert draw(stored("traurigkeit", "0.5"), ENGLISH).title == (
        "Nova is sad, stirred (arousal 0.50). As of: 30.08.2026 14:00"
    )


def test_before_the_first_turn_it_is_empty_and_says_why() -> None:
    drawn = draw({})
    assert (drawn.colour, drawn.radius, drawn.words) == (None, 0.0, "noch kein Gespräch")


@pytest.mark.parametrize(
    "state",
    [
        stored("entzückt"),
        stored(""),
        stored(arousal="viel"),
        stored(arousal="nan"),
        {"emotion": "freude"},
        {"arousal": "0.5"},
    ],
)
def test_what_cannot_be_read_is_never_drawn_as_neutral(state: dict[str, str]) -> None:
    """Spec 07 §11: counted as `neutral` is wrong; design §6 rule 1."""
    drawn = draw(state)
    assert (drawn.colour, drawn.radius, drawn.words) == (None, 0.0, "Zustand nicht lesbar")


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_arousal_is_never_drawn_smaller(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert DEFAULT_OCTAGON.smallest <= size_of(low) <= size_of(high) <= DEFAULT_OCTAGON.rim


@pytest.mark.parametrize(
    ("arousal", "radius"), [(-3.0, 12.0), (0.0, 12.0), (0.5, 29.0), (1.0, 46.0), (7.0, 46.0)]
)
def test_the_size_is_clipped_to_the_rim(arousal: float, radius: float) -> None:
    """Spec 07 §11: a value outside the scale is clipped in the drawing, the number is shown as it is."""
    assert size_of(arousal) == radius
    assert f"Erregung {arousal:.2f}".replace(".", ",") in draw(stored(arousal=str(arousal))).title


@pytest.mark.parametrize(("arousal", "word"), [("0.39", "ruhig"), ("0.4", "bewegt"), ("0.7", "stark bewegt")])
def test_arousal_has_three_words(arousal: str, word: str) -> None:
    assert draw(stored(arousal=arousal)).words == f"froh, {word}"


def test_the_moment_of_a_state_is_known_or_not_but_never_made_up() -> None:
    moment = state_moment({"turn_zeit": "1780000000.5"})
    assert moment is not None
    assert moment.timestamp() == 1780000000.5
    for broken in ({}, {"turn_zeit": "gestern"}, {"turn_zeit": "inf"}, {"turn_zeit": "1e99"}):
        assert state_moment(broken) is None


def test_the_mark_shows_all_sectors_and_loads_nothing() -> None:
    mark = mark_svg()
    assert all(mark.count(colour) == 1 for colour in SECTOR_COLOURS.values())
    assert "http" not in mark.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "<script" not in mark
