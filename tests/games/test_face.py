"""Finding games: by what lies in the folder, never by a name written elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import companion.games
from companion import games
from models import Table, UnknownName
from tests.conftest import TOYS

PACKAGE = """
class Face:
    games = {games!r}

GAME = Face()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of games."""
    monkeypatch.setattr(companion.games, "__path__", [str(tmp_path)])
    return tmp_path


def add(folder: Path, package: str, *served: str) -> None:
    """Put a game package there; package names differ from test to test, modules stay loaded."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    (folder / package / "game.py").write_text(PACKAGE.format(games=served))


def test_a_package_dropped_into_the_folder_is_found(folder: Path) -> None:
    add(folder, "dropped", "chess-1851", "chess-1924")
    assert games.find("chess-1924").games == ("chess-1851", "chess-1924")


def test_a_package_without_a_face_is_no_game(folder: Path) -> None:
    (folder / "faceless").mkdir()
    (folder / "faceless" / "__init__.py").write_text("")
    (folder / "loose.py").write_text("GAME = None")
    assert list(games.every()) == []


def test_games_come_in_the_order_of_their_names(folder: Path) -> None:
    add(folder, "ordered_b", "b-1")
    add(folder, "ordered_a", "a-1")
    assert [game.games for game in games.every()] == [("a-1",), ("b-1",)]


def test_an_unknown_game_is_refused_with_the_known_ones(folder: Path) -> None:
    add(folder, "known", "go-1")
    with pytest.raises(UnknownName, match="no rules for game 'go-2'; there are: go-1"):
        games.find("go-2")


@pytest.mark.parametrize(
    ("asked", "found"), [("1924", "chess-1924"), ("chess-1851", "chess-1851"), ("1900", "go-1900")]
)
def test_an_edition_finds_its_game(folder: Path, asked: str, found: str) -> None:
    add(folder, "editions_a", "chess-1851", "chess-1924")
    add(folder, "editions_b", "go-1900", "go-1851")
    assert games.edition(asked) == found


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ("1851", "edition '1851' fits several games: chess-1851, go-1851"),
        ("24", "no edition '24'; there are: 1851, 1900, 1924"),
    ],
)
def test_an_edition_must_fit_one_game(folder: Path, asked: str, complaint: str) -> None:
    add(folder, "editions_a", "chess-1851", "chess-1924")
    add(folder, "editions_b", "go-1900", "go-1851")
    with pytest.raises(UnknownName, match=complaint):
        games.edition(asked)


@pytest.mark.usefixtures("toy_game")
def test_the_toy_answers_through_the_face() -> None:
    table = Table.load(TOYS / "two.table.json")
    report = games.find(table.game).report(table)
    assert report.units["b1"]["charges"]["r1"]["answer"] == "yes"
