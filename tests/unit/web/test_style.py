"""The style file: readable for everybody, nothing from elsewhere (design §11, promise P14)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = files("novaberg.web").joinpath("assets", "style.css").read_text(encoding="utf-8")
SCRIPTS = [path for path in files("novaberg.web").joinpath("assets").iterdir() if path.name.endswith(".js")]
TEXT_AA, GRAPHIC_AA = 4.5, 3.0


def palette(dark: bool) -> dict[str, str]:
    light, night = (dict(re.findall(r"--nb-([a-z]+): (#[0-9a-f]{6})", part)) for part in _roots())
    return {**light, **night} if dark else light


def _roots() -> tuple[str, str]:
    first, second = re.findall(r":root \{(.*?)\n *\}", STYLE, flags=re.DOTALL)
    return first, second


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ground", ["ground", "bubble", "raised"])
@pytest.mark.parametrize("ink", ["ink", "muted", "warning"])
def test_text_has_the_contrast_of_aa_on_every_ground(dark: bool, ground: str, ink: str) -> None:
    colours = palette(dark)
    assert contrast(colours[ink], colours[ground]) >= TEXT_AA


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ink", ["edge", "focus"])
def test_edges_that_mean_something_can_be_seen(dark: bool, ink: str) -> None:
    colours = palette(dark)
    assert contrast(colours[ink], colours["ground"]) >= GRAPHIC_AA
    assert contrast(colours[ink], colours["raised"]) >= GRAPHIC_AA


def test_the_grounds_and_inks_are_those_of_the_design() -> None:
    light, dark = palette(dark=False), palette(dark=True)
    assert (light["ground"], light["ink"]) == ("#faf9f7", "#1d1c1a")
    assert (dark["ground"], dark["ink"]) == ("#161615", "#e9e6e1")


def test_nothing_is_loaded_from_anywhere() -> None:
    assert not re.search(r"url\(|@import|@font-face|https?:", STYLE)
    for script in SCRIPTS:
        source = script.read_text(encoding="utf-8")
        assert not re.search(
            r"https?://\w|import\s*\(|innerHTML|insertAdjacent|document\.write|eval\(", source
        ), script


def test_motion_stops_for_those_who_want_it_still() -> None:
    assert "prefers-reduced-motion: reduce" in STYLE
