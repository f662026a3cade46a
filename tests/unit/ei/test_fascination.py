from __future__ import annotations

from hypothesis import given

from novaberg.ei.curves import sin_sqrt_norm
from novaberg.ei.fascination import fascination
from tests.unit.ei.strategies import emotions, intents, modes, quick, unit


def test_fascination_by_hand_and_outside_its_tables() -> None:
    """Spec 02 §3.12."""
    held = fascination(emotion="neugierig", arousal=0.8, intent="creative", mode="kreativ")
    assert held.value == sin_sqrt_norm(0.8 * 1.5 * 1.30 * 1.35, 2.5)
    strange = fascination(emotion="neutral", arousal=1.0, intent="kreativ", mode="creative")
    assert strange.value == sin_sqrt_norm(0.975 * 1.065, 2.5)
    assert [(report.place, report.field) for report in strange.outside] == [
        ("faszination", "intent"),
        ("faszination", "mode"),
    ]


@quick
@given(emotions, unit, unit, intents, modes)
def test_more_arousal_never_fascinates_less(emotion: str, a: float, b: float, intent: str, mode: str) -> None:
    low, high = (
        fascination(emotion=emotion, arousal=arousal, intent=intent, mode=mode).value
        for arousal in sorted((a, b))
    )
    assert 0 <= low <= high <= 1
