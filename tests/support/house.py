"""The services of a process over real stores, with a scripted model: what graph tests run nodes and graphs in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from langgraph.runtime import Runtime
from pydantic import JsonValue
from redis.asyncio import Redis

from novaberg.clock import MovableClock
from novaberg.conversation.late import HumanTail, finished_tail
from novaberg.conversation.snapshot import TurnSession
from novaberg.conversation.state import ConversationState, StateUpdate, character_state, human_state
from novaberg.ei.ageing import DEFAULT_AGEING
from novaberg.graph.context import GraphContext, Scene, Services
from novaberg.graph.human_graph import Graph
from novaberg.memory.bulletin import Bulletin
from novaberg.memory.characters import CharacterStore
from novaberg.memory.database import Database
from novaberg.memory.identity import IdentityStore
from novaberg.memory.instructions import InstructionStore
from novaberg.memory.nova_state import NovaStateStore
from novaberg.memory.pipeline_log import PipelineLog
from novaberg.memory.session import SessionStore
from novaberg.memory.stores import Stores
from novaberg.memory.turn_store import TurnStore
from novaberg.pair import Pair
from novaberg.personality import Emotion, Space
from novaberg.prompts import load_prompts
from tests.support.scripted_model import ScriptedChatModel

PAIR: Final = Pair("meister", "nova")
SEED_STATE: Final = {
    "raum_tiefe": "0.51",
    "raum_naehe": "0.64",
    "emotion": "begeisterung",
    "arousal": "0.9",
    "emotions_vector": "plateau",
    "mode": "emotional",
    "language_style": "emotional",
    "relationship_dynamic": "vertrauen",
    "tone": "empathisch",
    "intent": "personal",
    "prompt_topic": "Gefuehl des Einklangs",
}
"""The example of the seed (node-ei-calc-persist §6), without its clocks."""
SEED_SPACE: Final = Space(0.51, 0.64)
SEED_EMOTION: Final = Emotion(
    "begeisterung", 0.9, "plateau", "emotional", "emotional", "vertrauen", "empathisch", "personal",
    "Gefuehl des Einklangs",
)  # fmt: skip

NodeFunction = Callable[[ConversationState, Runtime[GraphContext]], Awaitable[StateUpdate]]
Row = tuple[str, dict[str, JsonValue]]

_PROMPTS = load_prompts()


def stores_on(database: Database, redis: Redis, clock: MovableClock) -> Stores:
    """All stores on open connections, without the work that a process does at its start."""
    characters = CharacterStore(database, PAIR.character_id)
    return Stores(
        database=database,
        redis=redis,
        turns=TurnStore(database, clock),
        sessions=SessionStore(redis, clock),
        nova_states=NovaStateStore(redis, database, clock),
        characters=characters,
        instructions=InstructionStore(database),
        identity=IdentityStore(database, characters),
        pipeline_log=PipelineLog(database, clock),
        bulletin=Bulletin(redis),
    )


@dataclass(frozen=True)
class House:
    """One process: its stores, its model, its clock."""

    stores: Stores
    model: ScriptedChatModel
    clock: MovableClock

    def context(self, turn_id: str = "t1", *, tail: HumanTail | None = None) -> GraphContext:
        """What the nodes of one turn work with; without ``tail`` path 1 counts as over."""
        return GraphContext(
            services=Services(
                stores=self.stores,
                model=self.model,
                perception_model=self.model,
                prompts=_PROMPTS,
                clock=self.clock,
                scene=Scene(name="Nova", language="de", timezone="Europe/Berlin", region="DE"),
                ageing=DEFAULT_AGEING,
            ),
            session=TurnSession(self.stores.sessions, PAIR, turn_id),
            human_tail=tail or finished_tail(),
        )

    async def node(self, node: NodeFunction, state: ConversationState) -> ConversationState:
        """``state`` after one node alone."""
        context = self.context(state.get("turn_id", ""))
        return {**state, **await node(state, Runtime(context=context))}

    async def graph(
        self, graph: Graph, state: ConversationState, *, tail: HumanTail | None = None
    ) -> ConversationState:
        """``state`` after a whole compiled graph."""
        context = self.context(state.get("turn_id", ""), tail=tail)
        return cast("ConversationState", await graph.ainvoke(state, context=context))

    async def rows(self, turn_id: str = "t1", *, node: str | None = None) -> list[Row]:
        """Kind and content of the turn's log rows, in their order."""
        rows = await self.stores.pipeline_log.rows(turn_id)
        return [(row.art, row.inhalt) for row in rows if node is None or row.node == node]

    async def execute(self, statement: str, *values: object) -> None:
        """One SQL statement, to prepare what others would have written."""
        async with self.stores.database.connection() as connection:
            await connection.execute(statement.encode(), values or None)

    async def hash(self) -> dict[str, str]:
        """Nova's state as it stands in Redis."""
        return await self.stores.nova_states.load(PAIR)


# ── where turns start ────────────────────────────────────────────────────────


def heard(prompt: str = "Mein Hund Bruno ist krank.", *, turn_id: str = "t1") -> ConversationState:
    """Path 1: somebody spoke."""
    return human_state(
        user_prompt=prompt, user_id=PAIR.user_id, character_id=PAIR.character_id, turn_id=turn_id
    )


def spoken_to(**payload: JsonValue) -> ConversationState:
    """Path 2 of a person's turn; ``payload`` is the event's."""
    event = {"turn_id": "t1", "user_prompt": "Mein Hund Bruno ist krank.", **payload}
    return _answering(event, str(event["turn_id"]), is_person=True)


def thinking(
    thought: str = "Ob Bruno wieder gesund ist?", *, turn_id: str = "t1", **payload: JsonValue
) -> ConversationState:
    """Path 2 of an own impulse: nobody spoke."""
    event = {
        "turn_id": turn_id,
        "eigener_gedanke": thought,
        "reiz_herkunft": "eigener_impuls",
        "gedanke_arousal": None,
        **payload,
    }
    return _answering(event, turn_id, is_person=False)


def _answering(event: Mapping[str, JsonValue], turn_id: str, *, is_person: bool) -> ConversationState:
    return character_state(
        payload=event,
        source="user" if is_person else "character",
        user_id=PAIR.user_id,
        character_id=PAIR.character_id,
        turn_id=turn_id,
    )


# ── what a model says ────────────────────────────────────────────────────────


def perceived(**fields: JsonValue) -> dict[str, JsonValue]:
    """A perception reply in the demanded form; ``fields`` by their JSON names."""
    values: dict[str, JsonValue] = {
        "intent": "personal",
        "tone": "empathisch",
        "thema": "Bruno",
        "emotion": "unsicherheit",
        "arousal": 0.7,
        "modus": "emotional",
        "sprach_stil": "emotional",
        "beziehungs_dynamik": "hilfesuchend",
        **fields,
    }
    return {
        "rational": {key: values[key] for key in ("intent", "tone", "thema")},
        "emotional": {key: values[key] for key in ("emotion", "arousal")},
        "psychologisch": {key: values[key] for key in ("modus", "sprach_stil", "beziehungs_dynamik")},
    }


def rated(salience: JsonValue = 0.7, *intentions: str) -> dict[str, JsonValue]:
    """A salience reply."""
    return {"salienz": salience, "intentionen": list(intentions or ("emotionaler_ausdruck",))}


def talkative() -> ScriptedChatModel:
    """A model that has something to say to everybody."""
    return ScriptedChatModel(
        {
            "perzeption": perceived(),
            "salienz": rated(),
            "responder": "Oh je. Was hat Bruno denn?",
            "session/summary": "Bruno ist krank.",
        }
    )
