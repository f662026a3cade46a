"""German ways of telling an age, a home, a trade, a birthday, likes and dislikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from novaberg.models.builtin.facts import Attribute, Being, Memory
from novaberg.models.builtin.hearing import Hearer, figure, first_of, until
from novaberg.models.builtin.phrases_de import SELF, clause_ranges, is_name, pronoun_genders
from novaberg.models.builtin.reading import Sentence, Token, fold
from novaberg.models.builtin.tastes_de import DOING, LIKING, hear_tastes
from novaberg.models.builtin.wordlists import grammar, section, words

_LIVING: Final = grammar("de", "verbs_of_living")
_PLACES: Final = grammar("de", "place_prepositions")
_WORKPLACES: Final = grammar("de", "workplaces_one_is_at")
_AGE_AFTER: Final = grammar("de", "behind_an_age")
_BEING_FORMS: Final = grammar("de", "forms_of_to_be")
_DATES: Final = grammar("de", "begin_of_a_date")


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
    """Clauses, cut at "und" too where a verb follows soon."""
    ranges: list[tuple[int, int]] = []
    for begin, end in clause_ranges(tokens):
        start = begin
        for index in range(begin + 1, end - 1):
            if tokens[index].low in {"und", "aber"} and _verb_follows(tokens, index + 1, end):
                ranges.append((start, index))
                start = index + 1
        ranges.append((start, end))
    return ranges


def _verb_follows(tokens: Sequence[Token], position: int, end: int) -> bool:
    verbs = (
        _LIVING
        | LIKING
        | DOING
        | _BEING_FORMS
        | {"arbeite", "arbeitet", "habe", "hat", "komme", "kommt", "studiere"}
    )
    return any(token.low in verbs for token in tokens[position : min(position + 3, end)])


def _subject(
    memory: Memory, clause: Sequence[Token], here: Mapping[int, Being]
) -> tuple[Being | None] | None:
    """The first of "ich", a being, a pronoun, a bare name with an age ("Paul ist 5"); ``None`` without a subject."""
    if (
        len(clause) >= 3
        and is_name(clause[0])
        and clause[1].low in {"ist", "wird"}
        and number_of(clause[2])
        and 0 not in here
    ):
        return (memory.mention_name(clause[0].text),)
    for index, token in enumerate(clause):
        if token.low in SELF:
            return (None,)
        if index in here:
            return (here[index],)
        genders = pronoun_genders(token.low) if token.low in {"er", "sie", "es"} else ""
        if genders:
            focus = memory.focus(genders)
            return (focus,) if focus is not None else None
        if token.low in {"mein", "meine"}:
            return (None,)
    return None


class _Hearer(Hearer):
    _liking = False
    """A clause before told a liking; an elided one may follow."""
    _left_home = False
    """A clause before denied a home; "sondern in …" may follow."""

    def clause(self, clause: Sequence[Token], owner: Being | None) -> None:
        self._age(clause, owner)
        self._home(clause, owner)
        self._job(clause, owner)
        self._birthday(clause, owner)
        self._liking = hear_tastes(self, clause, owner, liking=self._liking) or self._liking

    def _age(self, clause: Sequence[Token], owner: Being | None) -> None:
        verb = first_of(clause, _BEING_FORMS)
        for index, token in enumerate(clause):
            number = number_of(token)
            if number is not None and not index and [t.low for t in clause[1:]] == ["jahre", "alt"]:
                self.learn(owner, "age", str(number))
                return
            if number is None or not 0 < number <= 120 or verb is None:
                continue
            following = clause[index + 1].low if index + 1 < len(clause) else ""
            previous = clause[index - 1].low if index else ""
            unit = following if following in {"monate", "wochen", "monaten"} else ""
            old = index + 2 < len(clause) and clause[index + 2].low == "alt"
            in_years = following in _AGE_AFTER and (not unit or old)
            becoming = clause[verb].low in {"werde", "wird"} and following in {
                "im",
                "am",
                "naechste",
                "naechsten",
                "naechstes",
            }
            if becoming and following in {"im", "am"} and index + 2 < len(clause):
                self.learn(owner, "birthday", self.text(clause[index + 1 : index + 3]))
                return
            if (following and not in_years and not becoming) or previous in {
                "um",
                "am",
                "seit",
                "nummer",
                "klasse",
                "mit",
                "zu",
            }:
                continue
            if (
                following in {"jahr", "jahre"}
                and index + 2 < len(clause)
                and not old
                and clause[index + 2].low not in {"geworden", "und"}
            ):
                continue
            soon = "bald " if clause[verb].low in {"werde", "wird"} else ""
            self.learn(owner, "age", f"{number} {clause[index + 1].text}" if unit else f"{soon}{number}")
            return

    def _home(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        living = set(lows) & _LIVING and "ohne" not in lows
        if living and "nicht" in lows:
            self._left_home = True
            return
        instead, self._left_home = self._left_home and lows[:1] == ["sondern"], False
        if living or instead:
            attribute: Attribute = "home"
        elif {"komme", "kommt", "stamme", "stammt"} & set(lows) and "aus" in lows:
            attribute = "origin"
        elif {"gezogen", "umgezogen"} & set(lows) and "nach" in lows:
            attribute = "home"
        elif "aus" in lows and first_of(clause, frozenset({"bin", "ist"})) is not None and len(clause) <= 5:
            attribute = "origin"
        else:
            return
        place = self._place(clause, {"origin": frozenset({"aus"}), "home": _PLACES - {"aus"}}[attribute])
        if place:
            self.learn(owner, attribute, place.replace("nach ", "in ", 1) if attribute == "home" else place)

    def _place(self, clause: Sequence[Token], prepositions: frozenset[str]) -> str:
        for index, token in enumerate(clause[:-1]):
            if token.low not in prepositions:
                continue
            end = index + 1
            while (
                end < len(clause)
                and clause[end].kind == "word"
                and not clause[end].capital
                and end - index <= 3
            ):
                end += 1
            if (
                end < len(clause)
                and clause[end].capital
                and clause[end].low not in {"jahr", "jahren", "januar", "monat"}
            ):
                end += 1
                while end < len(clause) and clause[end].kind == "word" and clause[end].capital:
                    end += 1
                return self.text(clause[index:end])
            lone = index + 2 == len(clause) or clause[index + 2].low in {"und", "gezogen", "umgezogen"}
            if (
                lone
                and clause[index + 1].kind == "word"
                and clause[index + 1].low not in words("cues", "de", "topic", "stop")
            ):
                return f"{token.text} {clause[index + 1].text[:1].upper()}{clause[index + 1].text[1:]}"
        return ""

    def _job(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        professions = words("nouns", "de", "grammar", "professions")
        working = {"arbeite", "arbeitet", "jobbe", "jobbt", "arbeiten"} & set(lows)
        if working and "als" in lows:
            position = lows.index("als") + 1
            self.learn(
                owner,
                "job",
                self.text(until(clause, position, frozenset({"in", "bei", "im", "und", "fuer"}))),
            )
        if working:
            position = (
                next(
                    (i for i, low in enumerate(lows) if low in {"bei", "in", "im", "beim", "an", "fuer"}),
                    None,
                )
                or 0
            )
            at_a_matter = bool(position) and lows[position] == "an" and not set(lows) & _WORKPLACES
            if position and position + 1 < len(clause) and not at_a_matter:
                self.learn(
                    owner, "work", self.text(until(clause, position, frozenset({"als", "und", "seit"})))
                )
        verb = first_of(clause, frozenset({"bin", "ist"}))
        if verb is not None:
            for index in range(len(clause)):
                told = clause[index].low in professions and (owner is None or index > verb)
                if told and not (lows[:1] == ["mein"] and index < verb):
                    self.learn(owner, "job", clause[index].text)
                    return
        if {"studiere", "studiert"} & set(lows):
            position = next(i for i, low in enumerate(lows) if low in {"studiere", "studiert"}) + 1
            studied = [t for t in clause[position:] if t.capital]
            if studied:
                self.learn(owner, "job", f"Studium: {studied[0].text}")

    def _birthday(self, clause: Sequence[Token], owner: Being | None) -> None:
        lows = [token.low for token in clause]
        if not ({"geburtstag", "geburtstags", "geboren"} & set(lows)) or "nicht" in lows:
            return
        when = next((i for i, low in enumerate(lows) if low in _DATES), None)
        if when is None:
            return
        end = when + 1
        while end < len(clause) and lows[end] not in grammar("de", "end_of_a_date") and end - when <= 4:
            end += 1
        if end > when + 1 or lows[when] in {"morgen", "heute", "uebermorgen", "gestern"}:
            self.learn(owner, "birthday", self.text(clause[when:end]))


def number_of(token: Token) -> int | None:
    """A whole number in digits or as a German word up to twenty."""
    number = figure(token)
    return _number_words().get(token.low) if number is None else number


@lru_cache(maxsize=1)
def _number_words() -> Mapping[str, int]:
    listed = section("nouns", "de", "numbers")["words"].split()
    return {fold(word): number for number, word in enumerate(listed) if number > 1}
