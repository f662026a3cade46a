"""Reads the data sets (layout: ``brighter-de/track_*_*.csv.gz``, ``goemotions/*.tsv.gz``) and our own files."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from novaberg.models.perceiver.mapping import BRIGHTER_LABELS, GOEMOTIONS_LABELS

OWN = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Labelled:
    """Texts with a row of labels each."""

    texts: list[str]
    labels: NDArray[np.float32]


@dataclass(frozen=True)
class Sentence:
    """One of our own sentences with all its fields."""

    language: str
    emotion: str
    arousal: float
    fields: dict[str, str]
    text: str


def goemotions(data: Path, split: str) -> Labelled:
    """(n, 28) 0/1."""
    texts: list[str] = []
    rows: list[NDArray[np.float32]] = []
    with gzip.open(data / "goemotions" / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for line in file:
            text, ids, _ = line.rstrip("\r\n").split("\t")
            row = np.zeros(len(GOEMOTIONS_LABELS), dtype=np.float32)
            row[[int(number) for number in ids.split(",")]] = 1.0
            texts.append(text)
            rows.append(row)
    return Labelled(texts, np.array(rows))


def brighter(data: Path, track: str, split: str) -> Labelled:
    """(n, 6): 0/1 in track ``a``, intensities 0 to 3 in track ``b``."""
    with gzip.open(
        data / "brighter-de" / f"track_{track}_{split}.csv.gz", "rt", encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file))
    labels = [[float(row[label]) for label in BRIGHTER_LABELS] for row in rows]
    return Labelled([row["text"] for row in rows], np.array(labels, dtype=np.float32))


def own_sentences() -> list[Sentence]:
    """Our own annotated sentences."""
    names = ("intent", "tone", "modus", "sprach_stil", "beziehungs_dynamik")
    return [
        Sentence(
            row["sprache"],
            row["emotion"],
            float(row["arousal"]),
            {name: row[name] for name in names},
            row["text"],
        )
        for row in _table(OWN / "sentences.tsv")
    ]


def probe() -> list[tuple[str, str]]:
    """(emotion, text) of the held-out German probe: a yardstick, never trained or tuned on."""
    with (OWN / "probe_de.tsv").open(encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split("\t") for line in file]
    return [(emotion, text) for emotion, text in pairs]


def _table(path: Path) -> Iterable[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
