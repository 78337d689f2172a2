"""The ground that a unit threatens in its next activation: by charges, by shots, past obstacles."""

from __future__ import annotations

import math

import pytest
import shapely

from companion.games.tmg.figures.report_figure import threats_about
from models import Table, Terrain, Unit
from tests.games.tmg.sample_units import BOTH, BOW, NEW, OLD, SWORD, fighter, patch

FRONT = 11.5  # b1 stands at (24, 10) and faces up the table; its tray is 4 wide and 3 deep
BEHIND = (24.0, 20.0)


def threatened(game: str, kind: str, *things: Unit | Terrain) -> dict[int, shapely.Geometry]:
    """The areas that b1 threatens, by the roll that a charge needs; a shot needs none."""
    shooter = fighter("b1", 24, 10, attacks=(SWORD, BOW))
    others = (one for one in things if isinstance(one, Unit))
    units = (shooter, fighter("r1", 24, 45, 270), *others)
    terrain = tuple(one for one in things if isinstance(one, Terrain))
    table = Table(game, 48, 48, units, terrain)
    found = [one for one in threats_about(table, "r1") if one.unit == "b1" and one.kind == kind]
    return {one.needs or 0: one.area for one in found}


def reaches(area: shapely.Geometry, y: float) -> bool:
    """Whether the area ends there, straight ahead of b1."""
    inside, beyond = shapely.Point(24, y - 0.05), shapely.Point(24, y + 0.05)
    return bool(area.covers(inside)) and not area.covers(beyond)


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-11", "OR-11")
@pytest.mark.parametrize("game", BOTH)
def test_a_charge_threatens_what_a_front_corner_reaches_with_each_roll(game: str) -> None:
    areas = threatened(game, "charge")
    assert list(areas) == [1, 2, 3, 4, 5, 6]
    for roll, area in areas.items():
        assert reaches(area, 10 + math.hypot(5 + roll + 1.5, 2.0)), roll


@pytest.mark.rule("TMG-TER-17", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_who_stands_on_rough_ground_threatens_an_inch_less(game: str) -> None:
    areas = threatened(game, "charge", patch("rough", 22, 9, 26, 11))
    for roll, area in areas.items():
        assert reaches(area, 10 + math.hypot(4 + roll + 1.5, 2.0)), roll


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-8", "TMG-RNG-9")
@pytest.mark.parametrize("game", BOTH)
def test_a_bow_threatens_twelve_inches_after_a_shift_of_two(game: str) -> None:
    (area,) = threatened(game, "shot").values()
    assert reaches(area, FRONT + 2 + 12)


@pytest.mark.rule("TMG-LOS-5", "TMG-TER-18", "TMG-TER-6", "TMG-TER-8")
@pytest.mark.parametrize("game", BOTH)
def test_what_blocks_sight_ends_a_threat(game: str) -> None:
    spot = shapely.Point(BEHIND)

    def seen(*things: Unit | Terrain) -> tuple[bool, bool]:
        charges, shots = threatened(game, "charge", *things), threatened(game, "shot", *things)
        return bool(charges[6].covers(spot)), all(one.covers(spot) for one in shots.values())

    wide = [fighter(f"b{number}", x, 16) for number, x in ((2, 20), (3, 24), (4, 28))]
    assert seen() == (True, True)
    assert seen(*wide) == (False, False)
    assert seen(*wide, patch("elevated", 22, 9, 26, 11)) == (False, True)
    wall = (16.0, 15.0, 32.0, 16.0)
    assert seen(patch("blocks-line-of-sight", *wall)) == (False, False)
    assert seen(patch("cover", *wall)) == (True, game == OLD)
    assert seen(patch("rough", *wall)) == (True, True)
    under = (16.0, 9.0, 32.0, 16.0)  # b1 stands on it and sees out
    assert seen(patch("blocks-line-of-sight cover", *under)) == (True, True)


@pytest.mark.rule("TMG-CHG-1", "TMG-RNG-2")
def test_who_is_engaged_threatens_nobody() -> None:
    foe = fighter("r2", 24, 13, 270)
    assert threatened(NEW, "charge", foe) == {}
    assert threatened(NEW, "shot", foe) == {}
