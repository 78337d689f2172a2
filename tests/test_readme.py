"""The documents are true: their examples run, their commands exist, their links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from companion.cli.program import parser
from models import Table, catalogue

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/fox_and_hounds/README.md"]
"""Those in docs/ are followed on the site (tests/test_site.py)."""


@pytest.mark.parametrize(("document", "lines"), [("README.md", 8), ("docs/library.md", 30)])
def test_its_examples_run(monkeypatch: pytest.MonkeyPatch, document: str, lines: int) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(
        str(ROOT / document), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert result.attempted >= lines
    assert result.failed == 0


def test_the_make_targets_it_names_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)(?=`| {2,})", README))
    assert {"play", "test"} <= named <= targets


def test_it_names_every_command() -> None:
    named = set(re.findall(r"^ +companion (\w+) ", README, re.MULTILINE))
    told = parser().format_help().partition("options:")[0]
    assert named == set(re.findall(r"^    (\w+)\b", told, re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link


def examples(document: str, language: str) -> list[str]:
    """The code blocks of a document in one language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_example_table_of_the_formats_is_one() -> None:
    table = Table.parse(examples("docs/formats.md", "json")[0])
    assert table.unit("b1").attacks[0].ranged
    assert Table.parse(table.text()) == table


def test_every_example_of_the_formats_is_json() -> None:
    blocks = examples("docs/formats.md", "json")
    assert len(blocks) >= 4
    for block in blocks:
        json.loads(block)


def test_a_stranger_can_add_what_contributing_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit, piece = examples("CONTRIBUTING.md", "toml")
    folder = tmp_path / "tmg-2021"
    folder.mkdir()
    (folder / "units.toml").write_text(unit, encoding="utf-8")
    (folder / "terrain.toml").write_text(piece, encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    facts = catalogue("tmg-2021")
    assert facts.profiles["berserkers of the inn"].speed == 6
    assert facts.pieces["ruined-tower"] == {"cover", "impassable"}
