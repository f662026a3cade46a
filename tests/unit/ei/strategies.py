"""Inputs of the emotion mathematics, ordinary and odd."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from novaberg.personality import Emotion, Space
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    EMOTION_SYNONYMS,
    INTENT_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
    VECTOR_CANON,
)

quick = settings(deadline=None, max_examples=60)

unit = st.floats(0, 1)
hundredths = st.integers(0, 100).map(lambda value: value / 100)


def field(canon: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Values of a canon, values of other fields, and nonsense."""
    return st.sampled_from([*canon, "", "quatsch", "philosophischer_austausch", "begeisterung", "neutral"])


intents, tones, modes = field(INTENT_CANON), field(TONE_CANON), field(MODE_CANON)
styles, dynamics, vectors = field(STYLE_CANON), field(DYNAMIC_CANON), field(VECTOR_CANON)
emotions = st.sampled_from([*EMOTION_CANON, *EMOTION_SYNONYMS, "", "quark", "Ärger", " WUT "])

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)

turns = st.lists(
    st.fixed_dictionaries(
        {"rolle": st.sampled_from(["user", "assistant"])},
        optional={
            "emotion": emotions | st.none(),
            "arousal": unit | st.sampled_from(["high", "low", "0.7", None, 3, -1]),
            "inhalt": st.text(max_size=40) | st.sampled_from(["ey digga lol", "Sehr geehrte Damen", "Hm"]),
        },
    ),
    max_size=14,
)


def _strongest_first(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(entries, key=lambda entry: float(entry["gewicht"]), reverse=True)


_entry: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"emotion": emotions, "gewicht": hundredths, "arousal": hundredths}
)
trajectories = st.lists(_entry, max_size=5, unique_by=lambda entry: str(entry["emotion"])).map(
    _strongest_first
)

points = st.lists(
    st.fixed_dictionaries(
        {"emotion": emotions, "gravitation": unit, "quelle": st.sampled_from(["kzg", "lzg"])},
        optional={"arousal": unit},
    ),
    max_size=3,
)

emotion_values = st.builds(
    Emotion,
    emotion=emotions,
    arousal=unit,
    emotions_vector=vectors,
    mode=modes,
    language_style=styles,
    relationship_dynamic=dynamics,
    tone=tones,
    intent=intents,
    prompt_topic=st.text(max_size=10),
)
spaces = st.builds(Space, hundredths, hundredths)

characters = st.none() | st.dictionaries(
    st.sampled_from(["kern", "adaptiv", "intentions_profil", "kommunikations_profil"]),
    st.none() | st.sampled_from(["", "locker", "Höflich, strukturiert", "technisch", "ruhig"]),
)
