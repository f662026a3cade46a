"""Addresses of model servers: as people write them, as clients need them."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from novaberg.errors import SettingsError

EVERY_INTERFACE = "0.0.0.0"
"""A server's "listen everywhere"; as a target it means this machine, but not on every system."""


def normal_address(text: str, *, default_port: int | None = None, drop: tuple[str, ...] = ()) -> str:
    """``scheme://host[:port][/path]`` without a trailing slash.

    Args:
        default_port: used when neither scheme nor port is given (``myhost`` → ``http://myhost:11434``).
        drop: endings of the path that belong to the API and not to the address, like ``/api``.

    Raises:
        SettingsError: it is no http address.
    """
    bare = "://" not in text
    try:
        parts = urlsplit(f"http://{text}" if bare else text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _unusable(text) from error
    if parts.scheme not in ("http", "https") or not host:
        raise _unusable(text)
    host = "127.0.0.1" if host == EVERY_INTERFACE else f"[{host}]" if ":" in host else host
    port = port or (default_port if bare else None)
    path = parts.path.rstrip("/")
    for ending in drop:
        path = path.removesuffix(ending)
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"


def is_loopback(address: str) -> bool:
    """Whether an http address points at this machine; such an address never goes through a proxy."""
    host = host_of(address)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return ip.is_loopback or ip.is_unspecified


def host_of(address: str) -> str:
    """The host of an http address, lower case; ``""`` if there is none."""
    return (urlsplit(address).hostname or "").lower()


def _unusable(text: str) -> SettingsError:
    return SettingsError(f"NOVABERG_MODEL_URL: {text!r} is no address; write it like http://127.0.0.1:11434.")
