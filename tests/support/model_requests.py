"""Requests of the three step-one callers, as short as a test wants them."""

from __future__ import annotations

from dataclasses import replace

from novaberg.models.material import PerceptionMaterial, SalienceMaterial, SummaryMaterial
from novaberg.models.protocol import Block, ChatRequest, Message, Priority
from novaberg.models.replies import PerceptionReply, SalienceReply
from novaberg.personality import Emotion


def perception_request(text: str = "Ich freue mich auf morgen") -> ChatRequest:
    """Asks for a perception; it is never asked again when its form is unreadable."""
    return ChatRequest(
        caller="perzeption",
        blocks=(Block("IDENTITAET", "Du nimmst wahr."), Block("REGELN", "JSON mit … beziehungs_dynamik")),
        messages=(Message("user", text),),
        material=PerceptionMaterial(text=text, role="user", language="de"),
        output=PerceptionReply,
        retry_invalid=False,
        temperature=0.05,
        max_output_tokens=512,
    )


def salience_request(text: str = "Ich freue mich auf morgen") -> ChatRequest:
    """Asks for a salience object; it may be asked again."""
    return ChatRequest(
        caller="salienz",
        blocks=(Block("AUFGABE", "JSON mit salienz, gedaechtnistyp, intentionen …"),),
        messages=(Message("user", text),),
        material=SalienceMaterial(text=text, situation="", role="user", language="de", emotion=Emotion()),
        output=SalienceReply,
        temperature=0.05,
        priority=Priority.TAIL,
    )


def text_request(
    text: str = "Hallo", *, history: tuple[Message, ...] = (), priority: Priority = Priority.ANSWER
) -> ChatRequest:
    """Asks for free text."""
    return ChatRequest(
        caller="responder",
        blocks=(Block("IDENTITAET", "Du bist Nova."),),
        messages=(*history, Message("user", text)),
        material=SummaryMaterial(previous="", turns=(), language="de"),
        temperature=0.7,
        max_output_tokens=2048,
        top_p=0.9,
        repeat_penalty=1.1,
        presence_penalty=0.3,
        priority=priority,
    )


def patient(request: ChatRequest, timeout_s: float) -> ChatRequest:
    """The same with its own timeout."""
    return replace(request, timeout_s=timeout_s)
