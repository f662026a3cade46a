"""Finds the labelled splits that lie in a folder, and the stimuli of the seed's two probes (spec 02 §9.4, P1 and P2)."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from novaberg.models.perceiver.mapping import BRIGHTER_LABELS, GOEMOTIONS_LABELS

SPLITS = ("test", "dev")
"""A kept-back split counts more than the one that everybody knows."""

SECTOR_STIMULI: Sequence[tuple[int, str]] = (
    (1, "Ich bin so glücklich, heute war der schönste Tag seit Langem!"),
    (2, "Danke, dass du für mich da bist, ich fühle mich bei dir gut aufgehoben."),
    (3, "Ich habe furchtbare Angst vor der Untersuchung morgen, alles in mir ist angespannt."),
    (4, "Damit habe ich überhaupt nicht gerechnet, plötzlich stand sie vor der Tür!"),
    (5, "Seit dem Tod meiner Mutter ist alles leer, ich könnte nur noch weinen."),
    (6, "Ich hatte mir so viel davon versprochen, und dann haben sie mich einfach sitzen lassen."),
    (7, "Das ist eine Unverschämtheit, ich bin so sauer auf ihn!"),
    (8, "Ich bin gespannt, was dahintersteckt, das möchte ich unbedingt wissen."),
)
AROUSAL_STIMULI: Sequence[tuple[float, str, str]] = (
    (0.1, "neutral", "Wie lange braucht der Mond für einen Umlauf um die Erde?"),
    (0.4, "neugierig", "Bärtierchen überleben sogar im Vakuum. Wie machen die das bloß?"),
    (
        0.5,
        "unsicherheit",
        "Ein Gammablitz könnte uns ohne Vorwarnung treffen, der Gedanke ist mir nicht geheuer.",
    ),
    (0.6, "begeisterung", "Die neuen Aufnahmen vom Webb-Teleskop sind einfach unglaublich schön!"),
    (0.8, "verzweiflung", "Heute Nacht ist meine Frau gestorben. Ich weiß nicht, wie ich weiterleben soll."),
    (0.8, "wut", "Schon die dritte Absage, wieder ohne jede Begründung. Ich bin stinksauer!"),
    (0.9, "ueberrascht", "Sie hat ja gesagt!!!"),
)


@dataclass(frozen=True)
class Split:
    """Texts of one split with their labels."""

    name: str
    texts: list[str]
    labels: NDArray[np.float64]


def find(folder: Path) -> dict[str, list[Split]]:
    """By kind (``brighter``, ``intensity``, ``goemotions``) the splits of the folder, a test split first."""
    found: dict[str, list[Split]] = {"brighter": [], "intensity": [], "goemotions": []}
    for split in SPLITS:
        for kind, track in (("brighter", "a"), ("intensity", "b")):
            for file in sorted(folder.rglob(f"track_{track}_{split}.csv.gz")):
                found[kind].append(_brighter(file))
        for file in sorted(folder.rglob(f"{split}.tsv.gz")):
            found["goemotions"].append(_goemotions(file))
    return found


def _brighter(file: Path) -> Split:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    labels = np.array([[float(row[label]) for label in BRIGHTER_LABELS] for row in rows])
    return Split(file.name.removesuffix(".csv.gz"), [row["text"] for row in rows], labels)


def _goemotions(file: Path) -> Split:
    texts: list[str] = []
    labels: list[NDArray[np.float64]] = []
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        for line in lines:
            text, numbers, *_ = line.rstrip("\r\n").split("\t")
            row = np.zeros(len(GOEMOTIONS_LABELS))
            row[[int(number) for number in numbers.split(",")]] = 1.0
            texts.append(text)
            labels.append(row)
    return Split(f"goemotions {file.name.removesuffix('.tsv.gz')}", texts, np.array(labels))
