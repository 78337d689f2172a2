"""Retreats against trying every fifth of an inch and every fifth degree, with shapely."""

from __future__ import annotations

import functools
import math
import random

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.moves import move_answers, way_out
from models import Pose, Sigma, Table, Terrain, Tray, Unit
from models.unit import corners
from tests.games.tmg.sample_units import BOTH, NEW, OLD, field, fighter
from tests.trials import trials

STEP_IN, TURN_DEG = 0.2, 5.0
DIE = 6
SEEDS = {
    NEW: (33, 34, 55, 58, 64, 69, 77, 85, 101, 131, 164, 176, 32, 35, 45, 66, 72, 83, 89, 90, 102),
    OLD: (33, 34, 35, 38, 43, 51, 55, 57, 58, 61, 64, 69, 32, 45, 47, 49, 66, 72, 80, 84, 89, 90),
}
"""In most of these no straight end is legal: pivots decide."""
MEASURED = {
    NEW: (222, 294, 285, 233, 284, 246, 210, 248, 293, 256, 230, 264, 221, 243, 270),
    OLD: (265, 201, 247, 208, 295, 219, 200, 225, 252, 243, 275, 259, 289, 270),
}
"""Likewise, with each answer."""
WALLED = (230, 247, 270, 276, 261, 327, 304)[: trials(3, 7)]
TURNS = {"ahead": 0.0, "left": 90.0, "behind": 180.0, "right": 270.0}
Flags = NDArray[np.bool_]


def ringed(seed: int, game: str) -> tuple[Table, str]:
    """A unit in contact with an enemy at one edge, among walls, Rough ground and other trays."""
    dice = random.Random(seed)
    here = Pose(dice.choice((3.0, 24.0)), 24.0, dice.choice((0.0, 90.0, 37.0, 200.0)))
    tray = dice.choice((Tray("", 4.0, 3.0), Tray("", 2.0, 5.0)))
    me = fighter("b1", here.x, here.y, here.heading, tray, speed=dice.choice((0, 1)))
    edge = dice.choice(list(TURNS))
    own = tray.depth / 2 if edge in ("ahead", "behind") else tray.width / 2
    out = here.turned(here.heading + TURNS[edge])
    x, y = out.ahead(own + 1.5, dice.uniform(-2.0, 2.0))
    things: list[Unit | Terrain] = [me, fighter("r1", x, y, out.heading + 180)]
    places = [*TURNS.values(), *(dice.uniform(0, 360) for _ in range(4))]
    for number, turn in enumerate(places):
        way = here.turned(here.heading + turn)
        far, turned = dice.uniform(3.0, 6.5), way.heading + dice.choice((0.0, 0.0, 30.0))
        x, y = way.ahead(far, dice.uniform(-0.5, 0.5))
        kind = dice.choice(("enemy", "enemy", "wall", "wall", "friend", "rough"))
        size = Tray("", dice.uniform(2, 7), dice.uniform(0.4, 2))
        name = {"enemy": "r", "friend": "b"}.get(kind, "t") + str(number + 2)
        other = fighter(name, x, y, turned, size)
        shape, foe = shapely.Polygon(corners(other)), kind == "enemy"
        others = [one for one in things if isinstance(one, Unit)]
        if all(shape.distance(shapely.Polygon(corners(one))) > 0.15 for one in others):
            words = frozenset({"rough" if kind == "rough" else "impassable"})
            unit = foe or kind == "friend"
            things.append(other if unit else Terrain(name, corners(other), words))
    return field(game, *things).table, edge


def swept(table: Table, way: float, lengths: NDArray[np.float64]) -> NDArray[np.object_]:
    """The ground under each slide."""
    unit = table.units[0]
    ring = np.array(corners(unit))
    step = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    both = [shapely.MultiPoint(np.vstack([ring, ring + far * step])) for far in lengths]
    found: NDArray[np.object_] = np.array([shapely.convex_hull(one) for one in both])
    return found


def placed(unit: Unit, way: float, lengths: NDArray[np.float64]) -> NDArray[np.object_]:
    """The tray after each slide (rows) and each turn (columns)."""
    turns = np.radians(unit.pose.heading + np.arange(0.0, 360.0, TURN_DEG))
    forward = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    left = np.stack([-forward[:, 1], forward[:, 0]], axis=-1)
    half = unit.tray.depth / 2, unit.tray.width / 2
    rings = np.stack(
        [
            ahead * half[0] * forward + aside * half[1] * left
            for ahead, aside in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ],
        axis=1,
    )
    step = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    centres = np.array([unit.pose.x, unit.pose.y]) + lengths[:, None] * step
    found: NDArray[np.object_] = shapely.polygons(centres[:, None, None] + rings[None])
    return found


