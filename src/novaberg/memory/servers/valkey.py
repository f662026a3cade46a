"""The embedded Valkey: its settings, its way to answer and to stop."""

from __future__ import annotations

import logging
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from novaberg.memory.home import Home, home_errors
from novaberg.memory.servers.handover import Handover
from novaberg.memory.servers.process import ServerFiles
from novaberg.memory.servers.sockets import restore_socket_folder
from novaberg.memory.servers.system_user import ServerUser

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ValkeyCalibration:
    """How the server is set."""

    rewrite_min_mb: int = 16
    """MB of the append-only file before it is condensed."""
    answer_timeout_s: float = 2.0
    """Seconds for one PING."""


DEFAULT_VALKEY = ValkeyCalibration()


@dataclass(frozen=True, slots=True)
class Valkey:
    """The Valkey server of one home."""

    home: Home
    program: Path
    sockets: Path
    user: ServerUser | None
    calibration: ValkeyCalibration = DEFAULT_VALKEY

    @property
    def name(self) -> str:
        """As people know it."""
        return "Valkey"

    @property
    def folder(self) -> Path:
        """Its working folder."""
        return self.home.valkey

    @property
    def given(self) -> tuple[Path, ...]:
        """The folders that it works in."""
        return (self.home.valkey, self.sockets)

    @property
    def files(self) -> ServerFiles:
        """Its lock and its log."""
        return ServerFiles(alive=self.home.alive("valkey"), log=self.home.logs / "valkey.log")

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def socket(self) -> Path:
        """The socket file."""
        return self.sockets / "valkey.sock"

    @property
    def pid_file(self) -> Path:
        """Only believed while the server's lock is held."""
        return self.home.valkey / "valkey.pid"

    def prepare(self) -> None:
        """Create its folder at the first start; clear a dead server's socket.

        Raises:
            HomeUnusableError, DiskFullError: the folder cannot be created.
        """
        with home_errors(self.home.root):
            self.home.valkey.mkdir(mode=0o700, exist_ok=True)
            if self.user is not None:
                os.chown(self.home.valkey, self.user.uid, self.user.gid)
            restore_socket_folder(self.sockets, self.user)
            self.socket.unlink(missing_ok=True)

    def refusal(self) -> str | None:
        """Why the server cannot be used yet, or ``None``."""
        if not self.socket.exists():
            return "no socket"
        try:
            with self._client() as client:
                client.ping()
        except redis.RedisError as error:
            return str(error)
        return None

    def ask_to_stop(self, *, hard: bool) -> None:
        """SHUTDOWN syncs the append-only file; without an answer SIGTERM does the same; ``hard``: SIGKILL."""
        if hard:
            self._signal(signal.SIGKILL)
            return
        refusal = self.refusal()
        if refusal is not None:
            log.warning("Valkey does not answer (%s); sending it SIGTERM", refusal)
            self._signal(signal.SIGTERM)
            return
        try:
            with self._client() as client:
                client.shutdown()
        except redis.RedisError as error:
            log.warning("Valkey refuses to stop: %s", error)

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.kill(int(self.pid_file.read_text()), number)
        except (OSError, ValueError) as error:
            log.warning("Valkey cannot be signalled: %s", error)

    def _client(self) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=self.calibration.answer_timeout_s,
            retry=Retry(NoBackoff(), 0),
        )

    def command(self, given: Handover) -> list[str | Path]:
        """Settings stand here and not in a file, so that every start uses what this version wants."""
        settings: dict[str, str | Path | int] = {
            "port": 0,
            "unixsocket": given.path(self.sockets) / self.socket.name,
            "unixsocketperm": "700",
            "dir": given.path(self.home.valkey),
            "pidfile": given.path(self.home.valkey) / self.pid_file.name,
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "auto-aof-rewrite-min-size": f"{self.calibration.rewrite_min_mb}mb",
            "maxmemory-policy": "noeviction",
            "always-show-logo": "no",
            "loglevel": "notice",
        }
        options = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
        return [self.program, *options]
