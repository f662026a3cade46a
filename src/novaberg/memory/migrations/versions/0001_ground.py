"""The ground: extensions, the job queue's own tables, and the tables of the first version."""

from __future__ import annotations

from procrastinate.schema import SchemaManager

from novaberg.memory.migrations.sql_files import execute_files, execute_script

revision = "0001"
down_revision = None


def upgrade() -> None:
    execute_script(SchemaManager.get_schema())
    execute_files(revision)
