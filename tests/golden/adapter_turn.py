"""Adapters for ``turn.json`` (spec 01 §9.1). Rooms are entered late: a missing one fails its own rows only."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from novaberg.ei.ageing import apply_decay, apply_lift, categories_jump, dampen_arousal, decay_factor
from novaberg.ei.nova_state import read_nova_state
from novaberg.ei.space import pull_axis, space_target
from novaberg.landscape.delivery_gates import (
    Gate,
    StanceStand,
    delivery_gates,
    impulse_emotion_ok,
    impulse_mode_score,
)
from tests.golden.shapes import emotion_json, emotion_of, space_json

Given = dict[str, Any]


def _room(name: str) -> Any:
    return import_module(f"novaberg.{name}")


def _apply_decay(given: Given) -> Any:
    decay = apply_decay(
        emotion_of(given["emotion"]), given.get("nutzer_zeit"), now=given["now"], origin=given["herkunft"]
    )
    return {"emotion": emotion_json(decay.emotion), "log": decay.row}


def _apply_lift(given: Given) -> Any:
    lift = apply_lift(emotion_of(given["emotion"]), given["level"], origin=given["herkunft"])
    return {"emotion": emotion_json(lift.emotion), "log": lift.row}


def _load_nova_state(given: Given) -> Any:
    state = read_nova_state(given)
    return {
        "emotion": emotion_json(state.emotion),
        "raum": space_json(state.space),
        "loaded": state.space_loaded,
    }


def _stimulus(given: Given) -> Any:
    stimulus = _room("conversation.stimulus")
    return {
        "is_own_thought": stimulus.stimulus_is_own_thought(given),
        "text": stimulus.stimulus_text(given),
        "level": stimulus.stimulus_level(given),
        "herkunft": stimulus.stimulus_origin(given),
    }


def _intake_block(given: Given) -> Any:
    block = _room("conversation.intake").cut_block(given["messages"], window=given["window"])
    return {"ids": list(block.ids), "prompt": block.prompt}


def _gate_json(gate: Gate) -> dict[str, Any]:
    return {"durchlaessig": gate.passes, "wert": gate.value, "grund": gate.reason}


def _stand(data: dict[str, Any] | None) -> StanceStand | None:
    if data is None:
        return None
    return StanceStand(
        computed=data["gerechnet"],
        closeness=(data.get("werte") or {}).get("naehe"),
        time=data.get("zeit"),
        initiative=data.get("initiative"),
    )


def _delivery_gates(given: Given) -> Any:
    gates = delivery_gates(_stand(given["stand"]), given["now"])
    return {"wollen": _gate_json(gates.wanting), "frequenz": _gate_json(gates.frequency)}


TURN: dict[str, Callable[[Given], Any]] = {
    "decay_factor": lambda given: decay_factor(given["pause_seconds"]),
    "dampen_arousal": lambda given: dampen_arousal(given["arousal"], given["factor"]),
    "categories_jump": lambda given: categories_jump(given["factor"]),
    "apply_decay": _apply_decay,
    "apply_lift": _apply_lift,
    "stimulus": _stimulus,
    "retry_payload": lambda given: _room("conversation.events").retry_payload(given),
    "log_source": lambda given: _room("conversation.stimulus").log_source(given),
    "room_from_labels": lambda given: space_json(
        space_target(given["mode"], given["relationship_dynamic"], given["language_style"]).space
    ),
    "room_step": lambda given: pull_axis(given["current"], given["target"], given["character_factor"]),
    "load_nova_state": _load_nova_state,
    "emotion_from_payload": lambda given: emotion_json(
        _room("conversation.events").emotion_from_payload(given)
    ),
    "intake_block": _intake_block,
    "self_trigger_allowed": lambda given: _room("conversation.events").self_trigger_allowed(
        given["trigger_count"]
    ),
    "route_after_router": lambda given: _room("graph.routing").after_router(given),
    "route_after_planner": lambda given: _room("graph.routing").after_planner(given),
    "route_after_stance": lambda given: _room("graph.routing").after_stance(given),
    "route_after_evaluate": lambda given: _room("graph.routing").after_evaluate(given),
    "delivery_gates": _delivery_gates,
    "impulse_emotion_ok": lambda given: impulse_emotion_ok(given["stack_aufgabe"], given["user_emotion"]),
    "impulse_mode_score": lambda given: impulse_mode_score(given["stack_modus"], given["gespraechs_modus"]),
}
