"""The home's version mark and what is told when it cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import novaberg
from novaberg.errors import DiskFullError, HomeUnusableError, HomeVersionError
from novaberg.memory.home import HOME_FORMAT, closed_parent, home_errors, prepare_home, write_whole


def test_a_new_home_is_private_and_carries_its_version(tmp_path: Path) -> None:
    """Only the owner may look into what a companion knows."""
    home = prepare_home(tmp_path / "a" / "home")
    assert json.loads(home.mark.read_text()) == {"format": HOME_FORMAT, "program": novaberg.__version__}
    for folder in (home.root, home.logs, home.leases):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_home_is_prepared_again_without_a_change(tmp_path: Path) -> None:
    """A second start writes nothing."""
    home = prepare_home(tmp_path / "home")
    before = home.mark.stat()
    prepare_home(home.root)
    assert home.mark.stat() == before


def test_the_mark_follows_the_program(tmp_path: Path) -> None:
    """Within one format the last program that used the home is named."""
    home = prepare_home(tmp_path / "home")
    home.mark.write_text(json.dumps({"format": HOME_FORMAT, "program": "0.0.1"}))
    prepare_home(home.root)
    assert json.loads(home.mark.read_text())["program"] == novaberg.__version__


@pytest.mark.parametrize("text", ["", "no json", "[]", "{}", '"1"'])
def test_a_mark_that_cannot_be_read_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    """Unknown is not the same as new."""
    home = prepare_home(tmp_path / "home")
    home.mark.write_text(text)
    with pytest.raises(HomeVersionError, match="not a version mark"):
        prepare_home(home.root)
    assert home.mark.read_text() == text


@pytest.mark.parametrize("found", [HOME_FORMAT + 1, HOME_FORMAT - 1, str(HOME_FORMAT), None])
def test_another_format_is_refused(tmp_path: Path, found: object) -> None:
    """Issue "Bad input": a home that belongs to another version."""
    home = prepare_home(tmp_path / "home")
    home.mark.write_text(json.dumps({"format": found, "program": "x"}))
    with pytest.raises(HomeVersionError, match="Use that version, or another NOVABERG_HOME"):
        prepare_home(home.root)


def test_a_folder_below_a_file_is_unusable(tmp_path: Path) -> None:
    """Names the path and the remedy."""
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeUnusableError, match=r"file/home.*Choose another folder"):
        prepare_home(tmp_path / "file" / "home")


def test_a_real_full_device_is_a_full_disk() -> None:
    """ENOSPC as the kernel gives it."""
    with pytest.raises(DiskFullError, match="Free some space"), home_errors(Path("/home/x")):
        Path("/dev/full").write_text("x")


def test_a_failed_write_leaves_the_old_text_and_no_remains(tmp_path: Path) -> None:
    """Readers see the old text or the new one, never a part."""
    file = tmp_path / "mark"
    write_whole(file, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "new \ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_the_topmost_closed_folder_is_named(tmp_path: Path) -> None:
    """The first door that is shut is the one to tell about."""
    inner = tmp_path / "closed" / "inner"
    inner.mkdir(parents=True)
    inner.chmod(0o700)
    inner.parent.chmod(0o750)
    tmp_path.chmod(0o755)
    above = closed_parent(tmp_path / "x")
    assert closed_parent(inner / "x") == (inner.parent if above is None else above)
