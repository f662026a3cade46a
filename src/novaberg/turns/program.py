"""The running program as its surfaces see it: everything that a page, a route or a command may do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from novaberg.clock import Clock, SystemClock
from novaberg.ei.monotony import DEFAULT_MONOTONY, FieldVariety, value_variety
from novaberg.memory.bulletin import GapListener, Subscription
from novaberg.memory.pipeline_log import LogRow
from novaberg.memory.servers.services import open_services
from novaberg.memory.session import SessionTurn
from novaberg.memory.stores import Stores, open_stores
from novaberg.memory.turn_store import Accepted, HistoryTurn, StoredAnswer, Turn
from novaberg.models.checks import check_model
from novaberg.models.protocol import ChatModel, ModelHealth
from novaberg.models.registry import open_model, open_perception_model
from novaberg.pair import DEFAULT_CHARACTER, Pair
from novaberg.settings import Settings
from novaberg.turns.following import Following, following
from novaberg.turns.intake import Intake
from novaberg.turns.messages import Message
from novaberg.turns.steps import COMPLETION_STEP


@dataclass(frozen=True, slots=True)
class StateView:
    """What is stored for a pair between turns."""

    nova_state: dict[str, str]
    """The persisted fields; empty before the first turn."""
    session: tuple[SessionTurn, ...]
    summary: str


class Program:
    """One open home. Methods take a `Pair`; errors are `NovabergError`s with a message for the person.

    Args:
        model: the one that answers here; ``None`` = this process only looks or writes into the home.
    """

    def __init__(
        self, settings: Settings, clock: Clock, stores: Stores, *, model: ChatModel | None = None
    ) -> None:
        self.settings = settings
        self.clock = clock
        self._stores = stores
        self._model = model
        self._intake = Intake(stores.turns, settings)

    # ── talking ──────────────────────────────────────────────────────────────

    async def say(
        self,
        pair: Pair,
        prompt: str,
        *,
        received_at: datetime,
        client_id: str = "",
        message_id: str | None = None,
    ) -> Accepted:
        """Accept a message; it is committed when this returns (see `Intake.accept`)."""
        return await self._intake.accept(
            pair, prompt, empfangen_am=received_at, client_id=client_id, message_id=message_id
        )

    def follow(self, pair: Pair) -> AbstractAsyncContextManager[Following]:
        """Listen for the turns of a pair from here on; say something inside."""
        return following(self._stores.turns, self._stores.bulletin, pair, language=self.settings.language)

    def listen(
        self, user_id: str, *, on_gap: GapListener | None = None
    ) -> AbstractAsyncContextManager[Subscription]:
        """Everything that is announced to a person's clients; ``on_gap`` is called when something may be missing."""
        return self._stores.bulletin.subscribe(user_id, on_gap=on_gap)

    async def history(
        self, pair: Pair, *, limit: int = 50, before: int | None = None
    ) -> tuple[HistoryTurn, ...]:
        """What was said, oldest first, from inbox and answers (not from the session, which fades)."""
        return await self._stores.turns.history(pair, limit=limit, before=before)

    async def answers_since(self, pair: Pair, after: int, *, limit: int = 50) -> tuple[StoredAnswer, ...]:
        """Answers that a client missed, oldest first, at most ``limit``; ``after`` is the number of the last it has."""
        return await self._stores.turns.answers_since(pair, after=after, limit=limit)

    async def completions(self, pair: Pair, turn_ids: Collection[str]) -> Mapping[str, Message]:
        """The closing message (``turn_complete``) of each of these turns that has come to its end, by ``turn_id``."""
        found = await self._stores.turns.step_results(pair, turn_ids, schritt=COMPLETION_STEP)
        return {turn_id: message for turn_id, message in found.items() if isinstance(message, dict)}

    # ── looking inside ───────────────────────────────────────────────────────

    async def state(self, pair: Pair) -> StateView:
        """Nova's state and the running session."""
        return StateView(
            nova_state=await self._stores.nova_states.load(pair),
            session=await self._stores.sessions.retrieve(pair),
            summary=await self._stores.sessions.summary(pair) or "",
        )

    async def variety(self, pair: Pair) -> dict[str, FieldVariety]:
        """Which values Nova overuses and which she never reaches (spec 02 §3.21); empty while there is too little."""
        window = DEFAULT_MONOTONY.window
        return value_variety(await self._stores.pipeline_log.nova_emotions(pair, window))

    async def trace(self, turn_id: str) -> list[LogRow]:
        """All log rows of a turn, in order; empty if there are none."""
        return await self._stores.pipeline_log.rows(turn_id)

    async def last_turn_id(self, pair: Pair) -> str | None:
        """The newest turn of a pair that left rows."""
        return await self._stores.pipeline_log.last_turn_id(pair)

    async def turns_in_trouble(self, pair: Pair) -> tuple[Turn, ...]:
        """Turns under way, waiting again, or given up."""
        return (*await self._stores.turns.open_turns(pair), *await self._stores.turns.failed_turns(pair))

    # ── mending ──────────────────────────────────────────────────────────────

    async def requeue(self, pair: Pair, turn_id: str) -> None:
        """Let a failed turn run again under its id.

        Raises:
            UnknownTurnError, TurnNotFailedError: nothing changed.
        """
        await self._stores.turns.requeue(pair, turn_id)

    async def reset_session(self, pair: Pair) -> None:
        """Forget the running session; Nova's state, the history and the log stay."""
        await self._stores.sessions.reset(pair)

    async def ping(self) -> dict[str, bool]:
        """Whether each store answers now."""
        return await self._stores.ping()

    async def check_model(self) -> ModelHealth:
        """Whether the model could answer now; never raises, but may take as long as its server.

        The open one is asked: a second one of a model file would take its memory twice.
        """
        if self._model is not None:
            return await self._model.check()
        return await check_model(self.settings)


@asynccontextmanager
async def open_program(
    settings: Settings, *, clock: Clock | None = None, work: bool = True
) -> AsyncIterator[Program]:
    """Open the home: stores (started if need be) and, with ``work``, the models and a worker that takes turns.

    Raises:
        SettingsError, HomeVersionError, StoreError: the home cannot be opened; the message says what to do.
        UnknownModelError: NOVABERG_MODEL names none.
    """
    clock = clock or SystemClock()
    model: ChatModel | None = None
    async with AsyncExitStack() as stack:
        if work:
            # First, because it costs nothing: a model that is named wrongly is told before any store is started.
            model = await stack.enter_async_context(open_model(settings))
            perception = await stack.enter_async_context(open_perception_model(settings, model))
        urls = await stack.enter_async_context(open_services(settings))
        stores = await stack.enter_async_context(open_stores(settings, clock, urls))
        if model is not None:
            # The graphs take a second to import, which a mere look into the home need not pay.
            from novaberg.turns.working import working

            await stack.enter_async_context(
                working(settings, clock, stores, model=model, perception=perception)
            )
        yield Program(settings, clock, stores, model=model)


def pair_of(settings: Settings, user_id: str = "", character_id: str = "") -> Pair:
    """The pair a client means; what it leaves out comes from the settings.

    Raises:
        InvalidPairError: an id is unusable.
    """
    return Pair(user_id or settings.user, character_id or DEFAULT_CHARACTER)
