"""Failures of SQL statements in the words of this program, for callers that must not know the driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from novaberg.errors import StoreError
from novaberg.memory.database import translate_database_errors


@contextmanager
def statement_errors(what: str) -> Iterator[None]:
    """Turn every failure of a statement into a `StoreError`.

    Args:
        what: the subject of the message, like ``"The directives"``.

    Raises:
        DatabaseUnavailableError, DiskFullError: the server failed.
        StoreError: the server refused the statement (another schema, a broken row).
    """
    try:
        with translate_database_errors():
            yield
    except psycopg.Error as error:
        cause = " ".join(str(error).split()) or type(error).__name__
        raise StoreError(
            f"{what} cannot be read or written: {cause}. `novaberg doctor` checks the stores."
        ) from error
