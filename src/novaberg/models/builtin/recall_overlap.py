"""Looks for the statement of the person that shares most with a question."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from novaberg.models.builtin.facts import Clause, Memory
from novaberg.models.builtin.fields import QuestionKind
from novaberg.models.builtin.mirror import clause_around
from novaberg.models.builtin.nouns import stem
from novaberg.models.builtin.recall_question import Query, Recollection, Target, own_stems
from novaberg.models.builtin.wordlists import grammar, section, words

_COMPOUND: Final = 5
"""Letters from which a word may be part of a compound."""
_SYNONYMS: Final = {
    "sick": "ill", "ill": "sick", "unwell": "ill", "erkrank": "krank", "film": "movie", "movie": "film",
}  # fmt: skip
_COLOUR_WORDS: Final = frozenset({"farb", "color", "colour"})
_ABOUT: Final = 0.6
"""Points for a statement about the being that is asked about; a shared word counts 1."""
_TIME: Final = 0.5
_PLACE: Final = 0.3


def statement_with_all(target: Target, memory: Memory) -> Recollection | None:
    """A question without "my" is about the talk only if one statement has all its words ("Wer ist krank?")."""
    if not target.content:
        return None
    for clause in reversed(memory.clauses):
        present = stems_of(clause)
        if all(_present(word, present) for word in target.content):
            return Recollection("clause", clauses=(clause,))
    return None


def holds_all(wanted: frozenset[str], memory: Memory) -> bool:
    """Whether one statement has all the words (never for no words)."""
    return bool(wanted) and any(wanted <= stems_of(clause) for clause in memory.clauses)


def best_statement(query: Query, memory: Memory) -> Recollection | None:
    """The statement that shares most with the question; newer wins. "Not told" if it asked for a fact."""
    wanted = query.target.content - own_stems(query.target)
    best: Clause | None = None
    best_score = 0.0
    alone = query.target.self and not query.target.beings and query.kind is QuestionKind.EXPLAINING
    for clause in memory.clauses:
        score = 0.0 if alone and not _of_self(clause, wanted) else _score(clause, wanted, query)
        if score >= best_score and score > 0:
            best, best_score = clause, score
    needed = max(1.0, 0.5 * len(wanted))
    if best is not None and (best_score >= needed or "about" in query.cues or not wanted):
        fits = "when" not in query.cues or _has_time(best)
        return Recollection("clause", beings=query.target.beings, clauses=(best,), positive=fits)
    owned = bool(query.target.beings or query.target.noun) and query.kind is QuestionKind.FACTUAL
    if owned or query.cues & {"fact_question", "remember", "who"}:
        return Recollection("unknown", beings=query.target.beings)
    return None


def stems_of(clause: Clause) -> frozenset[str]:
    """Stems of a statement's words and of the beings in it."""
    own = {stem(token.low) for token in clause.sentence.words}
    for being in clause.beings:
        own.update(stem(part) for part in (*being.noun.split(), *being.names))
    return frozenset(own)


def _of_self(clause: Clause, wanted: frozenset[str]) -> bool:
    """Whether the words that match speak of the person and not of a being of theirs."""
    selves = words("recall", clause.language, "target", "self") - words(
        "nouns", clause.language, "grammar", "possessives"
    )
    tokens = clause.sentence.tokens
    for token in clause.sentence.words:
        if _present(stem(token.low), wanted):
            begin, end = clause_around(tokens, token.start)
            if any(other.low in selves for other in tokens[begin:end]):
                return True
    return False


def _score(clause: Clause, wanted: frozenset[str], query: Query) -> float:
    present = stems_of(clause)
    matched = sum(1.0 for word in wanted if _present(word, present))
    about = any(any(being is other for other in clause.beings) for being in query.target.beings)
    if query.target.beings and not about:
        return matched * 0.5
    if not matched and wanted and not ("about" in query.cues and about):
        return 0.0
    score = matched + (_ABOUT if about else 0.0)
    if "when" in query.cues and _has_time(clause):
        score += _TIME
    if "where" in query.cues and grammar("any", "place_words") & {
        token.low for token in clause.sentence.words
    }:
        score += _PLACE
    return score


def _present(word: str, present: Collection[str]) -> bool:
    """The word, a synonym or another form of the verb, a colour for "colour", or a compound with it."""
    if word in present or _SYNONYMS.get(word, word) in present:
        return True
    if _base_forms(word) & {form for other in present for form in _base_forms(other)}:
        return True
    if word in _COLOUR_WORDS:
        return any(stem(colour) in present for colour in grammar("any", "colours"))
    if len(word) < _COMPOUND:
        return False
    return any(
        len(other) >= _COMPOUND and (other.startswith(word) or other.endswith(word) or word.startswith(other))
        for other in present
    )


def _base_forms(word: str) -> frozenset[str]:
    """The word as a base form: English irregular verbs, German participles without "ge"."""
    irregular = section("verbs", "en", "base").get(word, word)
    participle = word.startswith("ge") and len(word) >= _COMPOUND
    return frozenset({irregular, word[2:] if participle else irregular})


def _has_time(clause: Clause) -> bool:
    times = words("recall", clause.language, "target", "times")
    return any(token.kind == "number" or token.low in times for token in clause.sentence.words)
