"""The conversation in the readmes is what the built-in model says, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.models.builtin.talk import Talk

ROOT = Path(__file__).parents[4]
TURN = re.compile(r"> \*\*(?:You|Du):\*\* (.+?)\\\n> \*\*Nova:\*\* (.+?)(?=\\?\n> \*\*|\n\n)", re.DOTALL)
LEFT_OUT = "[…]"


@pytest.mark.parametrize("name", ["README.md", "README.de.md"])
def test_the_conversation_in_the_readme_is_real(name: str) -> None:
    turns = TURN.findall((ROOT / name).read_text(encoding="utf-8"))
    assert len(turns) > 3
    talk = Talk("de", known=False)
    for said, printed in turns:
        told = re.escape(printed.replace("\n> ", " ")).replace(re.escape(LEFT_OUT), ".+")
        assert re.fullmatch(told, talk.say(said)), said
