import asyncio

import pytest

from novaberg.errors import ModelReplyError, ModelTimeoutError
from novaberg.models.replies import PerceptionReply
from tests.support.model_requests import perception_request, text_request
from tests.support.scripted_model import Delayed, ScriptedChatModel


async def test_replies_come_in_order_and_the_last_one_stays() -> None:
    """Tests of nodes say what each caller hears."""
    model = ScriptedChatModel({"responder": ["eins", ModelTimeoutError("spät"), "drei"]})
    assert (await model.complete(text_request())).text == "eins"
    with pytest.raises(ModelTimeoutError):
        await model.complete(text_request())
    assert [(await model.complete(text_request())).text for _ in range(2)] == ["drei", "drei"]
    assert len(model.asked("responder")) == 4


async def test_a_form_is_read_as_the_adapters_read_it() -> None:
    """An object, or the text of one, or what is neither."""
    model = ScriptedChatModel({"perzeption": [{"rational": {}}, '```json\n{"emotional": {}}\n```', "Prosa"]})
    reply = await model.complete(perception_request())
    assert isinstance(reply.parsed, PerceptionReply)
    assert (await model.complete(perception_request())).origin == "repariert"
    with pytest.raises(ModelReplyError):
        await model.complete(perception_request())


async def test_a_delayed_reply_waits_for_its_event() -> None:
    """Order without sleeping."""
    event = asyncio.Event()
    model = ScriptedChatModel({"responder": Delayed("jetzt", event)})
    call = asyncio.create_task(model.complete(text_request()))
    await asyncio.sleep(0)
    assert not call.done()
    event.set()
    assert (await call).text == "jetzt"
    assert "".join([piece async for piece in model.stream(text_request())]) == "jetzt"


async def test_an_unexpected_caller_fails_the_test() -> None:
    """No call happens unseen; a default has to be wanted."""
    with pytest.raises(AssertionError, match="responder"):
        await ScriptedChatModel().complete(text_request())
    assert (await ScriptedChatModel(default="ja").complete(text_request())).text == "ja"
