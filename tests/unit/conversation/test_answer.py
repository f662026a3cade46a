"""Every write of the answer leaves a line (spec 01 §3.5.5)."""

from __future__ import annotations

import logging

import pytest

from novaberg.conversation.answer import set_answer


def test_the_line_names_writer_lengths_and_a_preview(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 01 §3.5.5: old length, new length, writer, 120 characters."""
    with caplog.at_level(logging.INFO):
        update = set_answer({"response": "alt"}, "x" * 500, writer="corrector")
    assert update == {"response": "x" * 500}
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert "corrector" in record.getMessage()
    assert "3 → 500" in record.getMessage()
    assert record.getMessage().endswith(" " + "x" * 120)


@pytest.mark.parametrize("before", ["", "eine Antwort"])
def test_an_empty_answer_is_an_error_from_empty_and_from_full(
    before: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §3.5.5: an answer with thousands of tokens can have no character."""
    assert set_answer({"response": before}, "", writer="responder") == {"response": ""}
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_text_that_is_none_counts_as_empty_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 01 §3.5.5."""
    assert set_answer({}, None, writer="responder") == {"response": ""}
    assert [record.levelno for record in caplog.records] == [logging.ERROR, logging.ERROR]
    assert "NoneType" in caplog.text
