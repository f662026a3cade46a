"""A process that uses the stores: opens them, says where they are, and leaves when told. It can be killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Self

from novaberg.memory.servers import ServiceUrls, open_services
from novaberg.settings import load_settings


class StoreUser:
    """Handle of such a process; as a context it is killed at the end if it still lives."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.store_user", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NOVABERG_DATABASE_URL": "", "NOVABERG_REDIS_URL": ""},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def urls(self) -> ServiceUrls:
        """Wait until it has opened the stores."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process ended before it had opened the stores"
        return ServiceUrls(**json.loads(line))

    def leave(self) -> None:
        """Let it leave and wait for its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(60) == 0

    def kill(self) -> None:
        """kill -9."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def rest_of_output(self) -> str:
        """What it wrote until nobody holds its output open any more."""
        assert self._process.stdout is not None
        return self._process.stdout.read()


async def main(home: Path) -> None:
    """Open, report, wait for the end of input, leave."""
    async with open_services(load_settings(home=home)) as urls:
        sys.stdout.write(json.dumps(asdict(urls)) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
