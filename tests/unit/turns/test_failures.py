from __future__ import annotations

import asyncio

import pytest

from novaberg.errors import (
    LostFenceError,
    ModelServerError,
    ModelTimeoutError,
    RedisUnavailableError,
    TurnDeadlineError,
)
from novaberg.turns.failures import FailureCalibration, describe, gives_up, joined, leading_error, pause_s


def test_a_single_error_leads_itself() -> None:
    error = ValueError("x")
    assert leading_error(error) is error


def test_the_first_error_of_concurrent_halves_leads() -> None:
    first, second = ModelServerError(), RedisUnavailableError()
    assert leading_error(ExceptionGroup("halves", [first, second])) is first


def test_a_lost_fence_leads_however_deep_it_lies_because_the_rest_is_its_consequence() -> None:
    lost = LostFenceError()
    group = ExceptionGroup("outer", [ModelTimeoutError(), ExceptionGroup("inner", [ValueError("x"), lost])])
    assert leading_error(group) is lost


@pytest.mark.parametrize("final", [ModelTimeoutError(), TurnDeadlineError()])
def test_an_error_after_which_nobody_tries_again_leads_over_others(final: Exception) -> None:
    assert leading_error(ExceptionGroup("halves", [ValueError("x"), final])) is final


@pytest.mark.parametrize("final", [ModelTimeoutError(), TurnDeadlineError()])
def test_a_person_who_waited_for_a_timeout_does_not_wait_for_another(final: Exception) -> None:
    """Design §3, deadline: stopped and kept as failed."""
    assert gives_up(final, failures=1)


def test_any_other_error_is_given_three_tries() -> None:
    """Spec 01 §3.4: `versuche` < 3 goes back to the queue, the third is a dead letter."""
    assert [gives_up(ModelServerError(), failures=count) for count in (1, 2, 3, 4)] == [
        False,
        False,
        True,
        True,
    ]


def test_pauses_grow_and_then_stay() -> None:
    calibration = FailureCalibration(max_failures=9, backoff_s=(0.5, 2.0))
    assert [pause_s(count, calibration) for count in (1, 2, 3, 7)] == [0.5, 2.0, 2.0, 2.0]


def test_the_kept_text_names_type_and_message() -> None:
    """Spec 01 §2.8: `<exception type>: <message>`."""
    assert describe(ValueError("no such thing")) == "ValueError: no such thing"


def test_two_failures_of_a_turn_stay_two() -> None:
    """Rule: a caught exception is raised again; the lost fence of one half must not hide behind the other's outage."""
    outage, lost = RedisUnavailableError(), LostFenceError()
    both = joined([outage, lost])
    assert isinstance(both, ExceptionGroup)
    assert both.exceptions == (outage, lost)
    assert leading_error(both) is lost


def test_one_failure_that_both_halves_tell_stays_itself() -> None:
    """Path 2 waits for path 1 and fails with the same error."""
    outage = RedisUnavailableError()
    assert joined([outage, outage]) is outage


def test_a_cancelled_half_does_not_hide_why_the_other_failed() -> None:
    """A cancellation would be read as "the turn cancelled itself"."""
    outage, cancelled = RedisUnavailableError(), asyncio.CancelledError()
    assert joined([cancelled, outage]) is outage
    assert joined([cancelled]) is cancelled
