"""``salience``: how much the stimulus, or Nova's answer, deserves to be kept (spec 05 §3.12).

So far it rates and hands on; what is kept follows with the memory that keeps it. Logs as ``salienz``.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Final

from langgraph.runtime import Runtime
from pydantic import JsonValue

from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_text
from novaberg.errors import ModelError, ModelReplyError
from novaberg.graph.asking import ask
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import open_span
from novaberg.language import Language
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.models.material import SalienceMaterial, Speaker
from novaberg.models.protocol import Block, ChatRequest, Message, Priority
from novaberg.models.replies import SalienceReply
from novaberg.personality import Emotion
from novaberg.vocabulary import EMOTION_CANON, INTENTION_CANON, MODE_CANON

log = logging.getLogger(__name__)

NODE = "salienz"
CALLER: Final = "salienz"


@dataclass(frozen=True, slots=True)
class _Object:
    """What is rated in this graph."""

    text: str
    situation: str
    role: Speaker
    task: str
    label: str
    emotion: Emotion


@dataclass(frozen=True, slots=True)
class Rating:
    """What is read of a reply. ``None`` = the model gave no usable number; never the same as 0.0."""

    salience: float | None
    intentions: tuple[str, ...]


async def salience(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """``salienz_human`` and ``user_intentionen`` in the HumanGraph; a rated and logged answer in the CharacterGraph.

    A model that fails costs the rating, not the turn: the failure is logged and the value stays undetermined.
    """
    pipeline_log = runtime.context.services.stores.pipeline_log
    span = open_span(pipeline_log, state, NODE)
    rated = _rated_object(state)
    pipeline_log.switch(
        span,
        NODE,
        {
            "graph_rolle": state.get("graph_rolle", ""),
            "eingabe_label": rated.label,
            "bewertungs_laenge": len(rated.text),
            "lagebild_laenge": len(rated.situation),
            "aufgaben_block": rated.task,
        },
    )
    if not rated.text.strip():
        log.error("salience of turn %s has nothing to rate (%s is empty)", state.get("turn_id"), rated.label)
        pipeline_log.fehler(span, NODE, {"grund": "bewertungsobjekt_leer"})
        pipeline_log.span_end(span, NODE, {"abbruch": True})
        return {}
    rating = await _rate(runtime.context, span, rated)
    update = _human_update(pipeline_log, span, rating) if rated.role == "user" else _answer_update()
    pipeline_log.span_end(span, NODE, {"abbruch": False})
    return update


def _rated_object(state: ConversationState) -> _Object:
    if state.get("graph_rolle") == "character":
        internal = state.get("internal")
        return _Object(
            text=state.get("response", ""),
            situation=stimulus_text(state),
            role="assistant",
            task="salienz.assistant_task",
            label="response",
            emotion=internal.emotion if internal else Emotion(),
        )
    external = state.get("external")
    return _Object(
        text=stimulus_text(state),
        situation="",
        role="user",
        task="salienz.task",
        label="reiz",
        emotion=external.emotion if external else Emotion(),
    )


async def _rate(context: GraphContext, span: LogHeader, rated: _Object) -> Rating:
    pipeline_log = context.services.stores.pipeline_log
    request = _request(context, rated)
    try:
        reply = await ask(pipeline_log, span, NODE, model=context.services.model, request=request)
    except ModelError as error:
        log.exception("salience could not be determined")
        if isinstance(error, ModelReplyError):
            pipeline_log.fehler(
                span, NODE, {"grund": "json_parsing", "fehler": f"{type(error).__name__}: {error.message}"}
            )
        return Rating(None, ())
    rating = read_rating(reply.data)
    pipeline_log.berechnung(
        span,
        NODE,
        {
            "schritt": "bewertung",
            "segment_index": 0,
            "segment_gesamt": 1,
            "segment_laenge": len(rated.text),
            "segment_kurz": rated.text[:60],
            "salienz": rating.salience,
            "intentionen": list(rating.intentions),
        },
    )
    return rating


def _request(context: GraphContext, rated: _Object) -> ChatRequest:
    services = context.services
    language = services.scene.language_of(rated.text)
    return ChatRequest(
        caller=CALLER,
        blocks=_blocks(context, rated, language),
        messages=(Message("user", _user_message(context, rated, language)),),
        material=SalienceMaterial(
            text=rated.text,
            situation=rated.situation,
            role=rated.role,
            language=language,
            emotion=rated.emotion,
        ),
        output=SalienceReply,
        temperature=0.05,
        max_output_tokens=1024,
        priority=Priority.TAIL,
    )


def _blocks(context: GraphContext, rated: _Object, language: Language) -> tuple[Block, ...]:
    prompts, model = context.services.prompts, context.services.model.name
    return (
        Block("IDENTITAET", prompts.block("salienz.identity", language=language, model=model)),
        Block(
            "AUFGABE",
            prompts.block(rated.task, language=language, model=model, name=context.services.scene.name),
        ),
        Block(
            "REGELN",
            prompts.block(
                "salienz.rules",
                language=language,
                model=model,
                intentions=", ".join(INTENTION_CANON),
                emotions=", ".join(EMOTION_CANON),
                modes=", ".join(MODE_CANON),
            ),
        ),
    )


def _user_message(context: GraphContext, rated: _Object, language: Language) -> str:
    """Situation first, object last: what is read last weighs most."""
    prompts = context.services.prompts
    parts = [prompts.block("salienz.objekt", language=language, text=rated.text)]
    if rated.situation:
        parts.insert(0, prompts.block("salienz.lagebild", language=language, situation=rated.situation))
    return "\n\n".join(parts)


def read_rating(data: JsonValue) -> Rating:
    """Salience and intentions of a reply; anything unreadable stays undetermined (spec 05 §3.12.4, §3.12.9)."""
    if not isinstance(data, dict):
        log.error("the salience reply is no object; the salience is not determined")
        return Rating(None, ())
    return Rating(_salience(data.get("salienz")), _intentions(data.get("intentionen")))


def _salience(raw: JsonValue) -> float | None:
    try:
        value = float(raw)  # type: ignore[arg-type]  # whatever float() refuses is unreadable
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        log.error("salience %r is unreadable; it is not determined", raw)
        return None
    return value


def _intentions(raw: JsonValue) -> tuple[str, ...]:
    values = raw if isinstance(raw, list) else []
    texts = [value.strip() for value in values if isinstance(value, str)]
    return tuple(dict.fromkeys(text for text in texts if text))


def _human_update(pipeline_log: PipelineLog, span: LogHeader, rating: Rating) -> StateUpdate:
    if rating.salience is None:
        log.error("the salience of what the person said could not be determined")
        pipeline_log.fehler(span, NODE, {"grund": "salienz_human_unermittelbar"})
        return {"salienz_human": None, "user_intentionen": rating.intentions}
    clipped = min(1.0, max(0.0, rating.salience))
    if clipped != rating.salience:
        log.warning("salience %s lies outside 0 to 1; clipped to %s", rating.salience, clipped)
    pipeline_log.berechnung(
        span,
        NODE,
        {
            "schritt": "salienz_human",
            "salienz_human": clipped,
            "segmentwerte": [round(rating.salience, 4)],
            "segmente": 1,
        },
    )
    return {"salienz_human": clipped, "user_intentionen": rating.intentions}


def _answer_update() -> StateUpdate:
    """The rating of an answer is in its row; nobody reads it from the state yet."""
    return {}
