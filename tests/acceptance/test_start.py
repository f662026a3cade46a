"""What keeps the program from starting is told in one message, and nothing is half written (issue 2, "Bad input")."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from novaberg import __version__
from tests.support.fake_model import FakeModel
from tests.support.server import RunningServer, environment, eventually, fresh_home, novaberg
from tests.support.stores import temporary_home

HEAVY = {"langgraph", "nicegui", "psycopg", "pydantic", "fastapi", "rich"}


@pytest.mark.parametrize(
    ("arguments", "settings", "word"),
    [
        (("serve",), {"model": "gpt-17"}, "ollama:gpt-17"),
        (("serve",), {"port": "http"}, "NOVABERG_PORT"),
        (("serve", "--host", "::"), {}, "NOVABERG_TOKEN"),
    ],
)
def test_what_was_said_wrongly_is_told_with_exit_code_2(
    arguments: tuple[str, ...], settings: dict[str, str], word: str
) -> None:
    """Design §6.5: CLI exit code 2, a clear error, nothing changed. More of the kind: tests/unit/cli/test_app.py."""
    with temporary_home() as home:
        ended = novaberg(*arguments, env=environment(home, **settings))
        assert ended.returncode == 2
        assert word in ended.stderr
        assert "Traceback" not in ended.stderr
        assert not home.exists()


def test_a_taken_port_is_told_before_any_store_is_started() -> None:
    """Brief: a home that cannot be served ends with one clear message."""
    with temporary_home() as home, socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = novaberg("serve", "--port", port, env=environment(home))
        assert ended.returncode == 2
        assert port in ended.stderr
        assert len(ended.stderr.strip().splitlines()) == 1
        assert not home.exists()


def test_a_home_of_another_version_is_refused_untouched() -> None:
    """Issue 2: a home that belongs to another version."""
    with temporary_home() as home:
        home.mkdir()
        mark = home / "novaberg.json"
        mark.write_text(json.dumps({"format": 999, "program": "9.9"}), encoding="utf-8")
        for command in (("serve", "--port", "0"), ("state",)):
            ended = novaberg(*command, env=environment(home))
            assert ended.returncode == 1
            assert "9.9" in ended.stderr
            assert "Traceback" not in ended.stderr
        assert sorted(path.name for path in home.iterdir()) == ["novaberg.json"]


def test_a_home_that_cannot_be_written_is_told() -> None:
    """Issue 2: one clear message with what to do."""
    with temporary_home() as home:
        home.parent.joinpath("file").write_text("x", encoding="utf-8")
        ended = novaberg("chat", "--say", "Hallo", env=environment(home.parent / "file" / "home"))
        assert ended.returncode == 1
        assert "NOVABERG_HOME" in ended.stderr
        assert "Traceback" not in ended.stderr


def test_stores_of_ones_own_that_are_away_are_named() -> None:
    """Issue 2: a clear error; the remedy names the setting."""
    with temporary_home() as home:
        env = environment(
            home, database_url="postgresql://nobody@127.0.0.1:9/none", redis_url="redis://127.0.0.1:9"
        )
        ended = novaberg("serve", "--port", "0", env=env)
        assert ended.returncode == 1
        assert "PostgreSQL" in ended.stderr
        assert "Traceback" not in ended.stderr
        report = json.loads(novaberg("doctor", "--json", env=env).stdout)
        broken = {part["part"]: part for part in report["parts"] if not part["ok"]}
        assert "NOVABERG_DATABASE_URL" in broken["database"]["detail"] + broken["database"]["remedy"]
        assert "NOVABERG_REDIS_URL" in broken["redis"]["detail"] + broken["redis"]["remedy"]


def test_help_and_version_need_no_home_and_no_time() -> None:
    """Brief: quick, and without the heavy libraries."""
    with temporary_home() as home:
        env = environment(home)
        assert novaberg("--version", env=env).stdout.strip() == f"novaberg {__version__}"
        check = f"import sys, novaberg.cli.app; print({HEAVY!r} & set(sys.modules))"
        loaded = subprocess.run(
            [sys.executable, "-c", check], env=env, capture_output=True, text=True, timeout=60, check=True
        )
        assert loaded.stdout.strip() == "set()"
        assert not home.exists()


def test_a_model_server_that_is_away_is_told_with_cause_and_remedy() -> None:
    """Case J1: doctor names the cause and the fix in one line; the rest of the program is fine."""
    with fresh_home() as home, socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
        probe.close()
        env = environment(home, model="ollama:qwen3", model_url=f"http://127.0.0.1:{port}", port="0")
        ended = novaberg("doctor", env=env)
        assert ended.returncode == 1
        (line,) = [line for line in ended.stdout.splitlines() if line.startswith("✗ model ")]
        assert f"http://127.0.0.1:{port}" in line
        assert "→" in line
        report = json.loads(novaberg("doctor", "--json", env=env).stdout)
        assert report["ok"] is False
        assert {part["part"] for part in report["parts"] if not part["ok"]} == {"model", "perception"}


def test_ollama_bound_to_another_address_of_this_machine_is_found(home: Path) -> None:
    """Case J1: Linux, Ollama on the host bound to loopback."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("needs the socket table of Linux")
    with socket.create_server(("127.0.0.1", 0)) as ollama:
        port = ollama.getsockname()[1]
        env = environment(home, model="ollama:qwen3", model_url=f"http://127.0.0.2:{port}", port="0")
        parts = json.loads(novaberg("doctor", "--json", env=env).stdout)["parts"]
        found = next(part for part in parts if part["part"] == "model")
        assert f"127.0.0.1:{port}" in found["detail"]
        assert f"NOVABERG_MODEL_URL=http://127.0.0.1:{port}" in found["remedy"]


