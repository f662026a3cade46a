"""What a person is told when something cannot be done."""

from __future__ import annotations

import inspect

import pytest

from novaberg import errors
from novaberg.errors import NovabergError
from novaberg.settings import load_settings
from novaberg.turns.refusals import problem_name, refusal

ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, NovabergError)]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_has_words_in_both_languages(kind: type[NovabergError]) -> None:
    """Design §6: messages say what to do; no class falls through."""
    german = refusal(kind(), load_settings(language="de"))
    assert german
    assert "{" not in german
    assert refusal(kind(), load_settings(language="en")) == kind().message


def test_the_precise_cause_is_quoted_where_it_tells_more() -> None:
    """A setting that is unusable is named in German, too."""
    text = refusal(errors.SettingsError("NOVABERG_PORT: no."), load_settings(language="de"))
    assert text == "Eine Einstellung ist unbrauchbar. Ursache: NOVABERG_PORT: no."
    limit = refusal(
        errors.PromptTooLongError("17000 characters."), load_settings(language="de", max_prompt_chars=9)
    )
    assert "9 Zeichen" in limit
    assert "17000" not in limit


def test_programs_get_a_stable_name() -> None:
    """RFC 9457: ``type`` identifies the kind of problem."""
    assert problem_name(errors.PromptTooLongError) == "prompt-too-long"
    assert len({problem_name(kind) for kind in ALL}) == len(ALL)


def test_a_missing_first_turn_is_told_once_without_a_cause_behind_it() -> None:
    told = refusal(errors.NoTurnYetError(), load_settings(language="de"))
    assert told == "Es gibt noch keinen Turn. Beginne mit „novaberg chat“."
