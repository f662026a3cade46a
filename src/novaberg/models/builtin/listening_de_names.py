"""German ways of saying what somebody is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from novaberg.models.builtin.facts import Being, Memory
from novaberg.models.builtin.phrases_de import (
    DEFINITE,
    NAMING,
    OWN,
    SELF,
    clause_ranges,
    is_filler,
    is_name,
    names_from,
    pronoun_genders,
    split_at_joints,
)
from novaberg.models.builtin.reading import Token
from novaberg.models.builtin.wordlists import grammar, words

_CALLING: Final = grammar("de", "verbs_of_calling")
_NOT: Final = frozenset(["nicht", "kein", "keinesfalls"])
_COPULA: Final = frozenset(["ist", "war", "bin", "lautet"])


def hear_names(
    memory: Memory, tokens: Sequence[Token], places: Mapping[int, Being], *, lowercase: bool
) -> None:
    """Learn names from every clause of a statement."""
    ranges = split_at_joints(tokens, clause_ranges(tokens), {"und", "aber"}, NAMING)
    for begin, end in ranges:
        clause = tokens[begin:end]
        here = {index - begin: being for index, being in places.items() if begin <= index < end}
        _naming_verb(memory, clause, here, tokens[end + 1 :], lowercase=lowercase)
        _calling(memory, clause, here, lowercase=lowercase)
        _name_is(memory, clause, here, lowercase=lowercase)
        _self_is(memory, clause, lowercase=lowercase)
    _apposition(memory, tokens, places)


def _naming_verb(
    memory: Memory,
    clause: Sequence[Token],
    here: Mapping[int, Being],
    rest: Sequence[Token],
    *,
    lowercase: bool,
) -> None:
    verb = next((index for index, token in enumerate(clause) if token.low in NAMING), None)
    if verb is None:
        return
    is_self = any(token.low in SELF for token in clause)
    being = None if is_self else _subject(memory, clause, here, verb)
    if not is_self and being is None:
        return
    names, denied = _names_of_clause(clause, verb, lowercase=lowercase)
    several = [here[index] for index in sorted(here) if index < verb]
    if len(several) == len(names) > 1:
        for one, name in zip(several, names, strict=True):
            memory.rename(one, (name,))
    elif names:
        _call(memory, being, names)
    elif rest and rest[0].low == "sondern":
        _call(memory, being, names_from(rest, 1, lowercase=lowercase)[0])
    elif denied and being is not None:
        memory.forget_name(being, denied)


def _subject(memory: Memory, clause: Sequence[Token], here: Mapping[int, Being], verb: int) -> Being | None:
    """Who is called so: a being in the clause, else what its pronoun stands for."""
    before = [index for index in here if index < verb]
    if before:
        return here[before[-1]]
    behind = [index for index in here if index > verb]
    if behind:
        return here[behind[0]]
    for token in clause:
        genders = pronoun_genders(token.low)
        if genders:
            return memory.focus(genders)
    relative = clause[0].low in DEFINITE or clause[0].low in {"welcher", "welche", "welches"}
    return next(iter(memory.recent()), None) if relative or clause[0].low == "dieser" or verb == 0 else None


def _names_of_clause(clause: Sequence[Token], verb: int, *, lowercase: bool) -> tuple[tuple[str, ...], str]:
    """Names behind the verb, else before it; and a name that is only denied."""
    position = verb + 1
    denied = False
    while position < len(clause) and (is_filler(clause[position].low) or clause[position].low in _NOT):
        denied = denied or clause[position].low in _NOT
        position += 1
    owned = position < len(clause) and clause[position].low in OWN
    names, end = ((), position) if owned else names_from(clause, position, lowercase=lowercase)
    if not names and position < len(clause) and not owned:
        names, end = _uncapitalised(clause, position)
    if denied:
        instead = next((i for i in range(end, len(clause)) if clause[i].low == "sondern"), None)
        if instead is not None:
            return names_from(clause, instead + 1, lowercase=lowercase)[0], ""
        return (), names[0] if names else ""
    if names:
        return names, ""
    before = verb - 1
    while before >= 0 and clause[before].low in _NOT:
        before -= 1
    if before >= 0 and is_name(clause[before], lowercase=lowercase) and clause[before].low not in DEFINITE:
        begin = before
        while begin > 0 and is_name(clause[begin - 1]) and not lowercase and clause[begin - 1].capital:
            begin -= 1
        if begin < before and clause[begin - 1 if begin else 0].low in OWN:
            begin += 1
        found, _ = names_from(clause, begin, lowercase=lowercase)
        return found, ""
    return (), ""


def _uncapitalised(clause: Sequence[Token], position: int) -> tuple[tuple[str, ...], int]:
    """``er heißt bruno`` within otherwise normal writing: the last word of the clause."""
    token = clause[position]
    lone = position == len(clause) - 1 and token.kind == "word"
    if lone and token.low not in words("cues", "de", "topic", "stop") and is_name(token, lowercase=True):
        return (token.text[:1].upper() + token.text[1:],), position + 1
    return (), position


def _call(memory: Memory, being: Being | None, names: Sequence[str]) -> None:
    if not names:
        return
    if being is None:
        memory.own_names.append(names[0])
        return
    memory.rename(being, names)


def _calling(memory: Memory, clause: Sequence[Token], here: Mapping[int, Being], *, lowercase: bool) -> None:
    """``ich nenne ihn Bruno``, ``wir haben sie Lotte getauft``, ``nenn mich Anna``."""
    verb = next((index for index, token in enumerate(clause) if token.low in _CALLING), None)
    if verb is None:
        return
    for index, token in enumerate(clause):
        if token.low in {"mich", "mir"}:
            target: Being | None = None
        elif token.low in {"ihn", "sie", "es"}:
            target = memory.focus(pronoun_genders(token.low))
            if target is None:
                continue
        elif index in here:
            target = here[index]
        else:
            continue
        position = index + 1
        while position < len(clause) and (
            is_filler(clause[position].low) or not is_name(clause[position], lowercase=lowercase)
        ):
            position += 1
        names, _ = names_from(clause, position, lowercase=lowercase)
        if names and not (target is not None and fold_equal(names[0], target.noun)):
            _call(memory, target, names)
            return


def fold_equal(one: str, other: str) -> bool:
    """Equal but for case."""
    return one.casefold() == other.casefold()


def _name_is(memory: Memory, clause: Sequence[Token], here: Mapping[int, Being], *, lowercase: bool) -> None:
    """``mein Name ist Anna``, ``der Name meines Hundes ist Bruno``, ``sein Name lautet Bruno``."""
    noun = next(
        (i for i, token in enumerate(clause) if token.low in {"name", "vorname", "rufname", "spitzname"}),
        None,
    )
    if noun is None or noun == 0:
        return
    verb = next((i for i in range(noun, len(clause)) if clause[i].low in _COPULA), None)
    if verb is None:
        return
    names, _ = _names_of_clause(clause, verb, lowercase=lowercase)
    if not names:
        return
    determiner = clause[noun - 1].low
    owner = next((being for index, being in here.items() if noun < index < verb), None)
    if owner is not None:
        memory.rename(owner, names)
    elif determiner in {"mein", "meine"}:
        memory.own_names.append(names[0])
    elif determiner in {"sein", "ihr"}:
        focus = memory.focus("mn" if determiner == "sein" else "fp")
        if focus is not None:
            memory.rename(focus, names)


def _self_is(memory: Memory, clause: Sequence[Token], *, lowercase: bool) -> None:
    """``Ich bin Anna``, ``ich bin die Anna``, ``hier ist Anna``; a profession is no name."""
    if lowercase or len(clause) > 5 or len(clause) < 3:
        return
    lows = [token.low for token in clause]
    if lows[:2] == ["ich", "bin"] or lows[:2] == ["bin", "ich"] or lows[:2] == ["hier", "ist"]:
        position = 2
    else:
        return
    while position < len(clause) and clause[position].low in {"die", "der", "uebrigens", "auch"}:
        position += 1
    names, end = names_from(clause, position)
    if not names or end != len(clause) or len(names) > 1:
        return
    low = clause[position].low
    no_name = low in words("nouns", "de", "grammar", "professions") or low in words(
        "nouns", "de", "grammar", "no_self_names"
    )
    if not no_name and not low.endswith(("erin", "istin", "ler", "iker", "beauftragte")):
        memory.own_names.append(names[0])


def _apposition(memory: Memory, tokens: Sequence[Token], places: Mapping[int, Being]) -> None:
    """``Bruno, mein Hund, …``, ``Bruno ist mein Hund``, ``meine Freundin, die Anna``, ``mein Hund, Bruno,``."""
    for index, being in places.items():
        if being.names or tokens[index].low not in OWN:
            continue
        names = _name_before(tokens, index) or _name_behind(tokens, index)
        if names:
            memory.rename(being, names)


def _name_before(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    if index < 2:
        return ()
    link = tokens[index - 1]
    if link.text not in {",", "("} and link.low not in {"ist", "war", "sind"}:
        return ()
    end = index - 1
    begin = end
    while begin > 0 and end - begin < 4 and (is_name(tokens[begin - 1]) or tokens[begin - 1].low == "und"):
        begin -= 1
    names, stop = names_from(tokens, begin)
    lead = tokens[begin - 1].low if begin else ""
    plain = begin == 0 or tokens[begin - 1].kind == "mark" or lead in grammar("de", "before_a_name")
    return names if names and stop == end and plain else ()


def _name_behind(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """Behind the noun: a comma, perhaps an article, a name, and a border again."""
    position = index + 1
    while position < len(tokens) and tokens[position].kind == "word" and position - index <= 4:
        position += 1
    if position >= len(tokens) or tokens[position].text != ",":
        return ()
    position += 1
    if position < len(tokens) and tokens[position].low in {"der", "die", "das"}:
        position += 1
    names, end = names_from(tokens, position)
    closed = end >= len(tokens) or tokens[end].kind == "mark"
    return names if names and closed else ()
