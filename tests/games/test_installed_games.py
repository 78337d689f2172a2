"""Games that live outside: found by their entry point, played everywhere; a broken one is named."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion as tc
from companion import games
from companion.cli.program import main
from companion.library.kept_game import begin_practice
from companion.session.game_lookup import find_screen
from companion.session.game_view import piece_offers, report_of
from companion.session.session import Session
from companion.text.translation import catalogue

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "fox_and_hounds"


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for installed packages; what is found in it is forgotten afterwards."""
    monkeypatch.setattr(games, "BROKEN", {})
    monkeypatch.setattr(games, "_INSTALLED", {})
    monkeypatch.syspath_prepend(str(tmp_path))
    games.installed.cache_clear()
    yield tmp_path
    games.installed.cache_clear()
    catalogue.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in installed_in(tmp_path)]:
        del sys.modules[name]


def installed_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_dir()}


def install(folder: Path, package: str) -> Path:
    """An entry point as pip writes it, for a package that lies in the folder."""
    record = folder / f"{package}-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text(f"[table_companion.games]\n{package} = {package}\n")
    games.installed.cache_clear()
    return folder / package


@pytest.fixture
def fox(beside: Path) -> Path:
    """The game of examples/, beside the companion."""
    install(beside, "fox_and_hounds").symlink_to(EXAMPLE / "fox_and_hounds")
    return beside


def broken(folder: Path, package: str, **modules: str) -> None:
    place = install(folder, package)
    place.mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (place / f"{name}.py").write_text(text)


