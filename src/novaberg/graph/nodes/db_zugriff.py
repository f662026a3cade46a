"""``db_zugriff``: the only place where identity and state are loaded (seed: node-db-zugriff).

The order of the calls is behaviour: it is the order of the log rows. Helpers stand and run in step order and are not
grouped by store.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from langgraph.runtime import Runtime

from novaberg.clock import unix_time
from novaberg.conversation.payload import emotion_from_payload
from novaberg.conversation.state import ConversationState, PerceptionOrigin, StateUpdate
from novaberg.conversation.stimulus import (
    event_payload,
    stimulus_is_own_thought,
    stimulus_level,
    stimulus_origin,
)
from novaberg.ei.ageing import Decay, apply_decay, apply_lift
from novaberg.ei.nova_state import NovaState, read_nova_state
from novaberg.errors import StoreError
from novaberg.graph.context import GraphContext
from novaberg.graph.rows import open_span
from novaberg.memory.identity import IdentityReader
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.pair import Pair, pair_or_none
from novaberg.personality import Character, Directive, Emotion, InternalPersonality, Personality, Space

log = logging.getLogger(__name__)

NODE = "db_zugriff"


async def db_zugriff(state: ConversationState, runtime: Runtime[GraphContext]) -> StateUpdate:
    """``external`` and ``internal``, complete before any other node runs.

    Raises:
        RedisUnavailableError: Nova's state cannot be read.
        DatabaseUnavailableError: a character cannot be read; without it the run makes no sense.
    """
    context = runtime.context
    pipeline_log = context.services.stores.pipeline_log
    span = _open(pipeline_log, state)
    pair = pair_or_none(span.user_id, span.character_id)
    external_emotion = emotion_from_payload(event_payload(state))
    emotion, space = await _load_nova_state(context, state, span, pair)
    async with context.services.stores.identity.open() as reader:
        external_character, internal_character = await _load_characters(pipeline_log, span, pair, reader)
        identities = await _load_identities(pipeline_log, span, pair, reader)
        directives = await _load_directives(pipeline_log, span, pair, reader)
    internal = InternalPersonality(internal_character, emotion, identities, directives, space)
    external = _external_side(
        pipeline_log, span, state, internal, Personality(external_character, external_emotion)
    )
    pipeline_log.span_end(span, NODE)
    return {"external": external, "internal": internal, "external_herkunft": _external_origin(state)}


def _open(pipeline_log: PipelineLog, state: ConversationState) -> LogHeader:
    """The span, and ERROR lines for what makes the run stand on defaults."""
    header: ConversationState = {**state, "turn_id": state.get("turn_id") or "unbekannt"}
    span = open_span(pipeline_log, header, NODE, quelle=state.get("ei_calc_rolle") or "character")
    if not span.user_id or not span.character_id:
        log.error("turn %s has no complete pair; it goes on with defaults", span.turn_id)
    if failure := event_payload(state).get("pfad1_ausfall"):
        log.error(
            "path 1 of turn %s broke off (%s): external.emotion %s",
            span.turn_id,
            failure,
            _what_is_left(state),
        )
    return span


def _what_is_left(state: ConversationState) -> str:
    if _external_origin(state) == "gelesen":
        return "was perceived, but has no vector and no plausibility"
    return "holds defaults and is not a measurement"


# ── step 2: Nova's state, its ageing, its space ──────────────────────────────


async def _load_nova_state(
    context: GraphContext, state: ConversationState, span: LogHeader, pair: Pair | None
) -> tuple[Emotion, Space]:
    services = context.services
    stored = await services.stores.nova_states.load(pair) if pair else {}
    services.stores.pipeline_log.db_read(
        span,
        NODE,
        {
            "tabelle": "redis:nova_state",
            "key": pair.key("nova_state") if pair else "",
            "exists": bool(stored),
        },
    )
    loaded = read_nova_state(stored)
    _report_loaded(loaded)
    now = unix_time(services.clock.now())
    decay = apply_decay(
        loaded.emotion,
        stored.get("nutzer_zeit"),
        now=now,
        origin=stimulus_origin(state),
        calibration=services.ageing,
    )
    _report_decay(services.stores.pipeline_log, span, loaded.emotion, decay, stored)
    emotion = _lift(services.stores.pipeline_log, span, state, decay.emotion)
    log.info(
        "db_zugriff step 2: cold_start=%s, emotion=%s, arousal=%s, raum=(%.2f, %.2f)%s",
        not loaded.exists,
        emotion.emotion,
        emotion.arousal,
        loaded.space.depth,
        loaded.space.closeness,
        "" if loaded.space_loaded else " [aus Labels abgeleitet]",
    )
    return emotion, loaded.space


def _report_loaded(loaded: NovaState) -> None:
    """Unreadable numbers are a defect; missing ones are normal. An unknown mode would give a depth nobody spoke with."""
    for field in loaded.unreadable:
        log.error(
            "nova_state.%s is not a number; what it stands for is derived instead", field, stack_info=True
        )
    if loaded.derived is not None:
        for outside in loaded.derived.outside:
            if outside.field == "modus":
                log.error("%s", outside.message)


def _report_decay(
    pipeline_log: PipelineLog, span: LogHeader, before: Emotion, decay: Decay, stored: Mapping[str, str]
) -> None:
    """The person's silence calms the state. The pause runs on ``nutzer_zeit``: a night with impulses stays a night."""
    _report_pause(decay, stored)
    if decay.row is not None and decay.pause is not None and decay.factor is not None:
        pipeline_log.berechnung(span, NODE, decay.row)
        log.info(
            "db_zugriff: Eigenzeit-Verfall — Pause %.0f s, Faktor %.2f, Erregung %.2f → %.2f, Kategorien %s",
            decay.pause.seconds,
            decay.factor,
            before.arousal,
            decay.emotion.arousal,
            decay.row["kategorien"],
        )


