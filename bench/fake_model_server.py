"""A model server that always says the same thing, after a fixed time, and fails on demand.

    python -m bench.fake_model_server --port 0 --latency 0.5 [--fault NAME [--fault-caller KIND]]

prints its address as its first line. It speaks the wire formats of Ollama, OpenAI and Anthropic; answers
carry ``[echo:…]`` of the question (`bench.fake_model_answers.echo`). ``POST /faults`` and ``GET /calls``
steer and watch it. In a test: ``async with FakeModelServer(latency=0) as server: server.url``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bench.fake_model_answers import Kind, answer
from bench.fake_model_faults import FAULTS, Fault, misspeak
from bench.fake_model_routes import Call, Outcome, catalog_routes, control_routes, refuse
from bench.fake_model_wire import AnthropicWire, Asked, OllamaWire, OpenAIWire, Wire

SLOW_PIECE_S = 0.25
"""Pause between two stream pieces under the fault ``slow``."""
STOP_TIMEOUT_S = 2.0
"""What running calls get when the server stops."""


class FakeModelServer:
    """The server, in this process, on a free port of 127.0.0.1 (or ``port``).

    Args:
        latency: seconds that every chat call takes.
        models: names that ``/api/tags`` and ``/v1/models`` list.
        strict: answer 404 to a chat with another model, as real servers do.
    """

    def __init__(
        self,
        *,
        latency: float = 0.0,
        port: int = 0,
        faults: tuple[Fault, ...] = (),
        models: tuple[str, ...] = ("fake",),
        strict: bool = False,
    ) -> None:
        self.latency = latency
        self.models = models
        self.strict = strict
        self.faults: list[Fault] = list(faults)
        self.calls: list[Call] = []
        self._zero = time.monotonic()
        self._stopping = asyncio.Event()
        self._port = port
        self._task: asyncio.Task[None] | None = None
        self._server: _QuietServer | None = None
        self.url = ""

    # ── life ──────────────────────────────────────────────────────────────

    async def __aenter__(self) -> FakeModelServer:
        listener = socket.create_server(("127.0.0.1", self._port))
        # asyncio does this only for sockets that name their protocol; else each longer reply waits for a delayed ACK.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(self.app(), log_level="error", lifespan="off", ws="none")
        self._server = _QuietServer(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        await self._server.ready.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        if self._server is not None and self._task is not None:
            self._server.stopping.set()
            await self._task

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/", lambda _: Response("Ollama is running"), methods=["GET"]),
                Route("/api/chat", self._chat_route(OllamaWire()), methods=["POST"]),
                Route("/v1/chat/completions", self._chat_route(OpenAIWire()), methods=["POST"]),
                Route("/v1/messages", self._chat_route(AnthropicWire()), methods=["POST"]),
                *catalog_routes(self.models, self.faults),
                *control_routes(self.faults, self.calls),
            ]
        )

    # ── faults and counts, in process ─────────────────────────────────────

    def fail(
        self, name: str, *, kind: Kind | None = None, contains: str = "", times: int | None = None
    ) -> None:
        """Add a fault; the first matching one strikes."""
        self.faults.append(Fault(name, kind, contains, times))

    def heal(self) -> None:
        """Clear all faults."""
        self.faults.clear()

    def count(self, kind: Kind | None = None) -> int:
        """Chat calls so far (of one kind)."""
        return sum(kind in (None, call.kind) for call in self.calls)

    @property
    def running(self) -> int:
        """Chat calls that are under way."""
        return sum(call.end is None for call in self.calls)

    # ── chat ──────────────────────────────────────────────────────────────

    def _chat_route(self, wire: Wire) -> Callable[[Request], Awaitable[Response]]:
        async def chat(request: Request) -> Response:
            body = await request.json()
            asked = wire.parse(body)
            fault = next((f.name for f in self.faults if f.strikes(asked.kind, asked.prompt)), None)
            call = Call(
                kind=asked.kind,
                wire=wire.name,
                model=asked.model,
                start=self._now(),
                fault=fault,
                stream=asked.stream,
                chars_in=len(asked.prompt),
                body=body,
            )
            self.calls.append(call)
            try:
                response = await self._reply(wire, asked, fault, call, request)
            except ClientDisconnect:
                self._end(call, "aborted")
                return Response(status_code=499)
            if not isinstance(response, StreamingResponse):
                self._end(call, "answered" if response.status_code < 400 else "failed")
            return response

        return chat

    async def _reply(
        self, wire: Wire, asked: Asked, fault: str | None, call: Call, request: Request
    ) -> Response:
        unknown = self.strict and asked.model not in self.models
        refusal = refuse(wire, asked, "not_found" if unknown else fault)
        if refusal is not None:
            return refusal
        await self._wait(request, None if fault == "timeout" else self.latency * (0.5 if asked.stream else 1))
        if fault == "error500":
            return JSONResponse(wire.error("the model runner crashed", 500), 500)
        if fault == "garbage":
            return Response(b'{"message": {"role": \xff\xfe', media_type="application/json")
        spoken = misspeak(
            fault, answer(asked.schema, asked.question, asked.prompt), schema=asked.schema, think=asked.think
        )
        if asked.stream:
            pieces = self._paced(list(wire.pieces(asked, spoken)), fault, call)
            return StreamingResponse(pieces, media_type=wire.stream_type)
        return JSONResponse(wire.whole(asked, spoken))

    async def _paced(self, pieces: list[str], fault: str | None, call: Call) -> AsyncIterator[str]:
        pause = SLOW_PIECE_S if fault == "slow" else self.latency / 2 / len(pieces)
        if fault == "cut_stream":
            pieces = pieces[: len(pieces) // 2]
        try:
            for piece in pieces:
                await asyncio.sleep(pause)
                yield piece
            self._end(call, "answered")
        finally:
            if call.end is None:
                self._end(call, "aborted")

    async def _wait(self, request: Request, seconds: float | None) -> None:
        """Sleep, and give up as soon as the client is gone, as model servers do."""
        gone = asyncio.create_task(self._client_gone(request))
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            done, _ = await asyncio.wait(
                {gone, stopping}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            gone.cancel()
            stopping.cancel()
        if done:
            raise ClientDisconnect

    async def _client_gone(self, request: Request) -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    def _now(self) -> float:
        return time.monotonic() - self._zero

    def _end(self, call: Call, outcome: Outcome) -> None:
        call.end = self._now()
        call.outcome = outcome


class _QuietServer(uvicorn.Server):
    """Leaves the signal handlers of the process alone, tells when it listens, and stops without polling."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.stopping = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then tell."""
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Wait for the end."""
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all; give running calls a moment, for they end as soon as their client or the server goes."""
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            _, hanging = await asyncio.wait(set(self.server_state.tasks), timeout=STOP_TIMEOUT_S)
            for task in hanging:
                task.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _serve(options: argparse.Namespace) -> None:
    faults = tuple(Fault(name, options.fault_caller, times=options.fault_times) for name in options.fault)
    server = FakeModelServer(
        latency=options.latency,
        port=options.port,
        faults=faults,
        models=tuple(options.model),
        strict=options.strict,
    )
    async with server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Run until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fake_model_server", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--port", type=int, default=0, help="0 = a free one")
    parser.add_argument("--latency", type=float, default=0.5, help="seconds a call takes")
    parser.add_argument("--model", action="append", default=None, help="a model name that the server lists")
    parser.add_argument("--strict", action="store_true", help="refuse models that are not listed")
    parser.add_argument("--fault", action="append", default=[], choices=FAULTS)
    parser.add_argument("--fault-caller", default=None, choices=("perzeption", "salienz", "json", "text"))
    parser.add_argument("--fault-times", type=int, default=None, help="how often each fault strikes")
    options = parser.parse_args()
    options.model = options.model or ["fake"]
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options))


if __name__ == "__main__":
    main()
