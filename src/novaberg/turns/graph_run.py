"""One run of a graph, node by node. The state that was reached survives an exception."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

from langsmith import tracing_context

from novaberg.conversation.state import ConversationState
from novaberg.graph.context import GraphContext
from novaberg.graph.human_graph import Graph


class GraphRun:
    """Streams a graph; `state` is the engine's own state after the last finished node."""

    def __init__(self, graph: Graph, start: ConversationState) -> None:
        self._graph = graph
        self.state: ConversationState = start

    async def steps(self, context: GraphContext) -> AsyncIterator[str]:
        """Yields the name of each node when it has finished and `state` holds its update.

        Raises:
            Exception: whatever a node raised.
        """
        finished: list[str] = []  # by name; the engine tells no state when a node changed nothing
        # The engine would send every state to a tracing service whose variables happen to stand in the environment.
        with tracing_context(enabled=False):
            stream = self._graph.astream(self.state, context=context, stream_mode=["updates", "values"])
            async for mode, chunk in stream:
                if mode == "updates":
                    finished.extend(chunk)
                    continue
                self.state = cast("ConversationState", chunk)
                for node in finished:
                    yield node
                finished.clear()
            for node in finished:
                yield node