def ends(table: Table, way: float, slack: float) -> bool:
    """Whether one of the ends tried is legal, every limit eased by `slack` inches."""
    unit, game = table.units[0], table.game
    most = unit.speed + DIE
    lengths = np.arange(STEP_IN, most + 1e-9, STEP_IN)
    lanes = swept(table, way, lengths)
    shapes = {one.id: shapely.Polygon(corners(one)) for one in table.units[1:]}
    foes = [shapes[one.id] for one in table.units[1:] if one.side != unit.side]
    friends = [shapes[one.id] for one in table.units[1:] if one.side == unit.side]
    walls = [shapely.Polygon(t.outline) for t in table.terrain if "impassable" in t.keywords]
    bogs = [shapely.Polygon(t.outline) for t in table.terrain if "rough" in t.keywords]
    # the path: through no enemy and no wall (TMG-MOV-10, TMG-TER-15), along enemies in contact
    stops = [one.buffer(-0.12 if one is shapes["r1"] else -slack) for one in foes]  # OR-22
    lengths = lengths[~meet(lanes, [*stops, *(wall.buffer(-slack) for wall in walls)])]
    lanes, trays = swept(table, way, lengths), placed(unit, way, lengths)
    whole = shapely.box(0, 0, table.width, table.depth).buffer(slack, join_style="mitre")
    solid = meet(trays, [wall.buffer(-slack) for wall in walls])
    shapely.prepare([whole, *foes])
    legal: Flags = shapely.covers(whole, trays) & ~solid  # OR-18
    legal &= ~meet(trays, [one.buffer(-slack) for one in friends])  # TMG-MOV-9
    if game == OLD:  # TMG-TER-16: turning left or right, over no wall
        left = np.logical_and.accumulate(~solid, axis=1)
        right = np.logical_and.accumulate(np.roll(~solid, -1, axis=1)[:, ::-1], axis=1)
        legal &= left | np.roll(right[:, ::-1], 1, axis=1)
    ground = [bog.buffer(-slack) for bog in bogs]
    slowed = meet(lanes, ground)[:, None] | (meet(trays, ground) & (game == NEW))  # TMG-TER-17
    legal &= lengths[:, None] <= most - slowed + 1e-9
    near = np.array([shapely.dwithin(one, trays[legal], 1 - slack) for one in foes])  # TMG-MOV-7
    return not near.any(axis=0).all()


def meet(shapes: NDArray[np.object_], solids: list[shapely.Polygon]) -> Flags:
    """Which of these shapes overlap one of those solids."""
    found = np.zeros(shapes.shape, dtype=bool)
    for solid in solids:
        shapely.prepare(solid)
        found |= shapely.intersects(solid, shapes)
    return found


@functools.cache
def tried(seed: int, game: str) -> tuple[Table, bool, bool]:
    """The table, whether a retreat is surely legal, and whether one may be."""
    table, edge = ringed(seed, game)
    ways = [turn for name, turn in TURNS.items() if name != "ahead"]
    if game == NEW and edge != "ahead":  # TMG-RET-4
        ways.append(0.0)
    heading = table.units[0].pose.heading
    slack = STEP_IN / 2 + math.radians(TURN_DEG / 2) * math.hypot(5.0, 2.0) / 2 + 0.005
    sure, perhaps = (
        any(ends(table, heading + way, eased) for way in ways) for eased in (-0.005, slack)
    )
    return table, sure, perhaps


@pytest.mark.rule(
    *("TMG-RET-3", "TMG-RET-4", "TMG-RET-6", "TMG-RET-9", "TMG-MOV-7", "TMG-MOV-8", "TMG-MOV-9"),
    *("TMG-TER-15", "TMG-TER-16", "TMG-TER-17", "OR-18", "OR-22"),
)
@pytest.mark.parametrize(
    ("game", "seed"), [(game, seed) for game, seeds in SEEDS.items() for seed in seeds]
)
def test_a_retreat_is_found_if_trying_finds_one(game: str, seed: int) -> None:
    table, sure, perhaps = tried(seed, game)
    answer = move_answers(field(game, *table.units, *table.terrain), 0)["retreat"]
    if sure or not perhaps:
        assert answer.verdict == ("yes" if sure else "no")


@pytest.mark.parametrize("game", BOTH)
def test_the_tables_have_both_answers(game: str) -> None:
    found = [tried(seed, game)[1:] for seed in SEEDS[game]]
    assert sum(sure for sure, _ in found) > 7
    assert sum(not perhaps for _, perhaps in found) > 7


# -- measured tables ----------------------------------------------------------------------------

ERROR_IN = 0.04
ELSEWHERE = 6
"""So many tables as they may be, each tray up to two sigmas off."""


def known(seed: int, game: str, own: bool = False) -> tuple[Battlefield, list[Battlefield]]:
    """A table as a camera knows it, and as it may be; the unit and the enemy it touches stay.

    `own`: the camera knows their places no better.
    """
    table, _ = ringed(seed, game)
    dice = random.Random(seed)

    def placed(unit: Unit, error: float, off: float) -> Unit:
        pose, turn = unit.pose, dice.uniform(0, 2 * math.pi)
        x, y = pose.x + off * math.cos(turn), pose.y + off * math.sin(turn)
        return unit.at(Pose(x, y, pose.heading, Sigma(error, 0.0)))

    fixed, others = table.units[:2], table.units[2:]
    seen = [placed(one, ERROR_IN, 0.0) for one in (table.units if own else others)]
    perhaps = [[placed(one, 0.0, 2 * ERROR_IN) for one in others] for _ in range(ELSEWHERE)]
    worlds = [seen if own else [*fixed, *seen], *([*fixed, *units] for units in perhaps)]
    first, *rest = (field(game, *units, *table.terrain) for units in worlds)
    return first, rest


@pytest.mark.rule("TMG-RET-9", "TMG-MOV-7", "TMG-MOV-9", "TMG-MOV-10", "TMG-TER-16")
@pytest.mark.parametrize(
    ("game", "seed", "own"),
    [
        *((game, seed, False) for game, seeds in MEASURED.items() for seed in seeds),
        *((OLD, seed, True) for seed in WALLED),
    ],
)
def test_a_certain_retreat_is_one_wherever_the_trays_really_stand(
    game: str, seed: int, own: bool
) -> None:
    seen, perhaps = known(seed, game, own)
    most = float(seen.units[0].speed + DIE)
    answer = way_out(seen, 0, most)
    truths = {way_out(one, 0, most).verdict for one in perhaps}
    if answer.verdict != "unsure":
        assert truths == {answer.verdict}
    else:
        assert 0 < answer.chance < 1
