"""Who may speak to this server (promise P9): where it may listen, whose requests it takes. Pure."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.errors import AccessError, ForeignRequestError, UnsafeBindError
from novaberg.server.addresses import is_loopback, parse_authority, same_origin

COOKIE: Final = "novaberg"
"""Name of the cookie by which a browser that has logged in is known."""
_COOKIE_PURPOSE: Final = b"novaberg browser session"
_FOREIGN_SITES: Final = frozenset({"cross-site", "same-site"})


@dataclass(frozen=True, slots=True)
class Asking:
    """What decides about a request."""

    hosts: Sequence[str]
    """All Host headers."""
    origins: Sequence[str]
    """All Origin headers."""
    authorization: bytes = b""
    """The Authorization header as it came."""
    cookie: str = ""
    """Value of our cookie."""
    site: str = ""
    """``Sec-Fetch-Site``: how the asking page is related to us, as the browser sees it."""
    navigates: bool = False
    """The browser opens us as a page of its own, after a click on a link for instance."""


def check_bind(host: str, token: str) -> None:
    """Refuse to listen where others could reach a server without a token.

    Raises:
        UnsafeBindError: ``host`` is more than this machine, or a name of which that is not certain.
    """
    if not token and not is_loopback(host.strip("[]")):
        raise UnsafeBindError(
            f"Refusing to listen at {host or 'all addresses'} without a token: others could reach it. "
            "Set NOVABERG_TOKEN or use --host 127.0.0.1."
        )


def check_request(asking: Asking, token: str) -> None:
    """Let pass what comes from where it should.

    Without a token the Host must be a loopback name: a page whose name was bound to this machine gives itself away
    by it. A request that a browser sends for another page is refused by its Origin, or by ``Sec-Fetch-Site`` where
    browsers send no Origin; ports of one machine are strangers to each other.

    Raises:
        ForeignRequestError: it speaks to another host or for another page.
        AccessError: a token is set, and it was not shown.
    """
    host = parse_authority(asking.hosts[0]) if len(asking.hosts) == 1 else None
    if host is None or not (token or host.is_loopback):
        raise ForeignRequestError
    if asking.origins and not (len(asking.origins) == 1 and same_origin(asking.origins[0], host)):
        raise ForeignRequestError
    if asking.site in _FOREIGN_SITES and not asking.navigates:
        raise ForeignRequestError
    if token and not (shows_token(asking.authorization, token) or is_cookie(asking.cookie, token)):
        raise AccessError


def shows_token(authorization: bytes, token: str) -> bool:
    """Whether an Authorization header carries the token."""
    scheme, _, shown = authorization.partition(b" ")
    return scheme.lower() == b"bearer" and is_token(shown.strip(b" "), token)


def is_token(shown: bytes, token: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(shown, token.encode())


def cookie_for(token: str) -> str:
    """What a browser keeps instead of the token; it cannot be turned back, and changes with the token."""
    return hmac.new(token.encode(), _COOKIE_PURPOSE, hashlib.sha256).hexdigest()


def is_cookie(shown: str, token: str) -> bool:
    """Whether a cookie stems from this token; compared in constant time."""
    return hmac.compare_digest(shown.encode(), cookie_for(token).encode())
