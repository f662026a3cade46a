"""How a node asks a model: prompt, reply and tokens leave rows, so that the step can be read and replayed."""

from __future__ import annotations

from pydantic import JsonValue

from novaberg.errors import ModelError
from novaberg.memory.pipeline_log import LogHeader, PipelineLog
from novaberg.models.protocol import ChatModel, ChatReply, ChatRequest


async def ask(
    log: PipelineLog, head: LogHeader, node: str, *, model: ChatModel, request: ChatRequest
) -> ChatReply:
    """The model's reply.

    Writes ``prompt`` before the call and ``token`` and ``ausgabe`` after it; a failure leaves a ``fehler`` row.

    Raises:
        ModelError: as `ChatModel.complete`.
    """
    log.prompt(
        head,
        node,
        {
            "aufrufer": request.caller,
            "modell": model.name,
            "system": request.system,
            "nachrichten": [{"rolle": m.role, "inhalt": m.content} for m in request.messages],
            "temperatur": request.temperature,
        },
    )
    try:
        reply = await model.complete(request)
    except ModelError as error:
        log.fehler(
            head,
            node,
            {
                "grund": "modell",
                "aufrufer": request.caller,
                "fehler": f"{type(error).__name__}: {error.message}",
            },
        )
        raise
    log.token(head, node, _token_row(request, reply))
    log.ausgabe(head, node, {"aufrufer": request.caller, "text": reply.text, "herkunft": reply.origin})
    return reply


def _token_row(request: ChatRequest, reply: ChatReply) -> dict[str, JsonValue]:
    return {
        "aufrufer": request.caller,
        "modell": reply.model,
        "eingabe": reply.tokens_in,
        "ausgabe": reply.tokens_out,
        "denkzeichen": reply.thinking_chars,
        "versuche": reply.tries,
        "dauer_s": round(reply.duration_s, 3),
    }
