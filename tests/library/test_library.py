"""What other programs import: every public name, texts and reprs that are read back, quickly."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import companion as tc
from companion.cli.program import main
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_view, tagged_table
from models.catalogue import DATA
from tests.conftest import TOYS
from tests.test_imports import imported

ROOT = Path(__file__).parents[2]
PRACTICE = DATA / "practice.table.json"
PUBLIC = Path(__file__).with_name("public.txt")
NOT_MEANT = {"checked", "entry", "read", *dir(Exception)}
"""Members for the readers of files inside; and what every error has."""


def signature(name: str) -> str:
    """A public name with its parameters, and the public members of a class."""
    found = getattr(tc, name)
    kind = "error" if inspect.isclass(found) and issubclass(found, Exception) else "record"
    if not inspect.isclass(found):
        return f"{name}({', '.join(inspect.signature(found).parameters)})"
    members = sorted(one for one in set(dir(found)) - NOT_MEANT if not one.startswith("_"))
    told = "" if kind == "error" else f"({', '.join(inspect.signature(found).parameters)})"
    return f"{name}{told}: {', '.join(members)}".rstrip(": ")


def test_every_public_name_and_nothing_else() -> None:
    """A name that goes or changes breaks other programs: a new version, and CHANGELOG.md says so.

    Names that are added are written into public.txt beside this test.
    """
    assert [signature(name) for name in tc.__all__] == PUBLIC.read_text().splitlines()
    assert sorted(tc.__all__) == sorted(name for names in tc.PLACES.values() for name in names)
    assert set(tc.__all__) <= set(dir(tc))
    with pytest.raises(AttributeError, match="has no attribute 'Dragon'"):
        tc.Dragon  # type: ignore[attr-defined] # noqa: B018


def test_every_public_name_says_what_it_is() -> None:
    assert [name for name in tc.__all__ if not getattr(tc, name).__doc__] == []


def test_importing_it_loads_nothing_heavy() -> None:
    assert imported("companion")[1].isdisjoint({"numpy", "models", "shapely", "PIL", "cv2", "kivy"})


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"companion {tc.__version__}\n"
    newest = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert tc.__version__ in newest[:2]


# -- reprs and texts ------------------------------------------------------------------------------


def again(value: Any) -> Any:
    """What the repr of a value means to somebody who has `from companion import *`."""
    return eval(repr(value), {name: getattr(tc, name) for name in tc.__all__})


def test_a_table_is_read_back_from_its_repr_and_its_text() -> None:
    table = tc.Table.load(PRACTICE)
    assert again(table) == table == tc.parse(table.text()) == tc.parse(table.to_json())
    board = tc.BoardTable.load(TOYS / "hexes.table.json")
    assert again(board) == board == tc.parse(board.text()) == tc.load(TOYS / "hexes.table.json")
    walled = tc.Board("square", 2, 1, 1.0, borders=(tc.Border(((0, 0), (1, 0)), "wall"),))
    assert again(walled) == walled


def test_the_practice_table_is_there_without_a_file() -> None:
    assert tc.practice_table() == tc.Table.load(PRACTICE)


def test_a_table_is_built_from_the_names_of_cards() -> None:
    unit = {"id": "b1", "side": "blue", "name": "Stark Sworn Swords", "tray": "infantry"}
    table = tc.parse(
        {
            "format": "table-companion/1",
            "game": "tmg-2021",
            "units": [{**unit, "x": 9, "y": 9, "heading": 90}],
        }
    )
    assert isinstance(table, tc.Table)
    assert table.unit("b1").attacks[0].name == "Winter's Bite"
    built = tc.Table("tmg-2021", units=(table.unit("b1").at(tc.Pose(20, 9, 90)),))
    assert tc.rules(built)["b1"].moves["march"]


def test_answers_are_read_back_and_unsure_is_no_yes() -> None:
    report = tc.rules(tc.load(PRACTICE))
    assert again(report) == report == tc.Report.parse(report.text())
    charge = report["b3"].charges["r1"]
    assert (charge.answer, charge["zone"], charge["needs"]) == ("yes", "left", 3)
    assert again(charge) == charge == tc.Ruling.of(charge.to_json())
    assert charge
    assert not tc.Ruling("unsure")
    assert "engaged" in report.reason(report["b1"].charges["r1"].why[0])
    assert report["b1"].engaged == ("r1",)
    assert report["b1"].distances["b2"] == pytest.approx(6.881, abs=1e-3)
    assert set(report) == set(tc.Table.load(PRACTICE)._index)
    with pytest.raises(tc.UnknownName, match=r"no unit 'zz'.* b1"):
        report["zz"]
    with pytest.raises(tc.BadInput, match="is not an object"):
        tc.Report.parse("[]")


def test_a_move_is_explained() -> None:
    table = tc.Table.load(PRACTICE)
    moved = table.moved("b2", table.unit("b2").pose.shifted(4.0))
    found = tc.check(table, moved, "b2")
    assert [action for action, answer in found.items() if answer] == ["maneuver", "march"]
    assert found["shift"].why


def test_odds_are_exact_and_their_mistakes_are_named() -> None:
    odds = tc.odds("tmg-2021", hit=4, dice=7, defense=4, morale=6, models=3)
    assert again(odds) == odds
    assert sum(odds.chances().values()) == pytest.approx(1)
    assert odds.destroys == pytest.approx(odds.at_least(3))
    assert odds.mean == odds["mean"]
    assert tc.odds("tmg-2021", hit=4, dice=7, defense=4, morale=6).destroys is None, "not asked"
    with pytest.raises(tc.CompanionError, match="know no 'dragons'; there are: "):
        tc.odds("tmg-2021", dragons=3)
    with pytest.raises(tc.CompanionError, match="need hit, dice"):
        tc.odds("tmg-2021")


@pytest.mark.parametrize(
    ("commander", "rule"), [("", "TMG-ARM-5"), ("Commander: Robb Stark\n", "TMG-ARM-6")]
)
def test_a_list_is_read_back_in_every_layout(commander: str, rule: str) -> None:
    """Also one without a commander, and one whose commander is in no unit."""
    text = f"Faction: Stark\n{commander}• Stark Sworn Swords (5)\n"
    listed = tc.CardList("tmg-2021", text, points=40)
    assert again(listed) == listed
    assert not listed.unread
    assert [why for why, _ in listed.problems] == [rule]
    for layout in listed.layouts:
        found = tc.CardList("tmg-2021", listed.written(layout), points=40)
        assert (found.unread, found.problems) == ((), listed.problems), layout
        same = ("game", "faction", "points", "commander", "unit")
        assert [found.to_json().get(k) for k in same] == [listed.to_json().get(k) for k in same]


def test_a_line_for_a_commander_without_a_name_names_nobody() -> None:
    listed = tc.CardList("tmg-2021", "Faction: Stark\nCommander: \n• Stark Sworn Swords (5)\n")
    assert (listed.unread, [why for why, _ in listed.problems]) == ((), ["TMG-ARM-5"])


# -- games ----------------------------------------------------------------------------------------


def test_a_game_is_played_by_commands_and_by_taps(tmp_path: Path) -> None:
    with tc.Game(tmp_path / "practice.game") as game:
        assert game.table is None
        game.practise("westeros")
        assert isinstance(game.table, tc.BoardTable)
        assert game.winner is None
        view = game.view()
        tap = next(one["tap"] for prompt in view["prompts"] for one in prompt.get("choices", ()))
        assert game.act({"tap": tap})["seq"] > view["seq"]
        game.undo()
        assert game.view()["seq"] != view["seq"]
        game.redo()
        with pytest.raises(tc.Refused, match="is not") as refused:
            game.act({"tap": "zz"})
        assert refused.value.why
        with pytest.raises(tc.Refused) as refused:
            game.do("dance")
        assert refused.value.say in str(refused.value)
        seat = view["seats"][0] if isinstance(view["seats"], list) else next(iter(view["seats"]))
        assert game.state(seat)["seq"] == game.do("state", for_=seat)["seq"]
        assert game.report().startswith("#")
        shown = repr(game)
    with eval(shown, {"Game": tc.Game}) as again_open:
        assert again_open.undo_title
        with pytest.raises(tc.BadInput, match="holds a game already"):
            again_open.practise("westeros")


def test_a_game_speaks_its_language(tmp_path: Path) -> None:
    with tc.Game(tmp_path / "practice.game", "de") as game:
        game.practise("tactics")
        assert game.undo_title == "Runde 1 beginnt"
        with pytest.raises(tc.Refused) as refused:
            game.do("end-round")
        assert refused.value.say == "„end-round“ geht jetzt nicht"
        assert game.report().startswith("# Spielbericht")
        told = {game.state()["log"][-1]["title"], game.do("state")["state"]["log"][-1]["title"]}
        assert told == {"Runde 1 beginnt"}
    with tc.Game(tmp_path / "practice.game") as game:
        assert (game.undo_title, game.report()[:8]) == ("round 1 begins", "# Battle")


def test_the_known_games() -> None:
    assert {"tmg-2018", "tmg-2021", "tactics", "westeros", "thrones"} <= set(tc.known_games())


# -- pictures -------------------------------------------------------------------------------------


def test_a_map_with_answers_of_one_unit_and_without() -> None:
    table = tc.load(PRACTICE)
    plain = tc.draw(table, answers=False, size=(300, 300))
    told = tc.draw(table, "b3", size=(300, 300), language="de")
    assert plain.size == told.size == (300, 300)
    assert np.asarray(plain.convert("RGB")).tolist() != np.asarray(told.convert("RGB")).tolist()


def test_a_photo_becomes_a_table_to_ask(tmp_path: Path) -> None:
    table = tc.Table.load(PRACTICE)
    table = replace(table, units=(table.unit("b3"), table.unit("r1")), terrain=(), tokens=())
    setup = tagged_table(table)
    setup.save(tmp_path / "a.setup.toml")
    picture, _ = PracticeCamera(setup, standard_view(table.width)).frame(table)
    found = tc.look(picture, tmp_path / "a.setup.toml", table)
    assert isinstance(found.table, tc.Table)
    assert found.missing == ("b3",), "its models hide its tag: it is not guessed"
    (seen,), real = found.table.units, table.unit("r1").pose
    assert (seen.pose.x, seen.pose.y) == pytest.approx((real.x, real.y), abs=0.1)
    assert 0 < seen.pose.sigma.xy_in < 0.1
    assert again(found) == found
    assert found["camera"]["references"]
    assert tc.rules(found.table)["r1"].moves["march"]
    assert not any("assumed" in one for one in found.problems)
    placed = tc.look(picture, tmp_path / "a.setup.toml")
    assert any("only the places of r1 are known" in one for one in placed.problems)
    black = tc.look(np.zeros_like(picture), tmp_path / "a.setup.toml")
    assert black.table is None
    assert black.problems


HERE = tc.Table.load(PRACTICE)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: tc.draw(HERE, size=(0, 0)),
        lambda: tc.draw(HERE, size=(1_000_000, 1_000_000)),
        lambda: tc.rules(HERE.moved("b1", tc.Pose(math.nan, 1, 0))),
        lambda: tc.draw(HERE.moved("b1", tc.Pose(math.inf, 1, 0))),
        lambda: tc.check(HERE, HERE.moved("b1", tc.Pose(1e300, 1, 0)), "b1"),
        lambda: tc.CardList("tmg-2021", "stark;10201,20201,30201").written("pdf"),
        lambda: tc.Report.parse('{"game": "tmg-2021", "units": 3}'),
        lambda: tc.Report.parse('{"game": [], "units": {}}'),
        lambda: tc.Report.parse('{"game": "tmg-2021", "pieces": {"a": 3}}'),
        lambda: tc.Game("a\0.game"),
        lambda: tc.Game("\ud800.game"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(asked: Callable[[], object]) -> None:
    with pytest.raises(tc.CompanionError) as refused:
        asked()
    assert "\n" not in str(refused.value)
