"""``python -m training.evaluate [--data DIR]``: the held-out probe of German chat sentences; with DIR the bench too.

The probe was written before anything was trained. It is by the same hand as our training sentences: take its figures as
an upper bound of what strangers will see.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from bench.perception import bench_perception

from novaberg.models.builtin.perceiving import FullReading, read_fully
from novaberg.models.material import PerceptionMaterial
from training import data, fitting


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with brighter-de/ and goemotions/")
    options = parser.parse_args()
    probe()
    if options.data is not None:
        asyncio.run(bench_perception(options.data)).tell(as_json=True)


def probe() -> None:
    """Right at once, among the first three, calibration, and every miss."""
    pairs = data.probe()
    readings = [read_fully(PerceptionMaterial(text=text, role="user", language="de")) for _, text in pairs]
    truth = [emotion for emotion, _ in pairs]
    told("heads", truth, readings, lambda reading: reading.learnt.scores)
    told("heads and rules", truth, readings, lambda reading: reading.scores)
    print(f"origins: {dict(Counter(reading.herkunft for reading in readings))}")
    for (emotion, text), reading in zip(pairs, readings, strict=True):
        if reading.perception.emotion != emotion:
            print(f"  {emotion} read as {reading.perception.emotion} ({reading.confidence:.2f}): {text}")


def told(
    name: str,
    truth: Sequence[str],
    readings: Sequence[FullReading],
    scores: Callable[[FullReading], Mapping[str, float]],
) -> None:
    """One line of figures."""
    ranked = [sorted(scores(reading), key=lambda emotion: -scores(reading)[emotion]) for reading in readings]
    right = np.array([best[0] == emotion for best, emotion in zip(ranked, truth, strict=True)])
    near = np.array([emotion in best[:3] for best, emotion in zip(ranked, truth, strict=True)])
    chance = np.array([max(scores(reading).values()) for reading in readings])
    error = fitting.calibration_error(chance, right.astype(np.float32), bins=10)
    print(
        f"{name}: right at once {right.mean():.3f}, among three {near.mean():.3f}, calibration error {error:.3f}"
    )


if __name__ == "__main__":
    main()
