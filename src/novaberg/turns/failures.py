"""What a failure of a turn means: try again, give up, or step back because another worker holds the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from novaberg.errors import LostFenceError, ModelTimeoutError, TurnDeadlineError

FINAL_ERRORS: Final = (ModelTimeoutError, TurnDeadlineError)
"""Not tried again: the person has waited long enough."""


@dataclass(frozen=True, slots=True)
class FailureCalibration:
    """How often a turn is tried."""

    max_failures: int = 3
    """Real failures after which a turn is given up (spec 01 §3.4); kills and cancellations do not count."""
    backoff_s: tuple[float, ...] = (0.5, 2.0)
    """Seconds of pause after the first and each further failure; the last value holds for all that follow."""


DEFAULT_CALIBRATION: Final = FailureCalibration()


def joined(failures: Iterable[BaseException]) -> BaseException:
    """What is raised when halves of a turn failed side by side (at least one); no failure is dropped.

    The same error twice counts once: one half waited for the other. A cancellation gives way to real errors.
    """
    distinct = list(dict.fromkeys(failures))
    real = [failure for failure in distinct if isinstance(failure, Exception)]
    if len(real) > 1:
        return ExceptionGroup("both paths of the turn failed", real)
    return real[0] if real else distinct[0]


def leading_error(error: Exception) -> Exception:
    """The error that decides, taken out of the groups in which concurrent halves of a turn fail.

    A lost fence comes before anything else (the rest is its consequence), then an error that is not tried again,
    then whatever failed first.
    """
    leaves = list(_leaves(error))
    for kind in (LostFenceError, *FINAL_ERRORS):
        for leaf in leaves:
            if isinstance(leaf, kind):
                return leaf
    return leaves[0]


def gives_up(error: Exception, failures: int, calibration: FailureCalibration = DEFAULT_CALIBRATION) -> bool:
    """Whether the turn is given up after this ``error``, the ``failures``-th real one."""
    return isinstance(error, FINAL_ERRORS) or failures >= calibration.max_failures


def pause_s(failures: int, calibration: FailureCalibration = DEFAULT_CALIBRATION) -> float:
    """Seconds to wait before the next try after ``failures`` real failures (at least 1)."""
    return calibration.backoff_s[min(failures, len(calibration.backoff_s)) - 1]


def describe(error: Exception) -> str:
    """``Type: message``, the text that is kept with the turn (spec 01 §2.8)."""
    return f"{type(error).__name__}: {error}"


def _leaves(error: Exception) -> Iterator[Exception]:
    if isinstance(error, ExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
