"""Servers that the acceptance tests share: the program from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_model import FakeModel, fake_model
from tests.support.server import RunningServer, environment, fresh_home, novaberg


@pytest.fixture(scope="session")
def model() -> Iterator[FakeModel]:
    """A model server that answers at once. A test that lets it fail heals it."""
    with fake_model() as fake:
        yield fake


@pytest.fixture(scope="session")
def server(model: FakeModel) -> Iterator[RunningServer]:
    """``novaberg serve`` for all tests that leave it running; each uses persons of its own."""
    with fresh_home() as home, RunningServer(home, **model.settings) as running:
        yield running


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A home of this module, whose stores come and go with its programs."""
    with fresh_home() as home:
        yield home


@pytest.fixture(scope="module")
def kept_home(home: Path) -> Path:
    """The same with stores that go on between the programs, which then start faster."""
    assert novaberg("services", env=environment(home)).returncode == 0
    return home
