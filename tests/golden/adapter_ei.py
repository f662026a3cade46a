"""Adapters for ``ei.json`` (spec 02 §9.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from novaberg.ei import curiosity, fascination, gate, nova_state
from novaberg.ei.ageing import categories_jump, dampen_arousal, decay_factor
from novaberg.ei.blocks import EiCalibration, nova_block, user_block
from novaberg.ei.canon import pull, read_arousal, read_perception
from novaberg.ei.curves import arousal_label, arousal_to_float, sin_sqrt_norm, smooth
from novaberg.ei.empathy import empathise
from novaberg.ei.factors import FactorTable, OutsideTable, neutral_factor
from novaberg.ei.gravitation import apply_gravitation, gravitation_score
from novaberg.ei.mood import mood_vector
from novaberg.ei.plausibility import plausible_mode, plausible_style
from novaberg.ei.sectors import sector_distance, sector_exponent, sector_of
from novaberg.ei.space import move_space, pull_axis, space_target
from novaberg.ei.style import detect_style, hash_style, style_features
from novaberg.ei.trajectory import DEFAULT_TRAJECTORY, TrajectoryCalibration, emotion_trajectory
from novaberg.vocabulary import group_of
from tests.golden.shapes import emotion_of, space_json, space_of

Given = dict[str, Any]

TABLES: dict[str, FactorTable] = {
    "gate.beziehungs_dynamik": gate.EI_DYNAMIC_FACTORS,
    "gate.intent": gate.EI_INTENT_FACTORS,
    "gate.tone": gate.EI_TONE_FACTORS,
    "openness.modus": curiosity.OPENNESS_MODE,
    "openness.beziehungs_dynamik": curiosity.OPENNESS_DYNAMIC,
    "openness.sprach_stil": curiosity.OPENNESS_STYLE,
    "fascination.intent": fascination.FASCINATION_INTENT,
    "fascination.mode": fascination.FASCINATION_MODE,
}


def _fields(outside: tuple[OutsideTable, ...]) -> list[str]:
    return [report.field for report in outside]


def _stimulus(given: Given) -> TrajectoryCalibration:
    return replace(
        DEFAULT_TRAJECTORY, stimulus_base=given["stimulus_base"], stimulus_slope=given["stimulus_slope"]
    )


def _canon_pull(given: Given) -> Any:
    result = pull(given["field"], given.get("raw"))
    return {
        "value": result.value,
        "stage": result.stage,
        "outlier": result.outlier,
        "foreign": list(result.foreign),
    }


def _sector_distance(given: Given) -> Any:
    a, b = given["a"], given["b"]
    return {"distance": sector_distance(a, b), "exponent": sector_exponent(a, b)}


def _emotion_group(given: Given) -> Any:
    return {"sector": sector_of(given["emotion"]), "group": group_of(given["emotion"])}


def _emotion_trajectory(given: Given) -> Any:
    course = emotion_trajectory(
        given["turns"],
        role=given["role"],
        current_emotion=given.get("current_emotion") or "",
        current_arousal=given.get("current_arousal"),
        inject_current=given["inject_current"],
        calibration=_stimulus(given),
    )
    return list(course.entries)


def _mood_vector(given: Given) -> Any:
    mood = mood_vector(
        given["turns"],
        role=given["role"],
        current_emotion=given.get("current_emotion") or "",
        current_arousal=given.get("current_arousal"),
        inject_current=given["inject_current"],
    )
    return {
        "vector": mood.vector,
        "source": mood.source,
        "intensity": mood.intensity,
        "intensity_source": mood.intensity_source,
    }


def _ei_arousal(given: Given) -> Any:
    gated = gate.ei_arousal(
        given["arousal"],
        relationship_dynamic=given["relationship_dynamic"],
        intent=given["intent"],
        tone=given["tone"],
    )
    return {"ei_arousal": gated.value, "error_fields": _fields(gated.outside)}


def _style_plausibility(given: Given) -> Any:
    return plausible_style(
        given["emotion"],
        given["ei_arousal"],
        perceived=given["perceived_style"],
        rule=given["rule_style"],
        tone=given["tone"],
    )


def _detect_style(given: Given) -> Any:
    return detect_style(given["turns"], given.get("character_hash"), role=given["role"]).style


def _empathy(given: Given) -> Any:
    result = empathise(given["nova_trajectory"], given["user_emotion"], given["user_arousal"])
    return {
        "emotion": result.emotion,
        "arousal": result.arousal,
        "conflict": result.conflict,
        "trajectory": list(result.trajectory),
    }


def _gravitation_score(given: Given) -> Any:
    score = gravitation_score(
        given["source"],
        similarity=given["similarity"],
        weight=given["weight"],
        age_days=given["age_days"],
    )
    return {"time_decay": score.time_decay, "gravitation": score.gravitation, "active": score.active}


def _openness(given: Given) -> Any:
    ready = curiosity.readiness(
        emotion=given["emotion"],
        arousal=given["arousal"],
        vector=given["vector"],
        mode=given["mode"],
        relationship_dynamic=given["relationship_dynamic"],
        language_style=given["language_style"],
    )
    return {"value": ready.value, "raw": ready.raw, "error_fields": _fields(ready.outside)}


def _register_compatibility(given: Given) -> Any:
    return curiosity.register_fit(
        given["gap_arousal"], mode=given["mode"], relationship_dynamic=given["relationship_dynamic"]
    )


def _fascination_gap(given: Given) -> Any:
    held = fascination.fascination(
        emotion=given["emotion"], arousal=given["arousal"], intent=given["intent"], mode=given["mode"]
    )
    return {"value": held.value, "error_fields": _fields(held.outside)}


def _space_walk(given: Given) -> Any:
    space, walked = space_of(given), []
    for mode, dynamic, style in given["steps"]:
        space = move_space(space, space_target(mode, dynamic, style).space, given["factor"])
        walked.append(space_json(space))
    return walked


def _read_perception(given: Given) -> Any:
    read = read_perception(given["parsed"])
    seen = read.perception
    return {
        "fields": {
            "intent": seen.intent,
            "tone": seen.tone,
            "thema": seen.topic,
            "emotion": seen.emotion,
            "arousal": seen.arousal,
            "modus": seen.mode,
            "sprach_stil": seen.language_style,
            "beziehungs_dynamik": seen.relationship_dynamic,
        },
        "outliers": [
            {"feld": outlier.field, "wert": outlier.value, "fremdes_feld": outlier.foreign_field}
            for outlier in read.outliers
        ],
    }


def _nova_state_mapping(given: Given) -> Any:
    return nova_state.nova_state_mapping(
        emotion_of(given["emotion"]),
        space_of(given["raum"]),
        origin=given["origin"],
        received_at=given.get("received_at"),
        now=given["now"],
    ).fields


def _user_block(given: Given) -> Any:
    character = given.get("character")
    block = user_block(
        given["turns"],
        emotion_of(given["perception"]),
        character if character and any(character.values()) else None,
        EiCalibration(trajectory=_stimulus(given)),
    )
    return {
        "trajectory": list(block.trajectory.entries),
        "vector": block.emotion.emotions_vector,
        "vector_source": block.emotion.emotions_vector_quelle,
        "ei_arousal": block.consolidation.gate.value,
        "mode": block.emotion.mode,
        "rule_style": block.consolidation.rule_style.style,
        "language_style": block.emotion.language_style,
    }


def _nova_block(given: Given) -> Any:
    external = given.get("external")
    block = nova_block(
        given["turns"],
        external=None if external is None else emotion_of(external),
        internal=emotion_of(given["internal"]),
        space=space_of(given["internal"], "raum_"),
        person_spoke=given["event_source"] == "user",
        calibration=EiCalibration(trajectory=_stimulus(given)),
    )
    return {
        "trajectory": list(block.trajectory),
        "conflict": block.conflict,
        "vector": block.emotion.emotions_vector,
        "vector_source": block.emotion.emotions_vector_quelle,
        "emotion": block.emotion.emotion,
        "arousal": block.emotion.arousal,
        "raum_tiefe": block.space.depth,
        "raum_naehe": block.space.closeness,
    }


EI: dict[str, Callable[[Given], Any]] = {
    "canon_pull": _canon_pull,
    "table_neutral": lambda given: TABLES[given["table"]].neutral,
    "table_neutral_generic": lambda given: neutral_factor(given["entries"]),
    "sector_distance": _sector_distance,
    "emotion_group": _emotion_group,
    "smooth": lambda given: smooth(given["raw"]),
    "sin_sqrt_norm": lambda given: sin_sqrt_norm(given["value"], given["cap"]),
    "arousal_to_float": lambda given: arousal_to_float(given.get("raw"), given["emotion"]),
    "read_arousal": lambda given: read_arousal(given.get("raw")),
    "arousal_label": lambda given: arousal_label(given["value"]),
    "emotion_trajectory": _emotion_trajectory,
    "mood_vector": _mood_vector,
    "ei_arousal": _ei_arousal,
    "mode_plausibility": lambda given: plausible_mode(given["emotion"], given["ei_arousal"], given["mode"]),
    "style_plausibility": _style_plausibility,
    "style_features": lambda given: style_features(given["text"]),
    "hash_style": lambda given: hash_style(given.get("character_hash") or {}),
    "detect_style": _detect_style,
    "empathy": _empathy,
    "gravitation_apply": lambda given: list(apply_gravitation(given["nova_trajectory"], given["points"])),
    "gravitation_score": _gravitation_score,
    "openness": _openness,
    "register_compatibility": _register_compatibility,
    "session_freshness": lambda given: curiosity.session_freshness(given["turn_distance"]),
    "fascination_gap": _fascination_gap,
    "space_pull": lambda given: pull_axis(given["current"], given["target"], given["factor"]),
    "space_target": lambda given: space_json(
        space_target(given["mode"], given["relationship_dynamic"], given["language_style"]).space
    ),
    "space_walk": _space_walk,
    "pause_decay": lambda given: {
        "factor": decay_factor(given["pause_seconds"]),
        "categories_jump": categories_jump(decay_factor(given["pause_seconds"])),
    },
    "arousal_damp": lambda given: dampen_arousal(given["arousal"], given["factor"]),
    "read_perception": _read_perception,
    "nova_state_mapping": _nova_state_mapping,
    "user_block": _user_block,
    "nova_block": _nova_block,
}
