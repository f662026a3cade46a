import sys

import pytest

from novaberg.errors import ModelCredentialsError, ModelNotFoundError, ModelServerError, ModelUnreachableError
from novaberg.models import ollama_health, trouble
from novaberg.models.addresses import is_loopback, normal_address
from novaberg.models.ollama_health import health_of_unlisted, listening_hosts
from novaberg.models.trouble import ModelServer, connection_cause, one_line, server_message

SERVER = ModelServer(
    title="Ollama",
    model="x",
    address="http://127.0.0.1:11434",
    key_variable="OLLAMA_API_KEY",
    start_hint="start it with `ollama serve`",
    load_hint="run `ollama pull x`",
)


@pytest.mark.parametrize(
    ("code", "body", "error", "said"),
    [
        (401, '{"error": "no"}', ModelCredentialsError, "set OLLAMA_API_KEY"),
        (404, '{"error": "model \'x\' not found"}', ModelNotFoundError, "run `ollama pull x`"),
        (301, "", ModelServerError, "it redirects"),
        (404, "404 page not found", ModelServerError, "correct the path"),
        (429, '{"error": {"message": "slow down"}}', ModelServerError, "refuses more for now (slow down)"),
        (500, "<html><body>oh</body></html>", ModelServerError, "a web page"),
        (503, "", ModelServerError, "no message"),
    ],
)
def test_an_http_error_names_cause_and_remedy(
    code: int, body: str, error: type[Exception], said: str
) -> None:
    """Design §5: honest error texts, in one line."""
    raised = SERVER.status(code, body).error()
    assert type(raised) is error
    assert said in raised.message
    assert "x" in raised.message
    assert SERVER.address in raised.message


def test_in_a_container_the_host_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """J1: inside a container 127.0.0.1 is not the machine on which Ollama runs."""
    assert "container" not in SERVER.unreachable("refused").remedy or trouble._CONTAINER_MARK.exists()
    monkeypatch.setattr(trouble, "_CONTAINER_MARK", tmp_path)
    assert "in a container 127.0.0.1 is the container itself" in SERVER.unreachable("refused").remedy


def test_j1_an_ollama_on_another_machine_is_bound_to_its_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """J1: host unreachable, nothing listens here: the fix is OLLAMA_HOST over there."""
    monkeypatch.setattr(ollama_health, "listening_hosts", lambda _: [])
    remote = ModelServer(
        title="Ollama",
        model="x",
        address="http://10.0.0.5:11434",
        key_variable="",
        start_hint="",
        load_hint="",
    )
    health = health_of_unlisted(remote, remote.unreachable("refused"))
    assert "listens on 127.0.0.1 of its own machine only" in health.detail
    assert "OLLAMA_HOST=0.0.0.0" in health.remedy


@pytest.mark.skipif(sys.byteorder != "little", reason="the example lines are of a little-endian machine")
def test_the_kernel_table_tells_who_listens(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """J1: addresses of the port in any notation; established connections do not count."""
    head = "  sl  local_address rem_address   st\n"
    four = tmp_path / "tcp"  # type: ignore[operator]
    four.write_text(
        head
        + "   0: 0100007F:2CAA 00000000:0000 0A 0\n   1: 0500000A:2CAA 00000000:0000 01 0\n"
        + "   2: 00000000:2CAA 00000000:0000 0A 0\n   3: 0500000A:0050 00000000:0000 0A 0\n"
    )
    six = tmp_path / "tcp6"  # type: ignore[operator]
    six.write_text(head + "   0: 00000000000000000000000001000000:2CAA 00:0000 0A 0\n")
    monkeypatch.setattr(ollama_health, "_SOCKET_TABLES", (four, six, tmp_path / "none"))  # type: ignore[operator]
    assert listening_hosts(11434) == ["127.0.0.1", "127.0.0.1", "[::1]"]
    assert listening_hosts(80) == ["10.0.0.5"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": "plain"}', "plain"),
        ('{"error": {"message": "deep"}}', "deep"),
        ('{"detail": "problem"}', "problem"),
        ("[1]", "[1]"),
        ("text\nover\nlines", "text over lines"),
        ("", "no message"),
    ],
)
def test_the_message_of_a_server_is_found(body: str, message: str) -> None:
    """Every server wraps it in another way."""
    assert server_message(body) == message


def test_a_long_message_is_cut() -> None:
    """One line stays one line."""
    assert len(one_line("x" * 500)) == 200


def test_the_cause_of_a_failed_connection_is_the_innermost() -> None:
    """Clients wrap errors in errors."""
    outer = ValueError("wrapped")
    outer.__cause__ = RuntimeError("wrapped too")
    outer.__cause__.__context__ = OSError("refused by peer")
    assert connection_cause(outer) == "refused by peer"


def test_unreachable_is_its_own_error() -> None:
    """Health and error say the same."""
    found = SERVER.unreachable("refused")
    assert isinstance(found.error(), ModelUnreachableError)
    assert found.health().remedy.startswith("Start it with `ollama serve`")


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:1", True),
        ("http://127.0.0.1", True),
        ("http://127.8.0.1:1/v1", True),
        ("http://[::1]:1", True),
        ("http://ollama.localhost", True),
        ("http://127.0.0.1.example.com", False),
        ("http://10.0.0.1", False),
        ("http://localhost.example.com", False),
        ("nonsense", False),
    ],
)
def test_this_machine_is_recognised(address: str, *, local: bool) -> None:
    """P14: its addresses never go through a proxy; no other address counts as local."""
    assert is_loopback(address) is local


def test_an_address_keeps_its_scheme_and_path() -> None:
    """Reverse proxies serve models under a path."""
    assert normal_address("https://x.org/llm/v1/") == "https://x.org/llm/v1"
    assert normal_address("x.org", default_port=5) == "http://x.org:5"
    assert normal_address("http://x.org", default_port=5) == "http://x.org"
