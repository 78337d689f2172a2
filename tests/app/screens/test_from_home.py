"""Games of every kind by touch: home, new game, first turn, undo, leave, resume, score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.monkey import Monkey
from tests.app.screens.test_any_game import choices, result, words

SIZES = [(1024, 600), (800, 1280)]


@pytest.fixture
def toys(toy_game: None, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Driver]:
    """An app that knows only the toys, at its home screen."""
    driver = opened(tmp_path, getattr(request, "param", SIZES[0]))
    yield driver
    driver.app.desk.leave()
    driver.rest()
    driver.stop()


def begin(driver: Driver) -> None:
    """From the last step of the wizard to the table."""
    driver.press("begin")
    driver.until(lambda: driver.app.place == "table")
    driver.rest()


def leave_and_resume(driver: Driver) -> None:
    """To the home screen, and on with the game."""
    before = driver.app.desk.snapshot.state["seq"]
    driver.press("menu")
    driver.press("leave")
    assert driver.app.place == "home"
    driver.press("resume")
    assert driver.app.place == "table"
    assert driver.app.desk.snapshot.state["seq"] == before
    driver.rest()


def named(driver: Driver, **names: str) -> None:
    """Type the players' names."""
    for seat, name in names.items():
        entry = next(one for one in driver.widgets() if getattr(one, "name", "") == f"name:{seat}")
        entry.text = name
    driver.steps(2)


@pytest.mark.parametrize("toys", SIZES, indirect=True)
def test_a_game_on_hexes_from_the_home_screen(toys: Driver) -> None:
    toys.press("new")
    toys.press("choice:hexes")
    named(toys, sun="Anna", moon="Boris")
    toys.press("colour:sun:3")
    assert faults(toys) == []
    toys.press("next")
    assert "Anna" in words(toys)
    assert faults(toys) == []
    begin(toys)
    assert toys.app.screen.view == "map"
    desk = toys.app.desk
    assert [(one.name, one.colour) for one in desk.snapshot.seats] == [("Anna", 3), ("Boris", 2)]
    assert faults(toys) == []
    # The first activation: a piece, then a space.
    toys.tap_unit("s1")
    assert desk.snapshot.chosen == "s1"
    assert faults(toys) == []
    toys.tap_cell((1, 1))
    assert "Scout 1 moved" in result(toys)
    toys.press("undo")
    assert desk.snapshot.gridded is not None
    assert desk.snapshot.gridded.piece("s1").cell == (1, 0)
    leave_and_resume(toys)
    assert [one.colour for one in desk.snapshot.seats] == [3, 2]
    toys.press("dock:score")
    assert toys.app.place == "score"
    assert "Anna" in words(toys)
    assert faults(toys) == []


def test_a_card_game_for_four_without_a_table(toys: Driver) -> None:
    toys.press("new")
    toys.press("choice:cards")
    toys.press("choice:4")
    named(toys, north="Anna", east="Boris", south="Clara", west="Anna")
    toys.press("next")  # two players of one name
    assert toys.app.screen.step == 0
    named(toys, west="Dirk")
    toys.press("next")
    begin(toys)
    screen = toys.app.screen
    assert screen.tableless
    assert not screen.panes
    assert toys.find("tool:hand") is None, "no tools without a table"
    assert all(name in words(toys) for name in ("Anna", "Boris", "Clara", "Dirk"))
    assert faults(toys) == []
    for seat in ("north", "east", "south", "west"):
        toys.press(f"secret:{seat}")
        toys.press("uncover")
        toys.until(lambda: choices(toys), 10)
        toys.press(choices(toys)[0])
    assert "takes it" in result(toys)
    assert "1 tricks" in words(toys)
    toys.press("undo")
    assert toys.find("secret:west") is not None
    assert toys.find("secret:north") is None
    leave_and_resume(toys)
    assert toys.app.screen.tableless
    toys.press("dock:score")
    assert "Dirk" in words(toys)


