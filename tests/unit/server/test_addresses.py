"""Host and Origin headers (promise P9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novaberg.server.addresses import Authority, is_loopback, parse_authority, same_origin


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "::1"])
def test_names_of_this_machine_are_loopback(host: str) -> None:
    """P9: loopback."""
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "0.0.0.0",
        "::",
        "192.168.1.5",
        "example.org",
        "localhost.evil.org",
        "127.0.0.1.nip.io",
        "localhost.",
    ],
)
def test_names_that_could_mean_others_are_not_loopback(host: str) -> None:
    """P9: whoever controls a name's DNS could let it point here."""
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("localhost", Authority("localhost", None)),
        ("LocalHost:8642", Authority("localhost", 8642)),
        ("[::1]:8642", Authority("::1", 8642)),
        ("[::1]", Authority("::1", None)),
    ],
)
def test_an_authority_is_read(text: str, parsed: Authority) -> None:
    """P9: the Host header."""
    assert parse_authority(text) == parsed


@pytest.mark.parametrize(
    "text", ["", "a b", "user@localhost", "localhost:port", "localhost:123456", "::1", "a/b"]
)
def test_what_is_no_authority_is_refused(text: str) -> None:
    """P9: a Host header that means something else to somebody else."""
    assert parse_authority(text) is None


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8642", "127.0.0.1:8642"),
        ("http://localhost", "localhost"),
        ("http://localhost:80", "localhost"),
        ("https://nova.example", "nova.example"),
        ("https://nova.example", "nova.example:443"),
        ("http://[::1]:8642", "[::1]:8642"),
    ],
)
def test_a_page_of_this_server_has_its_origin(origin: str, host: str) -> None:
    """P9: Origin checked."""
    authority = parse_authority(host)
    assert authority is not None
    assert same_origin(origin, authority)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:3000",
        "http://localhost:8642",
        "http://evil.example",
        "http://127.0.0.1:8642.evil.example",
        "http://evil@127.0.0.1:8642",
        "file://",
        "ftp://127.0.0.1:8642",
        "http://127.0.0.1:8642/path",
        "http://[bad",
    ],
)
def test_any_other_origin_is_foreign(origin: str) -> None:
    """I4: a foreign page can neither read nor write; other ports of this machine are foreign too."""
    assert not same_origin(origin, Authority("127.0.0.1", 8642))


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_header_makes_the_check_fail_open_or_break(origin: str, host: str) -> None:
    """P9: whatever is sent, the answer is yes only for the same host and port."""
    authority = parse_authority(host)
    if authority is not None and same_origin(origin, authority):
        assert authority.host in origin.lower()
