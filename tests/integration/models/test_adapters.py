"""The real clients over HTTP against a server that misbehaves (cases F1, F3, F5, F7, F10, F12)."""

import asyncio
import time
from collections.abc import Callable

import pytest
from bench.fake_model_answers import echo
from bench.fake_model_server import FakeModelServer

from novaberg.errors import (
    EmptyReplyError,
    ModelCredentialsError,
    ModelError,
    ModelNotFoundError,
    ModelReplyError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnreachableError,
)
from novaberg.models.protocol import ChatModel, Message, Priority
from novaberg.models.registry import open_model
from novaberg.models.replies import PerceptionReply, SalienceReply
from tests.integration.models.conftest import settings_for
from tests.support.model_requests import patient, perception_request, salience_request, text_request

SECRET = "GEHEIM"


async def _joined(model: ChatModel, text: str) -> str:
    return "".join([piece async for piece in model.stream(text_request(text))])


# ── everything in order ──────────────────────────────────────────────────────


async def test_a_text_comes_back_with_its_question(model: ChatModel, wire: str) -> None:
    """Design §5: one protocol over the official clients; no proxy is asked for this machine."""
    reply = await model.complete(text_request("Wie geht es dir?"))
    assert echo("Wie geht es dir?") in reply.text
    assert (reply.model, reply.origin, reply.tries) == (f"{wire}:fake", "direkt", 1)
    assert reply.token_total > 0


async def test_a_form_comes_back_parsed(model: ChatModel) -> None:
    """Design §5: JSON demanded by schema."""
    reply = await model.complete(perception_request("Ich freue mich auf morgen"))
    assert isinstance(reply.parsed, PerceptionReply)
    assert isinstance(reply.parsed.emotional, dict)
    assert reply.parsed.emotional["emotion"] == "freude"
    assert reply.origin == "direkt"


async def test_a_stream_carries_the_whole_text(model: ChatModel) -> None:
    """Streaming variant: the pieces joined are the text."""
    whole = (await model.complete(text_request("Und jetzt?"))).text
    assert await _joined(model, "Und jetzt?") == whole
    pieces = [piece async for piece in model.stream(text_request("Und jetzt?"))]
    assert len(pieces) > 3


async def test_f12_past_answers_are_in_the_next_prompt(model: ChatModel, server: FakeModelServer) -> None:
    """F12: history is never user-only; lone answers of Nova stay, roles alternate for strict templates."""
    history = (
        Message("assistant", "Guten Morgen."),
        Message("user", "Hallo."),
        Message("user", "Noch da?"),
        Message("assistant", "Ja."),
    )
    await model.complete(text_request("Gut.", history=history))
    messages = server.calls[-1].body["messages"]
    assert isinstance(messages, list)
    spoken = [(entry["role"], entry["content"]) for entry in messages if isinstance(entry, dict)]
    assert [turn for turn in spoken if turn[0] != "system"] == [
        ("user", "…"),
        ("assistant", "Guten Morgen."),
        ("user", "Hallo.\n\nNoch da?"),
        ("assistant", "Ja."),
        ("user", "Gut."),
    ]


async def test_ollama_gets_what_only_ollama_knows(server: FakeModelServer) -> None:
    """Design §5: num_ctx, think, format, keep_alive; None parameters are not sent."""
    async with open_model(settings_for("ollama", server.url, context_window=8192)) as model:
        await model.complete(text_request("Hallo"))
        await model.complete(perception_request())
    text, form = (call.body for call in server.calls)
    assert text["options"] == {
        "temperature": 0.7,
        "num_predict": 2048,
        "num_ctx": 8192,
        "top_p": 0.9,
        "repeat_penalty": 1.1,
        "presence_penalty": 0.3,
    }
    assert (text["think"], text["keep_alive"]) == (False, "30m")
    assert "format" not in text
    assert form["format"] == PerceptionReply.model_json_schema()
    assert form["options"] == {"temperature": 0.05, "num_predict": 512, "num_ctx": 8192}


async def test_an_openai_server_gets_the_usual_fields(server: FakeModelServer) -> None:
    """Design §5: any compatible base_url, response_format json_schema, no key needed."""
    async with open_model(settings_for("openai", server.url)) as model:
        await model.complete(salience_request())
        await model.complete(text_request("Hallo"))
    form, text = (call.body for call in server.calls)
    assert isinstance(form["response_format"], dict)
    assert form["response_format"]["type"] == "json_schema"
    assert form["chat_template_kwargs"] == {"enable_thinking": False}
    assert "response_format" not in text
    assert (text["max_tokens"], text["top_p"], text["repeat_penalty"]) == (2048, 0.9, 1.1)


