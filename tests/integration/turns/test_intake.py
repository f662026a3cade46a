from __future__ import annotations

from datetime import timedelta

import pytest

from novaberg.clock import MovableClock
from novaberg.errors import EmptyPromptError, InputError, PromptTooLongError, QueueFullError
from novaberg.memory.database import Database
from novaberg.memory.turn_store import TurnStore
from novaberg.pair import Pair
from novaberg.settings import load_settings
from novaberg.turns.intake import Intake

PAIR = Pair("meister")


@pytest.fixture
def store(database: Database, clock: MovableClock) -> TurnStore:
    return TurnStore(database, clock)


@pytest.fixture
def intake(store: TurnStore) -> Intake:
    return Intake(store, load_settings(max_prompt_chars=20, max_waiting_messages=2))


async def test_a_message_is_stored_as_it_is(intake: Intake, store: TurnStore, clock: MovableClock) -> None:
    received = clock.now() - timedelta(seconds=3)
    accepted = await intake.accept(
        PAIR, " Grüße 👋\n", empfangen_am=received, client_id="web", message_id="m1"
    )
    (entry,) = await store.history(PAIR)
    (message,) = entry.messages
    assert (message.nachrichten_id, message.prompt, message.empfangen_am) == (
        accepted.nachrichten_id,
        " Grüße 👋\n",
        received,
    )
    assert (message.client_id, message.message_id) == ("web", "m1")


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("", EmptyPromptError),
        (" \n\t ", EmptyPromptError),
        ("x" * 21, PromptTooLongError),
        ("a\x00b", InputError),
        ("a\ud800b", InputError),
    ],
)
async def test_an_unusable_message_gets_a_clear_error_and_changes_nothing(
    intake: Intake, store: TurnStore, clock: MovableClock, prompt: str, error: type[Exception]
) -> None:
    """Spec 01 §3.1.1 step 3 and the work order's bad input."""
    with pytest.raises(error, match="nothing was stored"):
        await intake.accept(PAIR, prompt, empfangen_am=clock.now())
    assert await store.waiting_count(PAIR) == 0


@pytest.mark.parametrize(
    "ids", [{"message_id": ""}, {"message_id": "x" * 201}, {"client_id": "x" * 201}, {"message_id": "a\x00"}]
)
async def test_an_unusable_id_gets_a_clear_error(
    intake: Intake, clock: MovableClock, ids: dict[str, str]
) -> None:
    with pytest.raises(InputError, match="nothing was stored"):
        await intake.accept(PAIR, "Hallo", empfangen_am=clock.now(), **ids)


async def test_the_longest_allowed_message_passes(intake: Intake, clock: MovableClock) -> None:
    await intake.accept(PAIR, "x" * 20, empfangen_am=clock.now())


async def test_a_flood_is_refused(intake: Intake, clock: MovableClock) -> None:
    """Promise P13."""
    for word in ("eins", "zwei"):
        await intake.accept(PAIR, word, empfangen_am=clock.now())
    with pytest.raises(QueueFullError, match="Wait for an answer"):
        await intake.accept(PAIR, "drei", empfangen_am=clock.now())
