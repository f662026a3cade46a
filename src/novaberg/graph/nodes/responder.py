"""``responder``: words Nova's answer (spec 05 §3.10, as far as its inputs exist)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final

from langgraph.runtime import Runtime

from novaberg.clock import local
from novaberg.conversation.answer import set_answer
from novaberg.conversation.state import ConversationState, StateUpdate
from novaberg.conversation.stimulus import stimulus_is_own_thought, stimulus_text
from novaberg.ei.adaptation import style_to_meet
from novaberg.ei.records import CourseEntry
from novaberg.graph.asking import ask
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import header
from novaberg.graph.utterances import chat_messages, utterances
from novaberg.language import Language
from novaberg.models.material import ReplyMaterial
from novaberg.models.protocol import Block, ChatRequest, Priority
from novaberg.personality import Character, Emotion, InternalPersonality, Personality
from novaberg.vocabulary import NEUTRAL

log = logging.getLogger(__name__)

NODE = "responder"
_SHOWN_EMOTIONS: Final = 3
_WEEKDAYS: Final[Mapping[Language, tuple[str, ...]]] = {
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
"""A table and not the system's locale, which may not have the language."""


async def responder(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """``response``, ``model`` and ``token_total``.

    Raises:
        ModelError: there is no answer; the turn is kept and tried again or handed to the person as failed.
    """
    context = runtime.context
    request = _request(context, state)
    services = context.services
    reply = await ask(
        services.stores.pipeline_log, header(state), NODE, model=services.model, request=request
    )
    return {
        **set_answer(state, reply.text, writer=NODE),
        "model": reply.model,
        "token_total": state.get("token_total", 0) + reply.token_total,
    }


def _request(context: GraphContext, state: ConversationState) -> ChatRequest:
    text = stimulus_text(state)
    language = context.services.scene.language_of(text)
    history = utterances(state.get("session_turns", ()))
    last = _block(context, "responder.ohne_reiz", language) if stimulus_is_own_thought(state) else text
    return ChatRequest(
        caller=NODE,
        blocks=_blocks(context, state, language),
        messages=chat_messages(history, last),
        material=_material(context, state, language),
        temperature=0.7,
        max_output_tokens=2048,
        top_p=0.9,
        repeat_penalty=1.1,
        presence_penalty=0.3,
        priority=Priority.ANSWER,
    )


def _material(context: GraphContext, state: ConversationState, language: Language) -> ReplyMaterial:
    services = context.services
    scene = services.scene
    return ReplyMaterial(
        text=stimulus_text(state),
        own_thought=stimulus_is_own_thought(state),
        language=language,
        name=scene.name,
        now=local(services.clock.now(), scene.timezone),
        region=scene.region,
        model_name=services.model.name,
        external=state.get("external", Personality()),
        internal=state.get("internal", InternalPersonality()),
        course=_names(state.get("emotions_verlauf", ())),
        nova_course=_names(state.get("nova_emotions_verlauf", ())),
        conflict=state.get("nova_emotion_konflikt", False),
        summary=state.get("session_summary", ""),
        history=utterances(state.get("session_turns", ())),
    )


def _names(course: Sequence[CourseEntry]) -> tuple[str, ...]:
    return tuple(entry["emotion"] for entry in course)


# ── prompt, coarse to fine; what binds stands last (spec 05 §3.10.2) ─────────


def _blocks(context: GraphContext, state: ConversationState, language: Language) -> tuple[Block, ...]:
    internal = state.get("internal", InternalPersonality())
    external = state.get("external", Personality())
    name = context.services.scene.name
    now = local(context.services.clock.now(), context.services.scene.timezone)
    # On an impulse Nova is both sides: her own character must not be told as the person's.
    person = "" if stimulus_is_own_thought(state) else _layers(external.character)

    def block(title: str, key: str, *, when: object = True, **values: object) -> tuple[Block, ...]:
        return (Block(title, _block(context, key, language, name=name, **values)),) if when else ()

    return (
        *block("ROLLE", "responder.rolle"),
        *block(
            "NOVA", "responder.nova", when=_layers(internal.character), character=_layers(internal.character)
        ),
        *block("MENSCH", "responder.mensch", when=person, character=person),
        *block(
            "GEDAECHTNIS",
            "responder.gedaechtnis",
            when=state.get("memory_context"),
            memory=state.get("memory_context", ""),
        ),
        *block(
            "SZENE",
            "responder.szene",
            weekday=_WEEKDAYS[language][now.weekday()],
            today=context.today(language),
        ),
        *block(
            "NOVAS EMOTION",
            "responder.nova_emotion",
            when=state.get("nova_emotions_verlauf"),
            course=_course(state.get("nova_emotions_verlauf", ())),
            vector=internal.emotion.emotions_vector or "–",
            conflict=_conflict(context, state, language),
        ),
        *_stimulus_block(context, state, language, external.emotion),
        *block(
            "DIREKTIVEN",
            "responder.direktiven",
            when=internal.directives,
            directives="\n".join(
                f"- {d.instruction}" + (f" ({d.context})" if d.context else "") for d in internal.directives
            ),
        ),
        *block(
            "WESEN",
            "responder.wesen",
            when=internal.identities,
            identities="\n".join(f"- {identity}" for identity in internal.identities),
        ),
        *block("REGELN", "responder.rules", region=context.services.scene.region),
    )


def _block(context: GraphContext, key: str, language: Language, **values: object) -> str:
    services = context.services
    return services.prompts.block(key, language=language, model=services.model.name, **values)


def _stimulus_block(
    context: GraphContext, state: ConversationState, language: Language, emotion: Emotion
) -> tuple[Block, ...]:
    """How the person is present. On an impulse nobody spoke: the thought is material here and never the person's
    message, because no prompt text cures a role (spec 01 §8 T14). An unperceived person is left out, not described by
    defaults."""
    if stimulus_is_own_thought(state):
        name, thought = context.services.scene.name, stimulus_text(state)
        text = _block(context, "responder.eigener_gedanke", language, name=name, thought=thought)
        return (Block("EIGENER GEDANKE", text),)
    if state.get("external_herkunft") != "gelesen":
        log.info("the person was not perceived in turn %s; no block describes them", state.get("turn_id"))
        return ()
    text = _block(
        context,
        "responder.mensch_emotion",
        language,
        emotion=emotion.emotion,
        arousal=f"{emotion.arousal:.1f}",
        vector=emotion.emotions_vector or "–",
        mode=emotion.mode,
        dynamic=emotion.relationship_dynamic,
        style=emotion.language_style,
        tone=emotion.tone,
    )
    return (Block("MENSCH GERADE", text), *_style_block(context, language, emotion))


def _style_block(context: GraphContext, language: Language, person: Emotion) -> tuple[Block, ...]:
    """How the wording follows the person's style (spec 02 §3.20); nothing where it shall stay as it is."""
    style = style_to_meet(person)
    if style is None:
        return ()
    lines = _block(context, f"responder.sprachstil_{style}", language)
    text = _block(
        context, "responder.sprachstil", language, name=context.services.scene.name, stil_zeilen=lines
    )
    return (Block("SPRACHSTIL", text),)


def _conflict(context: GraphContext, state: ConversationState, language: Language) -> str:
    return " " + _block(context, "responder.konflikt", language) if state.get("nova_emotion_konflikt") else ""


def _course(course: Sequence[CourseEntry]) -> str:
    shown = course[:_SHOWN_EMOTIONS]
    return ", ".join(f"{e['emotion']} ({e['gewicht']:.0%}, a={e['arousal']:.0%})" for e in shown) or NEUTRAL


def _layers(character: Character) -> str:
    layers = (
        character.core,
        character.adaptive,
        character.emotions,
        character.intentions,
        character.relationship,
    )
    return "\n".join(layer for layer in layers if layer)