def _report_pause(decay: Decay, stored: Mapping[str, str]) -> None:
    if decay.pause is None:
        return
    if decay.pause.reading == "fehlt":
        log.info("nova_state carries no nutzer_zeit; the pause is unknown and nothing decays")
    elif decay.pause.reading == "unlesbar":
        log.error("nova_state.nutzer_zeit %r is unreadable; nothing decays", stored.get("nutzer_zeit"))


def _lift(pipeline_log: PipelineLog, span: LogHeader, state: ConversationState, emotion: Emotion) -> Emotion:
    """An own thought lifts the state to the level in which it was formed; it never lowers it. Its row stands also when
    there was no level: how often a thought brings one is what is measured."""
    lift = apply_lift(emotion, stimulus_level(state), origin=stimulus_origin(state))
    if lift.row is not None:
        pipeline_log.berechnung(span, NODE, lift.row)
        if lift.row["hinterlegt"] is None:
            log.info(
                "db_zugriff: Gedanken-Level — keiner hinterlegt, Erregung %.2f (kein_level)", emotion.arousal
            )
        else:
            log.info(
                "db_zugriff: Gedanken-Level — hinterlegt %.2f, Erregung %.2f → %.2f (%s)",
                lift.row["hinterlegt"],
                emotion.arousal,
                lift.emotion.arousal,
                lift.row["wirkung"],
            )
    return lift.emotion


# ── step 3: both characters ──────────────────────────────────────────────────


async def _load_characters(
    pipeline_log: PipelineLog, span: LogHeader, pair: Pair | None, reader: IdentityReader
) -> tuple[Character, Character]:
    """The person's row and Nova's own, in this order; a missing row gives empty layers."""
    external = await reader.load(pair.user_id, pair.character_id) if pair else None
    _character_row(pipeline_log, span, (span.user_id, span.character_id), "external", external)
    internal = await reader.load_nova(pair.user_id) if pair else None
    _character_row(pipeline_log, span, reader.nova_row(span.user_id), "internal", internal)
    return external or Character(), internal or Character()


def _character_row(
    pipeline_log: PipelineLog, span: LogHeader, key: tuple[str, str], role: str, character: Character | None
) -> None:
    pipeline_log.db_read(
        span,
        NODE,
        {
            "tabelle": "charakter_hash",
            "user_id": key[0],
            "character_id": key[1],
            "rolle": role,
            "hat_treffer": character is not None,
        },
    )


# ── step 4: identities, then directives ──────────────────────────────────────


async def _load_identities(
    pipeline_log: PipelineLog, span: LogHeader, pair: Pair | None, reader: IdentityReader
) -> tuple[str, ...]:
    """A read error costs the list, not the turn: a conversation is possible without."""
    identities: tuple[str, ...] = ()
    try:
        if pair:
            identities = await reader.identities(pair.user_id)
    except StoreError as error:
        _warn_empty("charakter_anweisungen", error)
    _count_row(pipeline_log, span, "charakter_anweisungen", len(identities))
    return identities


async def _load_directives(
    pipeline_log: PipelineLog, span: LogHeader, pair: Pair | None, reader: IdentityReader
) -> tuple[Directive, ...]:
    """As the identities."""
    directives: tuple[Directive, ...] = ()
    try:
        if pair:
            directives = await reader.directives(pair.user_id)
    except StoreError as error:
        _warn_empty("direktiven", error)
    _count_row(pipeline_log, span, "direktiven", len(directives))
    return directives


def _warn_empty(table: str, error: StoreError) -> None:
    log.warning("%s could not be read, the list stays empty: %s", table, error.message, exc_info=True)


def _count_row(pipeline_log: PipelineLog, span: LogHeader, table: str, count: int) -> None:
    pipeline_log.db_read(span, NODE, {"tabelle": table, "user_id": span.user_id, "count": count})


# ── step 5: assembly ─────────────────────────────────────────────────────────


def _external_side(
    pipeline_log: PipelineLog,
    span: LogHeader,
    state: ConversationState,
    internal: InternalPersonality,
    person: Personality,
) -> Personality:
    """The person, or on Nova's own impulse a copy of Nova herself: she is both sides then."""
    is_person = _person_is_counterpart(state)
    pipeline_log.switch(
        span,
        NODE,
        {
            "bedingung": "event_source",
            "wert": "user" if is_person else "pixie",
            "event_source": state.get("event_source", "user"),
            "zweig": "user_pfad" if is_person else "pixie_pfad_external_aus_internal",
        },
    )
    if is_person:
        return person
    return Personality(character=replace(internal.character), emotion=replace(internal.emotion))


def _person_is_counterpart(state: ConversationState) -> bool:
    """A retried turn of a person carries ``character`` as its source too, and still has the person opposite (spec 01
    §3.6.7)."""
    if state.get("event_source", "user") == "user":
        return True
    is_retry = event_payload(state).get("thinker_unsicher_retry") is True
    return is_retry and not stimulus_is_own_thought(state)


def _external_origin(state: ConversationState) -> PerceptionOrigin:
    match event_payload(state).get("wahrnehmung_herkunft"):
        case "gelesen":
            return "gelesen"
        case "standardwerte":
            return "standardwerte"
        case _:
            return "nicht_wahrgenommen"
