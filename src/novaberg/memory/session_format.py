"""The conversation as numbered lines: one formatter for every prompt (spec 03 §3.1.5, seed: node-perzeption §4.2).

Numbers ascend towards the present. Every line names its speaker, and the speaker comes from the field ``herkunft``,
not from the position. The labels are tokens of the format, the same in every language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from novaberg.memory.session_window import DEFAULT_SESSION, SessionTurn

LABEL_USER = "USER"
LABEL_NOVA = "NOVA"
LABEL_NOVA_IMPULSE = "NOVA (von sich aus)"
LABEL_NOVA_UNKNOWN = "NOVA (Anlass unbekannt)"
MARK_DONE = "[ERLEDIGT]"
MARK_FAILED = "[FEHLGESCHLAGEN]"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One contribution with its speaker."""

    label: str
    turn: SessionTurn

    @property
    def text(self) -> str:
        """The contribution as stored, never shortened."""
        return str(self.turn.get("inhalt", ""))


@dataclass(frozen=True, slots=True)
class TurnGroup:
    """What shares one number: an utterance of the person with its answer, or a contribution of Nova alone."""

    user: Utterance | None = None
    nova: Utterance | None = None

    @property
    def is_exchange(self) -> bool:
        """Whether the person speaks in it; only such groups count against the number of exchanges."""
        return self.user is not None

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """The one or two contributions in speaking order."""
        return tuple(utterance for utterance in (self.user, self.nova) if utterance is not None)


@dataclass(slots=True)
class _Grouping:
    groups: list[TurnGroup] = field(default_factory=list)
    open_exchange: int | None = None
    """Position of the person's latest group while it waits for its answer."""

    def add_user(self, turn: SessionTurn) -> None:
        self.open_exchange = len(self.groups)
        self.groups.append(TurnGroup(user=Utterance(LABEL_USER, turn)))

    def add_answer(self, turn: SessionTurn) -> None:
        answer = Utterance(LABEL_NOVA, turn)
        if self.open_exchange is None:
            self.groups.append(TurnGroup(nova=answer))
            return
        self.groups[self.open_exchange] = TurnGroup(user=self.groups[self.open_exchange].user, nova=answer)
        self.open_exchange = None

    def add_alone(self, label: str, turn: SessionTurn) -> None:
        self.groups.append(TurnGroup(nova=Utterance(label, turn)))


def group_turns(turns: Sequence[SessionTurn]) -> tuple[TurnGroup, ...]:
    """The turns as groups, oldest first (steps 1–3 of spec 03 §3.1.5).

    An answer joins the person's latest utterance if that has none yet, also across an impulse in between. Turns
    without text or with another role are left out.
    """
    grouping = _Grouping()
    for turn in turns:
        if not str(turn.get("inhalt") or "").strip():
            continue
        role, origin = turn.get("rolle"), turn.get("herkunft")
        if role == "user":
            grouping.add_user(turn)
        elif role == "assistant" and origin == "nutzer_turn":
            grouping.add_answer(turn)
        elif role == "assistant":
            grouping.add_alone(LABEL_NOVA_IMPULSE if origin == "eigener_impuls" else LABEL_NOVA_UNKNOWN, turn)
    return tuple(grouping.groups)


def last_exchanges(groups: Sequence[TurnGroup], max_turns: int) -> tuple[TurnGroup, ...]:
    """Everything from the ``max_turns``-last exchange onward; groups of Nova alone cost nothing (step 4)."""
    if max_turns <= 0:
        return ()
    exchanges = [index for index, group in enumerate(groups) if group.is_exchange]
    start = exchanges[-max_turns] if len(exchanges) > max_turns else 0
    return tuple(groups[start:])


def format_session_turns_numbered(
    turns: Sequence[SessionTurn],
    *,
    max_turns: int = DEFAULT_SESSION.window_exchanges,
    max_window_chars: int = DEFAULT_SESSION.window_max_chars,
) -> str:
    """The conversation as numbered lines, ``""`` if there is nothing to show.

    Args:
        turns: session turns, oldest first.
        max_turns: exchanges (not groups) to show.
        max_window_chars: limit of the whole text, characters; oldest groups fall entirely until it fits or one group
            is left. No contribution is ever cut.
    """
    groups = last_exchanges(group_turns(turns), max_turns)
    text = _render(groups)
    while len(text) > max_window_chars and len(groups) > 1:
        groups = groups[1:]
        text = _render(groups)
    return text


def _render(groups: Sequence[TurnGroup]) -> str:
    return "\n".join(
        f"[{number}] {_line(utterance)}"
        for number, group in enumerate(groups, start=1)
        for utterance in group.utterances
    )


def _line(utterance: Utterance) -> str:
    if utterance.label != LABEL_USER:
        return f"{utterance.label}: {utterance.text}"
    emotion = utterance.turn.get("emotion")
    return (
        f"{LABEL_USER}{f' ({emotion})' if emotion else ''}{_outcome_mark(utterance.turn)}: {utterance.text}"
    )


def _outcome_mark(turn: SessionTurn) -> str:
    if not turn.get("aktion_erledigt"):
        return ""
    return f" {MARK_DONE if turn.get('aktion_erfolgreich') else MARK_FAILED}"
