"""Servers that the tests of a module share: the program from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_model import FakeModel, fake_model
from tests.support.server import RunningServer, fresh_home


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A home of this module."""
    with fresh_home() as home:
        yield home


@pytest.fixture(scope="module")
def model() -> Iterator[FakeModel]:
    """A model server that answers at once."""
    with fake_model() as fake:
        yield fake


@pytest.fixture(scope="module")
def server(home: Path, model: FakeModel) -> Iterator[RunningServer]:
    """``novaberg serve`` on this module's home and model."""
    with RunningServer(home, **model.settings) as running:
        yield running