async def test_anthropic_gets_the_system_prompt_apart(server: FakeModelServer) -> None:
    """Spec 05 §3.17.3: system separate, no temperature together with top_p; the form is a forced tool."""
    async with open_model(settings_for("anthropic", server.url)) as model:
        await model.complete(text_request("Hallo"))
        await model.complete(perception_request())
    text, form = (call.body for call in server.calls)
    assert text["system"] == text_request("Hallo").system
    assert text["top_p"] == 0.9
    assert "temperature" not in text
    assert form["temperature"] == 0.05
    assert form["tool_choice"] == {"type": "tool", "name": "reply"}


# ── F1, F3: what models say instead of the form ──────────────────────────────


@pytest.mark.parametrize("fault", ["fenced", "trailing_comma", "single_quotes", "bare_list", "truncated"])
async def test_f1_f3_a_damaged_form_is_repaired(
    model: ChatModel, server: FakeModelServer, fault: str
) -> None:
    """F1, F3: accepted, one call, origin `repariert`."""
    server.fail(fault)
    reply = await model.complete(perception_request())
    assert isinstance(reply.parsed, PerceptionReply)
    assert (reply.origin, reply.tries) == ("repariert", 1)
    assert server.count() == 1


@pytest.mark.parametrize(
    "fault", ["prose", "number", "echoed_schema", "empty", "empty_thinking", "unclosed_think"]
)
async def test_f1_one_more_asking_helps(model: ChatModel, server: FakeModelServer, fault: str) -> None:
    """F1: one retry; the origin tells that it took one."""
    server.fail(fault, times=1)
    reply = await model.complete(salience_request())
    assert isinstance(reply.parsed, SalienceReply)
    assert (reply.origin, reply.tries) == ("nachgefragt", 2)


@pytest.mark.parametrize(
    "fault", ["prose", "number", "echoed_schema", "empty", "empty_thinking", "unclosed_think"]
)
async def test_f1_a_form_that_never_comes_fails_after_one_retry(
    model: ChatModel, server: FakeModelServer, fault: str
) -> None:
    """F1: failure is visible; exactly two calls."""
    server.fail(fault)
    with pytest.raises(ModelReplyError):
        await model.complete(salience_request())
    assert server.count() == 2


async def test_f1_a_perception_is_asked_once(model: ChatModel, server: FakeModelServer) -> None:
    """Seed node-perzeption §4.4: no retry."""
    server.fail("prose")
    with pytest.raises(ModelReplyError):
        await model.complete(perception_request())
    assert server.count() == 1


@pytest.mark.parametrize("fault", ["empty", "empty_thinking", "unclosed_think"])
async def test_f1_an_empty_text_is_asked_for_once_more(
    model: ChatModel, server: FakeModelServer, fault: str
) -> None:
    """F1: empty text."""
    server.fail(fault, times=1)
    assert (await model.complete(text_request("Hallo"))).origin == "nachgefragt"
    server.fail(fault)
    with pytest.raises(EmptyReplyError):
        await model.complete(text_request("Hallo"))
    assert server.count() == 4


# ── F5: parts that a server cannot use ───────────────────────────────────────


async def test_f5_ollama_ignores_the_format_and_the_client_notices(server: FakeModelServer) -> None:
    """F5: `format` + `think=false` yields prose; from then on thinking is left to the model, and forms arrive."""
    server.fail("format_think_prose")
    async with open_model(settings_for("ollama", server.url)) as model:
        with pytest.raises(ModelReplyError):
            await model.complete(perception_request())
        reply = await model.complete(perception_request())
        assert (reply.origin, reply.tries) == ("direkt", 1)
        await model.complete(text_request("Hallo"))
    prose, form, text = (call.body for call in server.calls)
    assert prose["think"] is False
    assert "think" not in form
    assert form["options"] == {"temperature": 0.05, "num_predict": 512 + 2048}
    assert text["think"] is False, "free text is not affected"


async def test_f5_a_form_that_may_be_asked_again_arrives_at_once(server: FakeModelServer) -> None:
    """F5: the second asking already goes the other way."""
    server.fail("format_think_prose")
    async with open_model(settings_for("ollama", server.url)) as model:
        assert (await model.complete(salience_request())).origin == "nachgefragt"
        assert (await model.complete(salience_request())).origin == "direkt"
    assert server.count() == 3


