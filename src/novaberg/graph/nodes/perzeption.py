"""``perzeption``: one call that turns one text into eight classified fields (seed: node-perzeption).

It runs twice a turn: on what the person said (HumanGraph) and on Nova's finished answer (``perzeption_assistant`` in the
CharacterGraph). The node itself does not branch on the role; helpers do. It observes; it decides nothing. Only the
running session may colour the reading, never long-term memory.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Final, Literal

from langgraph.runtime import Runtime

from novaberg.conversation.state import ConversationState, PerceptionOrigin, StateUpdate
from novaberg.conversation.stimulus import stimulus_text
from novaberg.ei.canon import DEFAULT_PERCEPTION, Outlier, Perception, read_perception
from novaberg.errors import ModelError, ModelReplyError, StoreError
from novaberg.graph.asking import ask
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import header
from novaberg.graph.utterances import utterances
from novaberg.language import Language
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.memory.session import SessionTurn
from novaberg.memory.session_format import format_session_turns_numbered
from novaberg.models.material import PerceptionMaterial, Speaker
from novaberg.models.protocol import Block, ChatRequest, Message, Priority
from novaberg.models.replies import PerceptionReply
from novaberg.personality import InternalPersonality, Personality
from novaberg.vocabulary import ROLE_ASSISTANT, ROLE_USER

log = logging.getLogger(__name__)

NODE = "perzeption"
CALLER: Final = "perzeption"
HISTORY_EXCHANGES: Final = 5
"""Exchanges of the session that colour the reading (seed: node-perzeption §4.2)."""

ContextStatus = Literal["geladen", "leer", "ohne_nutzer", "ausgefallen"]
ReadStatus = Literal["gelesen", "standardwerte"]


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The session as perception sees it. ``ausgefallen`` and ``leer`` look alike to the model; the status tells them."""

    text: str
    turns: tuple[SessionTurn, ...]
    status: ContextStatus


@dataclass(frozen=True, slots=True)
class Collected:
    """Outcome of the model call."""

    perception: Perception
    status: ReadStatus
    outliers: tuple[Outlier, ...] = ()


