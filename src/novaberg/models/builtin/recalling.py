"""Words for what the session knows about the person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from novaberg.models.builtin import possessing
from novaberg.models.builtin.errands import LIGHT
from novaberg.models.builtin.events import event_in
from novaberg.models.builtin.facts import Attribute, Being, Clause
from novaberg.models.builtin.mirror import mirror, mirror_tokens, without_answer
from novaberg.models.builtin.recall import recall
from novaberg.models.builtin.recall_question import Recollection
from novaberg.models.builtin.recap import recap_facts
from novaberg.models.builtin.scene import Scene
from novaberg.models.builtin.wording import Wording, join
from novaberg.models.builtin.wordlists import grammar, words

_ROOM: Final = "recall"
_RECAP_LENGTH: Final = 4
_RECAP_FACTS: Final = 8
_LONGEST_QUOTE: Final = 220
"""Characters."""
_TELLING: Final = 1.0
"""Weight from which a statement is worth repeating."""
_TO_NOVA: Final = grammar("any", "words_to_nova")
_LAUGHTER: Final = grammar("any", "laughter_and_courtesies")


def recalled(scene: Scene, wording: Wording) -> str:  # noqa: PLR0911  # one return a kind
    """The answer to a question about what the person said, ``""`` if it is none."""
    found = recall(scene.reading, scene.memory, scene.language)
    if found is None:
        return ""
    match found.kind:
        case "name":
            return _name(found, scene, wording)
        case "own_name":
            name = scene.name
            return (
                wording.say("own_name", room=_ROOM, name=name)
                if name
                else wording.say("no_own_name", room=_ROOM)
            )
        case "attribute":
            return _attribute(found, scene, wording)
        case "likes_it":
            return wording.say(
                "likes_yes" if found.positive else "likes_no", room=_ROOM, value=found.values[0]
            )
        case "who":
            being = found.beings[0]
            if not being.noun:
                return _unknown(scene, wording)
            return wording.say("who" if being.names else "who_nameless", room=_ROOM, **scene.fillings(being))
        case "exists":
            return wording.say("exists", room=_ROOM, all=_all(found.beings, scene))
        case "clause":
            return join(
                (
                    _clause(found.clauses[0], scene, wording),
                    "" if found.positive else wording.say("no_time", room=_ROOM),
                )
            )
        case "recap":
            return _recap(found.clauses, scene, wording)
        case _:
            return _unknown(scene, wording)


def _name(found: Recollection, scene: Scene, wording: Wording) -> str:
    if not found.beings:
        return _unknown(scene, wording)
    being = found.beings[0]
    slots = scene.fillings(being)
    if not found.positive:
        return wording.say("no_name", room=_ROOM, **slots)
    if len(found.beings) > 1:
        return wording.say("several", room=_ROOM, names=_all(found.beings, scene, dative=True))
    return wording.say("names" if being.gender == "p" else "name", room=_ROOM, **slots)


def _all(beings: Iterable[Being], scene: Scene, *, dative: bool = True) -> str:
    """``Bruno, deinem Hund, und Anna, deiner Schwester``."""
    formal = scene.manner.formal
    parts = []
    for being in beings:
        yours = possessing.yours(
            being, scene.language, case="dative" if dative else "nominative", formal=formal
        )
        parts.append(
            f"{possessing.joined(being.names, scene.language)} ({yours})"
            if being.names and being.noun
            else yours
        )
    return possessing.joined(parts[:6], scene.language)


def _attribute(found: Recollection, scene: Scene, wording: Wording) -> str:
    if not found.positive or found.attribute is None:
        return _unknown(scene, wording)
    value = _value(found.attribute, found.values, scene)
    if not found.beings:
        return wording.say(f"self_{found.attribute}", room=_ROOM, value=value)
    return wording.say(f"being_{found.attribute}", room=_ROOM, value=value, **scene.fillings(found.beings[0]))


def _value(attribute: Attribute, values: tuple[str, ...], scene: Scene) -> str:
    if attribute in {"like", "dislike"}:
        return possessing.joined(list(dict.fromkeys(values))[-5:], scene.language)
    value = values[-1]
    small = attribute in {"home", "origin", "work", "birthday"} and scene.language == "de"
    return value[:1].lower() + value[1:] if small else value


def _clause(clause: Clause, scene: Scene, wording: Wording) -> str:
    turned = mirror(clause.sentence, clause.language, formal=scene.manner.formal) if clause.recent else None
    if turned is not None and clause.language == scene.language:
        return wording.say("clause", room=_ROOM, clause=turned.embedded(scene.language))
    quote = clause.sentence.source
    shortened = quote if len(quote) <= _LONGEST_QUOTE else quote[:_LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    return wording.say("quote" if clause.recent else "summary_quote", room=_ROOM, quote=shortened)


def _recap(clauses: tuple[Clause, ...], scene: Scene, wording: Wording) -> str:
    """What is known by name and number, in its newest version; then the weightiest statements, newest last."""
    parts = [wording.say("recap_name", room=_ROOM, name=scene.name)] if scene.name else []
    parts += recap_facts(scene, wording)[:_RECAP_FACTS]
    told = clauses if len(parts) < _RECAP_LENGTH else _eventful(clauses, scene)
    parts += [
        _statement(clause, scene) for clause in weightiest(told, scene, _RECAP_LENGTH - len(parts) // 2)
    ]
    if not parts:
        return wording.say("recap_nothing", room=_ROOM)
    return wording.say("recap", room=_ROOM, list=" ".join(parts))


def _eventful(clauses: tuple[Clause, ...], scene: Scene) -> tuple[Clause, ...]:
    """Statements of what happened, apart from pastimes."""
    found = []
    for clause in clauses:
        event = event_in(clause, scene.memory_now, clause.language)
        if event is not None and event.kind not in LIGHT:
            found.append(clause)
    return tuple(found)


def weightiest(clauses: tuple[Clause, ...], scene: Scene, count: int) -> list[Clause]:
    """The statements that tell most, in the order in which they were made."""
    rated = [(clause, _weight(clause, scene)) for clause in clauses]
    best = sorted((pair for pair in rated if pair[1] >= _TELLING), key=lambda pair: -pair[1])[:count]
    chosen = {id(clause) for clause, _ in best}
    return [clause for clause in clauses if id(clause) in chosen]


def _weight(clause: Clause, scene: Scene) -> float:
    lows = {token.low for token in clause.sentence.words}
    if len(clause.sentence.words) < 3 or lows & _TO_NOVA:
        return 0.0
    first = clause.sentence.words[0].low
    if first in words("cues", clause.language, "speech", "imperatives") or lows & _LAUGHTER:
        return 0.0
    weight = 1.0 if lows & words("cues", clause.language, "scope", "self") else 0.0
    weight += 1.5 if event_in(clause, scene.memory_now, clause.language) is not None else 0.0
    weight += 1.5 if clause.beings else 0.0
    weight += 1.0 if any(token.kind == "number" for token in clause.sentence.words) else 0.0
    return weight


def _statement(clause: Clause, scene: Scene) -> str:
    if clause.recent and clause.language == scene.language:
        turned = mirror_tokens(
            without_answer(clause.sentence.tokens), clause.language, formal=scene.manner.formal, longest=20
        )
        if turned is not None:
            return f"{turned.text}."
    opening, closing = ("„", "“") if scene.language == "de" else ('"', '"')
    return f"{opening}{clause.sentence.source[:_LONGEST_QUOTE]}{closing}."


def _unknown(scene: Scene, wording: Wording) -> str:
    ask = wording.say("unknown_ask", room=_ROOM) if scene.may_ask else ""
    return join((wording.say("unknown", room=_ROOM), ask))
