"""A real model file in the real engine: ``python -m bench.gguf FILE [--threads N] [--json]`` (extra ``gguf``).

Prints how long loading, a form and two texts take (the second text finds its prompt in the engine's cache), whether
the form was valid without repair, and how fast an answer interrupts background work. Exit code 1 if a form was not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from novaberg.models.gate import ModelGate
from novaberg.models.gguf import GgufBackend, GgufCalibration
from novaberg.models.material import PerceptionMaterial
from novaberg.models.protocol import Block, ChatModel, ChatRequest, Message, Priority
from novaberg.models.replies import PerceptionReply
from novaberg.models.served import ServedChatModel, ServedLimits

TIMEOUT_S = 300.0
TEXT = "Ich freue mich auf morgen, mein Bruder kommt."


def _request(text: str) -> ChatRequest:
    return ChatRequest(
        caller="bench",
        blocks=(Block("ROLLE", "Du bist eine aufmerksame Freundin. Antworte kurz und freundlich."),),
        messages=(Message("user", text),),
        material=PerceptionMaterial(text=text, role="user", language="de"),
        max_output_tokens=64,
    )


async def _seconds(model: ChatModel, request: ChatRequest) -> tuple[float, str]:
    reply = await model.complete(request)
    return reply.duration_s, reply.origin


async def measure(file: Path, threads: int) -> dict[str, float | str]:
    """Figures of one file, seconds."""
    backend = GgufBackend(file, context_window=2048, calibration=GgufCalibration(threads=threads))
    limits = ServedLimits(text_timeout_s=TIMEOUT_S, form_timeout_s=TIMEOUT_S)
    model = ServedChatModel(backend, ModelGate(concurrency=1), limits)
    started = time.monotonic()
    health = await model.check()
    if not health.ok:
        raise SystemExit(f"{health.detail} {health.remedy}")
    load_s = time.monotonic() - started
    form = replace(_request(TEXT), output=PerceptionReply, max_output_tokens=512, retry_invalid=False)
    form_s, origin = await _seconds(model, form)
    first_s, _ = await _seconds(model, _request(TEXT))
    again_s, _ = await _seconds(model, _request(TEXT))
    endless = replace(
        _request("Erzähl eine lange Geschichte."), priority=Priority.BACKGROUND, max_output_tokens=256
    )
    background = asyncio.create_task(model.complete(endless))
    await asyncio.sleep(0.5)
    interrupting_s, _ = await _seconds(model, _request(TEXT))
    background.cancel()
    await asyncio.gather(background, return_exceptions=True)
    await model.close()
    return {
        "load_s": load_s,
        "form_s": form_s,
        "form_origin": origin,
        "text_first_s": first_s,
        "text_again_s": again_s,
        "text_interrupting_s": interrupting_s,
    }


def main() -> int:
    """Run once."""
    parser = argparse.ArgumentParser(prog="python -m bench.gguf", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="figures as one JSON object")
    options = parser.parse_args()
    figures = asyncio.run(measure(options.file.absolute(), options.threads))
    shown = {key: round(value, 3) if isinstance(value, float) else value for key, value in figures.items()}
    print(
        json.dumps(shown) if options.json else "\n".join(f"{key:22} {value}" for key, value in shown.items())
    )
    return 0 if figures["form_origin"] == "direkt" else 1


if __name__ == "__main__":
    sys.exit(main())
