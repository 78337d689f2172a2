"""A crowded table and its numbers by touch: what the further evenings found broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kivy.uix.label import Label

from companion.app.render.chip_layer import ChipLayer
from companion.app.scripted.driver import Driver
from companion.games.tmg.play import practice_game
from companion.overlay.badge import bounds_of
from companion.overlay.view_frame import BoundingBox
from models import Pose, Table
from tests.app.conftest import opened


def crowded_table() -> Table:
    """Twice ten units, two ranks of five each; a unit that is there twice has a number."""
    table = Table.load(practice_game.TABLE)
    units = []
    for side, prefix in enumerate("br"):
        own = [one for one in table.units if one.id.startswith(prefix)]
        for place in range(10):
            rank, file = divmod(place, 5)
            y = 6.0 + 6.5 * rank if side == 0 else 42.0 - 6.5 * rank
            pose = Pose(6.0 + 9.0 * file, y, 90.0 if side == 0 else 270.0)
            units.append(replace(own[place % len(own)].at(pose), id=f"{prefix}{place + 1}"))
    return replace(table, units=tuple(units), terrain=())


def begun(folder: Path, table: Table) -> Driver:
    """A game on the map with this table, in its first turn."""
    made = opened(folder, (1280, 800))
    service = made.app.service

    def begin() -> None:
        command = practice_game.set_up(table)
        for army in command["armies"]:
            army["ncus"] = []
        assert service.controller.begin(command, "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    return made


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = begun(tmp_path_factory.mktemp("crowd"), crowded_table())
    yield made
    made.stop()


def chips(driver: Driver) -> ChipLayer:
    pane = driver.app.screen.panes[0]
    assert isinstance(pane.chips, ChipLayer)
    return pane.chips


def boxes(driver: Driver) -> dict[str, BoundingBox]:
    return {key: one.box for key, one in chips(driver).placed.items()}


def texts(driver: Driver) -> str:
    return "\n".join(one.text for one in driver.widgets() if isinstance(one, Label) and one.text)


@pytest.mark.slow
def test_twice_ten_badges_keep_their_names_beside_their_own_trays(crowd: Driver) -> None:
    placed = chips(crowd).placed
    assert len(placed) == 20
    assert len({one.badge.name for one in placed.values()}) == 20
    for one in placed.values():
        tray = bounds_of(one.badge.outline)
        beside = one.box.overlaps(replaced(tray, 6.0))
        assert beside or one.line is not None, f"{one.badge.id}: a badge of whom?"


def replaced(box: BoundingBox, margin: float) -> BoundingBox:
    """A box with a margin around it."""
    return BoundingBox(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)


def test_a_tap_on_a_unit_moves_no_badge(crowd: Driver) -> None:
    before = boxes(crowd)
    for unit in ("b2", "r7", "b9"):
        crowd.tap_unit(unit)
        crowd.rest()
        heads = chips(crowd).heads
        for key, box in boxes(crowd).items():
            gives_way = any(before[key].overlaps(head) for head in heads)
            same = box == pytest.approx(before[key], abs=1.0)
            assert gives_way or same, f"{key} after a tap on {unit}"
    crowd.app.screen.choose(None)
    crowd.rest()
    for key, box in boxes(crowd).items():
        assert box == pytest.approx(before[key], abs=1.0), f"{key} comes back"


def test_no_badge_lies_on_an_objective(crowd: Driver) -> None:
    pane, table = crowd.app.screen.panes[0], crowd.app.service.snapshot.trays
    assert table is not None
    for token in table.tokens:
        x, y = pane.on_screen((token.x, token.y))
        spot = (x - chips(crowd)._at[0], chips(crowd).high - (y - chips(crowd)._at[1]))
        under = [key for key, box in boxes(crowd).items() if box.distance(spot) == 0]
        assert not under, f"{token.id} is hidden"


def test_the_hint_of_a_tool_goes_by_itself_and_covers_no_badge_for_long(
    crowd: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.screens.table_screen.HINT_S", 60.0)
    crowd.press("tool:hand")
    crowd.until(lambda: "drag a tray, or tap it" in texts(crowd), 10)
    monkeypatch.setattr("companion.app.screens.table_screen.HINT_S", -1.0)
    crowd.until(lambda: "drag a tray, or tap it" not in texts(crowd), 10)


@pytest.mark.slow
@pytest.mark.rule("TMG-ABL-4", "TMG-BON-3")
def test_the_defence_told_with_sundering_is_the_one_that_counts(tmp_path: Path) -> None:
    table = Table.load(practice_game.TABLE)
    places = {"b6": Pose(16.0, 19.0, 90.0), "r7": Pose(16.0, 23.8, 270.0)}
    units = tuple(table.unit(unit).at(pose) for unit, pose in places.items())
    driver = begun(tmp_path, replace(table, units=units, terrain=()))
    try:
        service = driver.app.service
        service.do({"do": "activate", "unit": "b6"})
        service.do({"do": "action", "action": "attack", "target": "r7"})
        service.do({"do": "modify", "what": "ability", "name": "sundering"})
        driver.rest()
        driver.press("count:3")
        driver.until(lambda: service.snapshot.prompts[0].id == "defense-dice", 20)
        driver.rest()
        face = units[1].defense + 1
        assert f"{face}+" in texts(driver)
        assert f"{face - 1}+" not in texts(driver)
        driver.press("dice:faces")
        lost = service.snapshot.piece("r7")
        assert lost is not None
        for die in (face, face - 1, 1):
            driver.press(f"die:{die}")
        driver.until(lambda: service.snapshot.prompts[0].id != "defense-dice", 20)
        service.do({"do": "continue"})
        driver.rest()
        now = service.snapshot.piece("r7")
        assert now is not None
        assert (lost.left or 0) - (now.left or 0) == 2, "one of three is blocked"
    finally:
        driver.stop()
