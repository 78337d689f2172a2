"""Margins to limits, and their standard deviations from measured poses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from shapely.geometry import Point, Polygon

from companion.geometry.plane.answer import ROUNDING_IN, Answer, judge, no
from models import Pose, TableToken, Terrain, Unit
from models.unit import corners


def footprint(unit: Unit) -> Polygon:
    """The area a unit's tray covers."""
    return Polygon(corners(unit))


def ground(piece: Terrain) -> Polygon:
    """The area a terrain piece covers."""
    return Polygon(piece.outline)


def clearance(one: Polygon, other: Polygon) -> float:
    """The clearance between two shapes; where they overlap, minus the width of the overlap."""
    gap = float(one.distance(other))
    if gap > 0:
        return gap
    shared = one.intersection(other)
    if shared.area <= 0:
        return 0.0
    xs, ys = shared.minimum_rotated_rectangle.exterior.coords.xy
    return -min(math.hypot(xs[k + 1] - xs[k], ys[k + 1] - ys[k]) for k in (0, 1))


def beside_in(x: float, y: float, shape: Polygon) -> float:
    """The distance of a point from a shape; negative inside it."""
    point = Point(x, y)
    if shape.covers(point):
        return -float(shape.boundary.distance(point))
    return float(shape.distance(point))


def rim_in(token: TableToken, shape: Polygon) -> float:
    """The distance of a token's rim from a shape; negative where they overlap."""
    return beside_in(token.x, token.y, shape) - token.radius


def spread(measure: Callable[..., float], *poses: Pose) -> float:
    """The standard deviation of a function of these poses, by finite differences.

    Each coordinate is varied by one sigma both ways and the larger change counts, so that a
    function at an extremum (a tray parallel to a line) is not considered certain.
    """
    here = 0.0
    changes: list[float] = []
    for place, pose in enumerate(poses):
        if not pose.sigma:
            continue
        here = measure(*poses)
        changes.extend(
            max(abs(measure(*poses[:place], moved, *poses[place + 1 :]) - here) for moved in pair)
            for pair in neighbours(pose)
        )
    return math.hypot(*changes)


def neighbours(pose: Pose) -> Iterator[tuple[Pose, Pose]]:
    """The pose moved by one sigma both ways: in x, in y, in heading."""
    step, turn = pose.sigma.xy_in, pose.sigma.heading_deg
    if step > 0:
        yield replace(pose, x=pose.x - step), replace(pose, x=pose.x + step)
        yield replace(pose, y=pose.y - step), replace(pose, y=pose.y + step)
    if turn > 0:
        yield pose.turned(pose.heading - turn), pose.turned(pose.heading + turn)


def allow(margin_in: float, *why: str, sigma_in: float = 0.0, beyond: bool = False) -> Answer:
    """Judge a limit that includes its exact value or, with `beyond`, excludes it."""
    if beyond and sigma_in == 0 and abs(margin_in) <= ROUNDING_IN:
        return no(*why, margin_in=margin_in)
    return judge(margin_in, *why, sigma_in=sigma_in)


def measured(
    measure: Callable[..., float], *units: Unit, why: tuple[str, ...], beyond: bool = False
) -> Answer:
    """Judge a margin that is a function of where units stand."""

    def at(*poses: Pose) -> float:
        return measure(*(unit.at(pose) for unit, pose in zip(units, poses, strict=True)))

    poses = [unit.pose for unit in units]
    return allow(at(*poses), *why, sigma_in=spread(at, *poses), beyond=beyond)
