"""Random requests against the description of the interface (bounded)."""

from __future__ import annotations

import hypothesis
import schemathesis
from hypothesis import HealthCheck
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.server import RunningServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def test_whatever_is_sent_the_answer_is_as_described(server: RunningServer) -> None:
    """Issue 2, "Bad input": no request makes the server fail or answer in a form that is not promised."""
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    seen = set()
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path == "/chat/stream":
            continue  # each example would wait for a whole turn
        seen.add(operation.path)

        @hypothesis.settings(
            max_examples=25,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy())
        def examine(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS, timeout=20)

        examine()
    assert len(seen) >= 7
