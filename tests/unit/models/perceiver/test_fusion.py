from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novaberg.models.perceiver.fusion import arousal_of, emotion_scores
from novaberg.models.perceiver.heads import FIELDS, Opinions
from novaberg.models.perceiver.mapping import BRIGHTER_LABELS, GOEMOTIONS_LABELS
from novaberg.models.perceiver.surface import SURFACE_SIZE, surface_of
from novaberg.vocabulary import EMOTION_CANON

_BASE = np.array([0.295, 0.32, 0.092, 0.208, 0.198, 0.061], dtype=np.float32)


def _opinions(
    *,
    go: np.ndarray | None = None,
    brighter: np.ndarray | None = None,
    emotions: np.ndarray | None = None,
    arousal: float = 0.4,
    intensity: float = 0.5,
) -> Opinions:
    flat = np.full(len(EMOTION_CANON), 1 / len(EMOTION_CANON), np.float32)
    return Opinions(
        goemotions=np.full(len(GOEMOTIONS_LABELS), 0.04, np.float32) if go is None else go,
        brighter=_BASE if brighter is None else brighter,
        intensity=intensity,
        emotions=flat if emotions is None else emotions,
        fields={name: np.full(len(canon), 1 / len(canon), np.float32) for name, canon in FIELDS.items()},
        arousal=arousal,
    )


@given(
    st.lists(st.floats(0, 1), min_size=28, max_size=28),
    st.lists(st.floats(0, 1), min_size=6, max_size=6),
    st.sampled_from(["de", "en"]),
)
def test_scores_are_chances_whatever_the_heads_say(
    go: list[float], brighter: list[float], language: str
) -> None:
    """`scores` of design §7: all 17, summing to 1."""
    scores = emotion_scores(
        _opinions(go=np.array(go, np.float32), brighter=np.array(brighter, np.float32)),
        language,  # type: ignore[arg-type]
    )
    assert scores.shape == (17,)
    assert (scores > 0).all()
    assert abs(scores.sum() - 1) < 1e-9


def test_a_forum_label_lifts_its_sector_and_takes_from_neutral() -> None:
    """A six-label head that is sure of anger speaks for sector 7."""
    angry = _BASE.copy()
    angry[BRIGHTER_LABELS.index("anger")] = 0.95
    before, after = emotion_scores(_opinions(), "de"), emotion_scores(_opinions(brighter=angry), "de")
    wut, neutral = EMOTION_CANON.index("wut"), EMOTION_CANON.index("neutral")
    assert after[wut] > before[wut]
    assert after[neutral] < before[neutral]


def test_the_english_head_weighs_more_for_english() -> None:
    """It was trained on English texts."""
    go = np.full(len(GOEMOTIONS_LABELS), 0.01, np.float32)
    go[GOEMOTIONS_LABELS.index("curiosity")] = 0.9
    place = EMOTION_CANON.index("neugierig")
    english, german = emotion_scores(_opinions(go=go), "en"), emotion_scores(_opinions(go=go), "de")
    assert english[place] > german[place]


@given(st.floats(0, 1), st.floats(0, 3), st.text(max_size=80))
def test_arousal_stays_in_its_span(own: float, intensity: float, text: str) -> None:
    """spec 02 §2.5: 0 to 1; nothing that was read has no energy at all."""
    assert 0.1 <= arousal_of(_opinions(arousal=own, intensity=intensity), surface_of(text)) <= 0.95


def test_shouting_has_more_energy_than_saying() -> None:
    """The outer form counts, and never the other way round."""
    opinions = _opinions()
    calm, marks, shouted = (
        arousal_of(opinions, surface_of(text))
        for text in ("Komm jetzt her.", "Komm jetzt her!!!", "KOMM JETZT HER!!!")
    )
    assert calm < marks < shouted


def test_the_outer_form_has_a_fixed_number_of_features() -> None:
    """The heads depend on their order."""
    assert surface_of("").shape == (SURFACE_SIZE,)
    assert surface_of("").max() == 0
