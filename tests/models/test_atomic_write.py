"""The one writer of files: the old file or the whole new one, and nothing but regular files."""

from __future__ import annotations

import ast
import os
import resource
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from models import BadInput, atomic_write

ROOT = Path(__file__).parents[2]


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_link_is_followed_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "a.txt")
    atomic_write.write_text(tmp_path / "link.txt", "first")
    atomic_write.write_text(tmp_path / "link.txt", "second")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_text() == "second"
    assert names(tmp_path / "real") == ["a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX file types")
@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "socket", "loop"])
@pytest.mark.parametrize("linked", [False, True])
def test_what_is_not_a_regular_file_is_refused_and_stays(
    tmp_path: Path, kind: str, linked: bool
) -> None:
    path = tmp_path / "it"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        if os.geteuid() != 0:
            pytest.skip("only root can make a device")
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        os.mknod(path, 0o666 | stat.S_IFSOCK)
    else:
        path.symlink_to(path)
    before = os.lstat(path)
    if linked:
        (tmp_path / "link").symlink_to(path)
    with pytest.raises(BadInput, match="cannot be written: it is") as caught:
        atomic_write.write_bytes(tmp_path / ("link" if linked else "it"), b"new")
    assert "\n" not in str(caught.value)
    assert os.lstat(path).st_mode == before.st_mode
    assert names(tmp_path) == (["it", "link"] if linked else ["it"])


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic_write.write_text(tmp_path / "new", "x")
        (tmp_path / "old").write_text("x")
        (tmp_path / "old").chmod(0o606)
        atomic_write.write_text(tmp_path / "old", "y")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o606


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_never_replaces_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, failing, full)
    with pytest.raises(BadInput, match=r"a\.txt: cannot be written: No space left on device"):
        atomic_write.write_text(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_file_that_cannot_grow_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    program = (
        "import sys; from pathlib import Path; from models import BadInput, atomic_write\n"
        "try: atomic_write.write_bytes(Path(sys.argv[1]), bytes(1 << 20))\n"
        "except BadInput as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.stdout.strip() == f"{path}: cannot be written: File too large", done.stderr
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.bin"]


def test_an_error_while_writing_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupted(path: Path) -> None:
        with atomic_write.replacing(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "a")
    assert names(tmp_path) == []


def test_an_error_of_another_file_names_that_file(tmp_path: Path) -> None:
    with (
        pytest.raises(BadInput, match=r"a: cannot be written: .*missing: No such file"),
        atomic_write.replacing(tmp_path / "a"),
    ):
        (tmp_path / "missing").read_bytes()


def test_two_writers_do_not_share_a_temporary_file(tmp_path: Path) -> None:
    with (
        atomic_write.replacing(tmp_path / "a") as one,
        atomic_write.replacing(tmp_path / "a") as two,
    ):
        assert one != two
        one.write_text("one")
        two.write_text("two")
    assert (tmp_path / "a").read_text() == "one"
    assert names(tmp_path) == ["a"]


def test_what_killed_programs_left_is_removed_once_it_is_old(tmp_path: Path) -> None:
    old = tmp_path / ".companion-0123456789abcdef.tmp.json"
    young = tmp_path / ".companion-0123456789abcdee.tmp"
    other = tmp_path / ".companion-notes.tmp"
    for path in (old, young, other):
        path.write_text("x")
    long_ago = time.time() - 7200
    os.utime(old, (long_ago, long_ago))
    os.utime(other, (long_ago, long_ago))
    atomic_write.write_text(tmp_path / "a", "x")
    assert names(tmp_path) == sorted([young.name, other.name, "a"])


WRITERS = {"write_bytes", "imwrite", "savefig", "copyfile", "mkstemp", "VideoWriter"}
MODES = {"w", "wb", "wt", "x", "xb", "xt", "a", "ab", "at", "r+", "rb+", "w+", "wb+"}
ALLOWED = {
    "models/atomic_write.py: part.write_bytes",
    "models/atomic_write.py: write_bytes",
    "companion/engine/files/backup.py: bundle.open",  # into the zip
    "companion/engine/files/backup.py: path.open",  # into the folder that replaces the old one
    "companion/cli/practice.py: cv2.VideoWriter",  # into the part that replaces the video
    "companion/app/device/sound.py: path.write_bytes",  # into a temporary folder of its own
    "companion/app/device/sound.py: wave.open",  # into memory
    "companion/vision/sources/frame.py: open",  # nowhere: what a decoder prints itself
}


def writing_calls(path: Path) -> set[str]:
    """The calls of a module that write a file past `atomic_write`."""
    found = set()
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        owner, _, word = called.rpartition(".")
        given = [*node.args, *(key.value for key in node.keywords)]
        modes = {one.value for one in given if isinstance(one, ast.Constant)} & MODES
        writes = word in WRITERS or (
            word == "write_text" and owner and "encoding" in ast.unparse(node)
        )
        if (writes and owner != "atomic_write") or (word == "open" and modes):
            found.add(f"{name}: {called}")
    return found


def test_no_other_module_writes_files() -> None:
    modules = [
        path
        for top in ("models", "calibration", "companion")
        for path in (ROOT / top).rglob("*.py")
    ]
    assert set().union(*map(writing_calls, modules)) - ALLOWED == set()


def test_many_files_in_one_folder_take_time_in_step_with_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[Path] = []
    monkeypatch.setattr(atomic_write, "remove_abandoned", searched.append)
    for number in range(30):
        atomic_write.write_text(tmp_path / f"{number}.txt", "x")
    assert searched == [tmp_path]
