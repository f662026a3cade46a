"""What the person said in this session, as beings ("my dog Bruno"), facts about them, and plain clauses.

Filled by the listeners of each language (`listening_de`, `listening_en`), asked by `recall`. Nothing here knows a sample:
any noun behind "my" can be a being, any word in the right place its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from novaberg.language import Language
from novaberg.models.builtin.nouns import kind_of, same_noun, stem
from novaberg.models.builtin.reading import Sentence, fold

Gender = Literal["m", "f", "n", "p", ""]
"""Grammatical gender, ``p`` plural; English: ``m``, ``f`` where the noun tells, ``p`` plural."""
Attribute = Literal["age", "home", "origin", "job", "work", "birthday", "like", "dislike"]

_SINGLE_VALUED: Final = frozenset({"age", "home", "origin", "job", "work", "birthday"})


@dataclass(slots=True)
class Being:
    """Somebody or something that belongs to the person."""

    noun: str
    """As a nominative, without article: ``Hund``, ``guinea pig``; ``""`` = only the name was told."""
    modifiers: tuple[str, ...] = ()
    gender: Gender = ""
    names: list[str] = field(default_factory=list)
    last: int = 0
    """Order of the latest mention."""

    @property
    def name(self) -> str:
        """All names, or ``""``."""
        return " und ".join(self.names) if self.names else ""


@dataclass(frozen=True, slots=True)
class Fact:
    """An attribute of the person (``owner`` ``None``) or of a being."""

    owner: Being | None
    attribute: Attribute
    value: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement of the person, as said."""

    sentence: Sentence
    language: Language
    order: int
    """Index of the utterance; larger is newer."""
    beings: tuple[Being, ...] = ()
    recent: bool = True
    """Said verbatim in the session, not taken from a summary."""


@dataclass(frozen=True, slots=True)
class News:
    """What the stimulus told that was not known before."""

    renamed: tuple[Being, ...] = ()
    """Beings whose name changed: a correction."""
    named: tuple[Being, ...] = ()
    """Beings whose name became known."""
    own_name: str = ""
    facts: tuple[Fact, ...] = ()
    """Ages, homes, likes … of the person and their beings."""


