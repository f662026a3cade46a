"""Inbox, turns, events, answers and done steps: what must never be lost (design §3)."""

from novaberg.memory.turn_store.records import (
    Accepted,
    Cut,
    CutBlock,
    HistoryTurn,
    InboxMessage,
    MessageFate,
    NewEvent,
    OpenTurn,
    StepResult,
    StoredAnswer,
    StoredEvent,
    Turn,
    TurnState,
)
from novaberg.memory.turn_store.store import TurnStore

__all__ = [
    "Accepted",
    "Cut",
    "CutBlock",
    "HistoryTurn",
    "InboxMessage",
    "MessageFate",
    "NewEvent",
    "OpenTurn",
    "StepResult",
    "StoredAnswer",
    "StoredEvent",
    "Turn",
    "TurnState",
    "TurnStore",
]
