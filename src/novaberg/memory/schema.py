"""The database schema and its upgrades."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from novaberg.errors import HomeVersionError
from novaberg.memory.database import translate_database_errors

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

HEAD = "0001"
"""The revision that this version needs; a start whose database has it loads no migration machinery."""

_one_thread = threading.Lock()
"""Alembic keeps its context in globals of a module; between processes the lock in ``env.py`` does the same."""

_FOLDER = Path(__file__).parent / "migrations"


async def upgrade(database_url: str) -> None:
    """Bring the database to the schema of this version. Several processes may ask at once; one does the work.

    Raises:
        HomeVersionError: the database has a revision that this version does not know.
        DatabaseUnavailableError, DiskFullError: the server failed; the schema is as before.
    """
    await asyncio.to_thread(_upgrade, database_url)


async def revision(database_url: str) -> str | None:
    """The revision of the database, ``None`` when it has no schema yet. Errors as `upgrade`."""
    return await asyncio.to_thread(_revision, database_url)


def is_known(found: str) -> bool:
    """Whether a revision belongs to this version or to an older one."""
    return found in _known_revisions(_config())


def _upgrade(database_url: str) -> None:
    if _revision(database_url) == HEAD:
        return
    with _one_thread, translate_database_errors():
        found = _revision(database_url)
        log.info("upgrading the database schema from %s to %s", found or "nothing", HEAD)
        _run_migrations(database_url, found)


def _revision(database_url: str) -> str | None:
    with (
        translate_database_errors(),
        psycopg.connect(database_url, autocommit=True, connect_timeout=5) as connection,
    ):
        if connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def _known_revisions(config: Config) -> set[str]:
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def _run_migrations(database_url: str, found: str | None) -> None:
    from alembic import command
    from sqlalchemy import create_engine, exc
    from sqlalchemy.pool import NullPool

    config = _config()
    if found is not None and found not in _known_revisions(config):
        raise HomeVersionError(
            f"The database has schema {found}, which this version of Novaberg does not know. "
            "Use the newer version that wrote it, or another NOVABERG_HOME or NOVABERG_DATABASE_URL."
        )
    # Connections are made by psycopg itself: its addresses know more forms than SQLAlchemy's.
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(database_url), poolclass=NullPool
    )
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except exc.DBAPIError as error:
        raise (error.orig or error) from error
    finally:
        engine.dispose()
