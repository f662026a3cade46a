"""English ways of telling an age, a home, a trade, a birthday, likes and dislikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from novaberg.models.builtin.facts import Being, Memory
from novaberg.models.builtin.hearing import Hearer, figure, until
from novaberg.models.builtin.phrases_de import clause_ranges
from novaberg.models.builtin.phrases_en import SELF, is_name, pronoun_genders
from novaberg.models.builtin.reading import Sentence, Token, fold
from novaberg.models.builtin.wordlists import grammar, section, words

_BE: Final = grammar("en", "forms_of_to_be")
_LIKE: Final = grammar("en", "verbs_of_liking")
_HATE: Final = frozenset(["hate", "hates", "dislike", "dislikes", "detest", "detests"])
_PRONOUNS_OF_OTHERS: Final = frozenset({"you", "it", "him", "her", "that", "this", "them", "me", "us"})
_NO_OBJECT: Final = grammar("en", "no_objects")
_STOPS: Final = grammar("en", "end_of_an_object")
_MONTHS: Final = grammar("en", "months")


def hear_facts(
    memory: Memory, sentence: Sentence, tokens: Sequence[Token], places: Mapping[int, Being]
) -> None:
    """Learn facts from every clause; a clause without a subject keeps the one before."""
    hearer = _Hearer(memory, sentence)
    subject: tuple[Being | None] | None = None
    for begin, end in _clauses(tokens):
        clause = tokens[begin:end]
        here = {index - begin: being for index, being in places.items() if begin <= index < end}
        own = _subject(memory, clause, here)
        subject = own if own is not None else subject
        if subject is not None:
            hearer.clause(clause, subject[0])


def _clauses(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    verbs = _BE | _LIKE | _HATE | {"live", "lives", "work", "works", "don't", "i", "have"}
    ranges: list[tuple[int, int]] = []
    for begin, end in clause_ranges(tokens):
        start = begin
        for index in range(begin + 1, end - 1):
            if tokens[index].low in {"and", "but"} and any(
                t.low in verbs for t in tokens[index + 1 : min(index + 4, end)]
            ):
                ranges.append((start, index))
                start = index + 1
        ranges.append((start, end))
    return ranges


def _subject(
    memory: Memory, clause: Sequence[Token], here: Mapping[int, Being]
) -> tuple[Being | None] | None:
    if (
        len(clause) >= 3
        and is_name(clause[0])
        and clause[1].low in {"is", "turns"}
        and number_of(clause[2])
        and 0 not in here
    ):
        return (memory.mention_name(clause[0].text),)
    for index, token in enumerate(clause):
        if token.low in SELF:
            return (None,)
        if index in here:
            return (here[index],)
        base = token.low.removesuffix("'s")
        if base in {"he", "she", "it", "they"}:
            focus = memory.focus(pronoun_genders(base))
            return (focus,) if focus is not None else None
        if token.low == "my":
            return (None,)
    return None


class _Hearer(Hearer):
    def clause(self, clause: Sequence[Token], owner: Being | None) -> None:
        self._age(clause, owner)
        self._home(clause, owner)
        self._job(clause, owner)
        self._birthday(clause, owner)
        self._likes(clause, owner)

    def _age(self, clause: Sequence[Token], owner: Being | None) -> None:
        for index, token in enumerate(clause):
            number = number_of(token)
            if number is None or not 0 < number <= 120:
                continue
            if not index and [t.low for t in clause[1:]] in (["years", "old"], ["year", "old"]):
                self.learn(owner, "age", str(number))
                return
            if not index:
                continue
            verb = any(t.low in _BE for t in clause[max(0, index - 3) : index])
            following = [t.low for t in clause[index + 1 : index + 4]]
            old = (
                following[:2] in (["years", "old"], ["year", "old"])
                or following[:1] == ["now"]
                or not following
            )
            small = following[:1] in (["months"], ["weeks"]) and following[1:2] == ["old"]
            if verb and (
                old or small or following[:1] in (["in"], ["next"], ["today"], ["tomorrow"], ["and"])
            ):
                self.learn(owner, "age", f"{number} {following[0]}" if small else str(number))
                return

    def _home(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        for verbs, prepositions, attribute in (
            ({"live", "lives", "living"}, {"in", "near", "at", "on"}, "home"),
            ({"moved", "move", "moves"}, {"to"}, "home"),
            ({"from"}, {"from"}, "origin"),
        ):
            verb = next((i for i, low in enumerate(lows) if low in verbs), None)
            if verb is None or "without" in lows:
                continue
            position = next((i for i in range(verb, len(lows)) if lows[i] in prepositions), None)
            if position is None or (
                attribute == "origin" and not set(lows[:position]) & grammar("en", "before_from")
            ):
                continue
            place = until(
                clause,
                position + 1,
                grammar("en", "end_of_a_place"),
            )
            named = any(t.capital for t in place) or len(place) == 1
            if place and named:
                lead = (
                    "in "
                    if lows[position] == "to"
                    else ""
                    if attribute == "origin"
                    else f"{clause[position].text} "
                )
                self.learn(owner, "origin" if attribute == "origin" else "home", lead + self.text(place))
            return

    def _job(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        working = next((i for i, low in enumerate(lows) if low in {"work", "works", "working"}), None)
        if working is not None:
            if "as" in lows[working:]:
                position = lows.index("as", working) + 1
                self.learn(
                    owner, "job", self.text(until(clause, position, frozenset({"in", "at", "for", "and"})))
                )
            place = next((i for i in range(working, len(lows)) if lows[i] in {"at", "for", "in"}), None)
            if place is not None and place + 1 < len(clause):
                self.learn(owner, "work", self.text(until(clause, place, frozenset({"as", "and", "since"}))))
        professions = words("nouns", "en", "grammar", "professions")
        article = next(
            (i for i, low in enumerate(lows[:-1]) if low in {"a", "an"} and i and lows[i - 1] in _BE), None
        )
        if article is not None:
            rest = until(clause, article, frozenset({"in", "at", "for", "and", "who"}))
            if rest and rest[-1].low in professions:
                self.learn(owner, "job", self.text(rest))

    def _birthday(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        anchor = next((i for i, low in enumerate(lows) if low in {"birthday", "born"}), None)
        if anchor is None or "not" in lows or "isn't" in lows:
            return
        for index in range(anchor + 1, len(lows)):
            if (
                (lows[index] in {"on", "in"} and index + 1 < len(lows))
                or lows[index] in _MONTHS | {"today", "tomorrow"}
                or clause[index].kind == "number"
            ):
                when = until(clause, index, frozenset({"and", "but"}))
                if any(t.low in _MONTHS | {"today", "tomorrow"} or t.kind == "number" for t in when):
                    self.learn(owner, "birthday", self.text(when))
                return

    def _likes(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        favourite = next((i for i, low in enumerate(lows) if low in {"favourite", "favorite"}), None)
        copula = next((i for i, low in enumerate(lows) if low in {"is", "are"}), None)
        if favourite is not None and copula is not None and favourite < copula:
            self.learn(None, "like", self.text(until(clause, copula + 1, _STOPS)))
            return
        verb = next((i for i, low in enumerate(lows) if low in _LIKE | _HATE), None)
        if verb is None or "would" in lows[:verb] or "i'd" in lows[:verb] or (verb == 0):
            return
        position = verb + 1
        if position < len(lows) and lows[position] in _PRONOUNS_OF_OTHERS:
            return
        while position < len(lows) and lows[position] in {"really", "to"}:
            position += 1
        negative = lows[verb] in _HATE or bool(
            set(lows[:verb]) & {"don't", "doesn't", "never", "not", "didn't", "can't", "won't", "no"}
        )
        thing = self.text(until(clause, position, _STOPS))
        if thing and fold(thing) not in _NO_OBJECT:
            self.learn(owner, "dislike" if negative else "like", thing)


def number_of(token: Token) -> int | None:
    """A whole number in digits or as an English word up to twenty."""
    number = figure(token)
    return _number_words().get(token.low) if number is None else number


@lru_cache(maxsize=1)
def _number_words() -> Mapping[str, int]:
    listed = section("nouns", "en", "numbers")["words"].split()
    return {word: number for number, word in enumerate(listed) if number > 1}
