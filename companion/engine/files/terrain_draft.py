"""The terrain of a drafted table: where a new piece fits, and pieces put down, moved and turned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import shapely
from shapely import affinity

from companion.engine.app_words import _
from companion.engine.files.draft import Draft
from companion.games.api.rules import TerrainPiece
from models import Table
from models.field import Field
from models.terrain import Terrain
from models.unit import Point

NEAR_IN = 0.6
"""A touch within this distance of a piece means it."""
STEP_IN, STEPS = 3.0, 7
"""Where a new piece may be put: steps from the middle, and how many of them."""


def piece_named(table: Table | None, name: str) -> Terrain | None:
    """The piece of terrain with this id."""
    pieces = table.terrain if table is not None else ()
    return next((one for one in pieces if one.id == name), None)


def piece_near(table: Table, point: Point, chosen: str) -> str:
    """The piece at this point; of several that lie there, the chosen one."""
    spot = shapely.Point(point)
    near = [
        (shapely.Polygon(one.outline).distance(spot), one.id != chosen, one.id)
        for one in table.terrain
    ]
    away, _other, found = min(near, default=(NEAR_IN + 1, True, ""))
    return found if away <= NEAR_IN else ""


def new_name(table: Table) -> str:
    """The id of the next piece."""
    taken = {one.id for one in table.terrain}
    return next(f"t{n}" for n in range(1, 999) if f"t{n}" not in taken)


def place_for(draft: Draft, kind: TerrainPiece) -> list[Point]:
    """The outline of a new piece of the usual size: as near to the middle as it is legal and
    free."""
    wide, deep = kind.size_in
    steps = [number * STEP_IN for number in range(-STEPS, STEPS + 1)]
    spots = sorted(((x, y) for x in steps for y in steps), key=lambda spot: math.hypot(*spot))
    middle = draft.width / 2 - wide / 2, draft.depth / 2 - deep / 2
    lows = [(middle[0] + x, middle[1] + y) for x, y in spots]
    boxes = [shapely.box(x, y, x + wide, y + deep) for x, y in lows]
    found = next((one for one in boxes if is_free(draft, kind, one)), boxes[0])
    return list(found.exterior.coords)[:-1]


def is_free(draft: Draft, kind: TerrainPiece, shape: shapely.Polygon) -> bool:
    """Whether a piece of that shape lies on nothing and is legal there."""
    table, stage = draft.table, draft.stage
    if table is None or stage is None:
        return False
    field = shapely.box(0, 0, draft.width, draft.depth)
    others = (shapely.Polygon(one.outline) for one in table.terrain)
    if not field.contains(shape) or any(map(shape.intersects, others)):
        return False
    outline, words = tuple(shape.exterior.coords)[:-1], frozenset(kind.keywords)
    piece = Terrain(new_name(table), outline, words, kind.name)
    placed = stage.placed(replace(table, terrain=(*table.terrain, piece)))
    return bool(placed["terrain"][piece.id]["answer"] == "yes")


def put_down(
    table: Table, kind: TerrainPiece, corners: Sequence[Point], kinds: Sequence[TerrainPiece]
) -> Table:
    """The table with a new piece, which is its last; refuses an outline that crosses itself."""
    raw = {"id": new_name(table), "piece": kind.name, "outline": [list(one) for one in corners]}
    known = {one.name: frozenset(one.keywords) for one in kinds}
    piece = Terrain.read(Field(raw, _("outline")), known)
    return replace(table, terrain=(*table.terrain, piece))


def exchanged(table: Table, piece: Terrain) -> Table:
    """The table with a piece in place of the one with its id."""
    pieces = tuple(piece if one.id == piece.id else one for one in table.terrain)
    return replace(table, terrain=pieces)


def removed(table: Table, name: str) -> Table:
    """The table without a piece."""
    return replace(table, terrain=tuple(one for one in table.terrain if one.id != name))


def moved_by(piece: Terrain, x: float, y: float) -> Terrain:
    """The piece so many inches farther."""
    return replace(piece, outline=tuple((left + x, low + y) for left, low in piece.outline))


def moved_to(piece: Terrain, point: Point) -> Terrain:
    """The piece with its middle at a point."""
    middle = shapely.Polygon(piece.outline).centroid
    return moved_by(piece, point[0] - middle.x, point[1] - middle.y)


def turned(piece: Terrain, degrees: float) -> Terrain:
    """The piece turned around its middle."""
    shape = affinity.rotate(shapely.Polygon(piece.outline), degrees, "centroid")
    return replace(piece, outline=tuple(list(shape.exterior.coords)[:-1]))
