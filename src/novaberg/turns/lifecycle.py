"""What happens to one claimed turn: path 1, event, path 2, answer, tail (design §3).

Resume points, each committed before the next thing happens: event row → answer row → both tails → done. A turn that is
taken up again after a kill goes on at the last of them, so nothing is said twice and nothing is asked twice.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from uuid import uuid4

from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.conversation.events import Event, human_payload
from novaberg.conversation.late import NOT_DETERMINED, HumanSalience, HumanTail
from novaberg.conversation.resume import dump_answer_state, load_answer_state
from novaberg.conversation.snapshot import TurnSession
from novaberg.conversation.state import ConversationState, character_state, human_state, human_tail_state
from novaberg.errors import GraphContractError, LostFenceError, StoreError
from novaberg.graph.character_graph import ANSWER_IS_APPROVED, build_character_graph, build_character_tail
from novaberg.graph.context import GraphContext, Services
from novaberg.graph.human_graph import ANSWER_MAY_START, Graph, build_human_graph, build_human_tail
from novaberg.graph.stages import BROKEN_PERCEPTION, stage_of
from novaberg.memory.turn_store import OpenTurn, StoredAnswer, StoredEvent, Turn
from novaberg.turns.announcer import Announcer
from novaberg.turns.apologies import apology
from novaberg.turns.failures import joined
from novaberg.turns.graph_run import GraphRun
from novaberg.turns.messages import (
    Timings,
    answer_message,
    complete_message,
    error_message,
    stage_message,
    user_message,
)
from novaberg.turns.steps import COMPLETION_STEP, HUMAN_TAIL_STEP

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Graphs:
    human: Graph
    human_tail: Graph
    character: Graph
    character_tail: Graph


class TurnLifecycle:
    """Runs claimed turns. One instance serves all turns of a process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.stores.turns
        self._announcer = Announcer(services.stores.bulletin)
        self._graphs = _Graphs(
            human=build_human_graph(),
            human_tail=build_human_tail(),
            character=build_character_graph(),
            character_tail=build_character_tail(),
        )

    async def handle(self, turn: OpenTurn) -> None:
        """Bring one turn to its end, from wherever it stands.

        Raises:
            LostFenceError: another worker took the turn; nothing more is written.
            Exception: the failure of a path, or a group if both failed; what was committed stays and the turn can be
                taken up again.
        """
        if turn.event is None:
            await self._announcer.announce(turn.pair, user_message(turn))
        run = _TurnRun(self._services, self._graphs, self._announcer, turn)
        completion = await run.to_the_end()
        await self._store.finish(turn)
        await self._announcer.announce(turn.pair, completion)

    async def failed(self, turn: Turn, error: BaseException) -> None:
        """Tell the person that the turn was given up, why, and what is safe."""
        text = apology(error, turn=turn, fallback=self._services.scene.language)
        await self._announcer.announce(turn.pair, error_message(turn, text))


