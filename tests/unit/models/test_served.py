"""Tries, second askings, timeouts and the log line over a backend that is played by hand."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator

import pytest

from novaberg.errors import EmptyReplyError, ModelReplyError, ModelServerError, ModelTimeoutError
from novaberg.models.backends import THINKING_ALLOWANCE, JsonSchema, RawReply
from novaberg.models.gate import GateCalibration, ModelGate
from novaberg.models.protocol import ChatRequest, ModelHealth, Priority
from novaberg.models.replies import PerceptionReply, SalienceReply
from novaberg.models.served import ONCE_MORE, ServedChatModel, ServedLimits
from tests.support.model_requests import patient, perception_request, salience_request, text_request

PERCEPTION = '{"rational": {"intent": "personal"}, "emotional": {}, "psychologisch": {}}'
SALIENCE = '{"salienz": 0.4, "intentionen": ["humor"]}'
Played = str | RawReply | Exception | None
"""``None`` = hangs until it is cancelled."""


class PlayedBackend:
    """Says one thing after the other."""

    name = "gespielt:modell"
    address = "http://gespielt"

    def __init__(self, *replies: Played) -> None:
        self.replies = deque(replies)
        self.asked: list[tuple[ChatRequest, JsonSchema | None]] = []
        self.cancelled = 0
        self.ignored_forms = 0
        self.closed = False

    async def generate(self, request: ChatRequest, *, schema: JsonSchema | None) -> RawReply:
        self.asked.append((request, schema))
        reply = self.replies.popleft()
        if reply is None:
            await self._hang()
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, RawReply):
            return reply
        return RawReply(text=str(reply), model="modell", tokens_in=10, tokens_out=5)

    async def stream_text(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        self.asked.append((request, None))
        reply = self.replies.popleft()
        if reply is None:
            await self._hang()
        if isinstance(reply, Exception):
            raise reply
        for letter in str(reply):
            yield letter

    async def _hang(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    def form_was_ignored(self) -> None:
        self.ignored_forms += 1

    async def check(self) -> ModelHealth:
        return ModelHealth(True, "gespielt")

    async def close(self) -> None:
        self.closed = True


def served(*replies: Played, window: int | None = None) -> tuple[ServedChatModel, PlayedBackend]:
    backend = PlayedBackend(*replies)
    limits = ServedLimits(text_timeout_s=0.05, form_timeout_s=0.05, context_window=window)
    return ServedChatModel(backend, ModelGate(concurrency=1), limits), backend


async def test_a_form_is_demanded_by_schema_and_read() -> None:
    """Design §5: JSON is demanded by schema and validated by Pydantic."""
    model, backend = served(PERCEPTION)
    reply = await model.complete(perception_request())
    assert isinstance(reply.parsed, PerceptionReply)
    assert (reply.origin, reply.tries, reply.tokens_in, reply.tokens_out) == ("direkt", 1, 10, 5)
    assert reply.model == "gespielt:modell"
    assert backend.asked[0][1] == PerceptionReply.model_json_schema()


async def test_f1_an_unreadable_form_is_asked_for_once_more() -> None:
    """F1: one retry, with one plain sentence added and thinking switched off; the origin tells."""
    model, backend = served("Gern! Sie wirkt froh.", SALIENCE)
    reply = await model.complete(salience_request())
    assert (reply.origin, reply.tries) == ("nachgefragt", 2)
    again = backend.asked[1][0]
    assert again.blocks == (*salience_request().blocks, ONCE_MORE)
    assert again.messages == salience_request().messages
    assert again.think is False
    assert reply.tokens_in == 20, "tokens of both askings count"


async def test_f1_a_form_that_stays_unreadable_fails_visibly() -> None:
    """F1: failure is visible, nothing silently lost."""
    model, _ = served("Gern!", "Bitte!")
    with pytest.raises(ModelReplyError, match=r"salienz in the demanded form"):
        await model.complete(salience_request())


@pytest.mark.parametrize("said", ["Gern!", "", "<think>hm", "0.7"])
async def test_f1_a_perception_is_never_asked_again(said: str) -> None:
    """Seed node-perzeption §4.4: no retry after a parse failure; one model call only."""
    model, backend = served(said)
    with pytest.raises(ModelReplyError):
        await model.complete(perception_request())
    assert len(backend.asked) == 1


async def test_f1_a_repaired_form_says_so() -> None:
    """F1: fenced JSON counts, with its origin."""
    model, _ = served(f"```json\n{SALIENCE}\n```")
    reply = await model.complete(salience_request())
    assert reply.origin == "repariert"
    assert isinstance(reply.parsed, SalienceReply)


async def test_f5_prose_instead_of_a_form_is_told_to_the_backend() -> None:
    """F5: the client notices that the form was ignored; other failures are no such sign."""
    model, backend = served("Nur Prosa.", SALIENCE, "0.7", SALIENCE)
    await model.complete(salience_request())
    assert backend.ignored_forms == 1
    await model.complete(salience_request())
    assert backend.ignored_forms == 1


@pytest.mark.parametrize(
    "first", ["", "  \n", "<think>GEHEIM", "<think>GEHEIM</think>", RawReply(text="", thinking="GEHEIM")]
)
async def test_f1_an_empty_text_is_asked_for_again_without_thinking(first: Played) -> None:
    """F1, F7: empty text, also because all of it was reasoning."""
    model, backend = served(first, "Hallo.")
    reply = await model.complete(text_request())
    assert (reply.text, reply.origin, reply.tries) == ("Hallo.", "nachgefragt", 2)
    assert backend.asked[1][0].think is False
    assert backend.asked[1][0].blocks == text_request().blocks


async def test_f1_a_text_that_stays_empty_is_an_error_that_says_why() -> None:
    """F1: the failure is visible and tells what came instead."""
    model, _ = served("", RawReply(text="<think>GEHEIM", finish="length"))
    with pytest.raises(EmptyReplyError, match=r"only 13 characters of reasoning, stopped by the token limit"):
        await model.complete(text_request())


async def test_f7_reasoning_never_leaves_only_its_length_does() -> None:
    """F7: nothing of it is shown, spoken or stored."""
    model, _ = served(RawReply(text="<think>GEHEIM</think>Hallo.", thinking="GEHEIM auch"))
    reply = await model.complete(text_request())
    assert reply.text == "Hallo."
    assert reply.thinking_chars == len("<think>GEHEIM</think>") + len("GEHEIM auch")
    assert "GEHEIM" not in repr(reply)


async def test_f10_a_form_is_tried_twice_when_the_server_hangs() -> None:
    """F10, spec 01 §3.11: one retry of a timed-out classification; each hanging request is cancelled."""
    model, backend = served(None, PERCEPTION)
    reply = await model.complete(perception_request())
    assert (reply.tries, backend.cancelled) == (2, 1)
    assert reply.origin == "direkt"


async def test_f10_a_server_that_keeps_hanging_gives_an_honest_message() -> None:
    """F10: the message names model, address, time and remedy; the gate is free afterwards."""
    model, backend = served(None, None, "Hallo.")
    with pytest.raises(ModelTimeoutError, match=r"gespielt:modell at http://gespielt .* 0\.05 s; try again"):
        await model.complete(perception_request())
    assert backend.cancelled == 2
    assert (await model.complete(text_request())).text == "Hallo."


async def test_a_busy_gate_is_no_reason_to_wait_twice() -> None:
    """P13: the second try is for a server that hangs, not for a full queue."""
    backend = PlayedBackend(PERCEPTION)
    impatient = GateCalibration(longest_wait_s=dict.fromkeys(Priority, 0.02))
    gate = ModelGate(concurrency=1, calibration=impatient)
    model = ServedChatModel(backend, gate, ServedLimits(text_timeout_s=1, form_timeout_s=1))
    async with gate.place(Priority.ANSWER):
        with pytest.raises(ModelTimeoutError, match="was busy"):
            await model.complete(perception_request())
    assert backend.asked == []


async def test_a_model_that_thinks_unasked_gets_tokens_for_it() -> None:
    """F5, F7: else its reasoning eats the limit and nothing is left for the answer."""
    model, backend = served(RawReply(text="", thinking="GEHEIM", finish="length"), PERCEPTION, PERCEPTION)
    with pytest.raises(EmptyReplyError):
        await model.complete(perception_request())
    await model.complete(perception_request())
    limits = [request.max_output_tokens for request, _ in backend.asked]
    assert limits == [512, 512 + THINKING_ALLOWANCE]


async def test_f10_a_text_is_tried_once() -> None:
    """Spec 01 §3.11: only classifications are repeated after a timeout."""
    model, backend = served(None)
    with pytest.raises(ModelTimeoutError):
        await model.complete(text_request())
    assert backend.cancelled == 1


async def test_a_request_may_bring_its_own_timeout() -> None:
    """`ChatRequest.timeout_s` wins over the settings."""
    model, _ = served(None)
    with pytest.raises(ModelTimeoutError, match=r"within 0\.01 s"):
        await model.complete(patient(text_request(), 0.01))


async def test_a_server_error_is_not_repeated() -> None:
    """The error is the outcome; whoever asks decides."""
    model, backend = served(ModelServerError("kaputt"))
    with pytest.raises(ModelServerError, match="kaputt"):
        await model.complete(perception_request())
    assert len(backend.asked) == 1


async def test_waiting_for_a_place_does_not_count_as_answering_time() -> None:
    """The timeout is for one try at the server, the gate has its own bound."""
    backend = PlayedBackend("eins", "zwei")
    gate = ModelGate(concurrency=1)
    model = ServedChatModel(backend, gate, ServedLimits(text_timeout_s=0.05, form_timeout_s=0.05))
    async with gate.place(Priority.ANSWER):
        waiting = asyncio.create_task(model.complete(text_request()))
        await asyncio.sleep(0.1)
    assert (await waiting).text == "eins"


async def test_a_preempted_call_counts_its_tries() -> None:
    """Design §3: the answer path pre-empts; the background call is made again."""
    model, backend = served(None, "Antwort.", "Hintergrund.")
    background = asyncio.create_task(model.complete(patient(text_request(priority=Priority.BACKGROUND), 5)))
    await asyncio.sleep(0.01)
    assert len(backend.asked) == 1
    assert (await model.complete(text_request())).text == "Antwort."
    reply = await background
    assert (reply.text, reply.tries) == ("Hintergrund.", 2)


async def test_one_line_per_call_and_never_the_text(caplog: pytest.LogCaptureFixture) -> None:
    """Spec 05 §3.17.3, P14: caller, model, tokens, durations and lengths; no word of the conversation."""
    model, _ = served("GEHEIME Antwort", ModelServerError("kaputt"))
    with caplog.at_level(logging.INFO, logger="novaberg.models"):
        await model.complete(text_request("GEHEIME Frage"))
        with pytest.raises(ModelServerError):
            await model.complete(text_request("GEHEIME Frage"))
    good, bad = (record.getMessage() for record in caplog.records)
    assert "caller=responder model=gespielt:modell outcome=direkt tries=1" in good
    assert "tokens_in=10 tokens_out=5" in good
    assert "chars_out=15" in good
    assert "outcome=ModelServerError" in bad
    assert "GEHEIM" not in caplog.text


@pytest.mark.parametrize(("tokens", "level"), [(79, None), (80, logging.WARNING), (100, logging.ERROR)])
async def test_a_full_context_window_is_told(
    tokens: int, level: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 05 §3.17.3: input of 80 % of num_ctx warns, of 100 % is an error."""
    model, _ = served(RawReply(text="Hallo.", tokens_in=tokens), window=100)
    await model.complete(text_request())
    assert [record.levelno for record in caplog.records if record.levelno > logging.INFO] == (
        [level] if level else []
    )


