"""The embedded PostgreSQL: its data, its settings, its way to answer and to stop."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from novaberg.errors import DiskFullError, EmbeddedServerError, HomeVersionError
from novaberg.memory.home import Home, home_errors
from novaberg.memory.servers.handover import Handover, handed_over
from novaberg.memory.servers.locks import exclusive
from novaberg.memory.servers.process import ServerFiles, run_tool
from novaberg.memory.servers.sockets import restore_socket_folder
from novaberg.memory.servers.system_user import ServerUser

log = logging.getLogger(__name__)

DATABASE = "novaberg"
"""Name of the database and of its owner."""

_PORT = 5432
"""Only part of the socket's name; no port is opened."""


@dataclass(frozen=True, slots=True)
class PostgresCalibration:
    """How the server is sized."""

    shared_buffers_mb: int = 48
    """MB; the system's own cache stands behind it (100,000 vectors of 384 half floats and their index: 200 MB)."""
    max_connections: int = 60
    """Sessions; several processes with a pool of eight, the queue's listener and lifelines."""
    creation_timeout_s: float = 60.0
    """Seconds to wait for the end of a creation whose starter was killed."""
    connect_timeout_s: int = 5
    """Seconds for one try to connect."""


DEFAULT_POSTGRES = PostgresCalibration()


