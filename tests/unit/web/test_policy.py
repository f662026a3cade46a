"""The page's policy: scripts of this server, or with the nonce of this very response (promise P11)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from novaberg.server.headers import page_policy
from novaberg.web.policy import Nonces, mark_scripts

DOCUMENT = '<html><script>a()</script><script type="module">b()</script><p>ü</p></html>'


async def document(_: Request) -> Response:
    return HTMLResponse(DOCUMENT)


async def in_parts(_: Request) -> Response:
    async def parts() -> AsyncIterator[str]:
        yield DOCUMENT[:20]
        yield DOCUMENT[20:]

    return StreamingResponse(parts(), media_type="text/html; charset=utf-8")


async def text(_: Request) -> Response:
    return PlainTextResponse("<script>a()</script>")


def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/", document), Route("/parts", in_parts), Route("/text", text)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(Nonces(app)), base_url="http://test")


async def test_every_script_of_a_document_carries_the_nonce_of_its_response() -> None:
    async with client() as http:
        answers = [await http.get(path) for path in ("/", "/", "/parts")]
    nonces = set()
    for answer in answers:
        (nonce,) = set(re.findall(r"'nonce-([^']+)'", answer.headers["Content-Security-Policy"]))
        assert answer.text.count(f'<script nonce="{nonce}"') == answer.text.count("<script") == 2
        assert answer.headers["Content-Length"] == str(len(answer.content))
        nonces.add(nonce)
    assert len(nonces) == 3


async def test_what_is_no_document_passes_untouched() -> None:
    async with client() as http:
        answer = await http.get("/text")
    assert answer.text == "<script>a()</script>"
    assert "Content-Security-Policy" not in answer.headers


def test_the_policy_lets_nothing_in_from_elsewhere_and_compiles_nothing() -> None:
    policy = page_policy("n")
    sources = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
    assert sources["default-src"] == ["'none'"]
    assert sources["script-src"] == ["'self'", "'nonce-n'"]
    assert sources["connect-src"] == ["'self'"]
    assert sources["img-src"] == ["'self'", "data:"]
    assert sources["frame-ancestors"] == ["'none'"]
    assert "unsafe-eval" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_marking_leaves_everything_else_as_it_is() -> None:
    marked = mark_scripts(DOCUMENT.encode(), "n")
    assert marked.replace(b' nonce="n"', b"").decode() == DOCUMENT