@pytest.mark.parametrize(
    ("wire", "fault", "refused", "kept"),
    [
        ("ollama", "reject_think", "think", "format"),
        ("ollama", "reject_format", "format", "think"),
        ("openai", "reject_format", "response_format", "chat_template_kwargs"),
    ],
)
async def test_f5_a_refused_part_is_left_out_and_not_sent_again(
    server: FakeModelServer, wire: str, fault: str, refused: str, kept: str
) -> None:
    """F5: falls back when the server rejects `think` or the form, and remembers it."""
    server.fail(fault)
    async with open_model(settings_for(wire, server.url)) as model:
        first = await model.complete(perception_request())
        calls = server.count()
        second = await model.complete(perception_request())
    assert first.origin == second.origin == "direkt", "the prompt demands the form too"
    assert calls > 1
    assert server.count() == calls + 1
    assert refused not in server.calls[-1].body
    assert kept in server.calls[-1].body


@pytest.mark.parametrize(("wire", "form"), [("ollama", "json"), ("openai", {"type": "json_object"})])
async def test_f5_json_without_a_schema_is_the_next_best(
    server: FakeModelServer, wire: str, form: object
) -> None:
    """Design §5: json_schema, else json_object, else none."""
    server.fail("reject_schema")
    async with open_model(settings_for(wire, server.url)) as model:
        await model.complete(perception_request())
    body = server.calls[-1].body
    assert body["format" if wire == "ollama" else "response_format"] == form


async def test_f5_a_refusal_that_nothing_helps_against_is_reported_and_not_remembered(
    server: FakeModelServer,
) -> None:
    """A prompt that is too long is no matter of optional parts."""
    async with open_model(settings_for("openai", server.url)) as model:
        server.fail("context_overflow")
        with pytest.raises(ModelServerError, match="context length"):
            await model.complete(perception_request())
        assert server.count() == 1
        server.heal()
        await model.complete(perception_request())
    assert "response_format" in server.calls[-1].body


