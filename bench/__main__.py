"""``python -m bench NAME [--json]``: run one bench, or ``all``. Exit code 1 if a limit is not held."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bench.measure import Result
from bench.nodes import bench_db_zugriff, bench_ei_calc_persist
from bench.perception import bench_perception
from bench.process import bench_first_node, bench_memory, bench_startup
from bench.pure import bench_pure
from bench.turn import bench_path

BENCHES: Mapping[str, Callable[[], Awaitable[Result]]] = {
    "db_zugriff": bench_db_zugriff,
    "ei_calc_persist": bench_ei_calc_persist,
    "first_node": bench_first_node,
    "path": bench_path,
    "pure": bench_pure,
    "startup": bench_startup,
    "memory": bench_memory,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", choices=[*BENCHES, "perception", "all"])
    parser.add_argument("--json", action="store_true", help="one JSON object a bench, as its last line")
    parser.add_argument("--data", type=Path, help="folder with labelled splits; perception needs it")
    options = parser.parse_args()
    if options.name == "perception" and options.data is None:
        parser.error("perception needs --data DIR")
    benches = dict(BENCHES)
    if options.data is not None:
        benches["perception"] = lambda: bench_perception(options.data)
    names = benches if options.name == "all" else [options.name]
    held = True
    for name in names:
        result = asyncio.run(benches[name]())
        result.tell(as_json=options.json)
        held = held and result.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
