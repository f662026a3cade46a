"""Intruders over real sockets (promise P9, cases I3 and I4)."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.fake_model import FakeModel
from tests.support.server import RunningServer

TOKEN = "ein-geheimes-Token"
ROUTES = [
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
    ("GET", "/health"),
    ("GET", "/verlauf/meister"),
    ("GET", "/session/kontext/meister"),
    ("GET", "/pipeline/t1"),
    ("GET", "/_nicegui/auto/static/vue.js"),
    ("GET", "/_nicegui_ws/socket.io/?EIO=4&transport=polling"),
    ("POST", "/chat"),
    ("POST", "/chat/stream"),
    ("POST", "/session/reset/meister"),
    ("POST", "/admin/events/requeue"),
    ("OPTIONS", "/chat"),
    ("DELETE", "/nirgends"),
]


@pytest.fixture(scope="module")
def guarded(kept_home: Path, model: FakeModel) -> Iterator[RunningServer]:
    """A server with a token, open to the network of this machine."""
    with RunningServer(kept_home, token=TOKEN, host="0.0.0.0", **model.settings) as running:
        yield running


def _raw(server: RunningServer, request: str) -> str:
    """The status line of an answer to bytes as they are."""
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=10) as line:
        line.sendall(request.replace("\n", "\r\n").encode())
        return line.recv(65_536).decode("utf-8", "replace")


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_without_the_token_nothing_opens(guarded: RunningServer, method: str, path: str) -> None:
    """I3: no token → 401 on every route incl. docs, page and static files."""
    with httpx.Client(base_url=guarded.url, trust_env=False) as client:
        for headers in ({}, {"Authorization": "Bearer falsch"}, {"Authorization": f"Basic {TOKEN}"}):
            answer = client.request(method, path, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["Content-Type"] == "application/problem+json"
        assert client.request(method, path, headers=guarded.headers).status_code != 401


@pytest.mark.parametrize(
    "path", ["/ws/meister", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket", "/ws/meister?token=" + TOKEN]
)
async def test_no_live_channel_opens_without_the_token(guarded: RunningServer, path: str) -> None:
    """I3: WebSocket included; a token in an address would end in logs and histories, so it does not count."""
    with pytest.raises(InvalidStatus) as refused:
        await connect(guarded.ws_url + path, proxy=None)
    assert refused.value.response.status_code == 401


async def test_the_token_opens_the_live_channel(guarded: RunningServer) -> None:
    """Design §7."""
    async with connect(
        guarded.ws_url + "/ws/meister", additional_headers=guarded.headers, proxy=None
    ) as socket:
        assert "verbindung" in str(await socket.recv())


async def test_a_browser_logs_in_once_for_page_and_live_channel(guarded: RunningServer) -> None:
    """Brief: the cookie covers every route and the WebSocket."""
    async with httpx.AsyncClient(base_url=guarded.url, trust_env=False) as client:
        form = await client.get("/", headers={"Accept": "text/html"})
        assert (form.status_code, "<form" in form.text) == (401, True)
        origin = {"Origin": guarded.url}
        refused = await client.post("/login", data={"token": "falsch"}, headers=origin)
        opened = await client.post("/login", data={"token": TOKEN}, headers=origin)
        assert (refused.status_code, opened.status_code) == (401, 303)
        assert (await client.get("/health")).json()["server"] == "ok"
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    async with connect(
        guarded.ws_url + "/ws/meister",
        additional_headers={"Cookie": cookie},
        origin=guarded.url,  # type: ignore[arg-type]
        proxy=None,
    ) as socket:
        assert "verbindung" in str(await socket.recv())


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 403), ("127.0.0.1.evil.example", 403), ("0.0.0.0", 403), ("localhost", 200)],
)
def test_a_name_bound_to_this_machine_gives_itself_away(
    server: RunningServer, host: str, status: int
) -> None:
    """I4: DNS rebinding."""
    answer = _raw(server, f"GET /health HTTP/1.1\nHost: {host}\nConnection: close\n\n")
    assert answer.startswith(f"HTTP/1.1 {status}")


def test_requests_without_or_with_two_hosts_are_refused(server: RunningServer) -> None:
    """P9: nobody may choose which of two names is checked."""
    assert " 40" in _raw(server, "GET /health HTTP/1.0\n\n").splitlines()[0]
    two = "GET /health HTTP/1.1\nHost: 127.0.0.1\nHost: evil.example\nConnection: close\n\n"
    assert " 40" in _raw(server, two).splitlines()[0]


def test_a_simple_request_of_a_foreign_page_stores_nothing(server: RunningServer) -> None:
    """I4: forms and text/plain fetches need no preflight; neither writes."""
    with server.client() as client:
        for headers in (
            {"Origin": "http://evil.example", "Content-Type": "text/plain"},
            {"Origin": "http://localhost:3000", "Content-Type": "application/json"},
            {"Content-Type": "text/plain"},
        ):
            answer = client.post("/chat", content='{"prompt": "x", "user_id": "opfer"}', headers=headers)
            assert answer.status_code in (400, 403)
            assert not [name for name in answer.headers if name.startswith("access-control")]
        preflight = client.options(
            "/chat", headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
        )
        assert preflight.status_code == 403
        assert not [name for name in preflight.headers if name.startswith("access-control")]
        assert client.get("/verlauf/opfer").json()["anzahl"] == 0


def test_the_stores_listen_on_no_network(server: RunningServer) -> None:
    """P9: stores on sockets only."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("needs the process table of Linux")
    import psutil

    port = int(server.url.rpartition(":")[2])
    family = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
    servers = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(str(server.home) in part for part in process.info["cmdline"] or ())
    ]
    listening = {
        connection.laddr.port
        for process in {*family, *servers}
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {port}
