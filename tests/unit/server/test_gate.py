"""The gate over every route (promise P9, cases I3 and I4)."""

from __future__ import annotations

import pytest

from novaberg.server.access import cookie_for
from novaberg.server.app import create_app
from novaberg.server.headers import DATA_POLICY, PAGE_POLICY
from tests.support.program import StubProgram
from tests.unit.server.conftest import Talk

TOKEN = "geheim"


OUTSIDE = [
    ("GET", "/nirgends"),
    ("GET", "/docs"),
    ("GET", "/redoc"),
    ("GET", "/openapi.json"),
    ("GET", "/login"),
    ("HEAD", "/health"),
    ("OPTIONS", "/chat"),
    ("PUT", "/chat"),
]
"""What no route answers, or the description does not tell."""


def _routes() -> list[tuple[str, str]]:
    described = create_app(StubProgram(), page=False).openapi()["paths"]
    found = [
        (method.upper(), path.replace("{user_id}", "meister").replace("{turn_id}", "t1"))
        for path, operations in described.items()
        for method in operations
    ]
    return sorted(found) + OUTSIDE


def test_the_matrix_covers_the_routes_that_exist() -> None:
    """I3: every route."""
    paths = {path for _, path in _routes()}
    assert {
        "/chat",
        "/chat/stream",
        "/verlauf/meister",
        "/session/reset/meister",
        "/session/kontext/meister",
        "/admin/events/requeue",
        "/health",
        "/pipeline/t1",
        "/openapi.json",
    } <= paths


@pytest.mark.parametrize(("method", "path"), _routes())
async def test_every_route_wants_the_token(talk: Talk, method: str, path: str) -> None:
    """I3: no token → 401 on every route incl. docs; a wrong one as well."""
    client = talk(StubProgram(token=TOKEN))
    for headers in ({}, {"Authorization": "Bearer falsch"}, {"Cookie": f"novaberg={TOKEN}"}):
        answer = await client.request(method, path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        if method != "HEAD":
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert "NOVABERG_TOKEN" in answer.json()["fehler"]
    for headers in ({"Authorization": f"Bearer {TOKEN}"}, {"Cookie": f"novaberg={cookie_for(TOKEN)}"}):
        assert (await client.request(method, path, headers=headers)).status_code != 401


@pytest.mark.parametrize(("method", "path"), _routes())
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:8642"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
async def test_no_route_answers_a_foreign_page(
    talk: Talk, method: str, path: str, headers: dict[str, str]
) -> None:
    """I4: a foreign web page's fetch to 127.0.0.1 can neither read nor write."""
    program = StubProgram()
    answer = await talk(program).request(
        method, path, headers={"Content-Type": "application/json", **headers}, content=b'{"prompt": "x"}'
    )
    assert answer.status_code == 403
    assert program.inbox.messages == []
    assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("path", ["/health", "/nirgends", "/chat", "/openapi.json"])
@pytest.mark.parametrize("token", ["", TOKEN])
async def test_every_answer_carries_the_headers_of_safety(talk: Talk, path: str, token: str) -> None:
    """P9, P11: also refusals and errors."""
    answer = await talk(StubProgram(token=token)).get(path)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Content-Security-Policy"] == DATA_POLICY
    assert answer.headers["Cache-Control"] == "no-store"


async def test_a_browser_without_cookie_gets_a_form_and_still_401(talk: Talk) -> None:
    """I3: the page wants the token too; a person is asked for it."""
    answer = await talk(StubProgram(token=TOKEN)).get("/", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert '<form method="post" action="/login">' in answer.text
    assert answer.headers["Content-Security-Policy"] == PAGE_POLICY
    assert TOKEN not in answer.text


async def test_the_form_exchanges_the_token_for_a_cookie(talk: Talk) -> None:
    """P9: HttpOnly and SameSite, and the token is not in it."""
    client = talk(StubProgram(token=TOKEN))
    answer = await client.post("/login", data={"token": TOKEN})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert (await client.get("/health")).status_code == 200


@pytest.mark.parametrize("shown", ["", "falsch", "geheim ", "\udcff"])
async def test_a_wrong_token_in_the_form_opens_nothing(talk: Talk, shown: str) -> None:
    """I3: wrong token."""
    client = talk(StubProgram(token=TOKEN))
    answer = await client.post(
        "/login", content=f"token={shown}".encode("utf-8", "replace"), headers={"Accept": "text/html"}
    )
    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers
    assert "Das war nicht das Token." in answer.text


async def test_a_foreign_page_cannot_log_a_browser_in(talk: Talk) -> None:
    """I4: the one route before the token is behind the Origin check like all others."""
    answer = await talk(StubProgram(token=TOKEN)).post(
        "/login", data={"token": TOKEN}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
