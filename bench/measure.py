"""Small tools that all benches share: temporary homes, statistics, and how a result is told."""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

Figure = float | int | str | bool


@dataclass(frozen=True)
class Limit:
    """A figure and the most it may be."""

    name: str
    measured: float
    limit: float

    @property
    def held(self) -> bool:
        return self.measured <= self.limit


@dataclass(frozen=True)
class Result:
    """What a bench found out."""

    name: str
    figures: dict[str, Figure]
    limits: Sequence[Limit] = field(default=())

    @property
    def held(self) -> bool:
        return all(limit.held for limit in self.limits)

    def tell(self, *, as_json: bool) -> None:
        """Prints the figures; with ``as_json`` one object on the last line."""
        for limit in self.limits:
            mark = "ok  " if limit.held else "OVER"
            print(
                f"{mark} {self.name}: {limit.name} = {limit.measured:.3f} (limit {limit.limit:g})", flush=True
            )
        if as_json:
            print(json.dumps({"bench": self.name, **self.figures, "held": self.held}), flush=True)
        elif not self.limits:
            print(f"     {self.name}: {self.figures}", flush=True)


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextmanager
def temporary_home() -> Iterator[Path]:
    """A home of its own that is gone afterwards; readable for the database's system user when run as root."""
    home = Path(tempfile.mkdtemp(prefix="nb-bench-"))
    home.chmod(0o755)
    try:
        yield home / "home"
    finally:
        shutil.rmtree(home, ignore_errors=True)
