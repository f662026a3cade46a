"""The routes of the fake model server beside the chat itself: its catalogue, its refusals, its switches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from bench.fake_model_answers import Kind
from bench.fake_model_faults import Fault
from bench.fake_model_wire import Asked, Body, OllamaWire, OpenAIWire, Wire

HTML_PAGE: Final = "<!doctype html><html><body><h1>It works!</h1></body></html>"
NOT_FOUND_PAGE: Final = "<html>404 page not found</html>"

Outcome = Literal["running", "answered", "failed", "aborted"]


@dataclass(slots=True)
class Call:
    """One chat call; times are seconds since the server started."""

    kind: Kind
    wire: str
    model: str
    start: float
    fault: str | None
    stream: bool
    chars_in: int
    end: float | None = None
    outcome: Outcome = "running"
    body: Body = field(default_factory=dict)


def refuse(wire: Wire, asked: Asked, fault: str | None) -> Response | None:
    """The server's refusal to answer a chat at all, if the fault is one."""
    if fault in ("html", "wrong_path"):
        return HTMLResponse(*((HTML_PAGE, 200) if fault == "html" else (NOT_FOUND_PAGE, 404)))
    schema_only = "'response_format.type' must be 'json_object' or 'text'"
    refusals = {
        "not_found": (True, 404, f"model '{asked.model}' not found"),
        "unauthorised": (True, 401, "invalid api key"),
        "reject_think": (asked.think is not None, 400, f'"{asked.model}" does not support thinking'),
        "reject_format": (asked.schema is not None, 400, "unknown field: format or response_format"),
        "context_overflow": (True, 400, "this model's maximum context length is 4096 tokens"),
        "reject_schema": (bool(asked.schema), 400, schema_only),
    }
    applies, status, message = refusals.get(fault or "", (False, 0, ""))
    return JSONResponse(wire.error(message, status), status) if applies else None


def catalog_routes(models: Sequence[str], faults: Sequence[Fault]) -> list[Route]:
    """What servers tell about themselves and their models; faults without a filter hit them too."""

    def trouble(wire: Wire) -> Response | None:
        active = {fault.name for fault in faults if fault.kind is None and not fault.contains}
        if "html" in active:
            return HTMLResponse(HTML_PAGE)
        if "wrong_path" in active:
            return HTMLResponse(NOT_FOUND_PAGE, 404)
        if "unauthorised" in active:
            return JSONResponse(wire.error("invalid api key", 401), 401)
        return (
            JSONResponse(wire.error("the model runner crashed", 500), 500) if "error500" in active else None
        )

    async def tags(_: Request) -> Response:
        listed: JsonValue = [{"name": name, "model": name, "size": 1, "digest": "0"} for name in models]
        return trouble(OllamaWire()) or JSONResponse({"models": listed})

    async def show(request: Request) -> Response:
        name = str((await request.json()).get("model"))
        if name not in models:
            return JSONResponse({"error": f"model '{name}' not found"}, 404)
        details: JsonValue = {"family": "fake", "parameter_size": "0B"}
        known: Body = {
            "details": details,
            "capabilities": ["completion"],
            "model_info": {"fake.context_length": 32768},
        }
        return trouble(OllamaWire()) or JSONResponse(known)

    async def version(_: Request) -> Response:
        return trouble(OllamaWire()) or JSONResponse({"version": "0.99.0"})

    async def list_models(_: Request) -> Response:
        page = {"object": "list", "data": [_model(name) for name in models], "has_more": False}
        return trouble(OpenAIWire()) or JSONResponse(page)

    async def one_model(request: Request) -> Response:
        name = request.path_params["model"]
        missing = JSONResponse(OpenAIWire().error(f"model '{name}' not found", 404), 404)
        return trouble(OpenAIWire()) or (JSONResponse(_model(name)) if name in models else missing)

    return [
        Route("/api/tags", tags),
        Route("/api/show", show, methods=["POST"]),
        Route("/api/version", version),
        Route("/v1/models", list_models),
        Route("/v1/models/{model:path}", one_model),
    ]


def control_routes(faults: list[Fault], calls: list[Call]) -> list[Route]:
    """``/faults``: GET, POST ``{name, kind?, contains?, times?}``, DELETE. ``/calls``: GET ``?bodies``, DELETE."""

    async def change_faults(request: Request) -> Response:
        if request.method == "DELETE":
            faults.clear()
        if request.method == "POST":
            wanted = await request.json()
            kind = wanted.get("kind") or wanted.get("caller")
            try:
                faults.append(Fault(wanted["name"], kind, wanted.get("contains", ""), wanted.get("times")))
            except (KeyError, ValueError) as error:
                return JSONResponse({"error": str(error)}, 422)
        return JSONResponse([asdict(fault) for fault in faults])

    async def list_calls(request: Request) -> Response:
        if request.method == "DELETE":
            calls.clear()
        with_bodies = "bodies" in request.query_params
        return JSONResponse([_row(call, with_bodies=with_bodies) for call in calls])

    return [
        Route("/faults", change_faults, methods=["GET", "POST", "DELETE"]),
        Route("/calls", list_calls, methods=["GET", "DELETE"]),
    ]


def _row(call: Call, *, with_bodies: bool) -> dict[str, JsonValue]:
    return {key: value for key, value in asdict(call).items() if with_bodies or key != "body"}


def _model(name: str) -> dict[str, JsonValue]:
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "created": 0,
        "created_at": "2026-01-01T00:00:00Z",
        "display_name": name,
        "owned_by": "bench",
    }
