"""What a model writes is drawn as text and known tags, never as anything else (promise P11, spec 07 §12.12)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.web.markdown import (
    LONGEST_TEXT,
    TAGS,
    Branch,
    drawings,
    is_web_link,
    link_target,
    parse_markdown,
    plain_text,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src=http://evil.example></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>@import 'http://evil.example'</style>",
    "<!-- --><base href=http://evil.example>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    "[x](/login)",
    "[x](#top)",
    "[x](mailto:a@b.example)",
    "[x](http:evil)",
    "[x](http://)",
    "<javascript:alert(1)>",
    "<mailto:a@b.example>",
    "[x]\n\n[x]: javascript:alert(1)",
    "![x](http://evil.example/pixel.png)",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    '![x](http://evil.example/a.png "onerror=alert(1)")',
    "[![x](http://evil.example/a.png)](http://evil.example)",
    "```html\n<script>alert(1)</script>\n```",
    "`<script>alert(1)</script>`",
    "| <script> |\n|---|\n| <img onerror=x> |",
    "{{ constructor.constructor('alert(1)')() }}",
    "${alert(1)} `+alert(1)+`",
    "</textarea></script><script>alert(1)</script>",
    "\u202ehttp://evil.example\u202c",
]
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "span": {"class"}}


def branches(nodes: Sequence[str | Branch]) -> Iterator[Branch]:
    for node in nodes:
        if isinstance(node, Branch):
            yield node
            yield from branches(node.children)


def depth(nodes: Sequence[str | Branch]) -> int:
    return max((1 + depth(node.children) for node in nodes if isinstance(node, Branch)), default=0)


def is_harmless(blocks: Sequence[Branch]) -> bool:
    return all(
        branch.tag in TAGS
        and set(branch.attributes) <= ATTRIBUTES.get(branch.tag, set())
        and (branch.tag != "a" or is_web_link(branch.attributes["href"]))
        and branch.attributes.get("class") in (None, "nb-target")
        for branch in branches(blocks)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_becomes_a_tag_or_a_link_that_is_not_of_the_web(text: str) -> None:
    blocks = parse_markdown(text)
    assert is_harmless(blocks)
    assert plain_text(blocks).strip(), "what was written stays readable"


@given(
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30), st.sampled_from("*_`[]()<>!|#>-~\n")))
)
def test_whatever_is_written_the_tree_is_harmless(parts: list[str]) -> None:
    blocks = parse_markdown("".join(parts))
    assert is_harmless(blocks)
    assert all(isinstance(tag, str) for tag, _, _ in drawings(blocks))


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=200))
def test_plain_words_come_out_as_they_went_in(text: str) -> None:
    assert plain_text(parse_markdown(text)).strip() == text.strip()


def test_raw_html_is_shown_as_the_text_it_is() -> None:
    text = 'a <b onclick="x()">fett</b> <!-- versteckt -->'
    (paragraph,) = parse_markdown(text)
    assert not list(branches(paragraph.children))
    assert plain_text([paragraph]) == f"{text}\n"


def test_a_picture_is_named_and_linked_but_never_a_picture() -> None:
    """Spec 07 §2.4: external images as links."""
    (paragraph,) = parse_markdown("![Ein Hund](http://fern.example/hund.png)")
    (link,) = paragraph.children
    assert isinstance(link, Branch)
    assert (link.tag, link.attributes) == ("a", {"href": "http://fern.example/hund.png"})
    assert plain_text([link]) == "Ein Hund (fern.example)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[bank.example](http://bank.example@evil.example/x)", "bank.example (evil.example)"),
        ("[bank.example](https://evil.example:8443/)", "bank.example (evil.example:8443)"),
        ("[http://a.example](http://a.example)", "http://a.example"),
        ("<https://a.example/b>", "https://a.example/b"),
    ],
)
def test_a_link_tells_where_it_leads_unless_it_says_so_itself(text: str, shown: str) -> None:
    assert plain_text(parse_markdown(text)).strip() == shown


def test_a_host_of_foreign_letters_is_shown_in_the_form_that_cannot_pretend() -> None:
    (paragraph,) = parse_markdown("[pаypal.com](http://pаypal.com)")  # a Cyrillic а
    assert plain_text([paragraph]).strip().endswith("(xn--pypal-4ve.com)")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "http://",
        "https:///x",
        "ftp://a.example",
        "http://a b",
        "http://a\\@b",
        "http://[",
        "",
    ],
)
def test_what_is_no_address_of_the_web_is_no_link(address: str) -> None:
    assert not is_web_link(address)


def test_the_target_is_the_host_with_its_port() -> None:
    assert link_target("https://user:secret@a.example:81/b?c#d") == "a.example:81"


def test_lists_tables_code_and_line_breaks_are_kept() -> None:
    """Spec 07 §2.4: fenced code, tables, line breaks kept, tidy lists."""
    table = "| x | y |\n|---|---|\n| 1 | 2 |"
    code = "```py\nif a < b:\n    pass\n```"
    text = f"# Titel\n\nEins\nzwei\n\n- a\n- b\n\n3. c\n\n{table}\n\n{code}"
    tags = " ".join(branch.tag for branch in branches(parse_markdown(text)))
    assert tags == "h3 p br ul li li ol li table thead tr th th tbody tr td td pre code"
    assert "if a < b:\n    pass\n" in plain_text(parse_markdown(text))
    (ordered,) = [branch for branch in branches(parse_markdown(text)) if branch.tag == "ol"]
    assert ordered.attributes == {"start": "3"}


@pytest.mark.parametrize(
    "text",
    ["> " * 300 + "tief", "- " * 300 + "tief", "*a " * 3000 + "b*" * 3000 + "tief", "[" * 5000 + "tief"],
)
def test_depth_is_bounded_and_nothing_in_it_is_lost(text: str) -> None:
    blocks = parse_markdown(text)
    assert depth(blocks) < 60
    assert "tief" in plain_text(blocks)


def test_an_endless_text_is_shown_as_it_is() -> None:
    text = "*x* " * LONGEST_TEXT
    assert parse_markdown(text) == [Branch("pre", [text])]


@pytest.mark.parametrize("piece", ["[", "![a](", "*a ", "`", "<", "&", "|a", "_a_ ", "\\", "*_"])
def test_no_text_keeps_the_page_busy(piece: str) -> None:
    """Promise P13: the longest Markdown of one kind takes a moment, not minutes."""
    start = time.perf_counter()
    parse_markdown((piece * LONGEST_TEXT)[:LONGEST_TEXT])
    assert time.perf_counter() - start < 10
