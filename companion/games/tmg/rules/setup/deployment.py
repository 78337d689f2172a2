"""Deployment and redeployment: whether a tray may be placed where it stands."""

from __future__ import annotations

from collections.abc import Iterable

from shapely.geometry import Polygon

from companion.games.tmg.rules.distances import CLEAR_IN, CONTACT_IN
from companion.games.tmg.rules.margins import clearance, footprint, ground, measured
from companion.games.tmg.rules.modes import (
    Area,
    BattleArea,
    Mode,
    WallLine,
    behind_walls,
    player_of,
    redeploy,
    walls,
    zone,
)
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.terrain_keywords import STOPS
from companion.geometry.plane.answer import YES, Answer, both, no
from models import Table, Unit


def deployable(
    table: Table,
    unit: Unit,
    area: Area,
    obstacles: Iterable[WallLine] = (),
    barred: Area | None = None,
    readings: Readings = DEFAULT,
) -> Answer:
    """Whether the unit may be placed at its pose: inside its area and clear of all others.

    The unit need not be on the table yet. `barred` is an area no part of it may cover.
    """
    answers = [in_area(unit, area)]
    if not area.completely and readings.table_edge != "off":  # OR-18
        answers.append(in_area(unit, Area(("OR-18",), (BattleArea.of(table).whole,))))
    answers.extend(clear_of_unit(unit, other) for other in table.units if other.id != unit.id)
    answers.extend(
        clear_of(unit, ground(piece), "TMG-TER-15")
        for piece in table.terrain
        if piece.keywords & STOPS
    )
    # A wall counts like an enemy tray, standing or destroyed (TMG-MODE-SOS-22).
    answers.extend(clear_of(unit, Polygon(wall.outline), "TMG-MODE-SOS-14") for wall in obstacles)
    if barred is not None:
        answers.append(clear_of(unit, barred.shape, *barred.rules))
    return both(*answers)


def in_area(unit: Unit, area: Area) -> Answer:
    """Whether the tray is within the area (TMG-DEP-4)."""
    if not area.parts:
        return no(*area.rules)
    return measured(area.margin_in, unit, why=area.rules)


def clear_of_unit(unit: Unit, other: Unit) -> Answer:
    """Whether the tray overlaps no friend and keeps its distance from an enemy."""
    friends = other.side == unit.side
    spare_in = CONTACT_IN if friends else -CLEAR_IN
    return measured(
        lambda one, two: clearance(footprint(one), footprint(two)) + spare_in,
        unit,
        other,
        why=("TMG-MOV-9" if friends else "TMG-MOV-7",),
    )


def clear_of(unit: Unit, shape: Polygon, *why: str) -> Answer:
    """Whether the tray covers no part of a shape; contact is allowed."""
    return measured(lambda one: clearance(footprint(one), shape), unit, why=why)


def clear_of_walls(
    unit: Unit, mode: Mode, field: BattleArea, player: int, readings: Readings = DEFAULT
) -> Answer:
    """Whether a unit that moved or was placed stands neither in nor behind the walls."""
    barred = behind_walls(mode, field, player)
    answers = [] if barred is None else [clear_of(unit, barred.shape, *barred.rules)]
    answers.extend(
        clear_of(unit, Polygon(wall.outline), "TMG-MODE-SOS-14")
        for wall in walls(mode, field, readings)
    )
    return both(*answers) if answers else YES


def deployed(
    table: Table,
    mode: Mode,
    unit: Unit,
    defender: int = 1,
    readings: Readings = DEFAULT,
) -> Answer:
    """Whether the unit stands legally at the end of deployment."""
    field = BattleArea.of(table, defender)
    player = player_of(table, unit.side)
    area = zone(mode, field, player, readings)
    return place(table, mode, field, player, unit, area, readings)


def redeployed(
    table: Table,
    mode: Mode,
    unit: Unit,
    defender: int = 1,
    held_sides: Iterable[str] = (),
    readings: Readings = DEFAULT,
    player: int = 0,
) -> Answer:
    """Whether the unit may arrive there during the game; no in a mode without such a rule.

    Without a `player` the sides are numbered in the order in which they appear on the table.
    """
    field = BattleArea.of(table, defender)
    player = player or player_of(table, unit.side)
    area = redeploy(mode, field, player, tuple(held_sides), readings)
    if area is None:
        return no("TMG-DEP-3")
    return place(table, mode, field, player, unit, area, readings)


def place(
    table: Table,
    mode: Mode,
    field: BattleArea,
    player: int,
    unit: Unit,
    area: Area,
    readings: Readings,
) -> Answer:
    """`deployable` with the walls of the mode, unless they are on the table as terrain."""
    measured_walls = any(piece.piece == "castle-wall" for piece in table.terrain)
    obstacles = () if measured_walls else walls(mode, field, readings)
    barred = behind_walls(mode, field, player)
    return deployable(table, unit, area, obstacles, barred, readings)


def deployment(
    table: Table, mode: Mode, defender: int = 1, readings: Readings = DEFAULT
) -> dict[str, Answer]:
    """Every unit of the two players, and whether it stands legally at the end of deployment."""
    players = table.sides()[:2]
    return {
        unit.id: deployed(table, mode, unit, defender, readings)
        for unit in table.units
        if unit.side in players
    }