async def test_a_stream_gives_the_same_text_in_pieces() -> None:
    """Joined, the pieces are the stripped text of `complete`."""
    model, _ = served("\n Hallo <3  du.\n ", "\n Hallo <3  du.\n ")
    for _ in range(2):
        pieces = [piece async for piece in model.stream(text_request())]
        assert "".join(pieces) == "Hallo <3  du."
    assert len(pieces) > 5, "the second stream flows: the first has shown where this model's replies begin"


async def test_f7_no_piece_of_a_stream_carries_reasoning() -> None:
    """F7: opened, unclosed, or only closed."""
    model, _ = served("GEHEIM</think>Hallo.", "<think>GEHEIM</think>Du.", "<think>GEHEIM", "Doch noch.")
    assert [piece async for piece in model.stream(text_request())] == ["Hallo."]
    assert "".join([piece async for piece in model.stream(text_request())]) == "Du."
    assert "".join([piece async for piece in model.stream(text_request())]) == "Doch noch."


async def test_f7_reasoning_that_got_out_is_an_error() -> None:
    """F7: a model that used to begin with its answer and then did not; the surface must drop what it showed."""
    model, _ = served("Hallo.", "GEHEIM</think>Hallo.", "GEHEIM</think>Hallo.")
    assert [piece async for piece in model.stream(text_request())] == ["Hallo."]
    with pytest.raises(ModelReplyError, match="drop what was shown"):
        _ = [piece async for piece in model.stream(text_request())]
    assert [piece async for piece in model.stream(text_request())] == ["Hallo."], "held back again"


