"""Which of our functions a golden vector means: (file stem, ``fn``) → callable from ``in`` to the shape of ``out``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.adapter_ei import EI
from tests.golden.adapter_turn import TURN

Adapter = Callable[[dict[str, Any]], Any]

ADAPTERS: dict[tuple[str, str], Adapter] = {
    **{("ei", fn): adapter for fn, adapter in EI.items()},
    **{("turn", fn): adapter for fn, adapter in TURN.items()},
}
