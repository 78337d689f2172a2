"""Setting a table up: the mode's pieces, proposed positions, and where trays may be deployed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from shapely.geometry import Polygon

from companion.games.api.rules import Placed, TerrainPiece
from companion.games.tmg.rules.margins import clearance, footprint, ground, measured
from companion.games.tmg.rules.modes import (
    Area,
    BattleArea,
    Mode,
    WallLine,
    behind_walls,
    corner_zone,
    mode,
    piles,
    player_of,
    redeploy,
    spots,
    walls,
    zone,
)
from companion.games.tmg.rules.modes.mode_layout import SEATED
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.rulebook import CLEAR_IN, CONTACT_IN, STOPS
from companion.games.tmg.rules.setup.placement import battlefield as lawful_size
from companion.games.tmg.rules.setup.placement import terrain_places, token_place, token_places
from companion.geometry.plane.answer import YES, Answer, both, no
from models import Pose, Table, TableToken, Unit, catalogue
from models.unit import overlap_depth


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
    sides: Sequence[str] = (),
) -> Answer:
    """Whether the unit stands legally at the end of deployment.

    `sides` are those that will play; without them, those that stand on the table.
    """
    field = BattleArea.of(table, defender)
    sides = sides or table.sides()
    if len(sides) > 2:
        area = corner_zone(field, corner_of(sides, unit.side))
        return deployable(table, unit, area, readings=readings)
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
    """Every unit of the players, and whether it stands legally at the end of deployment."""
    players = table.sides()
    return {
        unit.id: deployed(table, mode, unit, defender, readings)
        for unit in table.units
        if unit.side in players[: len(SEATED)]
    }


def corner_of(sides: Sequence[str], side: str) -> str:
    """The corner that is proposed to a side where more than two play."""
    return SEATED[list(sides).index(side) % len(SEATED)]


LONG_PIECES = ("stakes", "low-wall", "hedge", "palisade", "castle-wall")
LONG_IN, BROAD_IN = (6.0, 1.0), (6.0, 5.0)
"""Sizes that no book prints (OR-1): initial values that players adjust by dragging."""
HAIR_IN = 0.02
"""The gap between proposed trays, so that rounding makes none overlap."""
GAP_IN = 1.1
"""The room between two rows of proposed trays, where there is as much."""
INSET_IN = 0.3
"""How far inside its zone a tray is proposed, so that a camera's error leaves no doubt."""


def pieces(game: str, key: str) -> tuple[TerrainPiece, ...]:
    """Every kind of terrain, with the rule by which the mode excludes it."""
    known, facts = catalogue(game).pieces, mode(game, key).facts
    sizes = {"castle-wall": facts.sizes.wall, "corpse-pile": facts.sizes.pile}
    found = []
    for name, words in known.items():
        wide, deep = sizes.get(name, LONG_IN if name in LONG_PIECES else BROAD_IN)
        barred = bool(facts.terrain.barred) and facts.terrain.barred in (name, *words)
        rule = facts.terrain.barred_rule if barred else ""
        found.append(TerrainPiece(name, tuple(sorted(words)), (wide, deep), rule))
    return tuple(found)


def has_roles(game: str, key: str) -> bool:
    """Whether zones differ by role (TMG-MODE-SOS-1)."""
    return any(fact.role for fact in mode(game, key).facts.zones)


def battlefield(
    game: str, key: str, width: float, depth: float, readings: Readings = DEFAULT
) -> Table:
    """An empty table with the mode's piles and tokens, and proposals for those players place."""
    plan, ground = mode(game, key), BattleArea(width, depth)
    table = Table(game, width, depth, terrain=piles(plan, ground, readings), mode=key)
    fixed = tuple(spot.token() for spot in spots(plan, ground, readings))
    table = replace(table, tokens=fixed)
    free = plan.facts.placing.count if plan.facts.placing is not None else 0
    for number in range(len(fixed) + 1, len(fixed) + free + 1):
        token = proposed_token(table, plan, f"o{number}", readings)
        table = replace(table, tokens=(*table.tokens, token))
    return table


def proposed_token(table: Table, plan: Mode, name: str, readings: Readings) -> TableToken:
    """A legal position for one more token, along the middle line first, fair to both flanks."""
    middle = table.width / 2
    xs = sorted(
        (float(place) for place in range(3, int(table.width) - 2, 3)),
        key=lambda x: (abs(abs(x - middle) - middle / 2), -abs(x - middle)),
    )
    for away in range(int(table.depth / 2)):
        for side in (1, -1):
            y = table.depth / 2 + side * away
            for x in xs:
                token = TableToken(name, x, y)
                if token_place(table, plan, token, readings=readings):
                    return token
    return TableToken(name, table.width / 2, table.depth / 2)


