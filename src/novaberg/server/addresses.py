"""Names and ports in Host and Origin headers: whom they mean and whether they mean the same. Pure."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_AUTHORITY: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:/?#@\[\]]+)(?::(?P<port>\d{1,5}))?")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Authority:
    """``host[:port]``; the host in lower case, without the brackets of an IPv6 address."""

    host: str
    port: int | None

    @property
    def is_loopback(self) -> bool:
        """Whether it names this machine to itself."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address can only mean this machine: ``localhost`` or a literal loopback address.

    Other names are not looked up: whoever controls their DNS could let them point here.
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def parse_authority(text: str) -> Authority | None:
    """The authority of a Host header, ``None`` if it is none."""
    found = _AUTHORITY.fullmatch(text)
    if found is None:
        return None
    port = found["port"]
    return Authority(found["host"].strip("[]").lower(), int(port) if port else None)


def same_origin(origin: str, host: Authority) -> bool:
    """Whether an Origin header names the server that the Host header names.

    Schemes are not compared: behind a proxy that ends TLS this server sees ``http`` only. An absent port is the
    default one of the origin's scheme on both sides. ``null`` is nobody's origin.
    """
    try:
        parts = urlsplit(origin)
        default = _DEFAULT_PORTS.get(parts.scheme)
        named = parse_authority(parts.netloc)
    except ValueError:
        return False
    if default is None or named is None or parts.path or parts.query or parts.fragment:
        return False
    return (named.host, named.port or default) == (host.host, host.port or default)
