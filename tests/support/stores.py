"""Real stores for tests: a home that is gone afterwards, databases from a template."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

RAM_DISK = Path("/dev/shm")
ROOMY = 2_000_000_000
"""Bytes that must be free there; a container's usual 64 MB are too few."""

TEMPLATE = "novaberg_template"
"""A once-migrated database from which test databases are copied."""

UNTOUCHED = ("alembic_version",)
"""Tables that `empty_tables` leaves alone."""


@contextmanager
def temporary_home() -> Iterator[Path]:
    """A place for NOVABERG_HOME that does not exist yet, with a short path; removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="nova-", dir=_place()))
    try:
        yield folder / "home"
    finally:
        shutil.rmtree(folder)


def _place() -> Path | None:
    """The RAM disk if it is roomy: syncing a shared disk is most of what these tests would wait for."""
    if RAM_DISK.is_dir() and os.access(RAM_DISK, os.W_OK) and shutil.disk_usage(RAM_DISK).free > ROOMY:
        return RAM_DISK
    return None


def admin(url: str) -> psycopg.Connection:
    """A connection in autocommit to the server behind ``url``."""
    return psycopg.connect(url, autocommit=True)


def url_of(url: str, database: str) -> str:
    """The same server, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


@contextmanager
def fresh_database(url: str, template: str = "template1") -> Iterator[str]:
    """Address of a new database; dropped at the end, whoever is still connected."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
        sql.Identifier(name), sql.Identifier(template)
    )
    with admin(url) as connection:
        connection.execute(statement)
    try:
        yield url_of(url, name)
    finally:
        with admin(url) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def create_template(url: str) -> None:
    """Create the empty template database; the caller migrates it."""
    with admin(url) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(TEMPLATE)))


def empty_tables(url: str) -> None:
    """Delete all rows of the tables that have any. Sequences go on, as in a living database."""
    with admin(url) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        tables = [name for (name,) in rows if name not in UNTOUCHED]
        filled = [name for name in tables if _has_rows(connection, name)]
        if filled:
            names = sql.SQL(", ").join(map(sql.Identifier, filled))
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))


def _has_rows(connection: psycopg.Connection, table: str) -> bool:
    statement = sql.SQL("SELECT EXISTS (SELECT 1 FROM {})").format(sql.Identifier(table))
    return connection.execute(statement).fetchone() == (True,)
