"""How the oldest turns of a session become a few sentences (spec 03 §3.1.2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from novaberg.conversation.state import ConversationState
from novaberg.graph.asking import ask
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import header
from novaberg.graph.utterances import utterances
from novaberg.memory.session import SessionTurn
from novaberg.models.material import SummaryMaterial
from novaberg.models.protocol import Block, ChatRequest, Message, Priority
from novaberg.vocabulary import ROLE_USER

NODE = "dispatcher"
CALLER = "session/summary"


def summariser(
    context: GraphContext, state: ConversationState
) -> Callable[[str, Sequence[SessionTurn]], Awaitable[str]]:
    """A function from the previous summary and the leaving turns to the new summary; raises `ModelError`."""

    async def summarise(previous: str, turns: Sequence[SessionTurn]) -> str:
        services = context.services
        language = services.scene.language_of(" ".join(turn.get("inhalt", "") for turn in turns))
        task = services.prompts.block("session.summary", language=language, model=services.model.name)
        request = ChatRequest(
            caller=CALLER,
            blocks=(Block("AUFGABE", task),),
            messages=(Message("user", _excerpt(previous, turns, services.scene.name)),),
            material=SummaryMaterial(previous=previous, turns=utterances(turns), language=language),
            temperature=0.2,
            priority=Priority.TAIL,
        )
        log = services.stores.pipeline_log
        reply = await ask(log, header(state), NODE, model=services.model, request=request)
        return reply.text

    return summarise


def _excerpt(previous: str, turns: Sequence[SessionTurn], name: str) -> str:
    lines = [
        f"{'USER' if turn.get('rolle') == ROLE_USER else name}: {turn.get('inhalt', '')}" for turn in turns
    ]
    return "\n".join(([previous, ""] if previous else []) + lines)
