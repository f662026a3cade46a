"""Errors as problem details (RFC 9457) with the German field ``fehler``: what happened, what is safe, what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from novaberg import errors
from novaberg.errors import InputError, NovabergError
from novaberg.server.headers import complete
from novaberg.settings import Settings
from novaberg.turns.refusals import problem_name, refusal

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SOON_S: Final = 5
"""Seconds after which a client may try again when a store is away or the queue is full."""

_STATUS: Final[Mapping[type[NovabergError], HTTPStatus]] = {
    errors.NovabergError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.InputError: HTTPStatus.BAD_REQUEST,
    errors.PromptTooLongError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.RequestTooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.UnknownTurnError: HTTPStatus.NOT_FOUND,
    errors.TurnNotFailedError: HTTPStatus.CONFLICT,
    errors.QueueFullError: HTTPStatus.TOO_MANY_REQUESTS,
    errors.AccessError: HTTPStatus.UNAUTHORIZED,
    errors.ForeignRequestError: HTTPStatus.FORBIDDEN,
    errors.StoreError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.DiskFullError: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.ModelError: HTTPStatus.SERVICE_UNAVAILABLE,
}
_RETRYABLE: Final = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS)

_ROUTE_TEXTS: Final[Mapping[int, tuple[str, str]]] = {
    400: (
        "Die Anfrage ist nicht lesbar. Sende gültiges JSON.",
        "The request cannot be read. Send valid JSON.",
    ),
    404: (
        "Diese Adresse gibt es hier nicht. /openapi.json zählt die Adressen auf.",
        "There is no such address here. /openapi.json lists the addresses.",
    ),
    405: (
        "Diese Adresse versteht die Methode nicht; die Kopfzeile Allow nennt die richtigen.",
        "This address does not understand the method; the header Allow names the right ones.",
    ),
    413: (
        "Die Anfrage ist zu groß. Kürze sie; gespeichert wurde nichts.",
        "The request is too large. Shorten it; nothing was stored.",
    ),
}
_OTHER_TEXT: Final = (
    "Die Anfrage wurde nicht ausgeführt ({phrase}).",
    "The request was not carried out ({phrase}).",
)
_UNEXPECTED: Final = (
    "Ein unerwarteter Fehler ist aufgetreten. Das Protokoll des Servers nennt die Ursache; bitte melde ihn.",
    "An unexpected error came up. The log of the server has the cause; please report it.",
)


class Problem(BaseModel):
    """The body of every error."""

    model_config = ConfigDict(title="Problem")

    type: Annotated[str, Field(description="Stable name of the kind of error, or about:blank")] = (
        "about:blank"
    )
    title: Annotated[str, Field(description="The HTTP status in words")]
    status: int
    detail: Annotated[str, Field(description="What happened and what to do, in English")]
    fehler: Annotated[str, Field(description="The same in the language of the settings")]


def responses(*statuses: int) -> dict[int | str, dict[str, object]]:
    """The problems of a route for its OpenAPI description; every route can be refused."""
    described = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    return {
        status: {"description": HTTPStatus(status).phrase, **described}
        for status in sorted({400, 401, 403, 500, *statuses})
    }


def problem(
    status: int, *, detail: str, fehler: str, kind: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """An error response."""
    body = Problem(
        type=f"urn:novaberg:problem:{kind}" if kind else "about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        fehler=fehler,
    )
    return JSONResponse(
        body.model_dump(), status_code=status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )


def problem_of(error: NovabergError, settings: Settings) -> Response:
    """The response to one of our own errors."""
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    headers = {"Retry-After": str(RETRY_SOON_S)} if status in _RETRYABLE else {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="novaberg"'
    return problem(
        status,
        detail=error.message,
        fehler=refusal(error, settings),
        kind=problem_name(type(error)),
        headers=headers,
    )


def problem_of_status(
    status: int, settings: Settings, *, headers: Mapping[str, str] | None = None
) -> Response:
    """The response to an error that only has a status: unknown address, wrong method."""
    german, english = _ROUTE_TEXTS.get(status, _OTHER_TEXT)
    phrase = HTTPStatus(status).phrase
    english = english.format(phrase=phrase)
    german = german.format(phrase=phrase)
    return problem(
        status, detail=english, fehler=german if settings.language == "de" else english, headers=headers
    )


def install_problems(app: FastAPI, settings: Settings) -> None:
    """Let every error of the routes leave as a problem."""

    async def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, NovabergError)
        return problem_of(error, settings)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_of(InputError(explain_fields(error.errors())), settings)

    async def by_status(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return problem_of_status(error.status_code, settings, headers=error.headers)

    async def unexpected(_: Request, __: Exception) -> Response:
        german, english = _UNEXPECTED
        response = problem(500, detail=english, fehler=german if settings.language == "de" else english)
        complete(MutableHeaders(raw=response.raw_headers))  # this one is sent outside of all middleware
        return response

    app.add_exception_handler(NovabergError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, by_status)
    app.add_exception_handler(Exception, unexpected)


def explain_fields(problems: Sequence[Mapping[str, object]]) -> str:
    """One sentence that names each field and what is wrong with it."""
    if any(problem.get("type") == "json_invalid" for problem in problems):
        return "The body is not valid JSON. Correct it and send it again; nothing was stored."
    parts = []
    for found in problems:
        place = found.get("loc")
        path = list(place) if isinstance(place, tuple | list) else []
        name = ".".join(str(step) for step in path[1:]) or (str(path[0]) if path else "request")
        parts.append(f"{name}: {found.get('msg')}")
    return f"Fields that cannot be used: {'; '.join(parts)}. Nothing was stored."
