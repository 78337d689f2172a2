"""Every module that is run as a command refuses what it does not know."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.arguments import arguments

ROOT = Path(__file__).parents[1]
RUN = re.compile(r'^if __name__ == "__main__":\n((?:    .*\n)+)', re.MULTILINE)
HANDS_ON = {
    "companion/cli/program.py",
    "companion/__main__.py",
    "companion/cli/__main__.py",
    "release/start.py",
}
"""They give the words to the parser of `companion`, which tests/test_cli.py tries."""


def programs() -> list[str]:
    """Every tracked module that does something when it is run."""
    tracked = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    found = (name for name in tracked if (ROOT / name).is_file())
    return [name for name in found if RUN.search((ROOT / name).read_text(encoding="utf-8"))]


def test_no_program_takes_its_words_unread() -> None:
    names = programs()
    assert {"companion/app/scripted/screenshots.py", "bench/odds.py"} <= set(names)
    for name in set(names) - HANDS_ON:
        text = (ROOT / name).read_text(encoding="utf-8")
        own = "".join(RUN.findall(text)) + "".join(re.findall(r"^def main[\s\S]*", text, re.M))
        assert re.search(r"\barguments\(|parse_args\(", own), name


@pytest.mark.parametrize("given", [["--wrong"], ["x"], ["1", "2", "3"]])
def test_what_is_not_known_is_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        arguments(given, count=20, seed=1)
    assert ended.value.code == 2
    assert given[-1] in capsys.readouterr().err
