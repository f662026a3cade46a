"""Everything an answer is worded from, read once: the stimulus, the session, what happened, who is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from novaberg.language import Language
from novaberg.models.builtin import phrases_de, phrases_en, possessing
from novaberg.models.builtin.events import Event, event_in
from novaberg.models.builtin.facts import Being, Clause, Memory, News
from novaberg.models.builtin.listening import listen, remember
from novaberg.models.builtin.manner import Manner, addresses_formally, manner_of
from novaberg.models.builtin.moves import move_lexicons, moves_in, small_lexicon
from novaberg.models.builtin.perception import Signs, signs_of
from novaberg.models.builtin.reading import Reading, read
from novaberg.models.builtin.wording import Wording, seed_of
from novaberg.models.builtin.wordlists import grammar, words
from novaberg.models.material import ReplyMaterial
from novaberg.vocabulary import NEUTRAL

_OPEN_THREADS = grammar("any", "unfinished_events")
_ADDRESS_KEPT = 6
"""Utterances after which the address of the person is forgotten."""
_SHORT_ANSWER = 4
"""Words up to which a message can be a mere answer."""


@dataclass
class Scene:
    """One moment of a conversation. Parts are worked out when they are first asked for."""

    material: ReplyMaterial

    @cached_property
    def language(self) -> Language:
        """Of the answer."""
        return self.material.language

    @cached_property
    def reading(self) -> Reading:
        """The stimulus."""
        return read(self.material.text)

    @cached_property
    def signs(self) -> Signs:
        """Feeling and cues of the stimulus."""
        return signs_of(self.material.text, self.language)

    @cached_property
    def emotion(self) -> str:
        """The person's emotion: from the words, else from what perception already knew."""
        if self.signs.feeling.recognised:
            return self.signs.feeling.emotion
        known = self.material.external.emotion
        return known.emotion if known.arousal >= 0.4 else NEUTRAL

    @property
    def feel_room(self) -> str:
        """Where the answers to the emotion stand; fear has its own beside stress (both are sector 3)."""
        afraid = self.emotion == "stress" and "fear" in self.moves
        return "feel.angst" if afraid else f"feel.{self.emotion}"

    @cached_property
    def manner(self) -> Manner:
        """How the person wants to be spoken to."""
        told = manner_of(self.material.internal, self.language)
        if told.formal or self.language != "de":
            return told
        newest = (self.material.text, *reversed(self.heard))
        return replace(told, formal=addresses_formally(newest[:_ADDRESS_KEPT]))

    # ── the session ──────────────────────────────────────────────────────────

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Nova's earlier answers, oldest first."""
        return tuple(
            utterance.text for utterance in self.material.history if utterance.speaker == "assistant"
        )

    @cached_property
    def heard(self) -> tuple[str, ...]:
        """The person's earlier utterances, oldest first."""
        return tuple(utterance.text for utterance in self.material.history if utterance.speaker == "user")

    @cached_property
    def memory(self) -> Memory:
        """What was told before the stimulus."""
        return remember(self.material.history, self.material.summary, self.material.notes, self.language)

    @cached_property
    def _after(self) -> tuple[Memory, News]:
        memory = remember(self.material.history, self.material.summary, self.material.notes, self.language)
        before = {id(being): tuple(being.names) for being in memory.beings}
        own, facts = memory.own_name, tuple(memory.facts)
        listen(memory, self.material.text, self.language, len(self.material.history))
        changed = [
            being
            for being in memory.beings
            if being.names and tuple(being.names) != before.get(id(being), ())
        ]
        return memory, News(
            renamed=tuple(being for being in changed if before.get(id(being))),
            named=tuple(being for being in changed if not before.get(id(being))),
            own_name=memory.own_name if memory.own_name != own else "",
            facts=tuple(fact for fact in memory.facts if all(fact is not other for other in facts)),
        )

    @property
    def memory_now(self) -> Memory:
        """With the stimulus."""
        return self._after[0]

    @property
    def news(self) -> News:
        """What the stimulus told."""
        return self._after[1]

    @cached_property
    def first_contact(self) -> bool:
        """Nothing was ever said between the two: no session, no summary, no earlier state of Nova's."""
        return (
            not self.material.history
            and not self.material.summary
            and not self.material.internal.emotion.prompt_topic
        )

    @cached_property
    def name(self) -> str:
        """How the person is called, ``""`` = not known."""
        return self.manner.name or self.memory_now.own_name

    @property
    def seed_bit(self) -> bool:
        """A steady coin toss: differs by text and by position."""
        return bool((seed_of(self.material.text, len(self.material.history)) >> 3) & 1)

    @cached_property
    def may_ask(self) -> bool:
        """Whether a question is welcome: not after two in a row, not if it was declined."""
        if self.manner.no_questions:
            return False
        recent = self.said[-2:]
        if len(recent) == 2 and all(text.rstrip().endswith("?") for text in recent):
            return False
        finder = move_lexicons(self.language)["stop_asking"]
        return not any(finder.find(read(text).words[:200]) for text in self.heard[-6:])

    @cached_property
    def was_asked(self) -> bool:
        """Nova's last answer ended with a question."""
        return bool(self.said) and self.said[-1].rstrip().endswith("?")

    # ── what is said ─────────────────────────────────────────────────────────

    @cached_property
    def moves(self) -> frozenset[str]:
        """Names of the move lists with a hit."""
        return moves_in(self.reading, self.language)

    @cached_property
    def small(self) -> frozenset[str]:
        """Greeting, farewell, thanks, how are you."""
        finder = small_lexicon(self.language)
        return frozenset(
            hit.value for sentence in self.reading.sentences for hit in finder.find(sentence.words)
        )

    @cached_property
    def is_short(self) -> bool:
        """Few words."""
        return len(self.reading.words) <= _SHORT_ANSWER

    @cached_property
    def statement(self) -> Clause | None:
        """The stimulus's weightiest statement."""
        own = [clause for clause in self.memory_now.clauses if clause.order == len(self.material.history)]
        if not own:
            return None
        with_event = [
            clause for clause in own if event_in(clause, self.memory_now, self.language) is not None
        ]
        return max(with_event or own, key=lambda clause: min(len(clause.sentence.words), 12))

    @cached_property
    def events(self) -> tuple[Event | None, ...]:
        """What each utterance of the person tells of, oldest first, the stimulus last."""
        told: dict[int, list[Clause]] = {}
        for clause in self.memory_now.clauses:
            told.setdefault(clause.order, []).append(clause)
        orders = [
            order for order, utterance in enumerate(self.material.history) if utterance.speaker == "user"
        ]
        found: list[Event | None] = []
        for order in (*orders, len(self.material.history)):
            events = [event_in(clause, self.memory_now, self.language) for clause in told.get(order, ())]
            weightiest = min((event for event in events if event), key=lambda event: event.rank, default=None)
            found.append(_continued(weightiest, found[-3:]))
        return tuple(found)

    @property
    def event(self) -> Event | None:
        """What the stimulus tells of."""
        return self.events[-1]

    @property
    def thread(self) -> Event | None:
        """What the person's last three utterances told of, newest first."""
        return next((event for event in reversed(self.events[-4:-1]) if event), None)

    @property
    def mourning(self) -> Event | None:
        """A death or a parting told within the last ten utterances; it stays with the talk longer than others."""
        lost = ("death", "breakup")
        return next((e for e in reversed(self.events[-11:-1]) if e and e.kind.startswith(lost)), None)

    @property
    def last_event(self) -> Event | None:
        """The newest event that was told, the stimulus included."""
        return next((event for event in reversed(self.events) if event), None)

    @property
    def is_follow_up(self) -> bool:
        """The event was told before; this is how it goes on."""
        event = self.event
        if event is None:
            return False
        if event.being is None and event.kind.startswith("death") and self.mourning is not None:
            return True
        return any(
            other and other.kind == event.kind and other.being is event.being for other in self.events[-7:-1]
        )

    @property
    def open_thread(self) -> Event | None:
        """Something unfinished with somebody in it, told at least two utterances ago."""
        return next(
            (e for e in reversed(self.events[:-2]) if e and e.kind in _OPEN_THREADS and e.being), None
        )

    @cached_property
    def beings(self) -> tuple[Being, ...]:
        """Whom the stimulus speaks of, by name, noun or pronoun."""
        own = [clause for clause in self.memory_now.clauses if clause.order == len(self.material.history)]
        found = [being for clause in own for being in clause.beings]
        phrases = phrases_de if self.language == "de" else phrases_en
        for token in self.reading.words[:60]:
            genders = phrases.pronoun_genders(token.low.removesuffix("'s"))
            focus = self.memory_now.focus(genders) if genders and token.low not in {"es", "it"} else None
            if focus is not None:
                found.append(focus)
        return tuple(found)

    def speaks_of_self(self, event: Event) -> bool:
        """Whether the speaker is in what is told ("mich", "ich"), a mere "mein" aside."""
        selves = words("cues", self.language, "scope", "self")
        selves -= words("nouns", self.language, "grammar", "possessives")
        return any(token.low in selves for token in event.clause.sentence.words)

    def fillings(self, being: Being | None) -> dict[str, str]:
        """The slots that speak of a being."""
        if being is None:
            return {}
        formal = self.manner.formal
        plural = being.gender == "p"
        return {
            "who": "" if plural else possessing.called(being, self.language, formal=formal),
            "who_dat": possessing.called(being, self.language, case="dative", formal=formal),
            "who_acc": possessing.called(being, self.language, case="accusative", formal=formal),
            "names": possessing.joined(being.names, self.language),
            "yours": possessing.yours(being, self.language, formal=formal),
            "yours_dat": possessing.yours(being, self.language, case="dative", formal=formal),
            "yours_acc": possessing.yours(being, self.language, case="accusative", formal=formal),
            "er": "" if plural else possessing.pronoun(being, self.language),
            "ihm": {"m": "ihm", "f": "ihr", "n": "ihm", "p": "ihnen", "": "ihm"}[being.gender],
        }


def _continued(event: Event | None, before: Sequence[Event | None]) -> Event | None:
    """An event that names nobody belongs to the one of the same kind that is being talked about."""
    if event is None or event.being is not None or event.own:
        return event
    family = event.kind.partition("_")[0]
    running = next(
        (other for other in reversed(before) if other and other.kind.partition("_")[0] == family), None
    )
    return event if running is None else replace(event, kind=running.kind, being=running.being)


def make_wording(scene: Scene, seed: int) -> Wording:
    """A fresh wording for a scene."""
    return Wording(scene.language, scene.manner.formal, scene.said, seed, {"nova": scene.material.name})
