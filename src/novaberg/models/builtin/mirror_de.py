"""Turns the German first person into the second: pronouns, possessives and the finite verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from novaberg.models.builtin.nouns import is_living
from novaberg.models.builtin.reading import Token
from novaberg.models.builtin.wordlists import grammar, section

_PRONOUNS: Final = {
    "ich": ("du", "Sie"),
    "mich": ("dich", "Sie"),
    "mir": ("dir", "Ihnen"),
    "wir": ("ihr", "Sie"),
    "uns": ("euch", "Sie"),
}
_IRREGULAR: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        first: (forms.split()[0], forms.split()[1])
        for first, forms in section("verbs", "de", "singular").items()
    }
)
"""First person → familiar and polite second person."""
_PLURAL: Final[Mapping[str, str]] = MappingProxyType(section("verbs", "de", "plural"))
_SUBORDINATE: Final = grammar("de", "verb_last_words")
_NO_VERB: Final = grammar("de", "no_finite_verbs")


def mirrored_de(tokens: Sequence[Token], *, formal: bool) -> list[str] | None:
    """The tokens in the second person, ``None`` if a first-person verb cannot be found or formed."""
    turned = [turn_pronouns(token, formal=formal) for token in tokens]
    if formal and any(token.low in {"ich", "wir"} for token in tokens):
        turned = [
            "sich" if token.low in {"mich", "mir", "uns"} else text
            for token, text in zip(tokens, turned, strict=True)
        ]
    for index, token in enumerate(tokens):
        if token.low not in {"ich", "wir"}:
            continue
        verb = _verb_of(tokens, index)
        form = (
            _second_person(tokens[verb], plural=token.low == "wir", formal=formal)
            if verb is not None
            else None
        )
        if verb is None or form is None:
            return None
        turned[verb] = form
        turned = _follow_ups(tokens, turned, max(verb, index) + 1, plural=token.low == "wir", formal=formal)
        if not turned:
            return None
    return turned


def turn_pronouns(token: Token, *, formal: bool) -> str:
    """One word with pronouns and possessives in the second person."""
    low = token.low
    pronoun = _PRONOUNS.get(low)
    if pronoun is not None:
        return pronoun[formal]
    if low in {"mein", "meine", "meinen", "meinem", "meiner", "meines"}:
        return ("Ihr" if formal else "dein") + low[4:]
    if low.startswith("unser") and low in {"unser", "unsere", "unseren", "unserem", "unserer", "unseres"}:
        ending = low[5:]
        return f"Ihr{ending}" if formal else ("euer" if not ending else f"eur{ending}")
    lowercase_noun = token.kind == "word" and not token.capital and is_living(token.text, "de")
    return token.text[:1].upper() + token.text[1:] if lowercase_noun else token.text


def _verb_of(tokens: Sequence[Token], subject: int) -> int | None:
    """Index of the finite verb that belongs to the pronoun at ``subject``."""
    if any(token.low in _SUBORDINATE for token in tokens[:subject]):
        last = max((i for i, token in enumerate(tokens) if token.kind == "word"), default=None)
        return last if last is not None and last > subject else None
    plural = tokens[subject].low == "wir"
    for index in (subject - 1, subject + 1):
        if 0 <= index < len(tokens) and _is_finite(tokens[index], plural=plural):
            return index
    return None


def _is_finite(token: Token, *, plural: bool) -> bool:
    if token.kind != "word" or token.low in _NO_VERB:
        return False
    if plural:
        return token.low in _PLURAL or (token.low.endswith("en") and not token.text[1:].isupper())
    return token.low in _IRREGULAR or token.low.endswith("e")


def _second_person(token: Token, *, plural: bool, formal: bool) -> str | None:
    if not _is_finite(token, plural=plural):
        return None
    if plural:
        return token.text.lower() if formal else _PLURAL.get(token.low) or _plural_form(token.text.lower())
    irregular = _IRREGULAR.get(token.low)
    if irregular is not None:
        return irregular[formal]
    verb = token.text.lower()
    return _polite_form(verb) if formal else _singular_form(verb)


def _polite_form(verb: str) -> str:
    base = verb[:-1]
    if base.endswith("l") and len(base) > 2 and base[-2] not in "aeiouäöülrh":
        return f"{base[:-1]}eln"
    return f"{base}n" if base.endswith("er") else f"{verb}n"


def _singular_form(verb: str) -> str:
    if verb.endswith(("te", "de")):
        return f"{verb}st"
    base = verb[:-1]
    if base.endswith(("s", "ß", "z", "x")):
        return f"{base}t"
    if base.endswith("l") and len(base) > 2 and base[-2] not in "aeiouäöülrh":
        return f"{base[:-1]}elst"
    if base.endswith(("chn", "ffn", "tm", "dm", "gn", "ckn")):
        return f"{base}est"
    return f"{base}st"


def _plural_form(verb: str) -> str:
    base = verb[:-2]
    return f"{base}et" if base.endswith(("t", "d")) else f"{base}t"


def _follow_ups(
    tokens: Sequence[Token], turned: list[str], position: int, *, plural: bool, formal: bool
) -> list[str]:
    """Verbs joined by "und" share the subject: ``ich bin müde und habe Hunger``. Empty if one cannot be told."""
    for index in range(position, len(tokens) - 1):
        if tokens[index].low not in {"und", "oder", "aber"}:
            continue
        following = tokens[index + 1]
        if following.low in _IRREGULAR or following.low in _PLURAL:
            form = _second_person(following, plural=plural, formal=formal)
            if form is not None:
                turned[index + 1] = form
        elif (
            following.kind == "word"
            and not following.capital
            and following.low.endswith("e")
            and following.low not in _NO_VERB
        ):
            adjective = index + 2 < len(tokens) and tokens[index + 2].capital and index + 3 >= len(tokens)
            if adjective:
                continue
            return []
    return turned
