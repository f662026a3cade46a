"""German ways of telling what somebody likes and does not like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from novaberg.models.builtin.facts import Being
from novaberg.models.builtin.hearing import Hearer, first_of, until
from novaberg.models.builtin.reading import Token
from novaberg.models.builtin.wordlists import grammar

LIKING: Final = grammar("de", "verbs_of_liking")
DOING: Final = grammar("de", "verbs_of_doing")
_NO_OBJECT: Final = grammar("de", "no_objects")
_GLADLY: Final = frozenset({"gern", "gerne", "liebsten"})
_NOT: Final = frozenset({"nicht", "kein", "keine", "keinen", "ungern", "nie"})
_HATING: Final = frozenset({"hasse", "hasst", "verabscheue"})
_MAKING: Final = frozenset({"mache", "macht"})
_STOPS: Final = frozenset({"nicht", "gern", "gerne", "sehr", "mehr", "weil"})
_INFINITIVES: Final = {
    "esse": "essen", "isst": "essen", "trinke": "trinken", "trinkt": "trinken", "lese": "lesen", "liest": "lesen",
    "fahre": "fahren", "faehrt": "fahren", "laufe": "laufen", "laeuft": "laufen", "gehe": "gehen", "geht": "gehen",
    "hoere": "hören", "hoert": "hören", "frisst": "fressen", "wandere": "wandern", "wandert": "wandern",
}  # fmt: skip


def hear_tastes(hearer: Hearer, clause: Sequence[Token], owner: Being | None, *, liking: bool) -> bool:
    """Learn a liking or dislike from one clause.

    Args:
        liking: an earlier clause of the sentence told a liking, so that "aber keine Oliven" can follow.

    Returns:
        Whether the clause has a verb of liking.
    """
    favourite = _favourite(hearer, clause)
    if favourite:
        hearer.learn(None, "like", favourite)
        return True
    verb = first_of(clause, LIKING | DOING)
    if verb is None:
        if liking:
            _elided(hearer, clause, owner)
        return False
    lows = {token.low for token in clause}
    doing = clause[verb].low in DOING
    if doing and not lows & _GLADLY:
        return True
    thing = _liked(hearer, clause, verb)
    if thing:
        negative = bool(lows & _NOT) or clause[verb].low in _HATING
        activity = doing and clause[verb].low not in _MAKING
        told = f"{thing} {_infinitive(clause[verb].low)}" if activity else thing
        hearer.learn(owner, "dislike" if negative else "like", told)
    return True


def _favourite(hearer: Hearer, clause: Sequence[Token]) -> str:
    """``Mein Lieblingsessen ist Lasagne``."""
    copula = first_of(clause, frozenset({"ist", "sind"}))
    if copula is None or copula < 1 or not clause[copula - 1].low.startswith("liebling"):
        return ""
    return hearer.text(until(clause, copula + 1, _STOPS))


def _elided(hearer: Hearer, clause: Sequence[Token], owner: Being | None) -> None:
    """``Ich mag Pizza, aber keine Oliven.``, ``Ich mag keine Lasagne mehr, lieber Risotto.``"""
    rather = first_of(clause[:3], frozenset({"lieber", "dafuer"}))
    if rather is not None:
        hearer.learn(owner, "like", hearer.text(until(clause, rather + 1, frozenset({"als"}))))
    nots = first_of(clause[:3], frozenset({"kein", "keine", "keinen"}))
    if nots is not None:
        hearer.learn(owner, "dislike", hearer.text(until(clause, nots + 1, frozenset({"und", "oder"}))))


def _liked(hearer: Hearer, clause: Sequence[Token], verb: int) -> str:
    """What stands behind the verb, or before it if the subject stands behind ("Pizza mag ich")."""
    skipped = _NO_OBJECT | grammar("de", "before_an_object")
    position = verb + 1
    while position < len(clause) and clause[position].low in skipped:
        position += 1
    behind = until(clause, position, _STOPS)
    if any(token.kind == "word" and token.low not in skipped for token in behind):
        return hearer.text(behind)
    inverted = verb + 1 < len(clause) and clause[verb + 1].low in {"ich", "er", "sie"}
    if not inverted or clause[0].low in {"und", "aber", "dann", "heute"}:
        return ""
    no_object = skipped | {"er", "sie", "wir", "mein", "meine"}
    return hearer.text(
        [token for token in clause[:verb] if token.kind == "word" and token.low not in no_object]
    )


def _infinitive(low: str) -> str:
    known = _INFINITIVES.get(low)
    if known:
        return known
    base = low[:-1] if low.endswith(("e", "t")) else low
    return f"{base}en"
