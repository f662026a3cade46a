"""One run of a graph, node by node. The state that was reached survives an exception."""

from __future__ import annotations

from collections.abc import AsyncIterator

from novaberg.conversation.state import ConversationState
from novaberg.graph.context import GraphContext
from novaberg.graph.human_graph import Graph


class GraphRun:
    """Streams a graph and merges each node's update into `state`."""

    def __init__(self, graph: Graph, start: ConversationState) -> None:
        self._graph = graph
        self.state: ConversationState = start

    async def steps(self, context: GraphContext) -> AsyncIterator[str]:
        """Yields the name of each node when it has finished; `state` then holds its update.

        Raises:
            Exception: whatever a node raised.
        """
        async for chunk in self._graph.astream(self.state, context=context, stream_mode="updates"):
            for node, update in chunk.items():
                if update:
                    self.state = {**self.state, **update}
                yield node
