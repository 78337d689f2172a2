"""The commands as a shell runs them: status, one line on stderr, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).parents[1]
Process = subprocess.Popen[str]


TOYS = ROOT / "tests" / "toys"
TWO_UNITS = TOYS / "two.table.json"
WITH_THE_TOY_GAME = f"""
import sys
import companion.games
companion.games.__path__ = [{str(TOYS)!r}]
from companion.cli.program import main
sys.exit(main())
"""


def companion(*argv: str | Path, stdout: IO[str] | int = subprocess.PIPE) -> Process:
    """Run a command in a process of its own, with the toy as its only game."""
    return subprocess.Popen(
        [sys.executable, "-c", WITH_THE_TOY_GAME, *argv],
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: Process) -> tuple[int, str, str]:
    """Status, stdout and stderr of a process."""
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def changed(**members: object) -> str:
    """The table of two units with members put in another way."""
    plain = json.loads(TWO_UNITS.read_text(encoding="utf-8"))
    return json.dumps({**plain, **members})


UNIT = {"id": "b1", "side": "blue", "tray": "infantry", "x": 9, "y": 9, "heading": 90}
SQUARE = [[0, 0], [9, 9], [9, 0], [0, 9]]

BAD_TABLES = {
    "empty file": ("", "not JSON"),
    "not JSON": ("{'a': 1}", "line 1 column 2: not JSON"),
    "a list": ("[]", "is not an object"),
    "not a number": (changed(units=[{**UNIT, "x": float("nan")}]), "not a"),
    "huge number": ('{"format": 1' + "0" * 5000 + "}", "not JSON"),
    "nested deeply": ("[" * 100_000, "nested too deeply"),
    "unknown key": (changed(colour="red"), "unknown key 'colour'"),
    "wrong format": (changed(format="table-companion/9"), "'table-companion/9'"),
    "wrong edition": (changed(game="tmg-1999"), "game: 'tmg-1999' is unknown"),
    "zero-size tray": (
        changed(units=[{**UNIT, "tray": {"width": 0, "depth": 3}}]),
        "units[0].tray.width: 0 is outside",
    ),
    "overlapping trays": (changed(units=[UNIT, {**UNIT, "id": "b2"}]), "units[1]: tray of 'b2'"),
    "same id twice": (changed(units=[UNIT, UNIT]), "units[1].id: 'b1' stands twice"),
    "crossed outline": (
        changed(terrain=[{"id": "t", "piece": "forest", "outline": SQUARE}]),
        "terrain[0].outline: crosses itself",
    ),
}


def test_bad_tables_end_in_one_line_each(tmp_path: Path) -> None:
    paths = []
    for name, (text, _) in BAD_TABLES.items():
        path = tmp_path / f"{name}.table.json"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    status, out, err = finished(companion("rules", *paths, "--json"))
    assert (status, out) == (2, "")
    complaints = err.splitlines()
    assert len(complaints) == len(paths)
    for path, complaint, (_, expected) in zip(paths, complaints, BAD_TABLES.values(), strict=True):
        assert complaint.startswith(f"companion: {path}: ")
        assert expected in complaint
        assert len(complaint) < 500


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["dance"], "argument COMMAND: invalid choice: 'dance'"),
        (["rules"], "the following arguments are required: TABLE"),
        (["rules", ""], "cannot be read"),
        (["rules", "models"], "models: cannot be read: Is a directory"),
        (["rules", "no\nsuch\x1bfile"], "no\\x0asuch\\x1bfile: cannot be read: No such file"),
        (["check", "a.table.json", "b.table.json"], "the following arguments are required: --unit"),
        (["map", "a.table.json"], "the following arguments are required: --png"),
        (
            ["map", str(TWO_UNITS), "--png", "/dev/null"],
            "/dev/null: cannot be written: it is not a file",
        ),
    ],
)
def test_bad_commands_end_in_one_line(argv: list[str], complaint: str) -> None:
    status, out, err = finished(companion(*argv))
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_help_is_no_complaint() -> None:
    status, out, err = finished(companion("--help"))
    assert (status, err) == (0, "")
    assert "rules" in out


def test_a_reader_who_leaves_early_is_not_an_error() -> None:
    process = companion("rules", *[TWO_UNITS] * 400, "--json")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    status, _, err = finished(process)
    assert (status, err) == (0, "")


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        status, _, err = finished(companion("rules", TWO_UNITS, "--json", stdout=full))
    assert (status, err) == (2, "companion: output: No space left on device\n")


@pytest.mark.parametrize(
    ("shut", "argv"),
    [("<&-", "session GAME"), ("<&- >&- 2>&-", "session GAME"), (">&-", "rules TABLE --json")],
)
def test_a_stream_that_is_closed_is_an_empty_one(shut: str, argv: str, tmp_path: Path) -> None:
    words = [
        {"GAME": str(tmp_path / "one.game"), "TABLE": str(TWO_UNITS)}.get(word, word)
        for word in argv.split()
    ]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {shut}', "sh", sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_is_a_command() -> None:
    """`python -m companion.cli` is what the Makefile runs."""
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "rules", "gone.table.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "companion: gone.table.json: cannot be read: No such file or directory\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("words", [["bogus"], ["rules", "nofile"], ["replay", "nofile"]])
def test_a_full_disk_behind_stderr_changes_no_status(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion.cli", *words],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert done.returncode == 2