def test_doctor_sees_the_running_server_and_that_all_is_well(home: Path, model: FakeModel) -> None:
    """Brief: port free or served; exit 0 when nothing is broken."""
    with RunningServer(home, **model.settings) as server:
        port = server.url.rpartition(":")[2]
        seen = novaberg("doctor", "--json", env=server.env | {"NOVABERG_PORT": port})
        assert seen.returncode == 0, seen.stdout
        parts = {part["part"]: part for part in json.loads(seen.stdout)["parts"]}
        assert __version__ in parts["port"]["detail"]
        assert set(parts) >= {"settings", "eigenzeit", "home", "disk", "database", "schema", "redis", "model"}
        # A second server on the same home, open to others.
        with RunningServer(home, token="geheim", host="0.0.0.0", **model.settings) as guarded:
            guarded_port = guarded.url.rpartition(":")[2]
            assert httpx.get(guarded.url + "/health", trust_env=False).status_code == 401
            seen = novaberg("doctor", "--json", env=guarded.env | {"NOVABERG_PORT": guarded_port})
            assert __version__ in next(
                part["detail"] for part in json.loads(seen.stdout)["parts"] if part["part"] == "port"
            )


def test_doctor_tells_unusable_settings(home: Path) -> None:
    """Brief: doctor works whatever is wrong."""
    ended = novaberg("doctor", "--json", env=environment(home, port="x"))
    assert ended.returncode == 1
    (part,) = json.loads(ended.stdout)["parts"]
    assert "NOVABERG_PORT" in part["detail"]


def test_services_tell_their_addresses_to_other_programs(home: Path) -> None:
    """Design §7: starts the stores if need be, prints their URLs; or stops them."""
    env = environment(home)
    started = json.loads(novaberg("services", "--json", env=env).stdout)
    assert started["database"].startswith("postgresql://")
    assert started["redis"].startswith("unix://")
    used = environment(home, database_url=started["database"], redis_url=started["redis"])
    assert novaberg("state", "--json", env=used).returncode == 0
    assert json.loads(novaberg("services", "--stop", "--json", env=env).stdout) == {"stopped": True}
    assert json.loads(novaberg("services", "--stop", "--json", env=env).stdout) == {"stopped": False}


def test_stores_in_use_are_not_stopped_by_accident(home: Path, model: FakeModel) -> None:
    """Brief: a clear message."""
    with RunningServer(home, **model.settings) as server:
        refused = novaberg("services", "--stop", env=server.env)
        assert refused.returncode == 1
        assert str(server.pid) in refused.stderr
        eventually(lambda: httpx.get(server.url + "/health", trust_env=False).json()["postgres"] == "ok")


def test_nothing_to_see_is_told_as_such(home: Path) -> None:
    """Empty is not an error of the program."""
    env = environment(home)
    empty = novaberg("state", "--json", "--user", "niemand", env=env)
    assert json.loads(empty.stdout) == {"nova_state": {}, "session": [], "gv_detail": {}}
    assert novaberg("turns", "--json", "--user", "niemand", env=env).stdout == ""
    for turn in ("last", "nie"):
        unknown = novaberg("trace", turn, "--user", "niemand", env=env)
        assert (unknown.returncode, unknown.stdout) == (2, "")
        assert unknown.stderr
    assert novaberg("turns", "requeue", "nie", env=env).returncode == 2


def test_the_output_of_a_closed_pipe_is_no_defect(home: Path) -> None:
    """``novaberg … | head`` ends quietly."""
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-m", "novaberg", "state", "--json"],
        env=environment(home),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert "Traceback" not in ended.stderr
