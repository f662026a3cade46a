"""What ``/openapi.json`` says about errors: problem details everywhere, never the framework's own form."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from pydantic import JsonValue

from novaberg.server.problems import Problem

_FRAMEWORK_STATUS: Final = "422"
"""The framework describes it for every route with parameters; here such requests get 400."""


def describe(app: FastAPI) -> None:
    """Let the application describe its errors as they are."""
    generate = app.openapi

    def openapi() -> dict[str, JsonValue]:
        if app.openapi_schema is None:
            _correct(generate())
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the framework's documented way


def _correct(schema: dict[str, JsonValue]) -> None:
    for path in _object(schema["paths"]).values():
        for operation in _object(path).values():
            _object(_object(operation)["responses"]).pop(_FRAMEWORK_STATUS, None)
    schemas = _object(_object(schema["components"])["schemas"])
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema()


def _object(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict), "an OpenAPI document nests objects here"
    return value