# ── F7: reasoning ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("fault", ["think", "only_close_think", "unclosed_think", "empty_thinking"])
async def test_f7_no_reasoning_reaches_anybody(
    model: ChatModel, server: FakeModelServer, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """F7: opened, unclosed, only closed, or in a channel of its own: not shown, not streamed, not logged."""
    server.fail(fault, times=1)
    reply = await model.complete(text_request("Hallo"))
    assert echo("Hallo") in reply.text
    assert reply.thinking_chars > len(SECRET)
    server.fail(fault, times=1)
    assert echo("Hallo") in await _joined(model, "Hallo")
    server.fail(fault, times=1)
    form = await model.complete(salience_request())
    assert isinstance(form.parsed, SalienceReply)
    assert SECRET not in f"{reply!r}{form!r}{caplog.text}"


# ── F10 and other troubles of the server ─────────────────────────────────────


async def test_f10_a_hanging_server_is_given_up_and_the_gate_is_free(
    wire: str, server: FakeModelServer
) -> None:
    """F10: an honest message; the HTTP request is really cancelled, the next call gets the place."""
    async with open_model(settings_for(wire, server.url, model_timeout=0.3, classify_timeout=0.3)) as model:
        server.fail("timeout")
        for request, tries in ((text_request("Hallo"), 1), (perception_request(), 2)):
            with pytest.raises(ModelTimeoutError, match=r"did not answer within 0\.3 s; try again"):
                await model.complete(request)
            await _until(lambda: server.running == 0)
            assert [call.outcome for call in server.calls[-tries:]] == ["aborted"] * tries
        server.heal()
        assert echo("Hallo") in (await model.complete(text_request("Hallo"))).text
    assert server.count() == 4


async def test_f10_a_cancelled_caller_ends_the_request(model: ChatModel, server: FakeModelServer) -> None:
    """Whoever stops a turn stops its model call too."""
    server.fail("timeout")
    call = asyncio.create_task(model.complete(text_request("Hallo")))
    await _until(lambda: server.running == 1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await _until(lambda: server.running == 0)


async def test_f10_a_stream_that_hangs_or_breaks_off_is_an_error(wire: str, server: FakeModelServer) -> None:
    """F10 for streams; half an answer is never taken for a whole one."""
    async with open_model(settings_for(wire, server.url, model_timeout=0.3)) as model:
        server.fail("timeout", times=1)
        with pytest.raises(ModelTimeoutError):
            await _joined(model, "Hallo")
        server.fail("slow", times=1)
        with pytest.raises(ModelTimeoutError):
            await _joined(model, "Hallo")
        server.fail("cut_stream", times=1)
        with pytest.raises(ModelError, match="broke off"):
            await _joined(model, "Hallo")
        assert echo("Hallo") in await _joined(model, "Hallo")


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ("error500", ModelServerError, "the model runner crashed"),
        ("not_found", ModelNotFoundError, "does not have the model fake"),
        ("unauthorised", ModelCredentialsError, "refused the key for fake"),
        ("html", ModelServerError, "does not speak the API"),
        ("garbage", ModelServerError, "does not speak the API"),
        ("wrong_path", ModelServerError, "correct the path in NOVABERG_MODEL_URL"),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_failing_server_is_named_with_its_cause_and_the_remedy(
    model: ChatModel,
    server: FakeModelServer,
    *,
    fault: str,
    error: type[ModelError],
    said: str,
    streamed: bool,
) -> None:
    """Design §5: honest error texts, no retries behind the back."""
    server.fail(fault)
    with pytest.raises(error) as raised:
        await (_joined(model, "Hallo") if streamed else model.complete(text_request("Hallo")))
    assert said in raised.value.message
    assert server.url in raised.value.message
    assert "\n" not in raised.value.message
    assert server.count() == 1


@pytest.mark.parametrize(
    ("wire", "remedy"),
    [
        ("ollama", "start it with `ollama serve`, or set NOVABERG_MODEL_URL"),
        ("openai", "start the model server there, or set NOVABERG_MODEL_URL"),
        ("anthropic", "check the connection of this machine, or set NOVABERG_MODEL_URL"),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_server_that_is_not_there_is_said_to_be_so(
    unused_tcp_port: int, *, wire: str, remedy: str, streamed: bool
) -> None:
    """Design §5: connection refused."""
    async with open_model(settings_for(wire, f"http://127.0.0.1:{unused_tcp_port}")) as model:
        with pytest.raises(ModelUnreachableError) as raised:
            await (_joined(model, "Hallo") if streamed else model.complete(text_request("Hallo")))
    assert remedy in raised.value.message
    assert f"http://127.0.0.1:{unused_tcp_port}" in raised.value.message


async def test_openai_itself_wants_a_key_before_any_call() -> None:
    """P14: without a key nothing is sent."""
    async with open_model(settings_for("openai", "https://api.openai.com/v1")) as model:
        with pytest.raises(ModelCredentialsError, match="set OPENAI_API_KEY"):
            await model.complete(text_request("Hallo"))


# ── the gate over HTTP ───────────────────────────────────────────────────────


async def test_no_more_calls_reach_the_server_than_allowed(wire: str, server: FakeModelServer) -> None:
    """Design §5: bounded concurrency, also between two models of one server."""
    server.latency = 0.05
    settings = settings_for(wire, server.url, model_concurrency=2)
    async with open_model(settings) as one, open_model(settings) as two, asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task((one, two)[number % 2].complete(text_request(f"Frage {number}")))
    starts = [(call.start, 1) for call in server.calls]
    ends = [(call.end or 0.0, -1) for call in server.calls]
    running = peak = 0
    for _, change in sorted(starts + ends):
        running += change
        peak = max(peak, running)
    assert peak == 2
    assert server.count() == 8


async def test_the_answer_path_interrupts_background_work_at_the_server(
    model: ChatModel, server: FakeModelServer
) -> None:
    """Design §3: model calls of the answer path pre-empt background calls."""
    server.fail("timeout", contains="Hintergrund", times=1)
    asked = text_request("Hintergrund", priority=Priority.BACKGROUND)
    background = asyncio.create_task(model.complete(patient(asked, 30)))
    await _until(lambda: server.running == 1)
    started = time.monotonic()
    assert echo("Frage") in (await model.complete(text_request("Frage"))).text
    assert time.monotonic() - started < 3
    assert echo("Hintergrund") in (await background).text
    assert [call.outcome for call in server.calls] == ["aborted", "answered", "answered"]


async def _until(condition: Callable[[], bool], seconds: float = 3.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # watches another party
            await asyncio.sleep(0.01)