class Memory:
    """Everything known from the session. Built anew for every answer; never shared."""

    def __init__(self) -> None:
        self.own_names: list[str] = []
        self.beings: list[Being] = []
        self.facts: list[Fact] = []
        self.clauses: list[Clause] = []
        self._clock = 0

    @property
    def own_name(self) -> str:
        """How the person is called, ``""`` = not told."""
        return self.own_names[-1] if self.own_names else ""

    # ── beings ───────────────────────────────────────────────────────────────

    def touch(self, being: Being) -> Being:
        """The being is spoken of now."""
        self._clock += 1
        being.last = self._clock
        return being

    def mention(
        self, noun: str, modifiers: tuple[str, ...] = (), gender: Gender = "", names: Sequence[str] = ()
    ) -> Being:
        """The being that is meant: a known one, or a new one. A second name beside the same noun is a second being."""
        known = self._by_names(names) or self._fitting(noun, modifiers, names)
        if known is None:
            known = Being(noun, modifiers, gender)
            self.beings.append(known)
        elif modifiers and not known.modifiers:
            known.modifiers = modifiers
        if not known.gender:
            known.gender = gender
        if names and not known.names:
            known.names = list(names)
        return self.touch(known)

    def mention_name(self, name: str) -> Being:
        """Somebody of whom only the name was told, or one of several that were named together."""
        known = self.named(name)
        if known is None or len(known.names) > 1:
            known = Being("", names=[name])
            self.beings.append(known)
        return self.touch(known)

    def rename(self, being: Being, names: Sequence[str]) -> None:
        """A being is called ``names``; a correction replaces what was understood before."""
        if being.gender == "p" and len(names) == 1 and being.names and names[0] not in being.names:
            being.names.append(names[0])
        else:
            being.names = list(names)
        self.touch(being)

    def forget_name(self, being: Being, name: str) -> None:
        """The name was denied."""
        being.names = [known for known in being.names if fold(known) != fold(name)]

    def _by_names(self, names: Sequence[str]) -> Being | None:
        wanted = {fold(name) for name in names}
        found = [being for being in self.beings if wanted & {fold(name) for name in being.names}]
        return min(found, key=lambda being: abs(len(being.names) - len(wanted)), default=None)

    def _fitting(self, noun: str, modifiers: tuple[str, ...], names: Sequence[str]) -> Being | None:
        for being in self.recent():
            if (
                same_noun(being.noun, noun)
                and _compatible(being.modifiers, modifiers)
                and not (names and being.names)
            ):
                return being
        return None

    def recent(self) -> list[Being]:
        """Beings, the one spoken of last first."""
        return sorted(self.beings, key=lambda being: -being.last)

    def named(self, name: str) -> Being | None:
        """The being with this name."""
        return self._by_names((name,))

    def called(self, noun: str, modifiers: tuple[str, ...] = ()) -> list[Being]:
        """All beings of a noun, newest first; fitting modifiers narrow the choice."""
        found = [being for being in self.recent() if same_noun(being.noun, noun)]
        wanted = _distinguishing(modifiers)
        narrowed = [being for being in found if wanted and wanted & _distinguishing(being.modifiers)]
        if narrowed:
            return narrowed
        return [being for being in found if _compatible(being.modifiers, modifiers)]

    def focus(self, genders: str) -> Being | None:
        """What a pronoun means: the being spoken of last whose gender fits; unknown gender always fits."""
        fitting = [being for being in self.recent() if not being.gender or being.gender in genders]
        living = [being for being in fitting if being.names or kind_of(being.noun)]
        return next(iter(living or fitting), None)

    # ── facts ────────────────────────────────────────────────────────────────

    def learn(self, owner: Being | None, attribute: Attribute, value: str) -> None:
        """A new fact; it replaces an older one of the same single-valued attribute, and a like its opposite."""
        value = value.strip(" ,;:!?\"„“”'")
        if not value:
            return
        opposite = {"like": "dislike", "dislike": "like"}.get(attribute, "")
        self.facts = [
            fact
            for fact in self.facts
            if fact.owner is not owner
            or not (
                (
                    fact.attribute == attribute
                    and (attribute in _SINGLE_VALUED or _same_value(fact.value, value))
                )
                or (fact.attribute == opposite and _same_value(fact.value, value))
            )
        ]
        self.facts.append(Fact(owner, attribute, value))

    def about(self, owner: Being | None, attribute: Attribute) -> list[str]:
        """Values, oldest first."""
        return [fact.value for fact in self.facts if fact.owner is owner and fact.attribute == attribute]

    def names(self) -> Iterable[str]:
        """All names of beings."""
        for being in self.beings:
            yield from being.names


_DISTINGUISHING: Final = [
    "klein",
    "gross",
    "aeltest",
    "juengst",
    "aelter",
    "juenger",
    "alt",
    "jung",
    "erst",
    "zweit",
    "dritt",
    "schwarz",
    "weiss",
    "frueher",
    "ehemalig",
    "little",
    "small",
    "big",
    "older",
    "younger",
    "oldest",
    "youngest",
    "eldest",
    "elder",
    "old",
    "young",
    "first",
    "second",
    "third",
    "black",
    "white",
    "former",
    "ex",
]


def _distinguishing(modifiers: tuple[str, ...]) -> frozenset[str]:
    found = set()
    for modifier in modifiers:
        low = fold(modifier)
        mark = next(
            (mark for mark in _DISTINGUISHING if low.startswith(mark) and len(low) - len(mark) <= 3), None
        )
        if mark:
            found.add(mark)
    return frozenset(found)


def _compatible(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    a, b = _distinguishing(one), _distinguishing(other)
    return not a or not b or bool(a & b)


def _same_value(one: str, other: str) -> bool:
    return stem(one.rsplit(maxsplit=1)[-1]) == stem(other.rsplit(maxsplit=1)[-1])
