"""A conversation with the built-in model, for the tests of this package."""

from __future__ import annotations

from datetime import datetime

from novaberg.language import Language
from novaberg.models.builtin.self_perception import perceive
from novaberg.models.builtin.voice import respond
from novaberg.models.material import PerceptionMaterial, ReplyMaterial, Utterance
from novaberg.personality import Directive, Emotion, InternalPersonality, Personality

NOW = datetime(2026, 11, 30, 15, 45)
"""A Monday."""


class Talk:
    """Keeps the session between answers, as the graph would."""

    def __init__(
        self,
        language: Language,
        *,
        region: str = "DE",
        directives: tuple[str, ...] = (),
        identities: tuple[str, ...] = (),
        summary: str = "",
        known: bool = True,
    ) -> None:
        self.language = language
        self.region = region
        self.summary = summary
        self.history: list[Utterance] = []
        self.internal = InternalPersonality(
            emotion=Emotion(prompt_topic="etwas" if known else ""),
            identities=identities,
            directives=tuple(Directive(text) for text in directives),
        )

    def say(self, text: str, *, own_thought: bool = False) -> str:
        """Nova's answer; both sides enter the session."""
        perceived = perceive(
            PerceptionMaterial(
                text=text, role="user", language=self.language, history=tuple(self.history[-10:])
            )
        )
        emotion = Emotion(
            emotion=perceived.emotion, arousal=perceived.arousal, relationship_dynamic=perceived.dynamic
        )
        answer = respond(
            ReplyMaterial(
                text=text,
                own_thought=own_thought,
                language=self.language,
                name="Nova",
                now=NOW,
                region=self.region,
                model_name="builtin",
                external=Personality(emotion=emotion),
                internal=self.internal,
                summary=self.summary,
                history=tuple(self.history),
            )
        )
        if not own_thought:
            self.history.append(Utterance("user", text, perceived.emotion, "nutzer_turn"))
        self.history.append(Utterance("assistant", answer, "", "nutzer_turn"))
        return answer

    def tell(self, *texts: str) -> str:
        """Several utterances; the last answer."""
        answer = ""
        for text in texts:
            answer = self.say(text)
        return answer
