"""Three and four players: each has a corner of 12 inches (TMG-FFA-2)."""

from __future__ import annotations

from itertools import combinations

import pytest
from shapely.geometry import Polygon

from companion.games.tmg.figures.report_figure import ground_shapes
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_builder import ready_armies
from companion.games.tmg.rules.modes.mode_layout import SEATED
from companion.games.tmg.rules.readings import DEFAULT
from companion.games.tmg.rules.setup.table_setup import battlefield, line_up, placed
from models import Table
from models.unit import corners

GAME = "tmg-2021"


def table_of(players: int) -> Table:
    """A table with ready armies of 30 points lined up."""
    sides = ("blue", "red", "green", "violet")[:players]
    lists = [listed for _, listed in ready_armies(GAME, 30)]
    armies = [{"side": side, "list": lists[n]} for n, side in enumerate(sides)]
    command = {"do": "set-up", "mode": "GOT", "shape": "ffa", "points": 30, "armies": armies}
    setup = PLAY.prepare(GAME, command)
    assert isinstance(setup, dict)
    return line_up(battlefield(GAME, "GOT", 48, 48), PLAY.fielded(GAME, setup))


@pytest.mark.rule("TMG-FFA-2", "TMG-DEP-4")
@pytest.mark.parametrize("players", [3, 4])
def test_ready_armies_stand_in_their_corners(players: int) -> None:
    table = table_of(players)
    answers = placed(table)["units"]
    wrong = {unit.id: unit.pose for unit in table.units if answers[unit.id]["answer"] == "no"}
    assert wrong == {}
    for side, corner in zip(table.sides(), SEATED, strict=False):
        for unit in table.units:
            if unit.side == side:
                assert (unit.pose.x < 12) == corner.endswith("left")
                assert (unit.pose.y < 12) == corner.startswith("near")
                assert unit.pose.heading == (90 if corner.startswith("near") else 270)
    first = table.units[0]
    away = placed(table.moved(first.id, first.pose.__class__(24, 6, 90)))["units"][first.id]
    assert (away["answer"], "TMG-FFA-2" in away["why"]) == ("no", True)


@pytest.mark.rule("TMG-FFA-2")
def test_the_map_draws_the_corners() -> None:
    shapes = [one for one in ground_shapes(table_of(4), DEFAULT) if one.style.role == "deployment"]
    sides = {one.style.side for one in shapes}
    assert sides == {"blue", "red", "green", "violet"}


@pytest.mark.rule("TMG-CHG-20", "TMG-FFA-2")
def test_proposed_neighbours_leave_room_for_a_charge_at_one_of_them() -> None:
    table = table_of(3)
    for side in table.sides():
        own = [unit for unit in table.units if unit.side == side]
        for one, two in combinations(own, 2):
            gap = Polygon(corners(one)).distance(Polygon(corners(two)))
            beside = abs(one.pose.y - two.pose.y) < 1
            assert gap > (0.3 if beside else 0.9), (one.name, two.name)