async def perzeption(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """The side's personality with eight freshly perceived fields, and the origin of that reading.

    Raises:
        ModelError: the server failed while reading the person; path 1 then breaks off visibly. An unreadable reply is
            no such failure: it gives the defaults with origin ``standardwerte``, without asking again.
    """
    context = runtime.context
    pipeline_log = context.services.stores.pipeline_log
    role = _role(state)
    text = choose_input(state, role)
    log.info("perception of role %s: %d characters", role, len(text))
    session = await load_session_context(state, context)
    collected = await collect_perception(state, context, text=text, role=role, session=session)
    _record(pipeline_log, header(state), role=role, text=text, session=session, collected=collected)
    return write_perception(state, role, collected)


def _role(state: ConversationState) -> Speaker:
    return ROLE_ASSISTANT if state.get("perzeption_rolle") == ROLE_ASSISTANT else ROLE_USER


# ── which text is read, which side is written ────────────────────────────────


def choose_input(state: ConversationState, role: Speaker) -> str:
    """Nova's answer, or the stimulus."""
    return state.get("response", "") if role == ROLE_ASSISTANT else stimulus_text(state)


def write_perception(state: ConversationState, role: Speaker, collected: Collected) -> StateUpdate:
    """The perceived fields in the side that was read; its vector stays."""
    origin: PerceptionOrigin = collected.status
    if role == ROLE_ASSISTANT:
        internal = state.get("internal") or InternalPersonality()
        return {
            "internal": replace(internal, emotion=collected.perception.into(internal.emotion)),
            "internal_herkunft": origin,
        }
    external = state.get("external") or Personality()
    return {
        "external": replace(external, emotion=collected.perception.into(external.emotion)),
        "external_herkunft": origin,
    }


# ── session ──────────────────────────────────────────────────────────────────


async def load_session_context(state: ConversationState, context: GraphContext) -> SessionContext:
    """The last five exchanges, numbered, and what became of loading them."""
    if not state.get("user_id"):
        return SessionContext("", (), "ohne_nutzer")
    try:
        snapshot = await context.session.snapshot()
    except StoreError as error:
        log.warning(
            "the session could not be read, perception goes on without it: %s", error.message, exc_info=True
        )
        return SessionContext("", (), "ausgefallen")
    text = format_session_turns_numbered(snapshot.turns, max_turns=HISTORY_EXCHANGES)
    return SessionContext(text, snapshot.turns, "geladen" if text else "leer")


# ── model call ───────────────────────────────────────────────────────────────


async def collect_perception(
    state: ConversationState, context: GraphContext, *, text: str, role: Speaker, session: SessionContext
) -> Collected:
    """Ask the model and read its reply."""
    services = context.services
    request = build_request(context, text=text, role=role, session=session)
    try:
        reply = await ask(
            services.stores.pipeline_log,
            header(state),
            NODE,
            model=services.perception_model,
            request=request,
        )
    except ModelError as error:
        if not _tolerable(error, role):
            raise
        log.warning("the perception of role %s stands on defaults: %s", role, error.message)
        return Collected(DEFAULT_PERCEPTION, "standardwerte")
    read = read_perception(reply.data)
    if not read.is_object:
        log.warning("the perception of role %s stands on defaults: the reply is no object", role)
        return Collected(DEFAULT_PERCEPTION, "standardwerte")
    return Collected(read.perception, "gelesen", read.outliers)


def _tolerable(error: ModelError, role: Speaker) -> bool:
    """An unreadable reply always; a failing server only once the answer is out, because it must not undo it."""
    return isinstance(error, ModelReplyError) or role == ROLE_ASSISTANT


def build_request(context: GraphContext, *, text: str, role: Speaker, session: SessionContext) -> ChatRequest:
    """The request; the text itself is the only message, unprocessed (seed: node-perzeption §4.3)."""
    language = context.services.scene.language_of(text)
    return ChatRequest(
        caller=CALLER,
        blocks=build_system_prompt(context, language=language, role=role, session_text=session.text),
        messages=(Message("user", text),),
        material=PerceptionMaterial(
            text=text,
            role=role,
            language=language,
            history=utterances(session.turns)[-2 * HISTORY_EXCHANGES :],
        ),
        output=PerceptionReply,
        retry_invalid=False,
        temperature=0.05,
        max_output_tokens=512,
        priority=Priority.ANSWER if role == ROLE_USER else Priority.TAIL,
    )


def build_system_prompt(
    context: GraphContext, *, language: Language, role: Speaker, session_text: str
) -> tuple[Block, ...]:
    """``[IDENTITAET]`` → ``[AUFGABE]`` → ``[KONTEXT]``, only with history → ``[REGELN]``."""
    prompts, model = context.services.prompts, context.services.perception_model.name
    task = "perzeption.assistant_task" if role == ROLE_ASSISTANT else "perzeption.task"
    identity = prompts.block(
        "perzeption.identity", language=language, model=model, today=context.today(language)
    )
    blocks = [
        Block("IDENTITAET", identity),
        Block("AUFGABE", prompts.block(task, language=language, model=model)),
    ]
    if session_text:
        text = prompts.block("perzeption.context", language=language, model=model, turns=session_text)
        blocks.append(Block("KONTEXT", text))
    blocks.append(Block("REGELN", prompts.block("perzeption.rules", language=language, model=model)))
    return tuple(blocks)


# ── rows (seed: node-perzeption §5a) ─────────────────────────────────────────


def _record(
    pipeline_log: PipelineLog,
    head: LogHeader,
    *,
    role: Speaker,
    text: str,
    session: SessionContext,
    collected: Collected,
) -> None:
    for outlier in collected.outliers:
        pipeline_log.berechnung(
            head,
            NODE,
            {
                "schritt": "kanon_ausreisser",
                "feld": outlier.field,
                "wert": outlier.value,
                "fremdes_feld": outlier.foreign_field,
                "rolle": role,
            },
        )
    pipeline_log.decision(
        head, NODE, "perzeption.kontext", session.status, rolle=role, zeichen=len(session.text)
    )
    pipeline_log.decision(
        head,
        NODE,
        "perzeption.wahrnehmung",
        collected.status,
        rolle=role,
        ziel="internal" if role == ROLE_ASSISTANT else "external",
        zeichen=len(text),
        ausreisser=len(collected.outliers),
    )