def test_an_installed_game_is_played_in_the_terminal(
    fox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "foxhunt" in tc.known_games()
    assert games.BROKEN == {}
    typed = "select fox\ns1\nselect h1\nundo\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    argv = ["play", "--text", "--practice", "foxhunt", "--out", str(tmp_path / "out")]
    assert main([*argv, "--language", "de"]) == 0
    told = capsys.readouterr().out
    assert "Schlüpf an den Hunden vorbei." in told
    assert "» Fuchs zieht nach 2,6" in told
    assert "Halt den Fuchs auf." in told


def test_its_rules_and_its_map_are_asked_as_of_any_game(
    fox: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tc.Game(tmp_path / "a.game") as game:
        game.practise("foxhunt")
        table = game.table
        assert "- Game: Fox and hounds" in game.report()
    assert isinstance(table, tc.BoardTable)
    assert set(tc.rules(table)["fox"].reach) == {"2,6", "4,6"}
    assert tc.draw(table, "fox", size=(200, 200)).size == (200, 200)
    file = tmp_path / "a.table.json"
    file.write_text(table.text())
    assert main(["rules", str(file), "--json", "--unit", "h1"]) == 0
    assert json.loads(capsys.readouterr().out)["pieces"]["h1"]["reach"] == {"1,1": {"cost": 1}}


def test_the_house_rule_that_contributing_shows_is_played(fox: Path, tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(
        r"^```python\n(from fox_and_hounds.*?)^```$", text, re.DOTALL | re.MULTILINE
    )
    broken(fox, "swift", game=code, play=code, screen=code)
    with tc.Game(tmp_path / "a.game", "de") as game:
        game.practise("foxhunt-swift")
        view = game.view()
        assert view["prompts"][0]["text"] == "Schlüpf an den Hunden vorbei.", "the base's words"
        game.do("step", piece="fox", cell="3,5")
        table = game.table
    assert isinstance(table, tc.BoardTable)
    assert set(tc.rules(table)["fox"].reach) >= {"3,3", "2,4"}
    own = next(one for one in games.found_in("play", "PLAY") if "foxhunt-swift" in one.games)
    assert games.package_of(own) == "fox_and_hounds:swift"


def test_the_house_rule_for_one_of_our_games_is_played(fox: Path, tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n([^`]*?class Truce.*?)^```$", text, re.DOTALL | re.MULTILINE)
    broken(fox, "truce", game=code, play=code, screen=code)
    with tc.Game(tmp_path / "a.game") as game:
        game.practise("truce")
        assert isinstance(game.table, tc.BoardTable)
        with pytest.raises(tc.Refused) as refused:
            game.do("attack", unit="l1", target="s1")
    assert (refused.value.why, refused.value.say) == (
        "TRUCE-1",
        "nobody attacks in the first round",
    )


SCREEN = "class S:\n    games = ('x',)\n    def name(self, game):\n        {}\nSCREEN = S()"


@pytest.mark.parametrize(
    ("modules", "reason"),
    [
        ({"play": "import there_is_none"}, "ModuleNotFoundError: No module named 'there_is_none'"),
        ({"play": "raise SystemExit(3)"}, "SystemExit: 3"),
        ({"play": "class Odd(BaseException): pass\nraise Odd('x')"}, "Odd: x"),
        ({"play": "class Mute(Exception):\n  def __str__(self): return 1\nraise Mute"}, "Mute: "),
        ({"play": "def ("}, "SyntaxError"),
        ({"play": "class P:\n    games = 'x'\nPLAY = P()"}, "PLAY.games is no tuple of names: 'x'"),
        ({"play": "class P:\n    pass\nPLAY = P()"}, "has no attribute 'games'"),
        ({"play": "class P:\n    games = ('tactics',)\nPLAY = P()"}, "is the name of another game"),
        ({"play": "PLAYS = 1"}, "AttributeError: play.py has no PLAY"),
        ({"__init__": "raise RuntimeError('no')", "play": ""}, "RuntimeError: no"),
        ({"screen": SCREEN.format("return 1 / 0")}, "ZeroDivisionError"),
        ({"screen": SCREEN.format("return 'X'")}, "has no attribute 'space'"),
    ],
)
def test_a_broken_game_is_named_and_stops_nothing_else(
    beside: Path, capsys: pytest.CaptureFixture[str], modules: dict[str, str], reason: str
) -> None:
    broken(beside, "sunk", **modules)
    found = [game for screen in games.found_in("screen", "SCREEN") for game in screen.games]
    assert {"tactics", "westeros"} <= set(found)
    assert {"tactics", "westeros", "thrones"} <= set(tc.known_games())
    assert "x" not in (*found, *tc.known_games())
    told = capsys.readouterr().err
    assert told.startswith("companion: the installed game sunk is left out: ")
    assert told.count("\n") == 1
    assert reason in told
    assert reason in games.BROKEN["sunk"]


def test_the_example_stays_small() -> None:
    lines = [len(one.read_text().splitlines()) for one in EXAMPLE.glob("fox_and_hounds/*.py")]
    assert sum(lines) <= 260


@pytest.mark.parametrize("game", ["tactics", "westeros", "thrones"])
def test_the_practice_game_of_a_house_rule_has_its_name(game: str) -> None:
    (set_up, *_) = find_screen(game).practice(f"{game}-home")
    assert set_up["game"] == f"{game}-home"


HOME = """
from companion.games.api.play import Refusal
from companion.games.tactics.game import GAME as base_game
from companion.games.tactics.play import PLAY as base_play
from companion.games.tactics.screen import SCREEN as base_screen

class Home(type(base_play)):
    games = ("tactics-home",)
    def decide(self, state, command):
        tired = command.get("do") == "activate" and command["figure"].endswith("1")
        return Refusal("HOME-1", "it is tired") if tired else super().decide(state, command)

class HomeRules(type(base_game)):
    games = ("tactics-home",)
    def report(self, table, readings=None):
        return {"home": True}

class HomeScreen(type(base_screen)):
    games = ("tactics-home",)

PLAY, GAME, SCREEN = Home(), HomeRules(), HomeScreen()
"""


def test_a_house_rule_for_one_of_ours_is_not_offered_and_its_report_is_asked(
    beside: Path, tmp_path: Path
) -> None:
    broken(beside, "home", game=HOME, play=HOME, screen=HOME)
    with Session.open(tmp_path / "a.game") as session:
        begin_practice(session, "tactics-home", tmp_path / "a.game")
        here = session.history.now
        assert here.play is not None
        assert report_of(here) == {"home": True}
        table, screen = here.play.moment(here.state).table, find_screen("tactics-home")
        assert table is not None
        assert isinstance(table, tc.BoardTable)
        pieces = [piece.id for piece in table.pieces]
        ours = [one for id_ in pieces for one in screen.offers(here.state, None, id_)]
        offers = [one for id_ in pieces for one in piece_offers(screen, here, None, id_)]
    tired = [one for one in offers if one.kind == "activate" and one.piece.endswith("1")]
    assert any(one.possible and one.piece.endswith("1") for one in ours), "ours would offer it"
    assert {(one.verdict, one.rules) for one in tired} == {("no", ("HOME-1",))}
    assert any(one.possible for one in offers)


def test_what_a_house_rule_refuses_is_no_option_for_another_program(
    beside: Path, tmp_path: Path
) -> None:
    """Options are whole commands, each of which is taken as it stands."""
    broken(beside, "home", game=HOME, play=HOME, screen=HOME)
    with Session.open(tmp_path / "a.game") as session:
        begin_practice(session, "tactics-home", tmp_path / "a.game")
        (asked,) = session.answer({"do": "state", "for": "blue"})["state"]["pending"]
    figures = {one["figure"] for one in asked["options"] if one["do"] == "activate"}
    assert figures
    assert not {one for one in figures if one.endswith("1")}


@pytest.mark.parametrize(
    ("what", "given"), [("prompts", "['take']"), ("seats", "3"), ("pages", "[None]")]
)
def test_a_screen_that_gives_something_else_is_named_in_one_line(
    beside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: str,
    given: str,
) -> None:
    wrong = f"\n    def {what}(self, state, seat=None):\n        return {given}\n"
    head, screen = HOME.split("class HomeScreen")
    text = head + "class HomeScreen" + screen.replace("\n\n", wrong, 1)
    broken(beside, "home", game=HOME, play=HOME, screen=text)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    argv = ["play", "--text", "--practice", "tactics-home", "--out", str(beside / "out")]
    assert main(argv) == 2
    *_, told = capsys.readouterr().err.splitlines()  # after the line that names the file
    assert told.startswith(f"companion: the game tactics:home does not work: {what} gives ")
