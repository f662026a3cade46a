"""One perceiver for all tests: loading it takes about a second."""

from __future__ import annotations

import pytest

from novaberg.models.perceiver.perceiver import LocalPerceiver, shared_perceiver


@pytest.fixture(scope="session")
def perceiver() -> LocalPerceiver:
    return shared_perceiver()