async def test_f10_a_stream_that_hangs_ends_and_frees_the_gate() -> None:
    """F10 for streams."""
    model, backend = served(None, "Hallo.")
    with pytest.raises(ModelTimeoutError):
        _ = [piece async for piece in model.stream(text_request())]
    assert backend.cancelled == 1
    assert (await model.complete(text_request())).text == "Hallo."


async def test_a_slow_listener_does_not_run_into_the_timeout() -> None:
    """Only waiting for the server counts."""
    model, _ = served("Erste.", "Hallo du.")
    _ = [piece async for piece in model.stream(text_request())]
    text = ""
    async for piece in model.stream(text_request()):
        text += piece
        await asyncio.sleep(0.01)
    assert text == "Hallo du."


async def test_a_stream_that_is_left_early_frees_the_gate() -> None:
    """Cancellation safe."""
    model, _ = served("Erste.", "Hallo.", "Weiter.")
    _ = [piece async for piece in model.stream(text_request())]
    stream = model.stream(text_request())
    await anext(stream)
    await stream.aclose()
    assert (await model.complete(text_request())).text == "Weiter."


async def test_a_form_cannot_be_streamed() -> None:
    """Streams are for free text."""
    model, _ = served()
    with pytest.raises(ValueError, match="free text"):
        await anext(model.stream(perception_request()))
