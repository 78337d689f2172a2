"""Games of every kind by touch: home, new game, first turn, undo, leave, resume, score."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def begin(driver: Driver) -> None:
    """From the last step of the wizard to the table."""
    driver.press("begin")
    driver.until(lambda: driver.app.place == "table")
    driver.rest()


def leave_and_resume(driver: Driver) -> None:
    """To the home screen, and on with the game."""
    before = driver.app.service.snapshot.state["seq"]
    driver.press("menu")
    driver.press("leave")
    assert driver.app.place == "home"
    driver.press("resume")
    assert driver.app.place == "table"
    assert driver.app.service.snapshot.state["seq"] == before
    driver.rest()


def named(driver: Driver, **names: str) -> None:
    """Type the players' names."""
    for seat, name in names.items():
        entry = next(one for one in driver.widgets() if getattr(one, "name", "") == f"name:{seat}")
        entry.text = name
    driver.steps(2)


@pytest.mark.slow
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
    service = toys.app.service
    assert [(one.name, one.colour) for one in service.snapshot.seats] == [("Anna", 3), ("Boris", 2)]
    assert faults(toys) == []
    # The first activation: a piece, then a space.
    toys.tap_unit("s1")
    assert service.snapshot.chosen == "s1"
    assert faults(toys) == []
    toys.tap_cell((1, 1))
    toys.press("place")
    assert "Scout 1 moved" in result(toys)
    toys.press("undo")
    assert service.snapshot.gridded is not None
    assert service.snapshot.gridded.piece("s1").cell == (1, 0)
    leave_and_resume(toys)
    assert [one.colour for one in service.snapshot.seats] == [3, 2]
    toys.press("dock:score")
    assert toys.app.place == "score"
    assert "Anna" in words(toys)
    assert faults(toys) == []


@pytest.mark.slow
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
    taker = re.search(r"(\w+) takes it", result(toys))
    assert taker is not None
    assert re.search(rf"{taker[1]} \| 1\b", words(toys)), "the trick is theirs on the table"
    toys.press("undo")
    assert toys.find("secret:west") is not None
    assert toys.find("secret:north") is None
    leave_and_resume(toys)
    assert toys.app.screen.tableless
    toys.press("dock:score")
    assert "Dirk" in words(toys)


@pytest.mark.slow
def test_another_game_gets_seats_of_its_own(toys: Driver) -> None:
    toys.press("new")
    toys.press("choice:cards")
    toys.press("choice:6")
    named(toys, down="Finn")
    draft = toys.app.service.drafting
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


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hexes", "cards"])
def test_a_monkey_at_a_toy(toys: Driver, tmp_path: Path, game: str) -> None:
    monkey = Monkey(toys, tmp_path, seed=3, look_every=40, game=game)
    monkey.run(40)
    assert monkey.looks == 1


@pytest.fixture
def tactics(tmp_path: Path) -> Iterator[Driver]:
    """The shipped games."""
    driver = opened(tmp_path)
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def typed(driver: Driver, **texts: str) -> None:
    """Type into fields of a form."""
    for name, text in texts.items():
        entry: Any = driver.find(name)
        assert entry is not None, name
        entry.text = text
    driver.steps(2)


def entered(driver: Driver, name: str, coin: str) -> None:
    """A figure of the house of our own: its numbers by touch, each the least; it costs 2 coins."""
    typed(driver, name=name, faction="Our House")
    for button in (*2 * [f"{coin}+"], "will+", "defence+", "health+", "add:attacks"):
        driver.press(button)
    typed(driver, **{"attacks[0].name": "Sword"})
    for button in ("attacks[0].kind:melee", "attacks[0].dice+", "attacks[0].hit+"):
        driver.press(button)
    driver.press("form-done")