def test_another_game_gets_seats_of_its_own(toys: Driver) -> None:
    toys.press("new")
    toys.press("choice:cards")
    toys.press("choice:6")
    named(toys, down="Finn")
    draft = toys.app.desk.drafting
    assert [one.side for one in draft.draft.seats][-1] == "down"
    # The colour that Finn takes is free for the one who had it.
    toys.press("colour:down:1")
    colours = {one.side: one.colour for one in draft.draft.seats}
    assert (colours["down"], colours["north"]) == (1, 6)
    toys.press("choice:hexes")
    assert [one.side for one in draft.draft.seats] == ["sun", "moon"]
    toys.press("back")
    toys.press("new")  # kept
    assert draft.draft.game == "hexes"


@pytest.mark.parametrize("game", ["hexes", "cards"])
def test_a_monkey_at_a_toy(toys: Driver, tmp_path: Path, game: str) -> None:
    monkey = Monkey(toys, tmp_path, seed=3, look_every=80, game=game)
    monkey.run(80)
    assert monkey.looks == 1


@pytest.fixture
def tactics(tmp_path: Path) -> Iterator[Driver]:
    """The shipped games."""
    driver = opened(tmp_path)
    yield driver
    driver.app.desk.leave()
    driver.rest()
    driver.stop()


def test_tactics_from_the_home_screen_to_the_first_activation(tactics: Driver) -> None:
    desk = tactics.app.desk
    tactics.taps = 0
    for name in ("new", "choice:tactics", "next", "next"):
        tactics.press(name)
    assert "no squad yet" in words(tactics)
    # A squad is picked by hand: what may not be added says why.
    tactics.press("choice:Fordwatch")
    tactics.press("add:Warden of the Ford")
    assert "gold 2 of 2" in words(tactics)
    assert tactics.find("barred:Warden of the Ford") is not None
    assert faults(tactics) == []
    tactics.press("dismiss:0")
    tactics.press("ready:0")
    assert "keeps every rule" in words(tactics)
    tactics.press("next")  # the other player has none yet: that list is opened
    assert tactics.app.screen.inner.side == "red"
    tactics.app.sayings.hush()
    tactics.press("ready:1")
    tactics.press("step:begin")
    assert faults(tactics) == []
    begin(tactics)
    tactics.press("app-rolls")
    for _step in range(60):
        prompt = desk.snapshot.prompts[0]
        if prompt.id == "turn":
            break
        if prompt.secret:
            tactics.press(next(one for one in tactics.names() if one.startswith("secret:")))
            tactics.press("uncover")
            tactics.until(lambda: choices(tactics), 10)
            tactics.press(choices(tactics)[0])
        elif desk.snapshot.offers and desk.snapshot.offers[0].cells:
            tactics.tap_cell(desk.snapshot.offers[0].cells[0].cell)
        else:
            tactics.press(choices(tactics)[0])
    assert desk.snapshot.prompts[0].id == "turn"
    tactics.until(lambda: tactics.app.herald.banner is None, 10)
    mine = desk.snapshot.prompts[0].pieces[0]
    tactics.tap_unit(mine)
    tactics.press("do-offer")
    assert desk.snapshot.prompts[0].id == "act"
    assert desk.snapshot.chosen == mine
    assert tactics.taps < 50
    assert faults(tactics) == []
    (move,) = (one for one in desk.snapshot.offers if one.kind == "maneuver")
    start = desk.snapshot.gridded.piece(mine).cell  # type: ignore[union-attr]
    tactics.tap_cell(move.cells[-1].cell)
    assert desk.snapshot.gridded.piece(mine).cell == move.cells[-1].cell  # type: ignore[union-attr]
    tactics.press("undo")
    assert desk.snapshot.gridded.piece(mine).cell == start  # type: ignore[union-attr]
    leave_and_resume(tactics)
    assert desk.snapshot.chosen == mine
    tactics.press("dock:score")
    assert "Player 1" in words(tactics)


def test_a_monkey_at_tactics(tactics: Driver, tmp_path: Path) -> None:
    monkey = Monkey(tactics, tmp_path, seed=4, look_every=120, game="tactics")
    monkey.run(120)
    assert monkey.looks == 1
