import itertools
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novaberg.models.thinking import ThinkingFilter, remove_thinking

MARKERS = re.compile(r"</?\s*(think|thinking|thought|reasoning|seed:think)|<\|?/?channel|<\||\[/?think", re.I)
PAIRS = [
    ("<think>", "</think>"),
    ("<THINK>", "</Think>"),
    ("<thinking>", "</thinking>"),
    ("<think >", "</ think>"),
    ('<reasoning mode="deep">', "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|think|>", "<|/think|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
]

plain = st.text(max_size=60).filter(
    lambda text: not MARKERS.search(text) and "<" not in text and "[" not in text
)
secret = plain.map(lambda text: f"GEHEIM{text}GEHEIM")
pair = st.sampled_from(PAIRS)


@pytest.mark.parametrize(("opener", "closer"), PAIRS)
def test_a_closed_block_goes_and_the_answer_stays(opener: str, closer: str) -> None:
    """F7: nothing of the reasoning is shown, spoken or stored."""
    spoken = remove_thinking(f"{opener}GEHEIM\n{closer}\n\nHallo du.")
    assert spoken.text == "Hallo du."
    assert spoken.thinking_chars >= len("GEHEIM")


@pytest.mark.parametrize("opener", [opener for opener, _ in PAIRS])
def test_an_unclosed_block_takes_everything_behind_it(opener: str) -> None:
    """F7: `<think>` opened and never closed."""
    assert remove_thinking(f"{opener}GEHEIM bis zum Ende").text == ""


@pytest.mark.parametrize("closer", ["</think>", "</THINKING>", "[/THINK]", "<channel|>"])
def test_a_lone_closing_marker_takes_everything_before_it(closer: str) -> None:
    """F7: only `</think>` present, because the opening one stands in the prompt."""
    assert remove_thinking(f"GEHEIM, so.\n{closer}\nHallo.").text == "Hallo."


def test_reasoning_that_names_its_own_markers_stays_hidden() -> None:
    """F7: the first closing marker may be talk about closing markers."""
    text = "<think>I open <think> and close with </think> later. GEHEIM</think>Hallo."
    assert remove_thinking(text).text == "Hallo."


@pytest.mark.parametrize(
    "text",
    [
        "3 < 5 und 7 > 2",
        "Ich habe dich <3",
        "<b>fett</b> und <thinker>",
        "<thinking out loud> na gut",
        "a <",
        "List[str] und [thinker]",
        "x[",
        "<|x|>",
    ],
)
def test_ordinary_text_with_brackets_is_left_alone(text: str) -> None:
    """F7: only reasoning goes."""
    assert remove_thinking(text).text == text.strip()


@given(st.text(alphabet=st.characters(blacklist_characters="[|", blacklist_categories=["Cs"])))
@example("<<<>>>< think")
def test_text_without_markers_passes_unchanged(text: str) -> None:
    """F7: "<" alone is no marker."""
    if not MARKERS.search(text):
        assert remove_thinking(text).text == text.strip()


@given(before=plain, hidden=secret, after=plain, markers=pair, cuts=st.lists(st.integers(0, 250), max_size=8))
def test_no_reasoning_passes_wherever_the_stream_is_cut(
    before: str, hidden: str, after: str, markers: tuple[str, str], cuts: list[int]
) -> None:
    """F7, split over stream pieces: same text as in one piece, and never a piece of the reasoning."""
    opener, closer = markers
    text = f"{before}{opener}{hidden}{closer}{after}"
    for hold in (True, False):
        thinking = ThinkingFilter(hold=hold)
        shown = "".join([thinking.feed(piece) for piece in _cut(text, cuts)]) + thinking.finish()
        assert "GEHEIM" not in shown
        assert shown.endswith(after)
        assert thinking.removed_chars == len(text) - len(shown)
    assert remove_thinking(text).text in (f"{before}{after}".strip(), after.strip())


@given(hidden=secret, after=plain, cuts=st.lists(st.integers(0, 150), max_size=8))
def test_a_held_stream_hides_reasoning_that_only_ends(hidden: str, after: str, cuts: list[int]) -> None:
    """F7: with only `</think>` the beginning is reasoning; a held filter has shown none of it."""
    thinking = ThinkingFilter(hold=True)
    pieces = [thinking.feed(piece) for piece in _cut(f"{hidden}</think>{after}", cuts)]
    assert set(pieces) <= {""}
    assert thinking.finish() == after
    assert thinking.lone_closer
    assert not thinking.leaked


def test_a_flowing_stream_tells_when_reasoning_got_out() -> None:
    """F7: what was handed out cannot be taken back, so the filter says so."""
    thinking = ThinkingFilter(hold=False)
    assert thinking.feed("GEHEIM ") == "GEHEIM "
    assert thinking.feed("mehr</think>Hallo") == "Hallo"
    assert thinking.leaked


def test_a_flowing_stream_is_not_held_back_without_need() -> None:
    """Text flows at once; only a possible beginning of a marker waits."""
    thinking = ThinkingFilter(hold=False)
    assert thinking.feed("Hallo <") == "Hallo "
    assert thinking.feed("3") == ""
    assert thinking.feed(", du > ich") == "<3, du > ich"


def _cut(text: str, cuts: list[int]) -> list[str]:
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges)]
