"""What the nodes work with: services, clocks and calibrations, handed in through the graph's typed context."""

from __future__ import annotations

from dataclasses import dataclass

from novaberg.clock import Clock, local
from novaberg.conversation.late import HumanTail
from novaberg.conversation.snapshot import TurnSession
from novaberg.ei.ageing import AgeingCalibration
from novaberg.language import Language, detect_language
from novaberg.memory.stores import Stores
from novaberg.models.protocol import ChatModel
from novaberg.prompts import PromptLibrary

_DATE_FORMAT: dict[Language, str] = {"de": "%d.%m.%Y, %H:%M Uhr", "en": "%d %B %Y, %H:%M"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where and how the conversation takes place."""

    name: str
    """Nova's name."""
    language: Language
    """Language of a reply when the utterance does not decide."""
    timezone: str
    region: str

    def language_of(self, text: str) -> Language:
        """Language in which an utterance is answered."""
        return detect_language(text, self.language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What all turns of a process share."""

    stores: Stores
    model: ChatModel
    perception_model: ChatModel
    """Reads texts; the main model, or the built-in one beside it."""
    prompts: PromptLibrary
    clock: Clock
    scene: Scene
    ageing: AgeingCalibration


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphContext:
    """Services of the process and what belongs to this one turn."""

    services: Services
    session: TurnSession
    human_tail: HumanTail

    def today(self, language: Language) -> str:
        """Local date and time for a prompt."""
        scene = self.services.scene
        return local(self.services.clock.now(), scene.timezone).strftime(_DATE_FORMAT[language])
