"""`python -m tests.golden FILE…`: exit 0 only if every row of every file passes."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from tests.golden.runner import copied_files, run_files


def main(arguments: list[str]) -> int:
    """Run the named files, or the copied ones if none is named."""
    paths = [Path(argument) for argument in arguments] or copied_files()
    report = run_files(paths)
    sys.stdout.write(f"{report}\n")
    return 0 if report.ok else 1


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # the rooms report odd input; only results are compared here
    sys.exit(main(sys.argv[1:]))
