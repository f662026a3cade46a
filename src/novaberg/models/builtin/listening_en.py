"""Understands what an English sentence says about the person and their beings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from novaberg.models.builtin.facts import Being, Gender, Memory
from novaberg.models.builtin.listening_en_facts import hear_facts
from novaberg.models.builtin.nouns import is_living, same_noun
from novaberg.models.builtin.phrases_de import clause_ranges, split_at_joints
from novaberg.models.builtin.phrases_en import (
    CALLED,
    PRONOUNS,
    SELF,
    as_name,
    gender_of,
    is_name,
    names_from,
    noun_phrase,
)
from novaberg.models.builtin.reading import Sentence, Token, fold
from novaberg.models.builtin.wordlists import grammar, words

OWN: Final = frozenset({"my", "our"})
THEIRS: Final = frozenset({"his", "her", "their"})
ARTICLES: Final = frozenset({"a", "an"})
_COUNTS: Final = grammar("en", "plural_counts")
_NAME_VERBS: Final = frozenset({"is", "was", "are", "isn't", "'s"})
_FILLERS: Final = grammar("en", "between_called_and_name")
_CALLING: Final = frozenset({"call", "calls", "named", "name", "called"})
_OWNING: Final = grammar("en", "verbs_of_owning")


class EnglishListener:
    """Feeds a `Memory` from English sentences."""

    def __init__(self, memory: Memory, *, third_person: bool = False) -> None:
        self._memory = memory
        self._possessives = OWN | THEIRS if third_person else OWN
        self._lowercase = False

    def hear(self, sentence: Sentence, *, lowercase: bool) -> tuple[Being, ...]:
        """Take in one sentence.

        Returns:
            The beings that it speaks of.
        """
        self._lowercase = lowercase
        tokens = statement_tokens(sentence)
        if not tokens:
            return ()
        places = self._beings(tokens)
        for begin, end in split_at_joints(tokens, clause_ranges(tokens), {"and", "but"}, CALLED | {"name"}):
            here = {index - begin: being for index, being in places.items() if begin <= index < end}
            self._naming(tokens[begin:end], here)
            self._calling(tokens[begin:end], here)
            self._self_name(tokens[begin:end])
        self._apposition(tokens, places)
        hear_facts(self._memory, sentence, tokens, places)
        found: list[Being] = []
        for being in places.values():
            if all(being is not other for other in found):
                found.append(being)
        return tuple(found)

    def _beings(self, tokens: Sequence[Token]) -> dict[int, Being]:
        places: dict[int, Being] = {}
        index = 0
        while index < len(tokens):
            being, end = self._being_at(tokens, index)
            if being is not None:
                places[index] = being
            index = max(end, index + 1)
        return places

    def _being_at(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        token = tokens[index]
        if (
            token.low in self._possessives
            or token.low in ARTICLES
            or token.low in _COUNTS
            or token.low == "the"
        ):
            return self._phrase_at(tokens, index)
        if token.kind == "word" and (token.capital or self._lowercase):
            name = as_name(token)
            known = self._memory.named(name)
            return (self._memory.mention_name(name), index + 1) if known else (None, index + 1)
        return None, index + 1

    def _phrase_at(self, tokens: Sequence[Token], index: int) -> tuple[Being | None, int]:
        low = tokens[index].low
        phrase = noun_phrase(tokens, index, lowercase=self._lowercase)
        if phrase is None or fold(phrase.noun) in {"name", "birthday", "job", "first name", "nickname"}:
            return None, index + 1
        if low == "the":
            known = next((b for b in self._memory.recent() if same_noun(b.noun, phrase.noun)), None)
            return (self._memory.touch(known), phrase.end) if known else (None, phrase.end)
        names, end = phrase.names, phrase.end
        if low in ARTICLES or low in _COUNTS:
            living = is_living(phrase.noun.split()[-1], "en") or (
                low in _COUNTS and is_living(phrase.noun[:-1], "en")
            )
            if not living or (low in ARTICLES and not names and _is_compound(tokens, phrase.end)):
                return None, phrase.end
            owner = any(token.low in _OWNING for token in tokens)
            if not names:
                names, end = _names_after_comma(tokens, phrase.end)
            if not (owner or names):
                return None, phrase.end
        gender: Gender = "p" if low in _COUNTS else gender_of(phrase.noun)
        return self._memory.mention(phrase.noun, phrase.modifiers, gender, names), end

    def _naming(self, clause: Sequence[Token], here: Mapping[int, Being]) -> None:
        """``my dog's name is Bruno``, ``my dog is called Bruno``, ``his name is Bruno``."""
        lows = [token.low for token in clause]
        noun = next((i for i, low in enumerate(lows) if low in {"name", "names", "name's"}), None)
        called = next(
            (
                i
                for i, low in enumerate(lows)
                if low in CALLED and i and lows[i - 1] in grammar("en", "before_called") | _FILLERS
            ),
            None,
        )
        if called is not None:
            self._name_behind(clause, called + 1, self._owner(clause, here, called))
        elif noun is not None:
            verb = (
                noun
                if lows[noun] == "name's"
                else next((i for i in range(noun, len(lows)) if lows[i] in _NAME_VERBS), None)
            )
            if verb is not None:
                self._name_behind(clause, verb + 1, self._owner(clause, here, verb))
            elif "whose" in lows[:noun]:
                self._name_behind(clause, noun + 1, next(iter(self._memory.recent()), None))

    def _owner(self, clause: Sequence[Token], here: Mapping[int, Being], verb: int) -> Being | bool | None:
        """A being, ``None`` for the person, ``False`` if nobody fits."""
        before = [index for index in here if index < verb]
        if before:
            return here[before[-1]]
        for token in clause[:verb]:
            if token.low == "my" or token.low.removesuffix("'s") in SELF:
                return None
            if token.low.removesuffix("'s") in PRONOUNS:
                return self._memory.focus(PRONOUNS[token.low.removesuffix("'s")]) or self._nameless_thing()
            if token.low in {"whose", "who", "that"}:
                return next(iter(self._memory.recent()), False)
        return False

    def _nameless_thing(self) -> Being | bool:
        """A plant, a car or a boat spoken of last may be a "he" or "she" when it is given a name."""
        last = next(iter(self._memory.recent()), None)
        return last if last is not None and not last.names else False

    def _name_behind(self, clause: Sequence[Token], position: int, owner: Being | bool | None) -> None:
        if isinstance(owner, bool):
            return
        denied = any(token.low.endswith("n't") or token.low == "not" for token in clause[:position])
        while position < len(clause) and clause[position].low in _FILLERS | CALLED:
            denied = denied or clause[position].low == "not"
            position += 1
        names, end = names_from(clause, position, lowercase=self._lowercase or position == len(clause) - 1)
        if denied:
            instead = next((i for i in range(end, len(clause)) if clause[i].low == "but"), None)
            if owner is not None and names and instead is None:
                self._memory.forget_name(owner, names[0])
            names = names_from(clause, instead + 1)[0] if instead is not None else ()
        if not names:
            return
        if owner is None:
            self._memory.own_names.append(names[0])
        else:
            self._memory.rename(owner, names)

    def _calling(self, clause: Sequence[Token], here: Mapping[int, Being]) -> None:
        """``we call him Bruno``, ``call me Anna``, ``I named her Lotte``."""
        for index in range(len(clause) - 2):
            if clause[index].low not in _CALLING:
                continue
            target = clause[index + 1].low
            if target == "me" and (
                index == 0
                or clause[index - 1].low in {"everyone", "friends", "people", "just", "they", "can", "please"}
            ):
                names, _ = names_from(clause, index + 2, lowercase=self._lowercase)
                if names:
                    self._memory.own_names.append(names[0])
                return
            being = (
                self._memory.focus(PRONOUNS[target])
                if target in {"him", "her", "it", "them"}
                else here.get(index + 1)
            )
            if being is None:
                continue
            position = index + 2
            while position < len(clause) and not is_name(clause[position]):
                position += 1
            names, _ = names_from(clause, position)
            if names:
                self._memory.rename(being, names)
            return

    def _self_name(self, clause: Sequence[Token]) -> None:
        """``I'm Anna``, ``I am Anna``, ``this is Anna``."""
        lows = [token.low for token in clause]
        position = 1 if lows[:1] == ["i'm"] else 2 if lows[:2] == ["i", "am"] else 0
        if not position or self._lowercase or not position < len(clause) <= position + 2:
            return
        names, end = names_from(clause, position)
        if (
            names
            and end == len(clause)
            and clause[position].low not in words("nouns", "en", "grammar", "no_self_names")
        ):
            self._memory.own_names.append(names[0])

    def _apposition(self, tokens: Sequence[Token], places: Mapping[int, Being]) -> None:
        """``Bruno, my dog, …``, ``Bruno is my dog``, ``my dog, Bruno, …``."""
        for index, being in places.items():
            if being.names or tokens[index].low not in OWN:
                continue
            names = _name_before(tokens, index) or _name_in_commas(tokens, index)
            if names:
                self._memory.rename(being, names)


