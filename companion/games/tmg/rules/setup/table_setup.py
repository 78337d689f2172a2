"""A table before the first round: the mode's pieces, proposed positions, and legality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.setup import Placed, TerrainPiece
from companion.games.tmg.rules.modes import BattleArea, Mode, mode, piles, player_of, spots, zone
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.setup.deployment import deployed, deployment
from companion.games.tmg.rules.setup.placement import battlefield as lawful_size
from companion.games.tmg.rules.setup.placement import terrain_places, token_place, token_places
from models import Objective, Pose, Table, Unit, catalogue
from models.footprint import overlap_depth

LONG_PIECES = ("stakes", "low-wall", "hedge", "palisade", "castle-wall")
LONG_IN, BROAD_IN = (6.0, 1.0), (6.0, 5.0)
"""Sizes that no book prints (OR-1): initial values that players adjust by dragging."""
HAIR_IN = 0.02
"""The gap between proposed trays, so that rounding makes none overlap."""
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
    table = replace(table, objectives=fixed)
    free = plan.facts.placing.count if plan.facts.placing is not None else 0
    for number in range(len(fixed) + 1, len(fixed) + free + 1):
        token = proposed_token(table, plan, f"o{number}", readings)
        table = replace(table, objectives=(*table.objectives, token))
    return table


def proposed_token(table: Table, plan: Mode, name: str, readings: Readings) -> Objective:
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
                token = Objective(name, x, y)
                if token_place(table, plan, token, readings=readings):
                    return token
    return Objective(name, table.width / 2, table.depth / 2)


def line_up(
    table: Table, units: Sequence[Unit], defender: int = 1, readings: Readings = DEFAULT
) -> Table:
    """The table with every unit in its zone (TMG-DEP-4); one without room is put elsewhere."""
    plan = mode(table.game, table.mode)
    for unit in units:
        table = replace(table, units=(*table.units, unit))
        tried = places(table, plan, unit, defender, readings)
        lawful = (
            pose
            for pose in tried
            if deployed(table, plan, unit.at(pose), defender, readings).verdict == "yes"
        )
        pose = next(lawful, None) or next(free_places(table, unit), unit.pose)
        table = table.moved(unit.id, pose)
    return table


def places(
    table: Table, plan: Mode, unit: Unit, defender: int, readings: Readings
) -> Iterator[Pose]:
    """Possible positions of a tray in its zone: front to back, middle outwards."""
    player = player_of(table, unit.side)
    area = zone(plan, BattleArea.of(table, defender), player, readings)
    wide, deep = unit.tray.width + HAIR_IN, unit.tray.depth + HAIR_IN
    for part in area.parts:
        xs, ys = [x for x, _ in part], [y for _, y in part]
        left, right = min(xs) + wide / 2, max(xs) - wide / 2
        flush = [left + wide * place for place in range(int((right - left) / wide) + 1)]
        rows = int((max(ys) - min(ys)) / deep)
        spare = min(INSET_IN, max(ys) - min(ys) - rows * deep)
        for row in range(rows):
            back = spare + deep / 2 + row * deep
            y = max(ys) - back if player == 1 else min(ys) + back
            for x in (*outwards(left, right), *flush):
                yield Pose(x, y, unit.pose.heading)


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
        "objectives": token_places(table, plan, defender, readings),
        "units": deployment(table, plan, defender, readings),
    }
    answers = {
        kind: {name: answer.plain() for name, answer in those.items()}
        for kind, those in found.items()
    }
    return {"table": {"": lawful_size(table, readings).plain()}, **answers}
