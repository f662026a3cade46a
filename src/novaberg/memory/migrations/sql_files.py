"""Execution of plain SQL files inside a migration."""

from __future__ import annotations

from pathlib import Path

from alembic import op
from psycopg import Connection

SQL_FOLDER = Path(__file__).parent / "sql"


def execute_files(revision: str) -> None:
    """Execute ``sql/{revision}_*.sql`` in the order of their names."""
    for file in sorted(SQL_FOLDER.glob(f"{revision}_*.sql")):
        execute_script(file.read_text(encoding="utf-8"))


def execute_script(script: str) -> None:
    """Execute a script of many statements as it stands: no parameter marks, no colons are interpreted."""
    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, Connection)
    driver.execute(script.encode())
