from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from novaberg.errors import BrokenWeightsError
from novaberg.models.perceiver.weights import FILE, checksum_file, pack, read_weights, write_weights


@pytest.fixture
def file(tmp_path: Path) -> Path:
    target = tmp_path / "small.npz"
    write_weights(target, pack(np.arange(6.0).reshape(3, 2), "table", small=True), {"note": "grün"})
    return target


def test_what_was_written_reads_back(file: Path) -> None:
    """int8 with a scale a column keeps 1/127 of the largest value."""
    weights = read_weights(file)
    assert weights.meta["note"] == "grün"
    np.testing.assert_allclose(weights.dense("table"), np.arange(6.0).reshape(3, 2), atol=0.05)


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path) -> None:
    """issue 3: deterministic."""
    files = [tmp_path / "a.npz", tmp_path / "b.npz"]
    for target in files:
        write_weights(target, pack(np.ones((2, 2)), "x", small=False), {"k": 1})
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """issue 3: broken weights files give a clear error naming the file."""
    with pytest.raises(BrokenWeightsError, match=r"gone\.npz.*cannot be read.*Install Novaberg again"):
        read_weights(tmp_path / "gone.npz")


def test_a_missing_checksum_is_a_broken_file(file: Path) -> None:
    """Half an installation must not look whole."""
    checksum_file(file).unlink()
    with pytest.raises(BrokenWeightsError, match=r"small\.npz"):
        read_weights(file)


def test_one_flipped_byte_is_noticed(file: Path) -> None:
    """Damaged weights would judge with full confidence."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(BrokenWeightsError, match=r"small\.npz does not match its checksum"):
        read_weights(file)


def test_an_empty_or_foreign_file_with_a_right_checksum_is_refused(tmp_path: Path) -> None:
    """The checksum alone proves nothing about the content."""
    import hashlib

    for name, content in (("empty.npz", b""), ("text.npz", b"no zip")):
        target = tmp_path / name
        target.write_bytes(content)
        checksum_file(target).write_text(hashlib.sha256(content).hexdigest())
        with pytest.raises(BrokenWeightsError, match=name):
            read_weights(target)


def test_another_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of the same name may mean something else in another version."""
    target = tmp_path / "old.npz"
    monkeypatch.setattr("novaberg.models.perceiver.weights.FORMAT", 0)
    write_weights(target, {}, {})
    monkeypatch.undo()
    with pytest.raises(BrokenWeightsError, match="another format"):
        read_weights(target)


def test_the_committed_weights_are_whole_and_small() -> None:
    """issue 3: small weights committed, at most 8 MB together."""
    weights = read_weights()
    assert FILE.stat().st_size <= 8_000_000
    assert json.dumps(weights.meta)
    assert weights.arrays["grams.weight"].dtype == np.int8
