"""Run by Alembic; the connection comes from `novaberg.memory.schema`."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, text

UPGRADE_LOCK = 7300
"""Advisory lock that lets one process upgrade at a time."""


def run() -> None:
    connection: Connection = context.config.attributes["connection"]
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
        context.run_migrations()
    connection.commit()


run()
