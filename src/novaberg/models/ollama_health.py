"""Why Ollama cannot answer, as far as this machine can tell (case J1)."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from novaberg.errors import ModelUnreachableError
from novaberg.models.addresses import host_of, is_loopback
from novaberg.models.protocol import ModelHealth
from novaberg.models.trouble import ModelServer, Trouble

_SOCKET_TABLES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING: Final = "0A"
_OPEN_UP: Final = (
    "OLLAMA_HOST=0.0.0.0 (Linux service: `systemctl edit ollama`, [Service], Environment=OLLAMA_HOST=0.0.0.0)"
)
_MOST_NAMED: Final = 5


def health_of_listed(server: ModelServer, models: Sequence[str]) -> ModelHealth:
    """The server runs and told its models."""
    if server.model in models or f"{server.model}:latest" in models:
        return ModelHealth(True, f"Ollama at {server.address} runs and has {server.model}.")
    others = ", ".join(models[:_MOST_NAMED]) or "none at all"
    return server.no_model(
        f"Ollama at {server.address} runs, but does not have the model {server.model}; it has {others}"
    ).health()


def health_of_unlisted(server: ModelServer, trouble: Trouble) -> ModelHealth:
    """The server did not tell its models; when it was not reached at all, look where something listens."""
    if trouble.error_class is not ModelUnreachableError:
        return trouble.health()
    port = urlsplit(server.address).port or 80
    elsewhere = [host for host in listening_hosts(port) if host != host_of(server.address)]
    nowhere = f"nothing answers at {server.address}"
    if elsewhere:
        detail = f"{nowhere}, but on this machine a server listens at {elsewhere[0]}:{port}"
        remedy = f"set NOVABERG_MODEL_URL=http://{elsewhere[0]}:{port}, or start Ollama with {_OPEN_UP}"
        return Trouble(ModelUnreachableError, detail, remedy).health()
    if not is_loopback(server.address):
        detail = f"{nowhere}; unless told otherwise, Ollama listens on 127.0.0.1 of its own machine only"
        remedy = f"start it there with {_OPEN_UP}, or correct NOVABERG_MODEL_URL"
        return Trouble(ModelUnreachableError, detail, remedy).health()
    return trouble.health()


def listening_hosts(port: int) -> list[str]:
    """Hosts at which this machine listens on a TCP port, as URLs need them; Linux only, elsewhere empty."""
    hosts: list[str] = []
    for table in _SOCKET_TABLES:
        if not table.exists():
            continue
        for line in table.read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            address, _, local_port = local.partition(":")
            if state == _LISTENING and int(local_port, 16) == port:
                hosts.append(_host(address))
    return hosts


def _host(address: str) -> str:
    """A host out of the kernel's table: 32-bit words in the byte order of the machine."""
    words = [bytes.fromhex(address[start : start + 8]) for start in range(0, len(address), 8)]
    ordered = b"".join(word[::-1] if sys.byteorder == "little" else word for word in words)
    ip = ipaddress.ip_address(ordered)
    if ip.is_unspecified:
        return "127.0.0.1"
    return f"[{ip}]" if ip.version == 6 else str(ip)
