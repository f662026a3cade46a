"""What a model wrote, as a tree of harmless parts (promise P11). Pure.

No HTML is ever made of an answer: the browser gets this tree and draws the tags of `TAGS` from it, with text as text.
Whatever Markdown offers beyond that stays the text that it was: raw HTML, links to anything but the web, images.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

Drawing = tuple[str, dict[str, str], "tuple[str | Drawing, ...]"]
"""Tag, attributes, children."""
_BLOCK_TAGS: Final = {"p", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "hr"}
_TABLE_TAGS: Final = {"table", "thead", "tbody", "tr", "th", "td"}
_INLINE_TAGS: Final = {"br", "em", "strong", "s", "code", "a", "span"}
TAGS: Final = frozenset(_BLOCK_TAGS | _TABLE_TAGS | _INLINE_TAGS)
"""Everything that a tree may contain."""
LONGEST_TEXT: Final = 40_000
"""Characters that are read as Markdown; a longer text is shown as it is."""

_DEEPEST_BLOCK: Final = 20
"""Levels of blocks inside each other that the parser follows; a text that goes deeper is shown as it is."""
_DEEPEST_BRANCH: Final = 40
"""Levels of tags inside each other that are drawn; what is nested deeper is drawn flat."""


@dataclass(slots=True)
class Branch:
    """One tag with what is in it."""

    tag: str
    children: list[str | Branch] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)

    def frozen(self) -> Drawing:
        """``(tag, attributes, children)``, the form in which the browser gets it."""
        children = tuple(child if isinstance(child, str) else child.frozen() for child in self.children)
        return (self.tag, dict(self.attributes), children)


def parse_markdown(text: str) -> list[Branch]:
    """The blocks of a text."""
    if len(text) > LONGEST_TEXT:
        return [Branch("pre", [text])]
    tokens = _PARSER.parse(text)
    if any(token.level >= _DEEPEST_BLOCK - 1 for token in tokens):
        return [Branch("pre", [text])]  # the parser leaves out what lies deeper
    root = Branch("root")
    _grow(root, tokens)
    return [Branch("p", [child]) if isinstance(child, str) else child for child in root.children]


def drawings(blocks: Sequence[Branch]) -> tuple[Drawing, ...]:
    """The blocks as the browser gets them."""
    return tuple(block.frozen() for block in blocks)


def plain_text(nodes: Sequence[str | Branch]) -> str:
    """The words alone, blocks on lines of their own, for a screen reader."""
    text = ""
    for node in nodes:
        if isinstance(node, str):
            text += node
            continue
        if node.tag in _ON_NEW_LINE and text and not text.endswith("\n"):
            text += "\n"
        text += plain_text(node.children) + _AFTER.get(node.tag, "")
    return text


def is_web_link(address: str) -> bool:
    """Whether an address is one of the web, with a host and without anything that only looks like one."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(host)
        and address.isprintable()
        and not set(" \\") & set(address)
    )


def link_target(address: str) -> str:
    """Where a web link really leads: the host, with its port if there is one. ASCII, so that no letter can pretend."""
    parts = urlsplit(address)
    host = (parts.hostname or "").encode("ascii", "backslashreplace").decode()
    try:
        port = parts.port
    except ValueError:
        return host
    return host if port is None else f"{host}:{port}"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": _DEEPEST_BLOCK})
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline", "reference"])
    parser.validateLink = is_web_link  # type: ignore[method-assign, assignment]  # the documented way to set one's own
    return parser


_PARSER: Final = _parser()
_ON_NEW_LINE: Final = _BLOCK_TAGS | {"table", "tr"}
_AFTER: Final = {**dict.fromkeys(_ON_NEW_LINE - {"ul", "ol", "table"} | {"br"}, "\n"), "td": " ", "th": " "}
_RENAMED: Final = {"h1": "h3", "h2": "h3", "h3": "h4", "h5": "h4", "h6": "h4"}
"""The page has headings of its own above those of an answer."""

_LEAVES: Final = {"softbreak": "br", "hardbreak": "br", "hr": "hr", "code_inline": "code"}


def _grow(root: Branch, tokens: Sequence[Token]) -> None:
    """Hang the tokens below ``root``; each opening one goes down a level, each closing one up."""
    path = [root]
    for token in tokens:
        here = path[-1]
        if token.hidden:
            continue
        if token.nesting == 1:
            path.append(_opened(here, token) if len(path) < _DEEPEST_BRANCH else here)
        elif token.nesting == -1:
            path.pop()
            if here.tag == "a":
                _show_target(here)
        else:
            here.children.extend(_leaf(token))


def _opened(parent: Branch, token: Token) -> Branch:
    tag = _RENAMED.get(token.tag, token.tag)
    branch = Branch(tag if tag in TAGS else "span")
    if tag == "a":
        branch = _link(str(token.attrGet("href") or ""))
    if tag == "ol" and (start := token.attrGet("start")) is not None:
        branch.attributes["start"] = str(start)
    parent.children.append(branch)
    return branch


def _link(address: str) -> Branch:
    return Branch("a", attributes={"href": address}) if is_web_link(address) else Branch("span")


def _leaf(token: Token) -> Sequence[str | Branch]:
    text = token.content
    match token.type:
        case "inline":
            inline = Branch("span")
            _grow(inline, token.children or ())
            return inline.children
        case "fence" | "code_block":
            return [Branch("pre", [Branch("code", [text])])]
        case "image":
            return [_image(token)]
    if (tag := _LEAVES.get(token.type)) is not None:
        return [Branch(tag, [text] if text else [])]
    return [text] if text else []


def _image(token: Token) -> Branch:
    """A picture is named, never loaded."""
    link = _link(str(token.attrGet("src") or ""))
    link.children.append(token.content)
    if link.tag == "a":
        _show_target(link)
    return link


def _show_target(link: Branch) -> None:
    """Write the host behind a link, unless the link is its own address."""
    address = link.attributes.get("href", "")
    if plain_text(link.children) != address:
        link.children.append(Branch("span", [f" ({link_target(address)})"], {"class": "nb-target"}))
