"""A worker process of its own, to be killed: ``python -m tests.support.turn_worker URL SHORTEST_S LONGEST_S GRACE_S``.

Prints ``ready`` when it serves turns; SIGTERM ends it as a server would end.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from functools import partial

from novaberg.clock import SystemClock
from novaberg.conversation.intake import cut_block
from novaberg.memory.database import Database
from novaberg.memory.turn_store import Turn, TurnStore
from novaberg.turns.queue import QueueCalibration
from novaberg.turns.worker import WorkerCalibration, run_worker
from tests.support.toy_life import Diary, ToyLife


async def main(url: str, shortest_s: float, longest_s: float, grace_s: float) -> None:
    """Serve until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with Database.open(url) as database:
        store = TurnStore(database, SystemClock())
        life = ToyLife(store, Diary(database), node_s=(shortest_s, longest_s))
        async with run_worker(
            database=database,
            store=store,
            handle=life.handle,
            on_failed=_failed,
            cut=partial(cut_block, window=30.0),
            deadline_s=30.0,
            calibration=WorkerCalibration(queue=QueueCalibration(grace_s=grace_s)),
        ):
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            await stop.wait()


async def _failed(turn: Turn, error: Exception) -> None:
    sys.stdout.write(f"failed {turn.turn_id} {error}\n")


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(main(sys.argv[1], *map(float, sys.argv[2:])))
