"""``python -m bench perception --data DIR``: how well and how fast the local perception reads strangers' texts.

Every dev and test split in DIR is evaluated and told; the figures of the JSON line are those of the test split
where there is one, else of the dev split. The cuts of the labels were fixed in training; nothing is tuned here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.measure import Limit, Result, median
from bench.perception_data import AROUSAL_STIMULI, SECTOR_STIMULI, Split, find
from novaberg.language import Language
from novaberg.models.builtin.perceiving import FullReading, read_fully
from novaberg.models.material import PerceptionMaterial, Utterance
from novaberg.models.perceiver.mapping import (
    BRIGHTER_LABELS,
    GOEMOTIONS_EMOTION,
    GOEMOTIONS_LABELS,
    SECTORS,
    goemotions_sectors,
    sector_of,
)
from novaberg.models.perceiver.perceiver import shared_perceiver
from novaberg.models.perceiver.weights import read_weights

LIMIT_MS = 40.0
CONTEXT = tuple(
    Utterance("user" if number % 2 == 0 else "assistant", "Gestern war ich lange unterwegs.", "neutral")
    for number in range(10)
)
"""Five exchanges, as perception gets them in a conversation."""


@dataclass
class Collector:
    """Readings of many texts and how long each took."""

    milliseconds: list[float] = field(default_factory=list)

    def read(self, texts: Sequence[str], language: Language, name: str) -> list[FullReading]:
        readings = []
        for number, text in enumerate(texts, start=1):
            start = time.perf_counter()
            readings.append(perceived(text, language))
            self.milliseconds.append((time.perf_counter() - start) * 1000)
            if number % 500 == 0:
                print(f"{name}: {number} of {len(texts)}", file=sys.stderr, flush=True)
        return readings


def perceived(text: str, language: Language = "de") -> FullReading:
    """As the built-in model perceives it in a conversation."""
    return read_fully(PerceptionMaterial(text=text, role="user", language=language, history=CONTEXT))


async def bench_perception(data: Path) -> Result:
    """All figures of the splits in ``data``."""
    splits = find(data)
    if not any(splits.values()):
        raise SystemExit(f"no dev or test split found in {data}")
    collector = Collector()
    collector.read([text for _, text in SECTOR_STIMULI], "de", "warm-up")
    collector.milliseconds.clear()
    figures: dict[str, float | int | str | bool] = {}
    for name, value in _forum(collector, splits) + _goemotions(collector, splits["goemotions"]):
        figures.setdefault(name, round(value, 4))  # a test split comes first and stays
    _probes()
    figures["median_ms"] = round(median(collector.milliseconds), 2)
    return Result("perception", figures, (Limit("median_ms", float(figures["median_ms"]), LIMIT_MS),))


def _cuts(name: str) -> NDArray[np.float64]:
    thresholds = read_weights().meta["thresholds"]
    assert isinstance(thresholds, dict)
    return np.array(thresholds[shared_perceiver().heads][name])  # type: ignore[call-overload, index]


def macro_f1(chosen: NDArray[np.bool_], labels: NDArray[np.float64]) -> tuple[float, list[float]]:
    """Mean of the F1 of each label, and each of them; a label that neither side knows counts 0."""
    truth = labels > 0
    both = (chosen & truth).sum(axis=0)
    each = 2 * both / np.maximum(chosen.sum(axis=0) + truth.sum(axis=0), 1)
    return float(each.mean()), [round(float(value), 3) for value in each]


# ── German forum texts ───────────────────────────────────────────────────────


def _forum(collector: Collector, splits: dict[str, list[Split]]) -> list[tuple[str, float]]:
    figures: list[tuple[str, float]] = []
    seen: dict[str, FullReading] = {}

    def readings(split: Split) -> list[FullReading]:
        new = [text for text in dict.fromkeys(split.texts) if text not in seen]
        seen.update(zip(new, collector.read(new, "de", split.name), strict=True))
        return [seen[text] for text in split.texts]

    for split in splits["brighter"]:
        empty = np.zeros(len(BRIGHTER_LABELS))
        opinions = [reading.learnt.opinions for reading in readings(split)]
        chances = np.stack([empty if opinion is None else opinion.brighter for opinion in opinions])
        value, each = macro_f1(chances > _cuts("brighter"), split.labels)
        print(f"{split.name}: macro-F1 {value:.4f} over {len(split.texts)} texts, each {each}")
        figures.append(("brighter_de_macro_f1", value))
    for split in splits["intensity"]:
        arousal = [reading.perception.arousal for reading in readings(split)]
        value = float(np.corrcoef(arousal, split.labels.max(axis=1))[0, 1])
        print(f"{split.name}: Pearson of arousal with the highest intensity {value:.4f}")
        figures.append(("arousal_pearson", value))
    return figures


# ── English forum texts ──────────────────────────────────────────────────────


def _goemotions(collector: Collector, splits: Sequence[Split]) -> list[tuple[str, float]]:
    figures: list[tuple[str, float]] = []
    for split in splits:
        readings = collector.read(split.texts, "en", split.name)
        empty = np.zeros(len(GOEMOTIONS_LABELS))
        opinions = [reading.learnt.opinions for reading in readings]
        chances = np.stack([empty if opinion is None else opinion.goemotions for opinion in opinions])
        value, each = macro_f1(chances > _cuts("goemotions"), split.labels)
        print(f"{split.name}: macro-F1 of 28 labels {value:.4f} over {len(split.texts)} texts")
        print("  " + ", ".join(f"{label} {one}" for label, one in zip(GOEMOTIONS_LABELS, each, strict=True)))
        figures.append(("goemotions_28_macro_f1", value))
        truth = goemotions_sectors(split.labels)
        value, each = macro_f1(goemotions_sectors(chances) > _cuts("sectors"), truth)
        print(f"{split.name}: macro-F1 of eight sectors and neutral {value:.4f}, each {each}")
        figures.append(("sectors_macro_f1", value))
        _confusion(readings, split)
    return figures


def _confusion(readings: Sequence[FullReading], split: Split) -> None:
    table = np.zeros((len(SECTORS), len(SECTORS)), dtype=int)
    right = near = count = 0
    for reading, labels in zip(readings, split.labels, strict=True):
        if labels.sum() != 1:
            continue
        emotion = GOEMOTIONS_EMOTION[GOEMOTIONS_LABELS[int(labels.argmax())]]
        table[SECTORS.index(sector_of(emotion)), SECTORS.index(sector_of(reading.perception.emotion))] += 1
        best = sorted(reading.scores, key=lambda name: -reading.scores[name])[:3]
        right, near, count = right + (best[0] == emotion), near + (emotion in best), count + 1
    print(
        f"{split.name}: of the texts with one label, 17 emotions right at once {right / count:.3f}, "
        f"among the first three {near / count:.3f}"
    )
    print("  sector (row: label, column: read)  " + " ".join(f"{sector or 'n':>5}" for sector in SECTORS))
    for sector, row in zip(SECTORS, table, strict=True):
        print(f"  {sector or 'n':>33}  " + " ".join(f"{value:5d}" for value in row))


# ── the two probes of the seed ───────────────────────────────────────────────


def _probes() -> None:
    hits = 0
    print("sector probe (spec 02 §9.4, P2)")
    for sector, text in SECTOR_STIMULI:
        reading = perceived(text).perception
        hits += sector_of(reading.emotion) == sector
        print(f"  {sector} → {sector_of(reading.emotion)} {reading.emotion:14} {reading.arousal:.2f}  {text}")
    print(f"  {hits} of {len(SECTOR_STIMULI)} sectors")
    print("arousal probe (spec 02 §9.4, P1)")
    wanted, found = [], []
    for arousal, emotion, text in AROUSAL_STIMULI:
        reading = perceived(text).perception
        wanted.append(arousal)
        found.append(reading.arousal)
        print(f"  {arousal:.1f} {emotion:13} → {reading.arousal:.2f} {reading.emotion:13}  {text}")
    print(f"  rank correlation {spearman(wanted, found):.3f}")


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Rank correlation; equal values share their mean rank."""
    return float(np.corrcoef(_ranks(left), _ranks(right))[0, 1])


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    array = np.asarray(values)
    return np.array([(array < value).sum() + ((array == value).sum() - 1) / 2 for value in array])
