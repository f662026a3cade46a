from __future__ import annotations

import pytest
from pydantic import JsonValue

from novaberg.turns.messages import Message
from novaberg.web.stages import origins_of, stage_line, strip_text, strip_title
from novaberg.web.texts import ENGLISH, GERMAN


def stage(
    node: str = "perzeption", label: str = "Perzeption — Wahrnehmung", detail: str = "freude"
) -> Message:
    return {"typ": "character_stage", "node": node, "label": label, "detail": detail}


def test_a_stage_is_label_and_detail() -> None:
    """Spec 07 §3.3."""
    assert stage_line(stage(), GERMAN) == "Perzeption — Wahrnehmung · freude"
    assert stage_line(stage(detail="—"), GERMAN) == "Perzeption — Wahrnehmung"
    assert stage_line(stage(), ENGLISH) == "Perception — what is heard · freude"


def test_an_unknown_node_is_its_own_label() -> None:
    """Spec 07 §3.3."""
    assert stage_line({"node": "neuer_knoten"}, GERMAN) == "neuer_knoten"
    assert stage_line(stage(node="neuer_knoten", label="Neuer Knoten"), ENGLISH) == "Neuer Knoten · freude"


def test_the_strip_counts_what_it_saw_and_tells_the_time_of_the_answer() -> None:
    """Spec 07 §3.3: "12 Schritte, 8,4 s"."""
    ending: Message = {"timings": {"answer_ms": 8400.0, "total_ms": 9000}}
    assert strip_text(12, ending, None, GERMAN) == "12 Schritte, 8,4 s"
    assert strip_text(1, ending, 3.0, ENGLISH) == "1 step, 8.4 s"
    assert strip_text(12, {}, 0.42, GERMAN) == "12 Schritte, 0,4 s"
    assert strip_title(ending, GERMAN) == "Antwort nach 8,4 s, ganzer Ablauf 9,0 s"


def test_what_is_not_known_is_not_made_up() -> None:
    assert strip_text(None, {}, 0.42, GERMAN) == "Ablauf, 0,4 s"
    assert strip_text(None, {}, None, GERMAN) == "Ablauf"
    assert strip_title({}, GERMAN) == ""


@pytest.mark.parametrize(
    ("external", "internal", "told"),
    [
        ({"herkunft": "gelesen", "emotion": "neutral"}, {"herkunft": "gelesen"}, ()),
        (
            {"herkunft": "standardwerte"},
            {"herkunft": "gelesen"},
            ("Wahrnehmung: nicht lesbar, Standardwerte",),
        ),
        ({"herkunft": "nicht_wahrgenommen"}, None, ("Wahrnehmung: ausgefallen, keine Werte",)),
        (None, {"herkunft": "standardwerte"}, ("Selbstwahrnehmung: nicht lesbar, Standardwerte",)),
        ({"herkunft": "etwas Neues"}, None, ("Wahrnehmung: ausgefallen, keine Werte",)),
        (None, None, ()),
    ],
)
def test_values_that_were_not_perceived_say_so(
    external: JsonValue, internal: JsonValue, told: tuple[str, ...]
) -> None:
    """Design §6 rule 1: never a silent neutral."""
    assert origins_of({"external": external, "internal": internal}, GERMAN) == told
