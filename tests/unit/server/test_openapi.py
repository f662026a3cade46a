"""What ``/openapi.json`` promises."""

from __future__ import annotations

from novaberg.server.app import create_app
from tests.support.program import StubProgram


def test_every_error_is_described_as_problem_details() -> None:
    """RFC 9457 everywhere; the framework's own form of validation errors is never sent and not described."""
    schema = create_app(StubProgram(), page=False).openapi()
    assert "fehler" in schema["components"]["schemas"]["Problem"]["properties"]
    assert "HTTPValidationError" not in schema["components"]["schemas"]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            assert "422" not in operation["responses"], path
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"], path
