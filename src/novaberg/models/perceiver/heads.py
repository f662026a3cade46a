"""The trained heads: what each says about one text, as calibrated probabilities.

Two linear heads (28 GoEmotions labels; our 16+1) read the dense rows. Their logits join the dense rows as further blocks
of two kernel machines: one over the German forum texts (six BRIGHTER labels and the intensity), one over our own
sentences (16+1 emotions, five fields, arousal). For English the hashed n-grams of GoEmotions are added. There is one set
of heads for both encoders and one for the first alone (training/report.md tells why these).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from novaberg.language import Language
from novaberg.models.perceiver.encoders import USE_SIZE, Vectors
from novaberg.models.perceiver.features import (
    Rows,
    dense_rows,
    linear,
    logit_block,
    sigmoid,
    softmax,
    value_rows,
)
from novaberg.models.perceiver.grams import Grams
from novaberg.models.perceiver.machines import HeadSet, KernelMachine
from novaberg.models.perceiver.mapping import BRIGHTER_LABELS, GOEMOTIONS_LABELS
from novaberg.models.perceiver.weights import Weights
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
)

HEAD_SETS: Final[tuple[HeadSet, ...]] = ("both", "use")

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "intent": INTENT_CANON,
    "tone": TONE_CANON,
    "modus": MODE_CANON,
    "sprach_stil": STYLE_CANON,
    "beziehungs_dynamik": DYNAMIC_CANON,
}
"""The fields beside the emotion that have a head, with the order of its columns."""

VALUES: Final[Mapping[str, tuple[str, ...]]] = {"emotion": EMOTION_CANON, **FIELDS}
"""Everything that is learnt from our own sentences, in the order of the columns."""

GRAM_BITS: Final = 16
GO_BLOCK, OWN_BLOCK = 0.25, 0.25
"""Squared lengths of the logit blocks in the kernel rows."""


class _OwnOpinions(TypedDict):
    emotions: Rows
    fields: Mapping[str, Rows]
    arousal: float


@dataclass(frozen=True, slots=True)
class Opinions:
    """What the heads say about one text."""

    goemotions: Rows
    """(28,) probabilities."""
    brighter: Rows
    """(6,) probabilities."""
    intensity: float
    """Highest intensity of the six, on the scale of the data: 0 to 3."""
    emotions: Rows
    """(17,) probabilities of the head over our own sentences, in the order of the canon."""
    fields: Mapping[str, Rows]
    """Probabilities by field."""
    arousal: float
    """0 to 1, of the head over our own sentences."""


class Heads:
    """One set of heads, unpacked once."""

    def __init__(self, weights: Weights, name: HeadSet) -> None:
        self.name: Final = name
        self._mean: Mapping[Language, Rows] = {"de": weights.dense("mean.de"), "en": weights.dense("mean.en")}
        array = weights.dense
        self._go = (array(f"{name}.go.weight"), array(f"{name}.go.bias"))
        self._own = (array(f"{name}.own.weight"), array(f"{name}.own.bias"))
        self._logit_mean: Mapping[Language, Rows] = {
            "de": array(f"{name}.logit_mean.de"),
            "en": array(f"{name}.logit_mean.en"),
        }
        self._logit_deviation: Mapping[Language, Rows] = {
            "de": array(f"{name}.logit_deviation.de"),
            "en": array(f"{name}.logit_deviation.en"),
        }
        self._forum = KernelMachine.of(weights, "forum", name)
        self._sentences = KernelMachine.of(weights, "sentences", name)
        self._grams = weights.packed("grams.weight")
        self._gram_idf = array("grams.idf")
        self._go_plain = array(f"{name}.go.plain")
        self._go_fused = array(f"{name}.go.fused")
        self._brighter = array(f"{name}.brighter.calibration")
        self._values = (array(f"{name}.values.weight"), array(f"{name}.values.bias"))
        self._mix = array(f"{name}.values.mix")
        self._prior = array("sentences.prior")

    def judge(
        self, vectors: Vectors, grams: Grams, surface: NDArray[np.float32], language: Language
    ) -> Opinions:
        """The opinions on one text; ``vectors.e5`` must be there for the set ``both``."""
        dense = self.dense(vectors.use[None], None if vectors.e5 is None else vectors.e5[None], language)
        go, own = linear(dense, *self._go), linear(dense, *self._own)
        forum_rows, sentence_rows = self.kernel_rows(dense, go, own, language)
        forum = self._forum.answer(forum_rows)[0]
        sentences = self._sentences.answer(sentence_rows)[0]
        return Opinions(
            goemotions=self._goemotions(go[0], grams, language),
            brighter=sigmoid(forum[: len(BRIGHTER_LABELS)] * self._brighter[0] + self._brighter[1]),
            intensity=float(min(max(forum[len(BRIGHTER_LABELS)], 0.0), 3.0)),
            **self._own_opinions(sentences, linear(value_rows(dense, surface[None]), *self._values)[0]),
        )

    def dense(self, use: Rows, e5: Rows | None, language: Language) -> Rows:
        """(n, d) dense rows of this set."""
        mean = self._mean[language]
        return dense_rows(
            use,
            e5 if self.name == "both" else None,
            mean_use=mean[:USE_SIZE],
            mean_e5=mean[USE_SIZE:],
        )

    def kernel_rows(self, dense: Rows, go: Rows, own: Rows, language: Language) -> tuple[Rows, Rows]:
        """The rows of both kernel machines: forum texts, own sentences."""
        mean, deviation = self._logit_mean[language], self._logit_deviation[language]
        size = len(GOEMOTIONS_LABELS)
        go_block = logit_block(go, mean=mean[:size], deviation=deviation[:size], weight=GO_BLOCK)
        own_block = logit_block(own, mean=mean[size:], deviation=deviation[size:], weight=OWN_BLOCK)
        sentences = np.concatenate([dense, go_block], axis=1)
        return np.concatenate([sentences, own_block], axis=1), sentences

    def _goemotions(self, go: Rows, grams: Grams, language: Language) -> Rows:
        if language != "en" or not len(grams.buckets):
            return sigmoid(go * self._go_plain[0] + self._go_plain[1])
        table, scale = self._grams
        values = grams.values * self._gram_idf[grams.buckets]
        spelled = (values @ table[grams.buckets].astype(np.float32)) * scale
        return sigmoid(go * self._go_fused[0] + spelled * self._go_fused[1] + self._go_fused[2])

    def _own_opinions(self, remembered: Rows, linear_logits: Rows) -> _OwnOpinions:
        chances: dict[str, Rows] = {}
        start = 0
        for number, (name, canon) in enumerate(VALUES.items()):
            part = slice(start, start + len(canon))
            mix = self._mix[number]
            logits = mix[0] * remembered[part] + mix[1] * linear_logits[part] + mix[2] * self._prior[part]
            chances[name] = softmax(logits[None])[0]
            start += len(canon)
        emotions = chances.pop("emotion")
        return {
            "emotions": emotions,
            "fields": chances,
            "arousal": float(min(max(remembered[start], 0.0), 1.0)),
        }
