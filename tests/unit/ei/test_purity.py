"""Every function gives the same twice and leaves its arguments as they were (spec 02 §9.3)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.ei.ageing import apply_decay, apply_lift
from novaberg.ei.blocks import consolidate_nova, nova_block, transfer_leading_emotion, user_block
from novaberg.ei.canon import pull, read_perception
from novaberg.ei.curiosity import readiness
from novaberg.ei.empathy import empathise
from novaberg.ei.fascination import fascination
from novaberg.ei.gate import ei_arousal
from novaberg.ei.gravitation import apply_gravitation
from novaberg.ei.monotony import value_variety
from novaberg.ei.mood import mood_vector
from novaberg.ei.nova_state import nova_state_mapping, read_nova_state
from novaberg.ei.space import move_space, space_target
from novaberg.ei.style import detect_style
from novaberg.ei.trajectory import emotion_trajectory
from tests.unit.ei import strategies as given_
from tests.unit.ei.strategies import quick

TEXTS = given_.modes
CALLS: dict[str, tuple[Callable[..., Any], st.SearchStrategy[tuple[Any, ...]]]] = {
    "canon": (lambda raw: pull("emotion", raw), st.tuples(given_.json_values)),
    "perception": (read_perception, st.tuples(given_.json_values)),
    "trajectory": (
        lambda turns, emotion: emotion_trajectory(
            turns, role="user", current_emotion=emotion, current_arousal=0.6, inject_current=True
        ),
        st.tuples(given_.turns, given_.emotions),
    ),
    "mood": (
        lambda turns, emotion: mood_vector(
            turns, role="user", current_emotion=emotion, current_arousal=0.6, inject_current=True
        ),
        st.tuples(given_.turns, given_.emotions),
    ),
    "gate": (
        lambda arousal, text: ei_arousal(arousal, relationship_dynamic=text, intent=text, tone=text),
        st.tuples(given_.unit, TEXTS),
    ),
    "style": (
        lambda turns, character: detect_style(turns, character, role="user"),
        st.tuples(given_.turns, given_.characters),
    ),
    "empathy": (empathise, st.tuples(given_.trajectories, given_.emotions, given_.unit)),
    "gravitation": (apply_gravitation, st.tuples(given_.trajectories, given_.points)),
    "curiosity": (
        lambda emotion, text: readiness(
            emotion=emotion,
            arousal=0.5,
            vector=text,
            mode=text,
            relationship_dynamic=text,
            language_style=text,
        ),
        st.tuples(given_.emotions, TEXTS),
    ),
    "fascination": (
        lambda emotion, text: fascination(emotion=emotion, arousal=0.5, intent=text, mode=text),
        st.tuples(given_.emotions, TEXTS),
    ),
    "space target": (space_target, st.tuples(given_.modes, given_.dynamics, given_.styles)),
    "space move": (move_space, st.tuples(given_.spaces, given_.spaces, st.floats(-1, 3))),
    "decay": (
        lambda emotion, stored: apply_decay(emotion, stored, now=9000.0, origin="nutzer_turn"),
        st.tuples(given_.emotion_values, st.none() | st.sampled_from(["0", "8000.5", "x"])),
    ),
    "lift": (
        lambda emotion, level: apply_lift(emotion, level, origin="eigener_impuls"),
        st.tuples(given_.emotion_values, st.none() | given_.unit),
    ),
    "transfer": (transfer_leading_emotion, st.tuples(given_.emotion_values, given_.trajectories)),
    "user block": (user_block, st.tuples(given_.turns, given_.emotion_values, given_.characters)),
    "nova block": (
        lambda turns, external, internal, space: nova_block(
            turns, external=external, internal=internal, space=space, person_spoke=True
        ),
        st.tuples(given_.turns, given_.emotion_values, given_.emotion_values, given_.spaces),
    ),
    "consolidation": (consolidate_nova, st.tuples(given_.turns, given_.emotion_values, given_.characters)),
    "state write": (
        lambda emotion, space, received: nova_state_mapping(
            emotion, space, origin="nutzer_turn", received_at=received, now=1.0
        ),
        st.tuples(given_.emotion_values, given_.spaces, given_.json_values),
    ),
    "state read": (
        read_nova_state,
        st.tuples(st.dictionaries(st.sampled_from(["arousal", "mode", "raum_tiefe"]), st.text(max_size=4))),
    ),
    "monotony": (
        lambda emotions: value_variety([emotion.to_dict() for emotion in emotions] * 30),
        st.tuples(st.lists(given_.emotion_values, max_size=3)),
    ),
}


@pytest.mark.parametrize("name", CALLS)
@quick
@given(data=st.data())
def test_the_same_twice_and_arguments_untouched(name: str, data: st.DataObject) -> None:
    """Spec 02 §8 trap 11: shallow copies mutated the caller's course."""
    function, strategy = CALLS[name]
    arguments = data.draw(strategy)
    before = copy.deepcopy(arguments)
    first = function(*arguments)
    second = function(*arguments)
    assert repr(arguments) == repr(before)
    assert repr(first) == repr(second)