class _TurnRun:
    """The two paths of one turn and what they tell each other."""

    def __init__(self, services: Services, graphs: _Graphs, announcer: Announcer, turn: OpenTurn) -> None:
        self._services = services
        self._store = services.stores.turns
        self._graphs = graphs
        self._announcer = announcer
        self._turn = turn
        self._tail = HumanTail()
        self._event: asyncio.Future[StoredEvent] = asyncio.get_running_loop().create_future()
        self._context = GraphContext(
            services=services,
            session=TurnSession(services.stores.sessions, turn.pair, turn.turn_id),
            human_tail=self._tail,
        )

    async def to_the_end(self) -> dict[str, JsonValue]:
        """Both paths, side by side; gives the closing message.

        Each path runs to its own end even if the other fails: an answer must not be lost to a failing tail.
        """
        human, character = await asyncio.gather(
            self._human_path(), self._character_path(), return_exceptions=True
        )
        failures = [outcome for outcome in (human, character) if isinstance(outcome, BaseException)]
        if failures:
            raise joined(failures)
        assert not isinstance(character, BaseException), "failures were raised"
        return character

    # ── path 1 ───────────────────────────────────────────────────────────────

    async def _human_path(self) -> None:
        turn = self._turn
        try:
            if turn.event is None:
                await self._perceive_and_publish()
            else:
                self._event.set_result(turn.event)
                if turn.human_done:
                    self._tail.rated(_stored_salience(turn))
                else:
                    await self._human_tail(turn.event)
        except BaseException as error:
            self._tail.fail(error)
            if not self._event.done():
                self._event.set_exception(error)
            raise
        self._tail.finish()

    async def _perceive_and_publish(self) -> None:
        turn = self._turn
        run = GraphRun(
            self._graphs.human,
            human_state(
                user_prompt=turn.prompt,
                user_id=turn.pair.user_id,
                character_id=turn.pair.character_id,
                turn_id=turn.turn_id,
            ),
        )
        try:
            async for node in run.steps(self._context):
                await self._human_step(run, node)
        except (LostFenceError, StoreError, GraphContractError):
            raise
        except Exception as error:
            if self._event.done():
                raise
            log.exception(
                "path 1 of turn %s broke off; the answer follows without a perception", turn.turn_id
            )
            await self._announcer.announce(turn.pair, stage_message(turn, BROKEN_PERCEPTION))
            event = await self._publish(run.state, failure=f"{type(error).__name__}: {error}")
            await self._human_tail(event)
        else:
            await self._human_done(run.state)

    async def _human_step(self, run: GraphRun, node: str) -> None:
        await self._announce_stage(node, run.state)
        if node == ANSWER_MAY_START:
            await self._publish(run.state)
        if node == "salience":
            self._tail.rated(_late_salience(run.state))

    async def _publish(self, state: ConversationState, *, failure: str = "") -> StoredEvent:
        turn = self._turn
        payload = human_payload(
            state,
            received_at=unix_time(turn.empfangen_am),
            message_ids=turn.nachrichten_ids,
            failure=failure,
        )
        event = Event(
            event_id=str(uuid4()), turn_id=turn.turn_id, source="user", typ="message", payload=payload
        )
        stored = await self._store.publish_event(turn, event)
        self._event.set_result(stored)
        return stored

    async def _human_tail(self, event: StoredEvent) -> None:
        turn = self._turn
        start = human_tail_state(
            payload=event.payload,
            user_id=turn.pair.user_id,
            character_id=turn.pair.character_id,
            turn_id=turn.turn_id,
        )
        run = GraphRun(self._graphs.human_tail, start)
        async for node in run.steps(self._context):
            await self._human_step(run, node)
        await self._human_done(run.state)

    async def _human_done(self, state: ConversationState) -> None:
        salience = _late_salience(state)
        result: JsonValue = {
            "salienz_human": salience.salienz_human,
            "user_intentionen": list(salience.user_intentionen),
        }
        await self._store.step_done(self._turn, HUMAN_TAIL_STEP, result)
        await self._store.mark_human_done(self._turn)

    # ── path 2 ───────────────────────────────────────────────────────────────

    async def _character_path(self) -> dict[str, JsonValue]:
        turn = self._turn
        event = await self._event
        start = character_state(
            payload=event.payload,
            source="character" if event.source == "character" else "user",
            user_id=turn.pair.user_id,
            character_id=turn.pair.character_id,
            turn_id=turn.turn_id,
        )
        answer = turn.answer
        if answer is None:
            run = GraphRun(self._graphs.character, start)
        else:
            run = GraphRun(self._graphs.character_tail, load_answer_state(start, _resume(answer)))
            await self._announcer.announce(turn.pair, answer.payload)
        async for node in run.steps(self._context):
            await self._announce_stage(node, run.state)
            if node == ANSWER_IS_APPROVED:
                answer = await self._deliver(run.state)
        if answer is None:
            raise GraphContractError(
                f"Path 2 of turn {turn.turn_id} ended without the node {ANSWER_IS_APPROVED!r}."
            )
        return await self._completion(run.state, answer)

    async def _deliver(self, state: ConversationState) -> StoredAnswer:
        """Commit, then send."""
        turn = self._turn
        answer = await self._store.save_answer(
            turn, text=state["response"], payload=answer_message(turn, state), resume=dump_answer_state(state)
        )
        await self._announcer.announce(turn.pair, answer.payload)
        return answer

    async def _completion(self, state: ConversationState, answer: StoredAnswer) -> dict[str, JsonValue]:
        received = self._turn.empfangen_am
        timings = Timings(
            answer_ms=(answer.created_at - received).total_seconds() * 1000,
            total_ms=(self._services.clock.now() - received).total_seconds() * 1000,
        )
        message = complete_message(self._turn, state, timings)
        await self._store.step_done(self._turn, COMPLETION_STEP, message)
        return message

    async def _announce_stage(self, node: str, state: ConversationState) -> None:
        await self._announcer.announce(self._turn.pair, stage_message(self._turn, stage_of(node, state)))


def _late_salience(state: ConversationState) -> HumanSalience:
    return HumanSalience(state.get("salienz_human"), state.get("user_intentionen", ()))


def _stored_salience(turn: OpenTurn) -> HumanSalience:
    """What path 1 found out before the turn was interrupted."""
    step = turn.steps.get(HUMAN_TAIL_STEP)
    match step.result if step else None:
        case {"salienz_human": int() | float() | None as salience, "user_intentionen": list(intentions)}:
            return HumanSalience(salience, tuple(str(intention) for intention in intentions))
    log.error("turn %s is marked as perceived, but what was found out is not stored", turn.turn_id)
    return NOT_DETERMINED


def _resume(answer: StoredAnswer) -> dict[str, JsonValue]:
    if not isinstance(answer.resume, dict):
        raise GraphContractError(f"The answer of turn {answer.turn_id} does not carry the state of its tail.")
    return answer.resume
