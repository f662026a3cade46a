"""The fake model server as a process, for programs that run as processes."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class FakeModel:
    """A running fake; what it can is told in ``bench/fake_model_server.py``."""

    url: str

    @property
    def settings(self) -> dict[str, str]:
        """For `tests.support.server.RunningServer` and `environment`: speak to it as to Ollama."""
        return {"model": "ollama:fake", "model_url": self.url}

    def fail(self, name: str, **where: Any) -> None:
        """From now on answer with this fault."""
        httpx.post(f"{self.url}/faults", json={"name": name, **where}, trust_env=False).raise_for_status()

    def heal(self) -> None:
        """End all faults."""
        httpx.delete(f"{self.url}/faults", trust_env=False).raise_for_status()

    def calls(self) -> list[dict[str, Any]]:
        """All calls so far."""
        return list(httpx.get(f"{self.url}/calls", trust_env=False).json())


@contextlib.contextmanager
def fake_model(*, latency: float = 0.0) -> Iterator[FakeModel]:
    """Start the fake; ``latency`` in seconds a call."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.fake_model_server", "--port", "0", "--latency", str(latency)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield FakeModel(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.communicate(timeout=10)
