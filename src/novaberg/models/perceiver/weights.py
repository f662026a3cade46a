"""Reads the trained weights: one ``.npz`` beside this module, its SHA-256 and its format version checked first.

Arrays are stored as they are cheapest: float16, or int8 with one scale a column. ``training/`` writes the same form.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from novaberg.errors import BrokenWeightsError

FORMAT: Final = 1
"""Raised whenever the names or meanings of the arrays change."""
FILE: Final = Path(__file__).parent / "weights" / "perceiver.npz"
_META: Final = "meta"
_SCALE: Final = "#scale"


@dataclass(frozen=True, slots=True)
class Weights:
    """All arrays by name, and what training noted about them."""

    arrays: Mapping[str, NDArray[np.generic]]
    meta: Mapping[str, JsonValue]

    def dense(self, name: str) -> NDArray[np.float32]:
        """The array as float32, its scale applied."""
        array = self.arrays[name].astype(np.float32)
        scale = self.arrays.get(name + _SCALE)
        return array if scale is None else array * scale.astype(np.float32)

    def packed(self, name: str) -> tuple[NDArray[np.generic], NDArray[np.float32]]:
        """The array as stored and the factor of each column, for tables of which a text needs a few rows only."""
        return self.arrays[name], self.arrays[name + _SCALE].astype(np.float32)


def checksum_file(file: Path) -> Path:
    """Where the checksum of ``file`` stands."""
    return file.with_suffix(".sha256")


def pack(array: NDArray[np.floating], name: str, *, small: bool) -> dict[str, NDArray[np.generic]]:
    """The stored form of ``array``: int8 with a scale a column if ``small``, else float16."""
    if not small:
        return {name: array.astype(np.float16)}
    scale = np.maximum(np.abs(array).max(axis=0), 1e-12) / 127.0
    return {name: np.rint(array / scale).astype(np.int8), name + _SCALE: scale.astype(np.float32)}


def write_weights(
    file: Path, arrays: Mapping[str, NDArray[np.generic]], meta: Mapping[str, JsonValue]
) -> None:
    """Write ``file`` and its checksum; the same input gives the same bytes."""
    text = json.dumps({**meta, "format": FORMAT}, ensure_ascii=False, sort_keys=True)
    members = {**arrays, _META: np.frombuffer(text.encode(), dtype=np.uint8)}
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(members):
            buffer = BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(members[name]), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), buffer.getvalue(), zipfile.ZIP_DEFLATED)
    checksum_file(file).write_text(hashlib.sha256(file.read_bytes()).hexdigest() + "\n", encoding="ascii")


@lru_cache(maxsize=2)
def read_weights(file: Path = FILE) -> Weights:
    """The weights in ``file``.

    Raises:
        BrokenWeightsError: missing, damaged, or of another format; the message names the file.
    """
    try:
        content = file.read_bytes()
        expected = checksum_file(file).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _broken(file, f"cannot be read ({error})") from error
    if hashlib.sha256(content).hexdigest() != expected:
        raise _broken(file, "does not match its checksum")
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = json.loads(arrays.pop(_META).tobytes().decode())
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise _broken(file, f"cannot be decoded ({error})") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise _broken(file, f"has another format than {FORMAT}")
    return Weights(arrays, meta)


def _broken(file: Path, what: str) -> BrokenWeightsError:
    return BrokenWeightsError(
        f"The weights of the local perception are unusable: {file} {what}. "
        "Install Novaberg again, or build them anew with training/train.py."
    )