def line_up(
    table: Table, units: Sequence[Unit], defender: int = 1, readings: Readings = DEFAULT
) -> Table:
    """The table with every unit in its zone (TMG-DEP-4); one without room is put elsewhere."""
    plan = mode(table.game, table.mode)
    sides = tuple(dict.fromkeys(unit.side for unit in (*table.units, *units)))
    for unit in units:
        table = replace(table, units=(*table.units, unit))
        lawful = (
            pose
            for pose in places(table, plan, unit, defender, readings, sides)
            if deployed(table, plan, unit.at(pose), defender, readings, sides).verdict == "yes"
        )
        pose = next(lawful, None) or next(free_places(table, unit), unit.pose)
        table = table.moved(unit.id, pose)
    return table


def places(
    table: Table, plan: Mode, unit: Unit, defender: int, readings: Readings, sides: Sequence[str]
) -> Iterator[Pose]:
    """Possible positions of a tray in its zone: front to back, middle outwards."""
    field = BattleArea.of(table, defender)
    if len(sides) > 2:
        corner = corner_of(sides, unit.side)
        player, area = 1 if corner.startswith("near") else 2, corner_zone(field, corner)
    else:
        player = player_of(table, unit.side)
        area = zone(plan, field, player, readings)
    yield from places_in(area, player, unit, corner=len(sides) > 2)


def places_in(area: Area, player: int, unit: Unit, corner: bool = False) -> Iterator[Pose]:
    """Possible positions of a tray in an area at the edge of a player; a `corner` is small."""
    wide, deep = unit.tray.width + HAIR_IN, unit.tray.depth + HAIR_IN
    for part in area.parts:
        xs, ys = [x for x, _ in part], [y for _, y in part]
        left, right = min(xs) + wide / 2, max(xs) - wide / 2
        flush = [left + wide * place for place in range(int((right - left) / wide) + 1)]
        rows = int((max(ys) - min(ys)) / deep)
        spare = min(INSET_IN, max(ys) - min(ys) - rows * deep)
        left_over = max(ys) - min(ys) - spare - rows * deep
        between = min(left_over / max(rows - 1, 1), GAP_IN)
        for row in range(rows):
            back = spare + deep / 2 + row * (deep + between)
            y = max(ys) - back if player == 1 else min(ys) + back
            first = spread(left, right, wide) if corner else outwards(left, right)
            for x in (*first, *flush):
                yield Pose(x, y, unit.pose.heading)


def spread(left: float, right: float, wide: float) -> Iterator[float]:
    """As many coordinates as have room, half of the spare room between them: a charger aligned
    with one tray then meets no corner of its neighbour (TMG-CHG-20)."""
    steps = int((right - left) / wide)
    spare = right - left - steps * wide
    for place in range(steps + 1):
        yield left + spare / 4 + place * (wide + spare / 2 / max(steps, 1))


def outwards(left: float, right: float) -> Iterator[float]:
    """Coordinates from the middle toward both ends, an inch apart."""
    for step in range(int((right - left) / 2) + 1):
        yield (left + right) / 2 + step
        yield (left + right) / 2 - step


def free_places(table: Table, unit: Unit) -> Iterator[Pose]:
    """All positions on the table that overlap no other tray."""
    others = [one for one in table.units if one.id != unit.id]
    ways = (range(3, int(table.depth) - 2), range(3, int(table.width) - 2))
    for y in ways[0]:
        for x in ways[1]:
            pose = Pose(float(x), float(y), unit.pose.heading)
            if all(overlap_depth(unit.at(pose), one) <= 0 for one in others):
                yield pose


def placed(table: Table, defender: int = 1, readings: Readings = DEFAULT) -> Placed:
    """Every answer about the table before the first round."""
    plan = mode(table.game, table.mode)
    found = {
        "terrain": terrain_places(table, plan, defender, readings),
        "tokens": token_places(table, plan, defender, readings),
        "units": deployment(table, plan, defender, readings),
    }
    answers = {
        kind: {name: answer.to_json() for name, answer in those.items()}
        for kind, those in found.items()
    }
    return {"table": {"": lawful_size(table, readings).to_json()}, **answers}
