"""What a person is told when a turn was given up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from novaberg import errors
from novaberg.errors import ModelTimeoutError, ModelUnreachableError, NovabergError
from novaberg.language import Language
from novaberg.memory.turn_store import StoredAnswer, Turn
from novaberg.pair import Pair
from novaberg.turns.apologies import apology, kept_apology
from novaberg.turns.failures import describe

NOW = datetime(2026, 8, 30, 12, tzinfo=UTC)
KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, NovabergError)]
ANSWER = StoredAnswer(number=1, turn_id="t1", text="Ja.", payload={}, resume=None, created_at=NOW)


def given_up(
    error: BaseException, *, prompt: str = "Bist du da?", answer: StoredAnswer | None = None
) -> Turn:
    """A turn that failed for good."""
    return Turn(
        turn_id="t1",
        number=1,
        pair=Pair("meister"),
        state="gescheitert",
        prompt=prompt,
        messages=(),
        starts=1,
        failures=1,
        error=describe(error) if isinstance(error, Exception) else None,
        human_done=True,
        created_at=NOW,
        started_at=NOW,
        deadline=NOW,
        ended_at=NOW,
        event=None,
        answer=answer,
        steps={},
    )


@pytest.mark.parametrize(
    "error", [*(kind() for kind in KINDS), ValueError("geheim"), RuntimeError()], ids=repr
)
def test_whoever_asks_later_reads_the_same_words(error: Exception) -> None:
    """Design §3: the person gets an honest message, also a client that was away when the turn failed."""
    turn = given_up(error)
    assert kept_apology(turn, fallback="de") == apology(error, turn=turn, fallback="de")


def test_cause_safety_and_remedy_are_told() -> None:
    """Design §11: what happened, what is safe, what to do."""
    told = apology(
        ModelUnreachableError("Ollama antwortet nicht; starte es."),
        turn=given_up(ValueError()),
        fallback="de",
    )
    assert told.startswith("Das Sprachmodell ist nicht erreichbar. Deine Nachricht ist gespeichert")
    assert "novaberg turns requeue t1" in told
    assert told.endswith("Ursache: Ollama antwortet nicht; starte es.")


@pytest.mark.parametrize(("language", "word"), [("de", "Die Antwort steht"), ("en", "The answer stands")])
def test_after_an_answer_nobody_is_told_to_wait_for_one(language: Language, word: str) -> None:
    """The deadline can strike in the tail, when the answer was delivered long ago."""
    turn = given_up(ModelTimeoutError(), prompt="1, 2, 3", answer=ANSWER)
    told = apology(ModelTimeoutError(), turn=turn, fallback=language)
    assert word in told
    assert "requeue t1" in told
    assert told != apology(ModelTimeoutError(), turn=replace(turn, answer=None), fallback=language)


def test_the_person_is_answered_in_her_own_language() -> None:
    """Design §10: reply language = language of the utterance, else the setting."""
    turn = given_up(ModelTimeoutError(), prompt="What do you think about it?")
    assert apology(ModelTimeoutError(), turn=turn, fallback="de").startswith(
        "The language model did not answer"
    )


def test_the_words_of_a_foreign_error_stay_in_the_log() -> None:
    """A text that nobody wrote for people may hold anything."""
    assert "geheim" not in apology(ValueError("geheim"), turn=given_up(ValueError("geheim")), fallback="de")


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_full_disk_within_a_turn_does_not_deny_what_is_stored(language: Language) -> None:
    """The message of the intake ("this message was not stored") would be untrue here."""
    prompt = "Bist du da? Ich bin müde." if language == "de" else "Are you there? I am tired."
    told = apology(
        errors.DiskFullError(), turn=given_up(errors.DiskFullError(), prompt=prompt), fallback=language
    )
    assert "Festplatte" in told or "disk" in told
    assert "not stored" not in told