@dataclass(frozen=True, slots=True)
class Postgres:
    """The PostgreSQL server of one home."""

    home: Home
    programs: Path
    sockets: Path
    user: ServerUser | None
    calibration: PostgresCalibration = DEFAULT_POSTGRES

    @property
    def name(self) -> str:
        """As people know it."""
        return "PostgreSQL"

    @property
    def folder(self) -> Path:
        """Its working folder."""
        return self.home.root

    @property
    def given(self) -> tuple[Path, ...]:
        """The folders that it works in."""
        return (self.home.postgres, self.sockets)

    @property
    def files(self) -> ServerFiles:
        """Its lock and its log."""
        return ServerFiles(alive=self.home.alive("postgres"), log=self.home.logs / "postgres.log")

    @property
    def url(self) -> str:
        """Where clients connect."""
        return self._url(DATABASE)

    @property
    def socket(self) -> Path:
        """The socket file."""
        return self.sockets / f".s.PGSQL.{_PORT}"

    def prepare(self) -> None:
        """Create the data at the first start; check their version; clear a dead server's id file.

        Raises:
            HomeVersionError: the data belong to another major version.
            EmbeddedServerError: the data are incomplete or cannot be created.
            DiskFullError: no space for the data.
        """
        with home_errors(self.home.root):
            if not self.home.postgres.exists():
                self._create_data()
            self._check_version()
            restore_socket_folder(self.sockets, self.user)
            # Nothing lives, so these are remains; a number in them may by now belong to a stranger.
            for remains in (self.home.postgres / "postmaster.pid", self.socket, Path(f"{self.socket}.lock")):
                remains.unlink(missing_ok=True)

    def refusal(self) -> str | None:
        """Why the server cannot be used yet, or ``None``. A missing database is created on the way."""
        if not self._claims_ready():
            return "not ready"
        try:
            self._connect(DATABASE).close()
        except psycopg.OperationalError as error:
            if f'database "{DATABASE}" does not exist' not in str(error):
                return str(error).strip()
        else:
            return None
        try:
            with self._connect("postgres") as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.OperationalError as error:
            return str(error).strip()
        return None

    def _claims_ready(self) -> bool:
        """What the server itself wrote; asking too early would fill its log with refusals."""
        try:
            lines = (self.home.postgres / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return bool(lines) and lines[-1].strip() == "ready" and self.socket.exists()

    def ask_to_stop(self, *, hard: bool) -> None:
        """End all sessions, write everything down, end; ``hard``: end at once and recover at the next start."""
        mode = "immediate" if hard else "fast"
        with handed_over((self.home.postgres,), self.user) as given:
            options = (f"--pgdata={given.path(self.home.postgres)}", f"--mode={mode}", "--no-wait")
            command = (self.programs / "pg_ctl", "stop", *options)
            done = run_tool(command, folder=self.home.root, user=self.user, given=given)
        if done.returncode != 0:
            log.warning("pg_ctl stop: %s", done.stderr.strip() or done.stdout.strip())

    def _url(self, database: str) -> str:
        return f"postgresql://{DATABASE}@/{database}?host={quote(str(self.sockets), safe='')}&port={_PORT}"

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            self._url(database), autocommit=True, connect_timeout=self.calibration.connect_timeout_s
        )

    def _check_version(self) -> None:
        if not all((self.home.postgres / part).exists() for part in ("PG_VERSION", "global/pg_control")):
            raise EmbeddedServerError(
                f"{self.home.postgres} is not a complete database; nothing was changed. "
                "Restore it from a backup, or move it away to begin anew."
            )
        found = (self.home.postgres / "PG_VERSION").read_text().strip()
        if found != self._major():
            raise HomeVersionError(
                f"{self.home.postgres} belongs to PostgreSQL {found}, this Novaberg brings {self._major()}. "
                "Use the Novaberg version that wrote it, export there and import here."
            )

    def _major(self) -> str:
        done = run_tool([self.programs / "postgres", "--version"], folder=self.home.root, user=self.user)
        return done.stdout.split()[-1].partition(".")[0]

    def _create_data(self) -> None:
        """Create the data beside their place and move them there complete: what stands there is never half written."""
        with exclusive(self.home.root / "postgres.new.lock", self.calibration.creation_timeout_s) as lock:
            for left_over in self.home.root.glob("postgres.new-*"):
                log.warning("removing the remains of an interrupted first start: %s", left_over)
                shutil.rmtree(left_over)
            fresh = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=self.home.root))
            if self.user is not None:
                os.chown(fresh, self.user.uid, self.user.gid)
            with handed_over((fresh,), self.user) as given:
                command = self._initdb(given.path(fresh))
                done = run_tool(command, folder=fresh, user=self.user, given=given, lock=lock)
            if done.returncode != 0:
                shutil.rmtree(fresh, ignore_errors=True)
                raise _initdb_failure(self.home.root, done.stderr.strip() or done.stdout.strip())
            fresh.rename(self.home.postgres)

    def _initdb(self, folder: Path) -> list[str | Path]:
        """UTF-8 with the built-in Unicode rules: the same order on every machine and with every system library."""
        return [
            self.programs / "initdb",
            f"--pgdata={folder}",
            f"--username={DATABASE}",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--no-instructions",
        ]

    def command(self, given: Handover) -> list[str | Path]:
        """Settings stand here and not in a file, so that every start uses what this version wants.

        The log keeps no statements and no rows: what a person said is erased with its tables.
        """
        settings: dict[str, str | int | Path] = {
            "listen_addresses": "",
            "port": _PORT,
            "unix_socket_directories": given.path(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": self.calibration.max_connections,
            "shared_buffers": f"{self.calibration.shared_buffers_mb}MB",
            "work_mem": "8MB",
            "maintenance_work_mem": "64MB",
            "effective_cache_size": "512MB",
            "huge_pages": "off",
            "io_method": "sync",
            "max_worker_processes": 4,
            "max_parallel_workers": 2,
            "max_parallel_workers_per_gather": 1,
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "wal_level": "minimal",
            "max_wal_senders": 0,
            "min_wal_size": "32MB",
            "max_wal_size": "256MB",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "lc_messages": "C",
            "logging_collector": "off",
            "log_line_prefix": "%m [%p] ",
            "log_error_verbosity": "terse",
            "log_min_error_statement": "panic",
            "max_logical_replication_workers": 0,
            "jit": "off",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self.programs / "postgres", "-D", given.path(self.home.postgres), *options]


def _initdb_failure(home: Path, output: str) -> EmbeddedServerError | DiskFullError:
    if "No space left on device" in output:
        return DiskFullError(f"No space for the database below {home}. Free some space and start again.")
    return EmbeddedServerError(f"The database could not be created below {home}:\n{output}")
