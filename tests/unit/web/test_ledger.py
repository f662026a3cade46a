"""Spec 07 §3.2: which question an answer belongs to."""

from __future__ import annotations

from novaberg.web.ledger import Exchange, Ledger


def ledger(*exchanges: Exchange) -> Ledger[Exchange]:
    found: Ledger[Exchange] = Ledger()
    for exchange in exchanges:
        found.insert(exchange, len(found))
    return found


def test_an_answer_that_names_an_open_question_fits_any_other_is_foreign() -> None:
    """Spec 07 §13.1."""
    talk = ledger(Exchange(ids=["a"]), Exchange(ids=["b"]))
    assert talk.assign(["a"], is_impulse=False) == "passt"
    assert talk.assign(["a", "b"], is_impulse=False) == "passt"
    assert talk.assign(["x"], is_impulse=False) == "fremd"
    assert talk.assign([], is_impulse=False) == "fremd"


def test_an_impulse_leaves_the_open_questions_open() -> None:
    """Spec 07 §12.3."""
    talk = ledger(Exchange(ids=["b"]))
    assert talk.assign([], is_impulse=True) == "impuls"
    assert talk.assign(["b"], is_impulse=False) == "passt"


def test_with_nothing_open_an_answer_is_just_unobserved() -> None:
    """Spec 07 §7.1: a second tab must not mark answers to other tabs as foreign."""
    answered = Exchange(ids=["a"], answered=True)
    failed = Exchange(ids=["b"], failed=True)
    assert ledger(answered, failed).assign(["x"], is_impulse=False) == "unbeobachtet"
    assert ledger().assign(["x"], is_impulse=False) == "unbeobachtet"


def test_messages_that_become_one_turn_become_one_exchange() -> None:
    """Spec 07 §3.2: one answer may close several questions."""
    a, b, c = Exchange(ids=["a"]), Exchange(ids=["b"]), Exchange(ids=["c"])
    talk = ledger(a, b, c)
    found = talk.find("t1", ["a", "b"])
    assert found is a
    assert talk.bind(a, "t1", ["a", "b"]) == [b]
    assert list(talk) == [a, c]
    assert a.ids == ["a", "b"]
    assert talk.find("t1", []) is a
    assert talk.find(None, ["b"]) is a
    assert talk.find("t2", ["x"]) is None
    assert talk.bind(a, "t1", ["a", "b"]) == []


def test_a_turn_that_began_stands_above_the_messages_that_wait() -> None:
    done, waiting = Exchange(turn_id="t1", ids=["a"]), Exchange(ids=["b"])
    talk = ledger(done, waiting)
    assert talk.place_for("t2") == 1
    assert talk.place_for(None) == 2
    assert talk.before(waiting) is done
    assert talk.before(done) is None
    assert talk.after(done) is waiting
    assert talk.after(waiting) is None


def test_a_question_waits_while_an_earlier_one_is_open() -> None:
    first, second = Exchange(ids=["a"]), Exchange(ids=["b"])
    talk = ledger(first, second)
    assert talk.has_open_before(second)
    first.answered = True
    assert not talk.has_open_before(second)
    assert talk.is_waiting
    first.ended = second.failed = True
    assert not talk.is_waiting