def _is_compound(tokens: Sequence[Token], position: int) -> bool:
    """``a dentist appointment``: the living noun only describes another noun."""
    if position >= len(tokens) or tokens[position].kind != "word":
        return False
    low = tokens[position].low
    function = low in words("nouns", "en", "grammar", "no_adjectives") or low in words(
        "cues", "en", "topic", "stop"
    )
    return not function and low not in CALLED and low not in {"whose", "who"} and not tokens[position].capital


def _name_before(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    if index < 2 or not (
        tokens[index - 1].text in {",", "("} or tokens[index - 1].low in {"is", "was", "are"}
    ):
        return ()
    begin = index - 1
    while begin > 0 and index - begin < 5 and (is_name(tokens[begin - 1]) or tokens[begin - 1].low == "and"):
        begin -= 1
    names, stop = names_from(tokens, begin)
    return names if names and stop == index - 1 else ()


def _name_in_commas(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    position = index + 1
    while position < len(tokens) and tokens[position].kind == "word" and position - index <= 4:
        position += 1
    return _names_after_comma(tokens, position)[0]


def _names_after_comma(tokens: Sequence[Token], position: int) -> tuple[tuple[str, ...], int]:
    if position >= len(tokens) or tokens[position].text not in {",", ":", "–", "-"}:
        return (), position
    names, end = names_from(tokens, position + 1)
    closed = end >= len(tokens) or tokens[end].kind == "mark"
    return (names, end) if names and closed else ((), position)


def statement_tokens(sentence: Sentence) -> tuple[Token, ...]:
    """The tokens of a sentence without the clauses that only ask."""
    if not sentence.is_question:
        return sentence.tokens
    asking = (
        words("cues", "en", "question", "factual")
        | words("cues", "en", "question", "explaining")
        | words("cues", "en", "question", "verb_first")
        | {"remember", "know"}
    )
    kept: list[Token] = []
    ranges = clause_ranges(sentence.tokens)
    for begin, end in ranges:
        first = sentence.tokens[begin]
        if first.low in asking or first.low in {"and", "but", "so", "or"} or len(ranges) == 1:
            continue
        kept.extend(sentence.tokens[begin : min(end + 1, len(sentence.tokens))])
    return tuple(kept)
