"""A whole turn through both compiled graphs, one after the other."""

from __future__ import annotations

from pydantic import JsonValue

from novaberg.clock import unix_time
from novaberg.conversation.events import human_payload
from novaberg.conversation.late import HumanSalience, finished_tail
from novaberg.conversation.state import ConversationState
from novaberg.graph.character_graph import build_character_graph
from novaberg.graph.human_graph import build_human_graph
from tests.support.house import House, heard, spoken_to, thinking

HUMAN = build_human_graph()
CHARACTER = build_character_graph()


async def perceive(house: House, prompt: str, turn_id: str) -> tuple[ConversationState, dict[str, JsonValue]]:
    """Path 1 to its end, and the event that it hands over; received now."""
    received = unix_time(house.clock.now())
    state = await house.graph(HUMAN, heard(prompt, turn_id=turn_id))
    return state, human_payload(state, received_at=received, message_ids=[f"n-{turn_id}"])


async def exchange(house: House, prompt: str, *, turn_id: str) -> ConversationState:
    """The state of path 2 after somebody spoke and was answered."""
    human, payload = await perceive(house, prompt, turn_id)
    late = HumanSalience(human.get("salienz_human"), human.get("user_intentionen", ()))
    return await house.graph(CHARACTER, spoken_to(**payload), tail=finished_tail(late))


async def impulse(
    house: House, thought: str, *, turn_id: str, level: float | None = None
) -> ConversationState:
    """The state of path 2 after Nova spoke of her own accord."""
    return await house.graph(CHARACTER, thinking(thought, turn_id=turn_id, gedanke_arousal=level))
