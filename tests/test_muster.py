"""The `army` command: lists in, complaints and lists out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.program import main

GOOD = "stark;10201,20201,10205,30201"


def run(tmp_path: Path, text: str, *more: str) -> int:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    return main(["army", str(path), "--edition", "2021", *more])


@pytest.mark.parametrize("form", ["ids", "text", "toml"])
def test_a_list_goes_round_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert run(tmp_path, GOOD, "--as", form) == 0
    written = capsys.readouterr().out
    assert run(tmp_path, written, "--as", "ids") == 0
    assert capsys.readouterr().out == f"{GOOD}\n"


def test_every_broken_rule_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "stark;10201,20201,10202,20204,10204,20204", "--points", "10") == 0
    told = capsys.readouterr().err
    assert [line.split(": ")[1] for line in told.splitlines()] == [
        "TMG-ARM-1",
        "TMG-ATM-5",
        "TMG-ATM-3",
    ]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"Faction: Stark\n\xc3\x28", b"\x80" * 9_000_000])
def test_bytes_that_are_not_text_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(data)
    assert main(["army", str(path), "--edition", "2021"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert said.err.startswith(f"companion: {path}")


def test_bytes_in_a_pipe_that_are_not_text_are_refused_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "army", "-", "--edition", "2021"],
        input=b"Faction: Stark\n\xc3\x28",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    told = done.stderr.decode()
    assert len(told.splitlines()) == 1
    assert told.startswith("companion: standard input")


@pytest.mark.parametrize("points", ["0", "-1", "1001", "9" * 5000, "forty", "4e1", "٤٠", ""])
def test_odd_points_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], points: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, GOOD, f"--points={points}")
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "more"),
    [("nonsense", ()), ("stark;1", ()), (GOOD, ("--as", "song")), ("stark;20201", ())],
)
def test_broken_input_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, more: tuple[str, ...]
) -> None:
    assert run(tmp_path, text, *more) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