def placed(driver: Driver) -> None:
    """Through the set-up of a battle to its first turn, always the first choice."""
    service = driver.app.service
    driver.press("app-rolls")
    for _step in range(60):
        prompt = service.snapshot.prompts[0]
        if prompt.id == "turn":
            break
        if prompt.secret:
            driver.press(next(one for one in driver.names() if one.startswith("secret:")))
            driver.press("uncover")
            driver.until(lambda: choices(driver), 10)
            driver.press(choices(driver)[0])
        elif service.snapshot.offers and service.snapshot.offers[0].cells:
            driver.tap_cell(service.snapshot.offers[0].cells[0].cell)
        else:
            driver.press(choices(driver)[0])
    assert service.snapshot.prompts[0].id == "turn"
    driver.until(lambda: driver.app.announcer.banner is None, 10)


@pytest.mark.long
def test_an_own_squad_from_the_home_screen_to_its_first_activation(
    tactics: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "own"))
    service = tactics.app.service
    tactics.taps = 0
    for name in ("new", "choice:tactics", "next", "next"):
        tactics.press(name)
    assert "no squad yet" in words(tactics)
    # A printed figure without numbers opens its form, and the figure of one's own box is entered
    # while the squad is built.
    assert tactics.find("enter:Jon Arryn") is not None
    tactics.press("new:figure")
    entered(tactics, "Ser Own", "gold")
    # It is in sight under its faction; what may not be added says why.
    tactics.press("add:Ser Own")
    assert tactics.find("barred:Ser Own") is not None
    assert "keeps every rule" in words(tactics)
    tactics.press("next")  # the other player has none yet: that list is opened
    assert tactics.app.screen.inner.side == "red"
    tactics.app.toasts.dismiss()
    # A card entered for one player comes back to that player.
    tactics.press("choice:blue")
    tactics.press("new:figure")
    tactics.press("back")
    assert tactics.app.screen.inner.side == "blue"
    tactics.press("choice:red")
    tactics.press("choice:Our House")
    tactics.press("add:Ser Own")
    # Every figure has a tag; two of them exchange theirs.
    tactics.press("next")
    tactics.press("choice:practice")
    tactics.press("tag:b1")
    tactics.press("number:11")
    tags = dict(service.drafting.draft.tags)
    assert tags | {"#11": "b1", "#10": "r1"} == tags
    assert faults(tactics) == []
    tactics.press("print-tags")
    tactics.until(lambda: tactics.find("open:figures.pdf"), 30)
    assert (service.folder / "print" / "figures.pdf").stat().st_size > 1000
    tactics.press("next")
    begin(tactics)
    placed(tactics)
    tactics.press("view:map")
    if "b1" not in service.snapshot.prompts[0].pieces:  # the other squad has the start marker
        tactics.tap_unit(service.snapshot.prompts[0].pieces[0])
        tactics.press("do-offer")
        service.ask(lambda: service.controller.do([{"do": "end"}]))
        tactics.rest()
    tactics.tap_unit("b1")
    tactics.press("do-offer")
    assert service.snapshot.prompts[0].id == "act"
    assert service.snapshot.chosen == "b1"
    assert tactics.taps < 100
    assert faults(tactics) == []
    # The camera sees the figures by the tags that they were given.
    setup = service.setup
    assert {one.unit: one.tags[0].id for one in setup.trays}["b1"] == 11  # type: ignore[union-attr]
    (move,) = (one for one in service.snapshot.offers if one.kind == "maneuver")
    start = service.snapshot.gridded.piece("b1").cell  # type: ignore[union-attr]
    tactics.tap_cell(move.cells[-1].cell)
    tactics.press("place")
    assert "Ser Own 1 moves" in result(tactics)
    assert service.snapshot.gridded.piece("b1").cell == move.cells[-1].cell  # type: ignore[union-attr]
    tactics.press("undo")
    assert service.snapshot.gridded.piece("b1").cell == start  # type: ignore[union-attr]
    tactics.press("dock:score")
    assert "Player 1" in words(tactics)


@pytest.mark.long
def test_a_monkey_at_tactics(tactics: Driver, tmp_path: Path) -> None:
    monkey = Monkey(tactics, tmp_path, seed=4, look_every=60, game="tactics")
    monkey.run(60)
    assert monkey.looks == 1
