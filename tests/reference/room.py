"""Room to align: slide the charging tray along the edge of the arc it charges (TMG-CHG-3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from models import Table, Unit
from tests.reference.ground import (
    CONTACT_IN,
    EPS_IN,
    Array,
    Flags,
    Sure,
    every,
    gap,
    inside_table,
    piece_shape,
    some,
    tray_ring,
    tray_shape,
)

STEP_IN = 0.02
HAND_SHARE = 0.05
"""2018: contact with less of the shorter edge than this is none, and all but this is all."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One side of a tray: its middle, the way along it, the way out, and its length."""

    middle: Array
    along: Array
    out: Array
    length: float


def edge(target: Unit, arc: str) -> Edge:
    """The side of the target that belongs to an arc."""
    corners = tray_ring(target)
    one, two = {
        "front": (corners[3], corners[0]),
        "left": (corners[0], corners[1]),
        "rear": (corners[1], corners[2]),
        "right": (corners[2], corners[3]),
    }[arc]
    way = two - one
    length = float(np.hypot(*way))
    along = way / length
    return Edge((one + two) / 2, along, np.array([along[1], -along[0]]), length)


def contact(side: Edge, width: float, offsets: Array) -> Array:
    """Share of contact of a front edge slid along a side (OR-8): over the shorter of the two."""
    low = np.maximum(offsets - width / 2, -side.length / 2)
    high = np.minimum(offsets + width / 2, side.length / 2)
    share: Array = np.maximum(high - low, 0.0) / min(width, side.length)
    return share


def placed(side: Edge, unit: Unit, offsets: Array) -> NDArray[np.object_]:
    """The tray with its front edge flush on the side, at each offset from its middle."""
    width, depth = unit.tray.width, unit.tray.depth
    base = side.middle + offsets[:, None] * side.along
    half = width / 2 * side.along
    rings = np.stack(
        [base - half, base + half, base + half + depth * side.out, base - half + depth * side.out],
        axis=1,
    )
    shapes: NDArray[np.object_] = shapely.polygons(rings)
    return shapes


def free(table: Table, unit: Unit, target: Unit, shapes: NDArray[np.object_], grow: float) -> Flags:
    """Which places overlap no other tray and no impassable piece, and lie on the table."""
    open_ = inside_table(table, shapes, -grow)
    for other in table.units:
        if other.id not in (unit.id, target.id):
            open_ &= ~shapely.intersects(shapes, tray_shape(other, grow))
    for piece in table.terrain:  # OR-10
        if "impassable" in piece.keywords:
            open_ &= ~shapely.intersects(shapes, piece_shape(piece, grow))
    return open_


def room(table: Table, unit: Unit, target: Unit, arc: str) -> Sure:
    """Whether the charging tray finds a place on that side of the target."""
    side = edge(target, arc)
    half = (unit.tray.width + side.length) / 2
    count = math.ceil(2 * half / STEP_IN) + 1
    offsets = np.linspace(-half, half, count)
    share = contact(side, unit.tray.width, offsets)
    old = table.game.endswith("2018")
    needed = HAND_SHARE if old else 0.5  # 2018: any free room
    doubt = EPS_IN / min(unit.tray.width, side.length)
    shapes = placed(side, unit, offsets)
    sure = (share >= needed + 2 * doubt) & free(table, unit, target, shapes, EPS_IN)
    perhaps = (share >= needed - doubt) & free(table, unit, target, shapes, -EPS_IN)
    fits: Sure = True if sure.any() else (None if perhaps.any() else False)
    if not old:
        return fits
    full, others = occupants(table, unit, target, side)
    return every([fits, negate(full), negate(two_of(others))])


def negate(answer: Sure) -> Sure:
    """The opposite, where it is known."""
    return None if answer is None else not answer


def two_of(others: list[Sure]) -> Sure:
    """Whether two units already stand on the side (2018: at most two there)."""
    if sum(answer is True for answer in others) >= 2:
        return True
    return None if sum(answer is not False for answer in others) >= 2 else False


def occupants(table: Table, unit: Unit, target: Unit, side: Edge) -> tuple[Sure, list[Sure]]:
    """2018: whether a unit stands on that side at 100 %, and who stands there at all."""
    full: list[Sure] = []
    there: list[Sure] = []
    for other in table.enemies(target):
        if other.id == unit.id:
            continue
        distance = gap(other, target)
        if distance > CONTACT_IN + EPS_IN:
            continue
        on = against(other, side)
        if distance > CONTACT_IN - EPS_IN and on:
            on = None
        there.append(on)
        full.append(every([on, centred(other, side)]))
    return some(full), there


def centred(other: Unit, side: Edge) -> Sure:
    """Whether a touching tray is aligned at 100 %: centre to centre, as well as hands do (OR-8).

    A tray off centre whose whole edge is in contact is 100 % by length only: left open.
    """
    ring = tray_ring(other) - side.middle
    along = ring @ side.along
    shared = min(along.max(), side.length / 2) - max(along.min(), -side.length / 2)
    short = min(float(np.ptp(along)), side.length)
    if abs(along.mean()) <= HAND_SHARE * short - EPS_IN and shared >= (1 - HAND_SHARE) * short:
        return True
    return None if shared > (1 - HAND_SHARE) * short - EPS_IN else False


def against(other: Unit, side: Edge) -> Sure:
    """Whether a touching tray stands flush on the side, over some length of it."""
    ring = tray_ring(other) - side.middle
    out, along = ring @ side.out, ring @ side.along
    if out.min() < -0.1:
        return False
    near = along[out <= out.min() + 0.05]
    if len(near) < 2:
        return None
    shared = min(near.max(), side.length / 2) - max(near.min(), -side.length / 2)
    if shared <= 0:
        return False if shared < -CONTACT_IN - EPS_IN else None
    return True if shared > 0.1 else None
