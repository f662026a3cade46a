import pytest

from novaberg.models.concessions import Concessions, Parts, RefusedRequestError

WORDS = {"form": ("response_format", "schema"), "think": ("think",), "penalty": ("penalty",)}


class Server:
    """Refuses requests that carry certain parts."""

    def __init__(self, message: str, *refused: str) -> None:
        self.message = message
        self.refused = set(refused)
        self.calls: list[set[str]] = []

    async def __call__(self, without: Parts) -> str:
        parts = set(WORDS) - without
        self.calls.append(parts)
        if parts & self.refused:
            raise RefusedRequestError(self.message, frozenset(parts), ValueError(self.message))
        return "ok"


async def test_the_part_that_the_refusal_names_is_given_up_first() -> None:
    """F5: one refusal, one part less."""
    server = Server("model does not support thinking", "think")
    concessions = Concessions("test", WORDS)
    assert await concessions.negotiate(server) == "ok"
    assert concessions.given_up == {"think"}
    assert len(server.calls) == 2


async def test_what_was_refused_once_is_not_sent_again() -> None:
    """F5: remembered."""
    server = Server("unknown field think", "think")
    concessions = Concessions("test", WORDS)
    for _ in range(3):
        await concessions.negotiate(server)
    assert len(server.calls) == 4


async def test_a_refusal_without_a_name_gives_up_parts_in_order() -> None:
    """F5: servers that only say "bad request"."""
    server = Server("Bad Request", "form", "penalty")
    concessions = Concessions("test", WORDS)
    await concessions.negotiate(server)
    assert concessions.given_up == {"form", "think", "penalty"}


async def test_when_nothing_helps_the_first_refusal_is_raised_and_nothing_remembered() -> None:
    """An invalid request stays one error; later requests are sent whole."""
    concessions = Concessions("test", WORDS)

    async def always(without: Parts) -> str:
        parts = frozenset(WORDS) - without
        raise RefusedRequestError(f"refused with {len(parts)}", parts, ValueError())

    with pytest.raises(RefusedRequestError, match="refused with 3"):
        await concessions.negotiate(always)
    assert concessions.given_up == frozenset()


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens",
        "request (4031 tokens) exceeds the available context size",
        "prompt is too long: 300000 tokens",
    ],
)
async def test_a_prompt_that_does_not_fit_is_no_matter_of_parts(message: str) -> None:
    """The long prompt is not sent again and again."""
    server = Server(message, *WORDS)
    with pytest.raises(RefusedRequestError):
        await Concessions("test", WORDS).negotiate(server)
    assert len(server.calls) == 1
