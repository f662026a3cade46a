"""A whole turn: how long until its first node, how long until its answer, and how much of that is ours."""

from __future__ import annotations

from datetime import UTC, datetime

from bench.fake_model_server import FakeModelServer
from bench.measure import Limit, Result, median, temporary_home
from novaberg.settings import load_settings
from novaberg.turns.program import Program, open_program, pair_of

LATENCY_S = 0.5
TURNS = 12
WARM_UP = 2
ANSWER_CHAIN = 2
"""Model calls in a row before the answer: perception, responder."""

TEXTS = (
    "Hallo Nova!",
    "Heute war ein langer Tag, aber ich habe endlich den Garten fertig bekommen.",
    "Was meinst du, soll ich im Herbst noch Rosen pflanzen?",
    "Mein Bruder kommt am Wochenende, darauf freue ich mich.",
)


async def bench_path() -> Result:
    """With a model server that takes half a second a call."""
    answers, overheads, calls = [], [], 0
    with temporary_home() as home:
        async with FakeModelServer(latency=LATENCY_S) as server:
            settings = load_settings(home=home, model="ollama:fake", model_url=server.url)
            async with open_program(settings) as program:
                for number in range(WARM_UP + TURNS):
                    before = len(server.calls)
                    seconds = await _answer_s(program, TEXTS[number % len(TEXTS)])
                    calls = len(server.calls) - before
                    if number >= WARM_UP:
                        answers.append(seconds)
                        overheads.append(seconds - ANSWER_CHAIN * LATENCY_S)
    figures = {
        "chain": ANSWER_CHAIN,
        "calls": calls,
        "median_s": round(median(answers), 4),
        "overhead_s": round(median(overheads), 4),
    }
    return Result("path", dict(figures), (Limit("overhead_s", figures["overhead_s"], 0.080),))


async def _answer_s(program: Program, text: str) -> float:
    """Seconds from the acceptance to the committed answer of one turn; returns when the turn is complete."""
    pair = pair_of(program.settings)
    async with program.follow(pair) as ear:
        accepted = await program.say(pair, text, received_at=datetime.now(UTC))
        async for message in ear.until_end(accepted.nachrichten_id):
            if message["typ"] == "turn_complete":
                return float(message["timings"]["answer_ms"]) / 1000
            if message["typ"] == "error":
                raise RuntimeError(f"the turn failed: {message['fehler']}")
    raise RuntimeError("the turn did not end")
