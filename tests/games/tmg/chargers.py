"""A unit that charges another on an empty field, for tests of its many criteria."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Table, Terrain, Tray, Unit
from tests.games.tmg.pieces import block

BOTH = ("tmg-2021", "tmg-2018")
HARD = frozenset({"impassable"})


def attacker(speed: int = 5, heading: float = 90.0, sigma: Sigma | None = None) -> Unit:
    unit = replace(block("a", 60, 60, heading), speed=speed)
    return unit if sigma is None else unit.at(Pose(60, 60, heading, sigma))


def enemy(
    x: float, y: float, heading: float = 270.0, name: str = "b", on: Tray | None = None
) -> Unit:
    unit = block(name, 60 + x, 60 + y, heading, side="red")
    return unit if on is None else replace(unit, tray=on)


def charge(
    game: str, *units: Unit, terrain: tuple[Terrain, ...] = (), size: float = 144, **readings: str
) -> Charge:
    """The first unit's charge at the second."""
    table = Table(game, size, size, units, terrain)
    found = Survey.of(table, Readings(**readings)).report
    return found.units[units[0].id].charges[units[1].id]


def printed(game: str, *units: Unit, terrain: tuple[Terrain, ...] = ()) -> dict[str, Any]:
    """The first unit's charge at the second, as the command prints it."""
    table = Table(game, 144, 144, units, terrain)
    report = Survey.of(table).report.to_json("t")
    found: dict[str, Any] = report["units"][units[0].id]["charges"][units[1].id]
    return found


def across(y: float, *words: str) -> Terrain:
    """A strip of terrain from edge to edge, half an inch deep."""
    low, high = 60 + y, 60.5 + y
    return Terrain("t1", ((0, low), (144, low), (144, high), (0, high)), frozenset(words))


def measured(unit: Unit, xy: float) -> Unit:
    """The same unit as a camera saw it."""
    return unit.at(replace(unit.pose, sigma=Sigma(xy, 3 * xy)))
