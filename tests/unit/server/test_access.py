"""Who may speak to the server (promise P9, cases I3 and I4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from novaberg.errors import AccessError, ForeignRequestError, UnsafeBindError
from novaberg.server.access import Asking, check_bind, check_request, cookie_for

TOKEN = "ein-Token"
LOCAL = Asking(hosts=["127.0.0.1:8642"], origins=[])
REMOTE = Asking(hosts=["nova.example"], origins=[])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]"])
def test_this_machine_may_be_served_without_a_token(host: str) -> None:
    """I3."""
    check_bind(host, "")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.0.2", "nova.local", "example.org"])
def test_anything_wider_without_a_token_is_refused(host: str) -> None:
    """I3: binding to non-loopback without a token refuses to start."""
    with pytest.raises(UnsafeBindError, match="NOVABERG_TOKEN"):
        check_bind(host, "")
    check_bind(host, TOKEN)


def test_without_a_token_this_machine_is_heard() -> None:
    """P9: loopback without a token is open."""
    check_request(LOCAL, "")
    check_request(replace(LOCAL, origins=["http://127.0.0.1:8642"], site="same-origin"), "")
    check_request(replace(LOCAL, site="none"), "")


@pytest.mark.parametrize(
    "asking",
    [
        replace(LOCAL, hosts=["evil.example"]),
        replace(LOCAL, hosts=["evil.example:8642"]),
        replace(LOCAL, hosts=[]),
        replace(LOCAL, hosts=["127.0.0.1", "evil.example"]),
        replace(LOCAL, origins=["http://evil.example"]),
        replace(LOCAL, origins=["null"]),
        replace(LOCAL, origins=["http://127.0.0.1:8642", "http://evil.example"]),
        replace(LOCAL, site="cross-site"),
        replace(LOCAL, site="same-site"),
    ],
)
@pytest.mark.parametrize("token", ["", TOKEN])
def test_what_comes_from_elsewhere_is_refused(asking: Asking, token: str) -> None:
    """I4: Host and Origin are checked, with and without a token."""
    shown = replace(asking, authorization=b"Bearer ein-Token")
    if token and asking.hosts in (["evil.example"], ["evil.example:8642"]):
        check_request(shown, token)  # with a token the server may have any name
        return
    with pytest.raises(ForeignRequestError):
        check_request(shown, token)


def test_a_link_from_another_page_may_be_followed() -> None:
    """P9: opening the page by a click is no request of the other page."""
    check_request(replace(LOCAL, site="cross-site", navigates=True), "")


@pytest.mark.parametrize(
    "shown",
    [b"Bearer ein-Token", b"bearer ein-Token", b"BEARER  ein-Token"],
)
def test_the_token_opens(shown: bytes) -> None:
    """I3."""
    check_request(replace(REMOTE, authorization=shown), TOKEN)


@pytest.mark.parametrize(
    "shown",
    [
        b"",
        b"Bearer",
        b"Bearer ",
        b"Bearer ein-token",
        b"Bearer ein-Token-x",
        b"Basic ein-Token",
        b"ein-Token",
    ],
)
def test_anything_else_does_not(shown: bytes) -> None:
    """I3: no token → 401."""
    with pytest.raises(AccessError):
        check_request(replace(REMOTE, authorization=shown), TOKEN)


def test_a_token_of_any_characters_can_be_shown() -> None:
    """I3: umlauts in a token are bytes like others."""
    check_request(replace(REMOTE, authorization="Bearer schlüssel".encode()), "schlüssel")


def test_the_cookie_opens_and_does_not_tell_the_token() -> None:
    """P9: a browser keeps something that stands for the token."""
    check_request(replace(REMOTE, cookie=cookie_for(TOKEN)), TOKEN)
    assert TOKEN not in cookie_for(TOKEN)
    for wrong in (TOKEN, cookie_for("anderes"), "ä"):
        with pytest.raises(AccessError):
            check_request(replace(REMOTE, cookie=wrong), TOKEN)
