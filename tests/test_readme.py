"""The README is true: its lines run, its commands exist, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from companion.cli import parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/formats.md"]


def test_its_first_lines_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_make_targets_it_names_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)(?=`| {2,})", README))
    assert {"play", "test"} <= named <= targets


def test_the_commands_it_names_exist() -> None:
    told = parser().format_help()
    named = set(re.findall(r"^ +companion (\w+) ", README, re.MULTILINE))
    assert named == {"rules", "check", "odds", "map"}
    for name in named:
        assert re.search(rf"^ +{name} ", told, re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link
